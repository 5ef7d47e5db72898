/** The joining place: configuration in, running gateway out. Every room is opened, handed its tools and closed here. */
import type { CarrierTools } from '../carriers/carrier-tools.ts'
import { readCommonSettings } from '../carriers/common-settings.ts'
import { createHttpCarrier } from '../carriers/http/http-carrier.ts'
import { createRbmCarrier } from '../carriers/rbm/rbm-carrier.ts'
import { sharedLimits } from '../carriers/shared-limits.ts'
import { createSipCarrier } from '../carriers/sip/sip-carrier.ts'
import { createSmppCarrier } from '../carriers/smpp/smpp-carrier.ts'
import { createViberCarrier } from '../carriers/viber/viber-carrier.ts'
import { createWhatsAppCarrier } from '../carriers/whatsapp/whatsapp-carrier.ts'
import { ChatappNames } from '../contract/chatapp-names.ts'
import { DEFAULT_LIMITS } from '../contract/limits.ts'
import { ClickCounter } from '../delivery/clicks.ts'
import { Delivery } from '../delivery/delivery.ts'
import { PumpingWatch } from '../delivery/pumping-watch.ts'
import { TemplateWatch } from '../delivery/template-watch.ts'
import { viewCarriers } from '../delivery/view-carriers.ts'
import { type CarrierSetup, Directory } from '../domain/directory.ts'
import type { Phone } from '../domain/phone.ts'
import { createAdminApi } from '../http/admin-api.ts'
import { createApiRoutes } from '../http/api.ts'
import { createCarrierWebhooks } from '../http/carrier-webhooks.ts'
import { ClientAddresses } from '../http/client-address.ts'
import { AddressGuard } from '../http/guard-address.ts'
import { createAdminRoutes, healthRoute, readyRoute } from '../http/health.ts'
import { Metrics } from '../http/metrics.ts'
import { createHookPost } from '../http/post-hook.ts'
import { startHttpServer } from '../http/server.ts'
import { createShortLinkHandler } from '../http/short-links.ts'
import { ENDPOINTS } from '../operations/admin/endpoints.ts'
import { keepChatTemplates } from '../operations/admin/keep-chat-templates.ts'
import { Denials } from '../operations/denials.ts'
import { KeyUses } from '../operations/key-uses.ts'
import type { Carrier } from '../ports/carrier.ts'
import type { Cancel, Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { Lookup } from '../ports/lookup.ts'
import type { Random } from '../ports/random.ts'
import type { Store } from '../ports/store.ts'
import { simulatorLookup } from '../simulator/lookup.ts'
import { HostNames } from '../wire/host-names.ts'
import { checkCarrierSettings } from './check-carrier-settings.ts'
import type { Config } from './config.ts'
import { openInstallation } from './installation.ts'
import { RepeatLimitedLog } from './limit-repeats.ts'
import { openWhenReachable } from './open-when-reachable.ts'
import { Readiness } from './readiness.ts'
import { TestCarriers } from './test-carriers.ts'

export interface Gateway {
  /** Of the public port: `http://127.0.0.1:8080`. */
  readonly address: string
  readonly adminAddress: string
  readonly store: Store
  readonly delivery: Delivery
  /**
   * Resolves when this node can write nothing any more, with why: another node has taken over, or the database went back in
   * time. It is to be stopped.
   */
  readonly lost: Promise<string>
  /** Takes over what operators have changed, without waiting for the next look. */
  refresh(): Promise<void>
  /** Says that it will stop: it is not ready any more, and every answer ends its connection. */
  giveNotice(): void
  /** Refuses new requests, drains, hands open work back to the store and closes. */
  stop(): Promise<void>
}

export interface GatewayTools {
  readonly config: Config
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  /** Who numbers belong to; the directory's table of operators when absent. */
  readonly lookup?: Lookup
  /** Ends the wait for a database that cannot be reached; without it the wait ends with the process. */
  readonly signal?: AbortSignal
}

/** How soon a change made by another process is seen. */
const REFRESH_MS = 1_000
const SWEEP_MS = 60_000
const TEMPLATES_MS = 2_000
const TRAFFIC_MS = 5_000
const KEY_USES_MS = 60_000

/** The drivers, by the `kind` of a carrier's setup. Throws an Error that names the wrong setting. */
function createCarrier(setup: CarrierSetup, tools: CarrierTools): Carrier {
  const driver = DRIVERS[setup.kind]
  if (driver === undefined)
    throw new Error(`there is no carrier kind ${setup.kind}; known are ${Object.keys(DRIVERS).join(', ')}`)
  const { degradedAfter, own } = readCommonSettings(setup.settings)
  return Object.assign(driver({ ...setup, settings: own }, tools), { degradedAfter })
}

type Driver = (setup: CarrierSetup, tools: CarrierTools) => Carrier

const DRIVERS: Readonly<Record<string, Driver>> = {
  rbm: createRbmCarrier,
  viber: createViberCarrier,
  whatsapp: createWhatsAppCarrier,
  smpp: createSmppCarrier,
  sip: createSipCarrier,
  http: createHttpCarrier,
}

/** Rejects, and leaves nothing open, when a port is taken or the data are in use or sealed with another key. */
export async function startGateway(tools: GatewayTools): Promise<Gateway> {
  const { config, clock, random } = tools
  const log = new RepeatLimitedLog(tools.log, clock)
  await using opened = new AsyncDisposableStack()
  opened.defer(() => log.flush())
  const { promise: lost, resolve: onLost } = Promise.withResolvers<string>()
  let onDue = () => {}
  const onWarning = (line: string) => log.warn({}, line)
  // The admin port first: a gateway that waits for its database is alive, and says that it is not ready. The public port
  // refuses connections until it can take requests, so that clients and load balancers ask another gateway.
  const adminHost = config.adminHost ?? config.host
  const adminServer = await startHttpServer({ host: adminHost, port: config.adminPort, clock, log })
  opened.defer(() => adminServer.stop())
  let waiting = 'starting'
  adminServer.serve([healthRoute, readyRoute(async () => waiting)])
  const installation = await openWhenReachable(
    () => openInstallation(config, { role: 'gateway', onDue: () => onDue(), onLost, onWarning }),
    { clock, log, signal: tools.signal ?? new AbortController().signal, onWaiting: (reason) => (waiting = reason) },
  )
  const store = opened.adopt(installation, (each) => each.close())
  let directory = new Directory(await store.loadDirectory())
  const { trustedProxies } = config
  const publicServer = await startHttpServer({ host: config.host, port: config.port, clock, log, trustedProxies })
  opened.defer(() => publicServer.stop())
  // Closed before the store, whatever fails from here on.
  opened.defer(() => adminServer.stop())
  const lookup = tools.lookup ?? { operatorOf: (phone: Phone) => directory.operatorOf(phone) }
  // Apart from that of carriers: anybody may choose the names of hooks.
  const hookNames = new HostNames()
  const hookPost = createHookPost({ clock, allow: config.hookAllow, resolve: (name) => hookNames.resolve(name) })

  const carriers = () => viewCarriers(delivery.fleet, (id) => delivery.pump.waitingFor(id))
  const { role } = config
  const { cluster } = store
  const mayAct = () => cluster?.mayAct() ?? true
  const metrics: Metrics = new Metrics({
    node: cluster === null ? null : { number: cluster.node, role, rewoundAt: () => cluster.rewoundAt() },
    held: () => delivery.pump.facts.held,
    inFlight: () => delivery.pump.facts.inFlight,
    carriers,
    counts: () => store.counts(),
  })
  const testCarriers = new TestCarriers({
    ...{ clock, random, log },
    createCarrier: (setup) => createCarrier(setup, { clock, random, log, mayAct }),
    gatewayAddress: publicServer.address,
  })
  const delivery: Delivery = new Delivery({
    store,
    hookPost,
    directory: () => directory,
    lookup,
    clock,
    random,
    log,
    createCarrier: (setup) => testCarriers.create(setup),
    standing: testCarriers.setups,
    sharedLimits,
    currency: config.costCurrency,
    onTurn: (turn) => {
      if (!turn.message.test) metrics.countTurn(turn)
    },
    refresh: () => refresh(),
    limits: { mostHeld: role === 'api' ? 0 : config.heldMessages, mostKept: config.keptMessages },
    runsCarriers: role !== 'api',
  })
  const clicks = new ClickCounter({
    store,
    clock,
    log,
    onFirstClick: (link, at) => delivery.pump.clicked({ ...link, at }),
  })

  const pumping = new PumpingWatch({
    store,
    directory: () => directory,
    clock,
    log,
    onAlarm: (alarm) => metrics.countAlarm(alarm),
    refresh: () => refresh(),
  })
  const keyUses = new KeyUses(store)
  const denials = new Denials({ clock, log })

  let stopping = false
  const readiness = new Readiness(async () => {
    await store.directoryRevision()
    await store.checkWrites()
    return cluster?.whyIdle() ?? null
  }, log)
  const whyNotReady = async () => (stopping ? 'it stops' : readiness.whyNot())
  const address = config.publicUrl ?? publicServer.address
  const api = () =>
    createApiRoutes(
      {
        store,
        outbox: delivery.pump,
        onAccepted: (messages) => pumping.count(messages),
        onDenied: (cause, key) => {
          metrics.countDenied(cause)
          denials.note(cause, key)
        },
        directory: () => directory,
        lookup,
        testLookup: simulatorLookup,
        keyUses,
        clock,
        random,
        log,
        limits: {
          ...DEFAULT_LIMITS,
          lifetimeMinSeconds: config.lifetimeMinSeconds,
          templatesKept: config.templatesKept,
          templateBytesKept: config.templateBytesKept,
        },
        chatappNames: new ChatappNames(config.chatappNames),
        hookGuard: new AddressGuard(config.hookAllow),
        publicUrl: address,
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
  publicServer.serve([
    ...(role === 'delivery' ? [] : api()),
    ...(role === 'api' ? [] : [webhooks()]),
    createShortLinkHandler({ clicks, clock }),
    healthRoute,
  ])
  const refresh = async (): Promise<void> => {
    if ((await store.directoryRevision()) === directory.revision) return
    directory = new Directory(await store.loadDirectory(), directory)
    delivery.refresh()
  }
  adminServer.serve([
    await createAdminApi({
      endpoints: ENDPOINTS,
      store,
      clock,
      random,
      log,
      checkSettings: checkCarrierSettings,
      live: { carriers, carrier: (id) => delivery.fleet.get(id) },
      addresses: new ClientAddresses(config.trustedProxies),
      directory: () => directory,
      refresh,
    }),
    ...createAdminRoutes({ metrics, carriers, whyNotReady, metricsToken: config.metricsToken }),
  ])
  const templates = new TemplateWatch({
    carriers: () => delivery.fleet.all(),
    revision: () => directory.revision,
    keep: (carrierId, listed) => keepChatTemplates(store, carrierId, listed),
  })
  delivery.start()
  onDue = () => delivery.wake()
  const stopRefreshing = every(REFRESH_MS, refresh, tools)
  const sweep = async () => {
    await store.sweep(clock.now(), config)
    // What was handed over to a carrier that nobody has is everybody's by then.
    delivery.wake()
  }
  const stopLookingReady = every(REFRESH_MS, async () => void (await readiness.whyNot()), tools)
  const stopSweeping = every(SWEEP_MS, sweep, tools)
  const stopWritingKeyUses = every(KEY_USES_MS, () => keyUses.write(), tools)
  const stopWatchingTraffic = every(TRAFFIC_MS, () => pumping.look(), tools)
  const stopWatchingTemplates = every(TEMPLATES_MS, () => templates.look(), tools)

  // Closed in the opposite order: no new requests, no new work, what is under way, the store last.
  opened.defer(() => hookPost.stop())
  opened.defer(() =>
    keyUses.write().catch((error: Error) => log.warn({ error }, 'the last uses of keys are not written')),
  )
  opened.defer(() => clicks.stop())
  opened.defer(() => testCarriers.stop())
  opened.defer(() => delivery.stop())
  opened.defer(() => publicServer.stop())
  const giveNotice = () => {
    stopping = true
    publicServer.giveNotice()
  }
  opened.defer(() => {
    giveNotice()
    onDue = () => {}
    stopRefreshing()
    stopLookingReady()
    stopSweeping()
    stopWritingKeyUses()
    stopWatchingTemplates()
    stopWatchingTraffic()
  })
  const running = opened.move()
  return {
    address: publicServer.address,
    adminAddress: adminServer.address,
    store,
    delivery,
    lost,
    refresh,
    giveNotice,
    stop: () => running.disposeAsync(),
  }
}

/** Does a duty again and again, each time `milliseconds` after the last one came to its end. */
function every(
  milliseconds: number,
  duty: () => Promise<void>,
  tools: { readonly clock: Clock; readonly log: Log },
): Cancel {
  let cancel: Cancel = () => {}
  let stopped = false
  let failure = ''
  const arm = (): void => {
    if (stopped) return
    cancel = tools.clock.after(milliseconds, () => {
      duty()
        .then(() => {
          failure = ''
        })
        .catch((error: Error) => {
          // Once for each reason, for however long it fails.
          if (error.message !== failure) tools.log.warn({ error }, 'a regular duty failed; it is tried again')
          failure = error.message
        })
        .then(arm)
    })
  }
  arm()
  return () => {
    stopped = true
    cancel()
  }
}
