/** The parts of a gateway: what all of them use, delivery, the observers of accepted requests, and readiness. */
import { LoginBinds } from '../../apis/smpp/login-binds.ts'
import { receiptOrigins } from '../../carriers/receipt-origins.ts'
import { sharedLimits } from '../../carriers/shared-limits.ts'
import { PumpingWatch } from '../../delivery/alarms/pumping-watch.ts'
import { CarrierTimes } from '../../delivery/carriers/carrier-times.ts'
import { LinkConsent } from '../../delivery/consent/link-consent.ts'
import { Delivery } from '../../delivery/delivery.ts'
import { ClickCounter } from '../../delivery/links/clicks.ts'
import { type AlarmKind, INSTALLATION } from '../../domain/alarms/alarm.ts'
import { lastChecks } from '../../domain/routing/carrier-check.ts'
import type { Metrics } from '../../http/metrics/metrics.ts'
import { QualityWatch } from '../../operations/quality/quality-watch.ts'
import { KeyUses } from '../../operations/request/api-key.ts'
import { Denials } from '../../operations/request/denials.ts'
import type { Lookup } from '../../ports/carriers/lookup.ts'
import type { Store } from '../../ports/stores/store.ts'
import type { Clock } from '../../ports/system/clock.ts'
import type { Log } from '../../ports/system/log.ts'
import type { Random } from '../../ports/system/random.ts'
import type { Tracing } from '../../ports/system/tracing.ts'
import { createCarrier } from '../carriers/carrier-drivers.ts'
import { TestCarriers } from '../carriers/test-carriers.ts'
import { joinHookPosts } from '../hooks/hook-posts.ts'
import { openHookPost } from '../hooks/open-hook-post.ts'
import type { LiveDirectory } from '../live/live-directory.ts'
import type { LiveHooks } from '../live/live-hooks.ts'
import { MessageSpans, traceHookPost } from '../live/message-spans.ts'
import { Readiness } from '../live/readiness.ts'
import type { Config } from '../settings/config.ts'
import { hasThreads } from '../system/system-clock.ts'

export interface GatewayTools {
  readonly config: Config
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  /** log2 of the work of hashing a new password, less in tests; that of hash-password.ts if absent. */
  readonly passwordLogN?: number | undefined
  /** Knows the operators of some numbers; the directory's operator table those of others. */
  readonly lookup?: Lookup
  /** Called with the address of the public port, before requests are served there. */
  readonly onListening?: (address: string) => void
  /** Ends the wait for an unreachable database; without it the wait ends with the process. */
  readonly signal?: AbortSignal
}

/** Dependencies of all components. */
export interface Base extends GatewayTools {
  readonly store: Store
  readonly directory: LiveDirectory
  readonly hooks: LiveHooks
  readonly metrics: Metrics
  readonly lookup: Lookup
  /** Null if no tracer is installed. */
  readonly tracing: Tracing | null
}

