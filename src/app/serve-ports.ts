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
import { simulatorLookup, simulatorNumbers } from '../simulator/lookup.ts'
import { checkCarrierSettings, receiptAccounts } from './carrier-drivers.ts'
import type { Base, Intake, ReadinessWatch, Work } from './gateway-parts.ts'
import { hookGuardOf } from './hook-guard.ts'

interface PublicPort {
  readonly server: HttpServer
  readonly work: Work
  readonly intake: Intake
}

export function servePublicPort(base: Base, { server, work: { delivery, clicks, consent }, intake }: PublicPort): void {
  const { config, clock, random, log, store, directory, lookup, metrics } = base
  const { role, trustedProxies } = config
  const { pumping, keyUses, denials } = intake
  const api = () =>
    createApiRoutes(
      {
        ...{ store, lookup, keyUses, clock, random, log },
        outbox: delivery.pump,
        onAccepted: (messages) => pumping.count(messages),
        onDenied: (cause, key) => {
          metrics.countDenied(cause)
          denials.note(cause, key)
        },
        directory: directory.current,
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
      },
      trustedProxies,
    )
  const webhooks = () =>
    createCarrierWebhooks({
      carrier: (id) => delivery.fleet.get(id),
      onRefused: (id) => metrics.countRefusedWebhook(id),
      clock,
      addresses: new ClientAddresses(trustedProxies),
    })
  server.serve([
    ...(role === 'delivery' ? [] : api()),
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
  const { config, clock, random, log, store, directory, metrics } = base
  const { carriers, delivery } = work
  server.serve([
    await createAdminApi({
      ...{ store, clock, random, log },
      endpoints: ENDPOINTS,
      ...{ checkSettings: checkCarrierSettings, receiptAccounts, hookGuard: hookGuardOf(config) },
      live: { carriers, carrier: (id) => delivery.fleet.get(id) },
      addresses: new ClientAddresses(config.trustedProxies),
      directory: directory.current,
      refresh: directory.refresh,
    }),
    ...createAdminRoutes({ metrics, carriers, whyNotReady: readiness.whyNot, metricsToken: config.metricsToken }),
  ])
}
