/**
 * Composition root: starts a gateway from its configuration. Opens every component with its dependencies and closes
 * them in reverse order.
 */
import { receiptOrigins } from '../carriers/receipt-origins.ts'
import { sharedLimits } from '../carriers/shared-limits.ts'
import { ChatappNames } from '../contract/chatapp-names.ts'
import { DEFAULT_LIMITS } from '../contract/limits.ts'
import { ClickCounter } from '../delivery/clicks.ts'
import { Delivery } from '../delivery/delivery.ts'
import { PumpingWatch } from '../delivery/pumping-watch.ts'
import { TemplateWatch } from '../delivery/template-watch.ts'
import type { Phone } from '../domain/phone.ts'
import { createAdminApi } from '../http/admin-api.ts'
import { createApiRoutes } from '../http/api.ts'
import { createCarrierWebhooks } from '../http/carrier-webhooks.ts'
import { ClientAddresses } from '../http/client-address.ts'
import { createAdminRoutes, createStartingRoutes, healthRoute } from '../http/health.ts'
import { Metrics } from '../http/metrics.ts'
import { type HttpServer, startHttpServer } from '../http/server.ts'
import { createShortLinkHandler } from '../http/short-links.ts'
import { keepChatTemplates } from '../operations/admin/chat-templates/keep-chat-templates.ts'
import { ENDPOINTS } from '../operations/admin/endpoints.ts'
import { Denials } from '../operations/denials.ts'
import { KeyUses } from '../operations/key-uses.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { Lookup } from '../ports/lookup.ts'
import type { Random } from '../ports/random.ts'
import type { Store } from '../ports/store.ts'
import { simulatorLookup } from '../simulator/lookup.ts'
import { checkCarrierSettings, createCarrier, receiptAccounts } from './carrier-drivers.ts'
import type { Config } from './config.ts'
import { Duties } from './duties.ts'
import { hookGuardOf } from './hook-guard.ts'
import { openInstallation } from './installation.ts'
import { RepeatLimitedLog } from './limit-repeats.ts'
import { LiveDirectory } from './live-directory.ts'
import { openHookPost } from './open-hook-post.ts'
import { openWhenReachable } from './open-when-reachable.ts'
import { Readiness } from './readiness.ts'
import { stopLogged } from './stop-logged.ts'
import { systemClock } from './system-clock.ts'
import { TestCarriers } from './test-carriers.ts'