/** Everything that happens to messages after acceptance. Waits for `start`. */
export function startDelivery(base: Base, { pumping }: IntakeParts, gatewayAddress: string) {
  const { config, clock, random, log, store, directory, hooks, lookup, metrics, tracing } = base
  const spans = tracing === null ? null : new MessageSpans(tracing)
  const web = openHookPost({ clock, log, allow: config.hookAllow, inThread: hasThreads(clock) })
  const loginBinds = new LoginBinds(clock)
  const quality = new QualityWatch({ store, clock, log, directory: directory.current, refresh: directory.refresh })
  const hookPost = joinHookPosts({ web, logins: loginBinds })
  const mayAct = () => store.cluster?.mayAct() ?? true
  const testCarriers = new TestCarriers({
    clock,
    random,
    log,
    gatewayAddress,
    createCarrier: (setup) =>
      createCarrier(setup, {
        ...{ clock, random, log, mayAct },
        ...{ publicUrl: config.publicUrl, lowerShare: config.bulkShare },
      }),
  })
  const runsCarriers = config.role !== 'api'
  const delivery = new Delivery({
    store,
    lookup,
    clock,
    random,
    log,
    sharedLimits,
    receiptOrigins,
    runsCarriers,
    hookPost: tracing === null ? hookPost : traceHookPost(hookPost, tracing, () => clock.now()),
    directory: directory.current,
    hooksOf: hooks.of,
    refresh: directory.refresh,
    createCarrier: (setup) => testCarriers.create(setup),
    standing: testCarriers.setups,
    currency: config.costCurrency,
    onTurn: (turn) => {
      pumping.countEnd(turn)
      if (directory.current().qualityRules.judges) quality.count(turn)
      if (!turn.message.test) metrics.countTurn(turn)
      spans?.turn(turn)
    },
    onReport: (report, result) => metrics.countReport(report, result),
    onAttempt: (attempted) => {
      if (!attempted.message.test) metrics.times.attempt(attempted)
      spans?.attempt(attempted)
    },
    limits: {
      maxHeld: runsCarriers ? config.heldMessages : 0,
      maxKept: config.keptMessages,
      lowerShare: config.bulkShare,
    },
  })
  loginBinds.watch = delivery.reporter
  const clicks = new ClickCounter({
    store,
    clock,
    log,
    onFirstClick: (link, at) => delivery.pump.clicked({ ...link, at }),
  })
  const consent = new LinkConsent({
    store,
    clock,
    pump: delivery.pump,
    directory: directory.current,
    refresh: directory.refresh,
  })
  const carriers = () => delivery.viewCarriers()
  return {
    delivery,
    hookPost,
    loginBinds,
    testCarriers,
    clicks,
    consent,
    quality,
    carriers,
    carrierTimes: new CarrierTimes({ store, clock, node: store.cluster?.node ?? INSTALLATION, carriers }),
    holdsFor: (carrierId: string) => delivery.pump.holdsFor(carrierId),
    lostKeywords: () => delivery.lostKeywords(),
  }
}

export type Work = ReturnType<typeof startDelivery>

export function observe(
  { config, clock, store, directory, metrics }: Base,
  { delivery, carriers, loginBinds }: Work,
): void {
  const { cluster } = store
  metrics.observe({
    node: cluster === null ? null : { number: cluster.node, role: config.role, rewoundAt: () => cluster.rewoundAt() },
    held: () => delivery.pump.facts.held,
    inFlight: () => delivery.pump.facts.inFlight,
    smppConnections: () => loginBinds.all().length,
    carriers,
    demotions: () => directory.current().demotions.all,
    checks: () => lastChecks(directory.current()),
    counts: () => store.counts(),
    openAlarms: () => openAlarmKinds(store),
    oldestDue: async () => {
      const { messageDueAt, reportDueAt } = await store.findConditions()
      const secondsSince = (dueAt: number | null) => (dueAt === null ? 0 : Math.max(0, clock.now() - dueAt) / 1_000)
      return { messages: secondsSince(messageDueAt), reports: secondsSince(reportDueAt) }
    },
  })
}

/** Returns the kind of each alarm that is not resolved. */
async function openAlarmKinds(store: Store): Promise<readonly AlarmKind[]> {
  const { alarms } = await store.alarms()
  return alarms.flatMap(({ kind, state }) => (state === 'resolved' ? [] : kind))
}

/** Observers of accepted requests. */
export function openIntake({ store, directory, clock, log, metrics }: Base) {
  const pumping = new PumpingWatch({
    store,
    clock,
    log,
    directory: directory.current,
    refresh: directory.refresh,
    onAlarm: (alarm) => metrics.countAlarm(alarm),
  })
  return { pumping, keyUses: new KeyUses(store), denials: new Denials({ clock, log }) }
}

export type IntakeParts = ReturnType<typeof openIntake>

export function watchReadiness({ store, log }: Base) {
  const database = new Readiness(async () => {
    await store.directoryRevision()
    const fault = await store.checkWrites().then(
      () => null,
      (error: Error) => error.message,
    )
    if (fault !== null) return `the database takes no writes: ${fault}`
    return store.cluster?.whyIdle() ?? null
  }, log)
  const readiness = {
    isStopping: false,
    whyNot: async () => (readiness.isStopping ? 'it stops' : database.whyNot()),
    /** As found within the last second. */
    known: () => (readiness.isStopping ? 'it stops' : database.known),
    look: async () => void (await database.whyNot()),
  }
  return readiness
}

export type ReadinessWatch = ReturnType<typeof watchReadiness>
