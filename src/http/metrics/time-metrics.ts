/**
 * Histograms of times: how long clients, carriers and hooks wait. Labels have few values: channels, carriers, groups of
 * operations; never accounts, senders or recipients.
 */
import { Histogram, type Registry } from '@prometheus-io/client'
import type { Turn } from '../../domain/journey/turn.ts'
import { startOf } from '../../domain/statistics/message-statistics.ts'
import type { Attempted } from '../../ports/carriers/attempted.ts'
import type { PendingReport, ReportResult } from '../../ports/records/pending-report.ts'

/** Upper bounds of the buckets, seconds. */
const COMMITS = [0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]
const ANSWERS = [0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]
const WAITS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 180, 600, 1_800, 7_200, 28_800, 86_400]

export class TimeMetrics {
  readonly #requests: Histogram<'operation'>
  readonly #commits: Histogram
  readonly #submits: Histogram<'channel'>
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
      labelNames: ['channel'],
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
    this.#submits.observe({ channel }, seconds(beginsAt, submittedAt))
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
