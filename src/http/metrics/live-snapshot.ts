/** The state of this gateway for live views: rates since the last snapshot, carriers, queues. */
import type { CarrierView } from '../../delivery/carriers/view-carriers.ts'
import type { OpenAlarms } from '../../domain/alarms/alarm.ts'
import type { StoreCounts } from '../../ports/stores/upkeep-store.ts'
import type { Clock } from '../../ports/system/clock.ts'
import { writeCarrier } from './health.ts'
import type { MetricTotals, PairCount } from './metrics.ts'

export interface LiveSource {
  readonly clock: Clock
  /** Number of this gateway in its cluster; null without one. */
  readonly node: number | null
  readonly role: string
  readonly whyNotReady: () => string | null
  readonly totals: () => Promise<MetricTotals>
  readonly carriers: () => readonly CarrierView[]
  readonly messages: () => { readonly held: number; readonly inFlight: number }
  readonly reports: () => { readonly held: number; readonly inFlight: number }
  /** Reads whole tables. */
  readonly counts: () => Promise<StoreCounts>
  /** As this gateway has last read them; null before. */
  readonly openAlarms: () => OpenAlarms | null
}

/** How long counts of the store are used, at least. */
const COUNTS_MS = 15_000
/** Counting takes at most this part of the store's time. */
const COUNTS_SHARE = 1 / 20
/** Other final statuses are failures. */
const DELIVERED: readonly string[] = ['ACCEPTED', 'DELIVERED', 'READ']

interface Channel {
  accepted: number
  submitted: number
  delivered: number
  failed: number
}

export class LiveSnapshots {
  readonly #source: LiveSource
  #before: { readonly at: number; readonly totals: MetricTotals } | null = null
  #counts: StoreCounts | null = null
  #countAt = 0

  constructor(source: LiveSource) {
    this.#source = source
  }

  /** Forgets the last snapshot: the rates of the next one are null. */
  restart(): void {
    this.#before = null
  }

  /** Returns plain JSON values. Never rejects. */
  async take(): Promise<object> {
    const { clock, node, role, whyNotReady, carriers, messages, reports, openAlarms } = this.#source
    const rates = await this.#rates()
    const counts = await this.#storeCounts()
    const load = messages()
    const alarms = openAlarms()
    return {
      at: new Date(clock.now()).toISOString(),
      node,
      role,
      not_ready: whyNotReady(),
      ...rates,
      // The count is some seconds old; what this gateway holds is open now.
      messages: { ...writeLoad(load), open: counts === null ? null : Math.max(counts.open, load.held) },
      reports: {
        ...writeLoad(reports()),
        waiting: counts?.pendingReports ?? null,
        failed: counts?.failedReports ?? null,
      },
      carriers: carriers().map(writeCarrier),
      open_alarms: alarms?.open ?? null,
      unacknowledged_alarms: alarms === null ? null : { count: alarms.unacknowledged, worst: alarms.worst },
    }
  }

  /** Per second since the last snapshot; null for the first one. */
  async #rates() {
    const totals = await this.#source.totals()
    const at = this.#source.clock.monotonic()
    const before = this.#before
    this.#before = { at, totals }
    if (before === null || at <= before.at) return { seconds: null, channels: null, report_results: null }
    const seconds = (at - before.at) / 1_000
    const perSecond = (count: number) => Math.round((count / seconds) * 100) / 100
    const channels = countChannels(totals, before.totals).map(([channel, counted]) => ({
      channel,
      accepted: perSecond(counted.accepted),
      submitted: perSecond(counted.submitted),
      delivered: perSecond(counted.delivered),
      failed: perSecond(counted.failed),
    }))
    const results = new Map<string, number>()
    for (const [result, , count] of difference(totals.reports, before.totals.reports)) {
      results.set(result, (results.get(result) ?? 0) + count)
    }
    return {
      seconds,
      channels,
      report_results: Object.fromEntries([...results].map(([name, count]) => [name, perSecond(count)])),
    }
  }

  /** Null if the store cannot count now. */
  async #storeCounts(): Promise<StoreCounts | null> {
    const { clock, counts } = this.#source
    const at = clock.monotonic()
    if (this.#counts !== null && at < this.#countAt) return this.#counts
    this.#counts = await counts().catch(() => null)
    const took = clock.monotonic() - at
    this.#countAt = clock.monotonic() + Math.max(COUNTS_MS, took / COUNTS_SHARE)
    return this.#counts
  }
}

function countChannels(now: MetricTotals, before: MetricTotals): readonly (readonly [string, Channel])[] {
  const channels = new Map<string, Channel>()
  const at = (name: string): Channel => {
    const channel = channels.get(name) ?? { accepted: 0, submitted: 0, delivered: 0, failed: 0 }
    channels.set(name, channel)
    return channel
  }
  for (const [channel, mode, count] of difference(now.accepted, before.accepted)) {
    if (mode === 'live') at(channel).accepted += count
  }
  for (const [kind, channel, count] of difference(now.events, before.events)) {
    if (kind === 'taken') at(channel).submitted += count
    if (kind === 'delivered') at(channel).delivered += count
  }
  for (const [status, channel, count] of difference(now.ends, before.ends)) {
    if (!DELIVERED.includes(status)) at(channel).failed += count
  }
  return [...channels].sort(([one], [other]) => (one < other ? -1 : 1))
}

/** Zeros are included, so that the channels of a gateway are always the same. */
function difference(now: readonly PairCount[], before: readonly PairCount[]): readonly PairCount[] {
  const keyOf = ([first, second]: PairCount) => `${first}\n${second}`
  const counts = new Map(before.map((each) => [keyOf(each), each[2]]))
  return now.map(
    ([first, second, count]): PairCount => [first, second, count - (counts.get(`${first}\n${second}`) ?? 0)],
  )
}

function writeLoad({ held, inFlight }: { readonly held: number; readonly inFlight: number }): object {
  return { held, in_flight: inFlight }
}
