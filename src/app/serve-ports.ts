/** What the gateway serves on its public port and on its admin port. */
import { ChatappNames } from '../contract/chatapp-names.ts'
import { DEFAULT_LIMITS } from '../contract/limits.ts'
import { createAdminApi } from '../http/admin-api.ts'
import { createApiRoutes } from '../http/api.ts'
import { createCarrierWebhooks } from '../http/carrier-webhooks.ts'
import { ClientAddresses } from '../http/client-address.ts'
import { createAdminRoutes, healthRoute } from '../http/health.ts'
import type { HttpServer } from '../http/server.ts'
import { createShortLinkHandler } from '../http/short-links.ts'
import { createUnsubscribeHandler } from '../http/unsubscribe.ts'
import { ENDPOINTS } from '../operations/admin/endpoints.ts'
import type { OperationTools } from '../operations/operation-tools.ts'
import { simulatorLookup, simulatorNumbers } from '../simulator/lookup.ts'
import { checkCarrierSettings, receiptAccounts } from './carrier-drivers.ts'
import type { Base, Intake, ReadinessWatch, Work } from './gateway-parts.ts'
import { hookGuardOf } from './hook-guard.ts'

interface PublicPort {
  readonly server: HttpServer
  readonly work: Work
  readonly intake: Intake
}

type Served = Pick<PublicPort, 'server' | 'work'> & { readonly tools: OperationTools }

/** Returns the tools of everything that accepts messages. */
export function operationTools(base: Base, { server, work: { delivery }, intake }: PublicPort): OperationTools {
  const { config, clock, random, log, store, directory, hooks, lookup, metrics } = base
  const { pumping, keyUses, denials } = intake
  return {
    ...{ store, lookup, keyUses, clock, random, log },
    outbox: delivery.pump,
    onAccepted: (messages) => pumping.count(messages),
    onDenied: (cause, key) => {
      metrics.countDenied(cause)
      denials.note(cause, key)
    },
    directory: directory.current,
    hooks: { of: hooks.of, refresh: hooks.refresh, onReports: () => delivery.reporter.wake() },
    testLookup: simulatorLookup,
    numbers: delivery.lookups,
    testNumbers: simulatorNumbers(clock),
    limits: {
      ...DEFAULT_LIMITS,
      lifetimeMinSeconds: config.lifetimeMinSeconds,
      templatesKept: config.templatesKept,
      templateBytesKept: config.templateBytesKept,
      idempotencyBytes: config.idempotencyBytes,
    },
    chatappNames: new ChatappNames(config.chatappNames),
    hookGuard: hookGuardOf(config),
    publicUrl: config.publicUrl ?? server.address,
  }
}

export function servePublicPort(base: Base, { server, work, tools }: Served): void {
  const { clock, metrics, config } = base
  const { role, trustedProxies } = config
  const { delivery, clicks, consent } = work
  const webhooks = () =>
    createCarrierWebhooks({
      carrier: (id) => delivery.fleet.get(id),
      onRefused: (id) => metrics.countRefusedWebhook(id),
      clock,
      addresses: new ClientAddresses(trustedProxies),
    })
  server.serve([
    ...(role === 'delivery' ? [] : createApiRoutes(tools, trustedProxies, config.olderProtocols)),
    ...(role === 'api' ? [] : [webhooks()]),
    createShortLinkHandler({ clicks, clock }),
    createUnsubscribeHandler({ clicks, consent, clock }),
    healthRoute,
  ])
}

interface AdminPort {
  readonly server: HttpServer
  readonly work: Work
  readonly readiness: ReadinessWatch
}

export async function serveAdminPort(base: Base, { server, work, readiness }: AdminPort): Promise<void> {
  const { config, clock, random, log, store, directory, lookup, metrics } = base
  const { carriers, delivery } = work
  server.serve([
    await createAdminApi({
      ...{ store, clock, random, log },
      endpoints: ENDPOINTS,
      ...{ checkSettings: checkCarrierSettings, receiptAccounts, hookGuard: hookGuardOf(config) },
      live: {
        carriers,
        carrier: (id) => delivery.fleet.get(id),
        lookups: delivery.lookups,
        operatorOf: (phone) => lookup.operatorOf(phone),
      },
      addresses: new ClientAddresses(config.trustedProxies),
      directory: directory.current,
      refresh: directory.refresh,
    }),
    ...createAdminRoutes({ metrics, carriers, whyNotReady: readiness.whyNot, metricsToken: config.metricsToken }),
  ])
}
