/**
 * Composition root: starts a gateway from its configuration. Opens every component with its dependencies and closes
 * them in reverse order.
 */
import type { SmppServer } from '../apis/smpp/smpp-server.ts'
import type { Delivery } from '../delivery/delivery.ts'
import type { Phone } from '../domain/numbers/phone.ts'
import { createStartingRoutes } from '../http/metrics/health.ts'
import { Metrics } from '../http/metrics/metrics.ts'
import { startHttpServer } from '../http/server/server.ts'
import { BulkRunner } from '../operations/bulk/runner.ts'
import { BulkUploads } from '../operations/bulk/upload.ts'
import { WorkQueue } from '../operations/request/work-queue.ts'
import type { Store } from '../ports/stores/store.ts'
import { type OpenOptions, openInstallation } from './installation/installation.ts'
import { openWhenReachable } from './installation/open-when-reachable.ts'
import { LiveDirectory } from './live/live-directory.ts'
import { LiveHooks } from './live/live-hooks.ts'
import { openTracing } from './live/open-tracing.ts'
import { describeMigration } from './log/describe-migration.ts'
import { RepeatLimitedLog } from './log/limit-repeats.ts'
import { stopLogged } from './log/stop-logged.ts'
import { openAlarms } from './parts/alarms.ts'
import {
  type Base,
  type GatewayTools,
  observe,
  openIntake,
  startDelivery,
  watchReadiness,
} from './parts/gateway-parts.ts'
import { checkForGateway, operationTools } from './parts/operation-tools.ts'
import { serveAdminPort, servePublicPort, serveSmppPort } from './parts/serve-ports.ts'
import { lookAtLogins, startDuties } from './parts/start-duties.ts'
import { limitThreads } from './system/limit-threads.ts'
import { hasThreads } from './system/system-clock.ts'

export interface Gateway {
  /** Address of the public port: `http://127.0.0.1:8080`. */
  readonly address: string
  readonly adminAddress: string
  /** Null without an SMPP server. */
  readonly smppPort: number | null
  readonly store: Store
  readonly delivery: Delivery
  /**
   * Resolves with the reason when this node can no longer write: another node has taken over, or the database went back
   * in time. The caller stops it.
   */
  readonly lost: Promise<string>
  /** Applies operators' changes without waiting for the next refresh. */
  refresh(): Promise<void>
  /** Announces the stop: reports not ready, and closes each connection after its next answer. */
  giveNotice(): void
  /** Refuses new requests, drains, returns open work to the store and closes. */
  stop(): Promise<void>
}

