/** Prometheus metrics: counters of message events, gauges of the present state. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from '@prometheus-io/client'
import type { CarrierView } from '../../delivery/carriers/view-carriers.ts'
import { ALARM_KINDS, type AlarmKind } from '../../domain/alarms/alarm.ts'
import type { KeyRefusal } from '../../domain/directory/directory.ts'
import type { TrafficAlarm } from '../../domain/guards/traffic-alarm.ts'
import type { TimelineKind, Turn } from '../../domain/journey/turn.ts'
import { classOf, type Message } from '../../domain/message/message.ts'
import type { CarrierCheck } from '../../domain/routing/carrier-check.ts'
import type { Demotion } from '../../domain/routing/demotion.ts'
import { startOf } from '../../domain/statistics/message-statistics.ts'
import type { Attempted } from '../../ports/carriers/attempted.ts'
import type { PendingReport, ReportResult } from '../../ports/records/pending-report.ts'
import { addCarrierGauges } from './carrier-gauges.ts'
import { MoneyMetrics } from './money-metrics.ts'

/** Read on each scrape, so that gauges are current. */
export interface GaugeSource {
  /** Null if the gateway does not share its database. */
  readonly node: {
    readonly number: number
    readonly role: string
    readonly rewoundAt: () => number | null
  } | null
  readonly held: () => number
  readonly smppConnections: () => number
  readonly inFlight: () => number
  readonly carriers: () => readonly CarrierView[]
  /** The last checks of receipts. */
  readonly checks: () => readonly CarrierCheck[]
  /** Those that last. */
  readonly demotions: () => readonly Demotion[]
  readonly counts: () => Promise<{
    readonly open: number
    readonly pendingReports: number
    readonly failedReports: number
    readonly unreadEvents: number
  }>
  /** The kinds of the alarms that are not resolved, each as often as it is. */
  readonly openAlarms: () => Promise<readonly AlarmKind[]>
  /** Seconds for which the oldest due work has waited in the store; 0 if nothing waits. */
  readonly oldestDue: () => Promise<Readonly<Record<'messages' | 'reports', number>>>
}

/** A count with the values of the two labels. */
export type PairCount = readonly [first: string, second: string, count: number]

/** What was counted since the start. */
export interface MetricTotals {
  /** By channel and mode. */
  readonly accepted: readonly PairCount[]
  /** By kind and channel. */
  readonly events: readonly PairCount[]
  /** By status and channel. */
  readonly ends: readonly PairCount[]
  /** By result and try. */
  readonly reports: readonly PairCount[]
}

let ofProcess: Registry | null = null

/** The library watches the process from then on, without an end: once, so that nothing keeps a gateway that stopped. */
function metricsOfProcess(): Registry {
  if (ofProcess === null) {
    ofProcess = new Registry()
    collectDefaultMetrics({ register: ofProcess })
  }
  return ofProcess
}