export interface Gateway {
  /** Address of the public port: `http://127.0.0.1:8080`. */
  readonly address: string
  readonly adminAddress: string
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

export interface GatewayTools {
  readonly config: Config
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  /** Finds the operator of numbers; the directory's operator table if absent. */
  readonly lookup?: Lookup
  /** Posts reports from a thread of its own. By default, whether `clock` is the system's, which that thread has. */
  readonly hookThread?: boolean
  /** Ends the wait for an unreachable database; without it the wait ends with the process. */
  readonly signal?: AbortSignal
}

/** Refresh interval: how soon a change by another process is seen. */
const REFRESH_MS = 1_000
const SWEEP_MS = 60_000
const TEMPLATES_MS = 2_000
const TRAFFIC_MS = 5_000
const KEY_USES_MS = 60_000

/** Dependencies of all components. */
interface Base extends GatewayTools {
  readonly store: Store
  readonly directory: LiveDirectory
  readonly metrics: Metrics
  readonly lookup: Lookup
}

/** Rejects, leaving nothing open, if a port is taken or the data are in use or sealed with another key. */
export async function startGateway(given: GatewayTools): Promise<Gateway> {
  const { config, clock } = given
  const log = new RepeatLimitedLog(given.log, clock)
  const tools = { ...given, log }
  await using opened = new AsyncDisposableStack()
  opened.defer(() => log.flush())

  // Opens the admin port first: a gateway that waits for its database is alive but not ready. The public port refuses
  // connections until it can take requests, so that clients and load balancers try another gateway.
  const admin = await openAdminPort(tools)
  opened.defer(() => admin.server.stop())
  const { store, lost, events } = await openStore(tools, admin.onWaiting)
  opened.defer(() => store.close())
  const directory = await LiveDirectory.load(store)
  const { trustedProxies } = config
  const server = await startHttpServer({ host: config.host, port: config.port, clock, log, trustedProxies })
  opened.defer(() => server.stop())
  // Closed before the store, whatever fails from here on.
  opened.defer(() => admin.server.stop())

  const lookup = given.lookup ?? { operatorOf: (phone: Phone) => directory.current().operatorOf(phone) }
  const base: Base = { ...tools, store, directory, lookup, metrics: new Metrics() }
  const intake = openIntake(base)
  const work = startDelivery(base, intake, server.address)
  observe(base, work)
  const readiness = watchReadiness(base)
  servePublicPort(base, { server, work, intake })
  // At once: a webhook for a carrier that was not started would be answered with 404.
  directory.onChange = () => work.delivery.refresh()
  work.delivery.start()
  events.onDue = () => work.delivery.wake()
  const duties = startDuties(base, { work, intake, readiness })

  // Closed in reverse order: requests, new work, work in progress, the store last.
  opened.defer(() => work.hookPost.stop())
  opened.defer(() =>
    intake.keyUses.write().catch((error: Error) => log.warn({ error }, 'last-use times of keys were not written')),
  )
  opened.defer(() => work.clicks.stop())
  opened.defer(() => work.testCarriers.stop())
  opened.defer(() => work.delivery.stop())
  opened.defer(() => server.stop())
  const giveNotice = () => {
    readiness.isStopping = true
    server.giveNotice()
  }
  opened.defer(() => {
    giveNotice()
    events.onDue = () => {}
    duties.stop()
  })
  await serveAdminPort(base, { server: admin.server, work, readiness })
  const running = opened.move()
  return {
    address: server.address,
    adminAddress: admin.server.address,
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
  const server = await startHttpServer({ host: config.adminHost ?? config.host, port: config.adminPort, clock, log })
  let waiting = 'starting'
  server.serve(createStartingRoutes(() => waiting))
  const onWaiting = (reason: string) => {
    waiting = reason
  }
  return { server, onWaiting }
}

/** Waits for an unreachable database. */
async function openStore({ config, clock, log, signal }: GatewayTools, onWaiting: (reason: string) => void) {
  const { promise: lost, resolve: onLost } = Promise.withResolvers<string>()
  const events = { onDue: () => {} }
  const onWarning = (line: string) => log.warn({}, line)
  const store = await openWhenReachable(
    () => openInstallation(config, { role: 'gateway', onDue: () => events.onDue(), onLost, onWarning }),
    { clock, log, signal: signal ?? new AbortController().signal, onWaiting },
  )
  return { store, lost, events }
}

/** Everything that happens to messages after acceptance. Waits for `start`. */
function startDelivery(base: Base, { pumping }: Intake, gatewayAddress: string) {
  const { config, clock, random, log, store, directory, lookup, metrics, hookThread = clock === systemClock } = base
  const hookPost = openHookPost({ clock, log, allow: config.hookAllow, inThread: hookThread })
  const mayAct = () => store.cluster?.mayAct() ?? true
  const testCarriers = new TestCarriers({
    ...{ clock, random, log, gatewayAddress },
    createCarrier: (setup) => createCarrier(setup, { clock, random, log, mayAct }),
  })
  const runsCarriers = config.role !== 'api'
  const delivery = new Delivery({
    ...{ store, hookPost, lookup, clock, random, log, sharedLimits, receiptOrigins, runsCarriers },
    directory: directory.current,
    refresh: directory.refresh,
    createCarrier: (setup) => testCarriers.create(setup),
    standing: testCarriers.setups,
    currency: config.costCurrency,
    onTurn: (turn) => {
      pumping.countEnd(turn)
      if (!turn.message.test) metrics.countTurn(turn)
    },
    limits: { maxHeld: runsCarriers ? config.heldMessages : 0, maxKept: config.keptMessages },
  })
  const clicks = new ClickCounter({
    ...{ store, clock, log },
    onFirstClick: (link, at) => delivery.pump.clicked({ ...link, at }),
  })
  return { delivery, hookPost, testCarriers, clicks, carriers: () => delivery.viewCarriers() }
}

type Work = ReturnType<typeof startDelivery>

function observe({ config, store, metrics }: Base, { delivery, carriers }: Work): void {
  const { cluster } = store
  metrics.observe({
    node: cluster === null ? null : { number: cluster.node, role: config.role, rewoundAt: () => cluster.rewoundAt() },
    held: () => delivery.pump.facts.held,
    inFlight: () => delivery.pump.facts.inFlight,
    carriers,
    counts: () => store.counts(),
  })
}

/** Observers of accepted requests. */
function openIntake({ store, directory, clock, log, metrics }: Base) {
  const pumping = new PumpingWatch({
    ...{ store, clock, log },
    directory: directory.current,
    refresh: directory.refresh,
    onAlarm: (alarm) => metrics.countAlarm(alarm),
  })
  return { pumping, keyUses: new KeyUses(store), denials: new Denials({ clock, log }) }
}

type Intake = ReturnType<typeof openIntake>

function watchReadiness({ store, log }: Base) {
  const database = new Readiness(async () => {
    await store.directoryRevision()
    await store.checkWrites()
    return store.cluster?.whyIdle() ?? null
  }, log)
  const readiness = {
    isStopping: false,
    whyNot: async () => (readiness.isStopping ? 'it stops' : database.whyNot()),
    look: async () => void (await database.whyNot()),
  }
  return readiness
}

type ReadinessWatch = ReturnType<typeof watchReadiness>

interface PublicPort {
  readonly server: HttpServer
  readonly work: Work
  readonly intake: Intake
}

function servePublicPort(base: Base, { server, work: { delivery, clicks }, intake }: PublicPort): void {
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
    healthRoute,
  ])
}

interface AdminPort {
  readonly server: HttpServer
  readonly work: Work
  readonly readiness: ReadinessWatch
}

async function serveAdminPort(base: Base, { server, work, readiness }: AdminPort): Promise<void> {
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

interface DutyParts extends Omit<AdminPort, 'server'> {
  readonly intake: Intake
}

function startDuties(base: Base, { work: { delivery }, intake, readiness }: DutyParts): Duties {
  const { config, clock, store, directory } = base
  const templates = new TemplateWatch({
    carriers: () => delivery.fleet.all(),
    revision: () => directory.current().revision,
    keep: (carrierId, listed) => keepChatTemplates(store, carrierId, listed),
  })
  const duties = new Duties(base)
  duties.every(REFRESH_MS, directory.refresh)
  duties.every(REFRESH_MS, readiness.look)
  duties.every(SWEEP_MS, async () => {
    await store.sweep(clock.now(), config)
    // Messages that were forwarded for a carrier without any node are available to every node by then.
    delivery.wake()
  })
  duties.every(KEY_USES_MS, () => intake.keyUses.write())
  duties.every(TRAFFIC_MS, () => intake.pumping.look())
  duties.every(TEMPLATES_MS, () => templates.look())
  return duties
}