/** Rejects, leaving nothing open, if a port is taken or the data are in use or sealed with another key. */
export async function startGateway(given: GatewayTools): Promise<Gateway> {
  const { config, clock } = given
  checkForGateway(config)
  if (hasThreads(clock)) limitThreads()
  const log = new RepeatLimitedLog(given.log, clock)
  const tools = { ...given, log }
  await using opened = new AsyncDisposableStack()
  opened.defer(() => log.flush())

  // Opens the admin port first: a gateway that waits for its database is alive but not ready. The public port refuses
  // connections until it can take requests, so that clients and load balancers try another gateway.
  const admin = await openAdminPort(tools)
  opened.defer(() => admin.server.stop())
  const metrics = new Metrics()
  const { store, lost, events } = await openStore(tools, metrics, admin.onWaiting)
  opened.defer(() => store.close())
  const [directory, hooks] = await Promise.all([LiveDirectory.load(store), LiveHooks.load(store)])
  const { trustedProxies } = config
  const server = await startHttpServer({ host: config.host, port: config.port, clock, log, trustedProxies })
  opened.defer(() => server.stop())
  given.onListening?.(server.address)
  // Closed before the store, whatever fails from here on.
  opened.defer(() => admin.server.stop())

  const operatorOf = (phone: Phone) => given.lookup?.operatorOf(phone) ?? directory.current().operatorOf(phone)
  const base: Base = { ...tools, store, directory, hooks, lookup: { operatorOf }, metrics, tracing: openTracing() }
  const intake = openIntake(base)
  const work = startDelivery(base, intake, server.address)
  observe(base, work)
  const readiness = watchReadiness(base)
  const operations = operationTools(base, work, intake, server.address)
  const queue = new WorkQueue(clock)
  const uploads = new BulkUploads(operations, queue)
  const bulks = new BulkRunner(operations, queue, () => work.delivery.wake())
  // At once: a webhook for a carrier that was not started would be answered with 404.
  directory.onChange = () => work.delivery.refresh()
  hooks.onChange = () => work.delivery.refreshHooks()
  work.delivery.start()
  events.onDue = () => work.delivery.wake()
  const alarms = openAlarms(base, work)
  const duties = startDuties(base, { work, intake, readiness, operations, bulks, queue, alarms })
  const smpp: { server: SmppServer | null } = { server: null }

  // Closed in reverse order: requests, new work, work in progress, the store last.
  opened.defer(() => work.hookPost.stop())
  opened.defer(() => alarms.notifier.stop())
  opened.defer(() =>
    intake.keyUses.write().catch((error: Error) => log.warn({ error }, 'last-use times of keys were not written')),
  )
  opened.defer(() =>
    work.carrierTimes.write().catch((error: Error) => log.warn({ error }, 'states of carriers were not written')),
  )
  opened.defer(() => work.clicks.stop())
  opened.defer(() => work.testCarriers.stop())
  opened.defer(() => work.delivery.stop())
  opened.defer(() => bulks.settle())
  opened.defer(() => Promise.all([server.stop(), smpp.server?.stop()]).then(() => {}))
  const giveNotice = () => {
    readiness.isStopping = true
    server.giveNotice()
    smpp.server?.giveNotice()
  }
  opened.defer(() => {
    giveNotice()
    events.onDue = () => {}
    duties.stop()
  })
  const shared = { work, operations, queue, uploads }
  opened.defer(await serveAdminPort(base, { server: admin.server, ...shared, readiness, alarms }))
  // Last, so that everything is there when its probe answers. Until then connections wait.
  servePublicPort(base, { server, ...shared })
  smpp.server = await serveSmppPort(base, shared)
  if (smpp.server !== null) lookAtLogins(duties, smpp.server, work, store)
  const running = opened.move()
  return {
    address: server.address,
    adminAddress: admin.server.address,
    smppPort: smpp.server?.port ?? null,
    store,
    delivery: work.delivery,
    lost,
    refresh: directory.refresh,
    giveNotice,
    stop: () => stopLogged({ clock, log: given.log, delivery: work.delivery }, () => running.disposeAsync()),
  }
}

/** Reports the gateway as alive and, until the rest of the port is served, why it is not ready. */
async function openAdminPort({ config, clock, log }: GatewayTools) {
  const server = await startHttpServer({ host: config.adminHost, port: config.adminPort, clock, log })
  let waiting = 'starting'
  server.serve(createStartingRoutes(() => waiting))
  const onWaiting = (reason: string) => {
    waiting = reason
  }
  return { server, onWaiting }
}

/** Waits for an unreachable database. */
async function openStore(
  { config, clock, log, signal }: GatewayTools,
  metrics: Metrics,
  onWaiting: (reason: string) => void,
) {
  const { promise: lost, resolve: onLost } = Promise.withResolvers<string>()
  const events = { onDue: () => {} }
  const options: OpenOptions = {
    role: 'gateway',
    inline: !hasThreads(clock),
    onDue: () => events.onDue(),
    onLost,
    onWarning: (line) => log.warn({}, line),
    onMigration: describeMigration(clock, (line, { from, to }) => log.info({ from, to }, line)),
    timeCommit: () => {
      const startedAt = clock.monotonic()
      return () => metrics.times.commit(clock.monotonic() - startedAt)
    },
  }
  const store = await openWhenReachable(() => openInstallation(config, options), {
    clock,
    log,
    onWaiting,
    signal: signal ?? new AbortController().signal,
  })
  return { store, lost, events }
}
