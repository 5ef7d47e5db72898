/** What the gateway serves on its public port and on its admin port. */
import { fileURLToPath } from 'node:url'
import { createApiRoutes } from '../../apis/apis.ts'
import { openSmpp } from '../../apis/smpp/open-smpp.ts'
import type { SmppServer } from '../../apis/smpp/smpp-server.ts'
import { createAdminApi } from '../../http/admin/admin-api.ts'
import { BrowserSessions } from '../../http/admin/browser-session.ts'
import { LiveEvents } from '../../http/admin/live-events.ts'
import { createConsoleRoutes } from '../../http/console/console.ts'
import { readConsoleFiles } from '../../http/console/console-files.ts'
import { createShortLinkHandler } from '../../http/links/short-links.ts'
import { createUnsubscribeHandler } from '../../http/links/unsubscribe.ts'
import { createAdminRoutes, healthRoute } from '../../http/metrics/health.ts'
import { LiveSnapshots } from '../../http/metrics/live-snapshot.ts'
import { ClientAddresses } from '../../http/server/client-address.ts'
import type { HttpServer } from '../../http/server/server.ts'
import { createCarrierWebhooks } from '../../http/webhooks/carrier-webhooks.ts'
import { ENDPOINTS } from '../../operations/admin/endpoints.ts'
import type { BulkUploads } from '../../operations/bulk/upload.ts'
import type { OperationTools } from '../../operations/request/operation-tools.ts'
import { RateLimits } from '../../operations/request/rate-limits.ts'
import type { WorkQueue } from '../../operations/request/work-queue.ts'
import { createRunAs } from '../../operations/run/run.ts'
import { CARRIER_SCHEMAS, checkCarrierSettings, receiptAccounts } from '../carriers/carrier-drivers.ts'
import { readyProviders } from '../carriers/ready-providers.ts'
import { hookGuardOf } from '../hooks/hook-guard.ts'
import { openIdOf } from '../settings/open-id.ts'
import { readSmppTls } from '../settings/smpp-tls.ts'
import type { Alarms } from './alarms.ts'
import type { Base, ReadinessWatch, Work } from './gateway-parts.ts'

/** Built by `npm run build-console`; the compiled sources are beside it. */
const CONSOLE = fileURLToPath(new URL('../../../dist/console', import.meta.url))

interface PublicPort {
  readonly server: HttpServer
  readonly work: Work
  readonly operations: OperationTools
  /** The work of requests, shared with that of bulks. */
  readonly queue: WorkQueue
  /** Shared with the admin port. */
  readonly uploads: BulkUploads
}

export function servePublicPort(base: Base, { server, work, operations, queue, uploads }: PublicPort): void {
  const { config, clock, metrics } = base
  const { role, trustedProxies } = config
  const { delivery, clicks, consent, hookPost } = work
  const webhooks = () =>
    createCarrierWebhooks({
      carrier: (id) => delivery.fleet.get(id),
      onRefused: (id) => metrics.countRefusedWebhook(id),
      clock,
      addresses: new ClientAddresses(trustedProxies),
    })
  server.serve([
    ...(role === 'delivery'
      ? []
      : createApiRoutes(operations, { names: config.apis, trustedProxies, queue, uploads, hookPost })),
    ...(role === 'api' ? [] : [webhooks()]),
    createShortLinkHandler({ clicks, clock }),
    createUnsubscribeHandler({ clicks, consent, clock, publicUrl: config.publicUrl }),
    healthRoute,
  ])
}

/** Returns null unless the operator has turned the SMPP server on. Rejects if its port is taken. */
export async function serveSmppPort(
  { config }: Base,
  { work, operations, queue }: Omit<PublicPort, 'server' | 'uploads'>,
): Promise<SmppServer | null> {
  if (!config.apis.includes('smpp') || config.role === 'delivery') return null
  const { smppHost: host, smppPort: port } = config
  return openSmpp(operations, { host, port, readTls: () => readSmppTls(config), binds: work.loginBinds, queue })
}

interface AdminPort {
  readonly server: HttpServer
  readonly work: Work
  readonly operations: OperationTools
  /** The work of requests, shared with that of the public port. */
  readonly queue: WorkQueue
  readonly uploads: BulkUploads
  readonly readiness: ReadinessWatch
  readonly alarms: Alarms
}

/** Returns a function that ends all live views. */
export async function serveAdminPort(base: Base, parts: AdminPort): Promise<() => void> {
  const { server, work, operations, queue, uploads, readiness, alarms } = parts
  const { config, clock, random, log, store, directory, lookup, metrics, passwordLogN } = base
  const { carriers, delivery, loginBinds } = work
  const addresses = new ClientAddresses(config.trustedProxies)
  const liveEvents = new LiveEvents({ clock, snapshots: liveSnapshots(base, parts) })
  server.serve([
    ...(await createAdminApi({
      store,
      clock,
      random,
      passwordLogN,
      log,
      endpoints: ENDPOINTS,
      checkSettings: checkCarrierSettings,
      receiptAccounts,
      carrierSchemas: CARRIER_SCHEMAS,
      hookGuard: hookGuardOf(config),
      providers: readyProviders,
      publicUrl: config.publicUrl,
      live: {
        role: config.role,
        apis: config.role === 'delivery' ? [] : config.apis,
        smppPort: config.smppPort,
        startedAt: clock.now(),
        carriers,
        carrier: (id) => delivery.fleet.get(id),
        connectNow: (id) => delivery.fleet.connectNow(id),
        binds: () => loginBinds.all().map(({ view }) => view),
        lookups: delivery.lookups,
        operations,
        explainRouting: delivery.explainRouting,
        runAs: createRunAs(operations, queue),
        uploads,
        sso: openIdOf(config, clock),
        ssoRates: new RateLimits(),
        carrierTests: new RateLimits(),
        testTarget: (target) => alarms.notifier.test(target),
        operatorOf: (phone) => lookup.operatorOf(phone),
      },
      addresses,
      liveEvents,
      browsers: new BrowserSessions({ origin: config.consoleOrigin, addresses }),
      directory: directory.current,
      refresh: directory.refresh,
      mcpSending: config.mcpSend,
    })),
    ...createConsoleRoutes(await readConsoleFiles(CONSOLE), random),
    ...createAdminRoutes({ metrics, carriers, whyNotReady: readiness.whyNot, access: config }),
  ])
  return () => liveEvents.stop()
}

function liveSnapshots({ config, clock, store, metrics }: Base, { work, readiness, alarms }: AdminPort): LiveSnapshots {
  const { delivery, carriers } = work
  return new LiveSnapshots({
    clock,
    carriers,
    node: store.cluster?.node ?? null,
    role: config.role,
    whyNotReady: readiness.known,
    totals: () => metrics.totals(),
    messages: () => delivery.pump.facts,
    reports: () => delivery.reporter.facts,
    counts: () => store.counts(),
    openAlarms: alarms.open,
  })
}