export class Metrics {
  readonly #registry = new Registry()
  readonly times = new TimeMetrics(this.#registry)
  readonly #money = new MoneyMetrics(this.#registry)
  readonly #events = new Counter({
    name: 'posthorn_message_events_total',
    help: 'Message events: taken, refused, delivered, late …, by channel.',
    labelNames: ['kind', 'channel'],
    registers: [this.#registry],
  })
  readonly #carrierEvents = new Counter({
    name: 'posthorn_carrier_events_total',
    help: 'Answers and receipts of carriers: taken, refused, unclear, unreachable, delivered …, by carrier.',
    labelNames: ['carrier', 'kind'],
    registers: [this.#registry],
  })
  readonly #ends = new Counter({
    name: 'posthorn_messages_ended_total',
    help: 'Messages ended, by status and channel of the last step.',
    labelNames: ['status', 'channel'],
    registers: [this.#registry],
  })
  readonly #accepted = new Counter({
    name: 'posthorn_messages_accepted_total',
    help: 'Messages accepted from clients, by channel of the first step and by mode: live or test.',
    labelNames: ['channel', 'mode'],
    registers: [this.#registry],
  })
  readonly #reports = new Counter({
    name: 'posthorn_report_results_total',
    help: 'Results of reports: sent, later, failed, gone, parked, unsent; by whether it was the first try.',
    labelNames: ['result', 'try'],
    registers: [this.#registry],
  })
  readonly #guardAlarms = new Counter({
    name: 'posthorn_guard_alarms_total',
    help: 'Alarms about unusual traffic, by kind and by scope: one account or all.',
    labelNames: ['kind', 'scope'],
    registers: [this.#registry],
  })
  readonly #refusedWebhooks = new Counter({
    name: 'posthorn_webhooks_refused_total',
    help: 'Carrier webhook requests rejected or not understood; carrier is unknown if it does not exist.',
    labelNames: ['carrier'],
    registers: [this.#registry],
  })

  readonly #denied = new Counter({
    name: 'posthorn_access_denied_total',
    help: 'API requests denied access, by cause.',
    labelNames: ['cause'],
    registers: [this.#registry],
  })

  readonly #notifications = new Counter({
    name: 'posthorn_notifications_total',
    help: 'Tries to send notifications of alarms, by target and result: sent or failed.',
    labelNames: ['target', 'result'],
    registers: [this.#registry],
  })

  constructor() {
    metricsOfProcess()
  }

  /** Adds the gauges of a running gateway. Call once. */
  observe(source: GaugeSource): void {
    this.#nodeInfo(source)
    this.#gauge('posthorn_messages_held', 'Messages in memory ready for an attempt.', source.held)
    this.#gauge('posthorn_parts_in_flight', 'Parts in flight, or answered and not yet recorded.', source.inFlight)
    this.#gauge('posthorn_smpp_connections', 'Connections of logins to the SMPP server.', source.smppConnections)
    this.#storeGauges(source)
    this.#alarmGauge(source)
    addCarrierGauges(this.#registry, source)
  }

  countTurn(turn: Turn): void {
    const { plan, journey } = turn.message
    for (const { kind, step, carrierId } of turn.timeline) {
      this.#events.inc({ kind, channel: plan[step]?.channel ?? 'none' })
      if (carrierId !== null) this.#carrierEvents.inc({ carrier: carrierId, kind })
    }
    this.times.turn(turn)
    this.#money.turn(turn)
    if (endsHere(turn)) this.#ends.inc({ status: journey.status, channel: plan[journey.step]?.channel ?? 'none' })
  }

  countAccepted(messages: readonly Message[]): void {
    for (const { plan, test } of messages) {
      this.#accepted.inc({ channel: plan[0]?.channel ?? 'none', mode: test ? 'test' : 'live' })
    }
  }

  countReport(report: PendingReport, result: ReportResult): void {
    this.#reports.inc({ result: result.kind, try: report.tries === 0 ? 'first' : 'again' })
    this.times.report(report, result)
  }

  /** Returns what was counted since the start. */
  async totals(): Promise<MetricTotals> {
    return {
      accepted: await pairsOf(this.#accepted, 'channel', 'mode'),
      events: await pairsOf(this.#events, 'kind', 'channel'),
      ends: await pairsOf(this.#ends, 'status', 'channel'),
      reports: await pairsOf(this.#reports, 'result', 'try'),
    }
  }

  countAlarm({ kind, accountId }: TrafficAlarm): void {
    this.#guardAlarms.inc({ kind, scope: accountId === null ? 'all' : 'account' })
  }

  countNotification(target: string, result: string): void {
    this.#notifications.inc({ target, result })
  }

  countDenied(cause: KeyRefusal): void {
    this.#denied.inc({ cause })
  }

  countRefusedWebhook(carrierId: string): void {
    this.#refusedWebhooks.inc({ carrier: carrierId })
  }

  get contentType(): string {
    return this.#registry.contentType
  }

  read(): Promise<string> {
    return Registry.merge([this.#registry, metricsOfProcess()]).metrics()
  }

  #gauge(name: string, help: string, read: () => number): void {
    new Gauge({
      name,
      help,
      registers: [this.#registry],
      collect() {
        this.set(read())
      },
    })
  }

  #nodeInfo({ node }: GaugeSource): void {
    if (node === null) return
    const info = new Gauge({
      name: 'posthorn_node_info',
      help: 'Always 1; labels name the node and its role.',
      labelNames: ['node', 'role'],
      registers: [this.#registry],
    })
    info.set({ node: String(node.number), role: node.role }, 1)
    this.#gauge(
      'posthorn_database_rewound_timestamp_seconds',
      'Time when the database was last found to lack acknowledged changes, seconds since 1970; 0 for never.',
      () => (node.rewoundAt() ?? 0) / 1_000,
    )
  }

  #alarmGauge({ openAlarms }: GaugeSource): void {
    new Gauge({
      name: 'posthorn_alarms_open',
      help: 'Alarms that are not resolved, by kind.',
      labelNames: ['kind'],
      registers: [this.#registry],
      async collect() {
        const open = await openAlarms()
        for (const kind of ALARM_KINDS) this.set({ kind }, open.filter((each) => each === kind).length)
      },
    })
  }

  #storeGauges(source: GaugeSource): void {
    new Gauge({
      name: 'posthorn_store_rows',
      help: 'Open messages, pending reports, failed reports and unread events in the store.',
      labelNames: ['what'],
      registers: [this.#registry],
      async collect() {
        const counts = await source.counts()
        this.set({ what: 'open messages' }, counts.open)
        this.set({ what: 'pending reports' }, counts.pendingReports)
        this.set({ what: 'failed reports' }, counts.failedReports)
        this.set({ what: 'unread events' }, counts.unreadEvents)
      },
    })
    new Gauge({
      name: 'posthorn_oldest_due_seconds',
      help: 'How long the oldest message and the oldest report have been due that wait in the store; 0 if none does.',
      labelNames: ['what'],
      registers: [this.#registry],
      async collect() {
        const { messages, reports } = await source.oldestDue()
        this.set({ what: 'messages' }, messages)
        this.set({ what: 'reports' }, reports)
      },
    })
  }
}

async function pairsOf<A extends string, B extends string>(
  counter: Counter<A | B>,
  first: A,
  second: B,
): Promise<readonly PairCount[]> {
  const { values } = await counter.get()
  return values.map(({ labels, value }) => [String(labels[first]), String(labels[second]), value])
}

/** Events that can end a message; all others may also follow the end. */
const ENDINGS: ReadonlySet<TimelineKind> = new Set([
  'taken',
  'refused',
  'no route',
  'filtered',
  'delivered',
  'failed',
  'expired',
  'approved',
  'wrong code',
  'resent',
])

/** Whether this turn ended the message, which happens once. Of a read before its receipt, the charge shows it. */
function endsHere({ message, timeline, postings }: Turn): boolean {
  if (message.journey.phase !== 'ended') return false
  return timeline.some(({ kind }) => ENDINGS.has(kind) || (kind === 'read' && postings.length > 0))
}

/** Upper bounds of the buckets, seconds. */
const COMMITS = [0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]
const ANSWERS = [0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]
const WAITS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 180, 600, 1_800, 7_200, 28_800, 86_400]

/**
 * Histograms of times: how long clients, carriers and hooks wait. Labels have few values: channels, carriers, groups of
 * operations; never accounts, senders or recipients.
 */
class TimeMetrics {
  readonly #requests: Histogram<'operation'>
  readonly #commits: Histogram
  readonly #submits: Histogram<'channel' | 'class'>
  readonly #carriers: Histogram<'carrier' | 'channel'>
  readonly #deliveries: Histogram<'channel'>
  readonly #reports: Histogram<'try'>

  constructor(registry: Registry) {
    this.#requests = new Histogram({
      name: 'posthorn_request_seconds',
      help: 'Time to answer a request, by group of its first operation; refused if it failed as a whole.',
      labelNames: ['operation'],
      buckets: ANSWERS,
      registers: [registry],
    })
    this.#commits = new Histogram({
      name: 'posthorn_store_commit_seconds',
      help: 'Time to commit a batch of changes, until on the disk.',
      buckets: COMMITS,
      registers: [registry],
    })
    this.#submits = new Histogram({
      name: 'posthorn_submit_delay_seconds',
      help: 'Time from when a step was due (accepted, its send time, or the end of the step before) to its first submission.',
      labelNames: ['channel', 'class'],
      buckets: WAITS,
      registers: [registry],
    })
    this.#carriers = new Histogram({
      name: 'posthorn_carrier_answer_seconds',
      help: 'Time from a submission to the answer of the carrier.',
      labelNames: ['carrier', 'channel'],
      buckets: ANSWERS,
      registers: [registry],
    })
    this.#deliveries = new Histogram({
      name: 'posthorn_delivery_seconds',
      help: 'Time from when a message was accepted, or was to be sent, to its delivery, by delivering channel.',
      labelNames: ['channel'],
      buckets: WAITS,
      registers: [registry],
    })
    this.#reports = new Histogram({
      name: 'posthorn_report_delay_seconds',
      help: 'Time from an event to the delivery of its report to the hook, by whether it was the first try.',
      labelNames: ['try'],
      buckets: WAITS,
      registers: [registry],
    })
  }

  request(operation: string, ms: number): void {
    this.#requests.observe({ operation }, ms / 1_000)
  }

  commit(ms: number): void {
    this.#commits.observe(ms / 1_000)
  }

  attempt({ message, carrier, submittedAt, tookMs }: Attempted): void {
    const { step, attempts, dueAt } = message.journey
    const { id, channel } = carrier
    this.#carriers.observe({ carrier: id, channel }, tookMs / 1_000)
    if (attempts > 0) return
    const beginsAt = Math.max(message.journey.steps[step]?.at ?? 0, dueAt ?? 0)
    this.#submits.observe({ channel, class: classOf(message) }, seconds(beginsAt, submittedAt))
  }

  turn({ message, timeline, counts }: Turn): void {
    const at = timeline.at(-1)?.at
    if (at === undefined) return
    for (const { event, step } of counts) {
      if (!event.startsWith('delivered ')) continue
      const channel = message.plan[step]?.channel ?? 'none'
      this.#deliveries.observe({ channel }, seconds(startOf(message), at))
    }
  }

  report({ tries, createdAt }: PendingReport, { kind, at }: ReportResult): void {
    if (kind === 'sent') this.#reports.observe({ try: tries === 0 ? 'first' : 'again' }, seconds(createdAt, at))
  }
}

/** The clock of another node, or one that was set back, may be behind. */
function seconds(from: number, to: number): number {
  return Math.max(0, to - from) / 1_000
}
