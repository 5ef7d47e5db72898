/**
 * The timeline of one message: acceptance, carriers' answers, postings and reports, ordered by time. Contains no texts
 * and no codes.
 */
import type { Channel } from '../../../domain/channels/channel.ts'
import { describeTarget } from '../../../domain/consent/unsubscribe-link.ts'
import type { AccountId } from '../../../domain/ids/account-id.ts'
import type { MessageId } from '../../../domain/ids/message-id.ts'
import { CANCELLED_BY } from '../../../domain/journey/journey.ts'
import type { TimelineEntry } from '../../../domain/journey/turn.ts'
import { classOf, type Message, type Phase } from '../../../domain/message/message.ts'
import type { Status } from '../../../domain/message/status.ts'
import { type Micros, toDecimal } from '../../../domain/money/money.ts'
import { isDelivery } from '../../../domain/reports/report-tries.ts'
import type { TracedReport } from '../../../ports/records/pending-report.ts'
import type { Trace } from '../../../ports/records/trace.ts'
import type { QueryStore } from '../../../ports/stores/query-store.ts'

export interface MessageTrace {
  readonly message: Message
  readonly messageId: MessageId
  readonly accountId: AccountId
  readonly test: boolean
  /** The client's `id` as the JSON token that was sent; null without one. */
  readonly clientId: string | null
  readonly phone: string
  readonly status: Status
  readonly phase: Phase
  /** Milliseconds: next due time; null once ended. */
  readonly dueAt: number | null
  readonly currency: string
  readonly heldMicros: Micros
  readonly chargedMicros: Micros
  readonly hook: string | null
  readonly steps: readonly TracedStep[]
  readonly timeline: readonly TracedEvent[]
}

interface TracedStep {
  readonly channel: Channel
  readonly sender: string
  /** The member of the pool that it was last sent from; null if the sender is no pool, or nothing was sent. */
  readonly from: string | null
  readonly parts: number
  readonly priceMicros: Micros
  readonly lifetimeSeconds: number
  /** Null until the message reaches this step. */
  readonly status: Status | null
  readonly carrierId: string | null
  readonly detail: string | null
}

interface TracedEvent {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly component: 'client' | 'operator' | 'carrier' | 'journey' | 'money' | 'report' | 'link'
  /** What happened: `accepted`, `taken`, `hold`, `sent`. */
  readonly event: string
  /** Channel of the step; null for events of the whole message. */
  readonly channel: Channel | null
  readonly carrierId: string | null
  readonly detail: string
}

/** Returns null if the message does not exist. */
export async function traceMessage(store: QueryStore, id: MessageId): Promise<MessageTrace | null> {
  const trace = await store.trace(id)
  if (trace === null) return null
  const { message } = trace
  const { journey } = message
  return {
    message,
    messageId: message.id,
    accountId: message.accountId,
    clientId: message.clientId,
    phone: message.phone,
    test: message.test,
    status: journey.status,
    phase: journey.phase,
    dueAt: journey.dueAt,
    currency: message.currency,
    heldMicros: journey.heldMicros,
    chargedMicros: journey.chargedMicros,
    hook: message.hook,
    steps: message.plan.map((step, index) => ({
      channel: step.channel,
      sender: step.sender,
      from: journey.steps[index]?.from ?? null,
      parts: step.parts,
      priceMicros: step.priceMicros,
      lifetimeSeconds: step.lifetimeSeconds,
      status: journey.steps[index]?.status ?? null,
      carrierId: journey.steps[index]?.carrierId ?? null,
      detail: journey.steps[index]?.detail ?? null,
    })),
    timeline: timelineOf(trace),
  }
}

/** Sorts by time; events of the same time stay in order of cause and effect. */
function timelineOf({ message, timeline, postings, reports, links }: Trace): readonly TracedEvent[] {
  const whole = { channel: null, carrierId: null }
  const { currency, createdAt, journey } = message
  const component = journey.testedCarrier === undefined ? 'client' : 'operator'
  return [
    { ...whole, at: createdAt, component, event: 'accepted', detail: writePlan(message) } as const,
    ...links.map((link) => {
      const detail = `${link.code} for ${describeTarget(link.url)}, opened by ${link.humans} humans and ${link.robots} robots`
      return { ...whole, at: createdAt, component: 'link', event: 'made', detail } as const
    }),
    ...timeline.map((entry) => eventOf(message, entry)),
    ...postings.map((posting) => {
      const detail = `${toDecimal(posting.amountMicros)} ${currency}`
      return { ...whole, at: posting.at, component: 'money', event: posting.kind, detail } as const
    }),
    ...reports.flatMap(reportEvents),
  ].sort((a, b) => a.at - b.at)
}

function writePlan(message: Message): string {
  const channels = message.plan.map((step) => step.channel).join(', then ')
  const { sendAt, verification, priority } = message.journey
  const planned = sendAt === undefined ? '' : `, to be sent at ${new Date(sendAt).toISOString()}`
  const verifies =
    verification === undefined ? '' : `, a verification until ${new Date(verification.expiresAt).toISOString()}`
  const trafficClass = classOf(message)
  const isUsual = trafficClass === 'transactional' && priority === undefined
  const ranks = isUsual ? '' : `, class ${trafficClass} by its ${priority?.by ?? 'operation'}`
  return `${channels}${planned}${verifies}${ranks}`
}

/** Components of events that carriers did not cause. */
const COMPONENTS: Readonly<Record<string, TracedEvent['component']>> = {
  'no route': 'journey',
  filtered: 'journey',
  postponed: 'journey',
  resumed: 'journey',
  expired: 'journey',
  cancelled: 'client',
  approved: 'client',
  'wrong code': 'client',
  resent: 'client',
  clicked: 'link',
  'opted out': 'journey',
  'opted in': 'journey',
}

function eventOf(message: Message, entry: TimelineEntry): TracedEvent {
  const isByOthers = entry.kind === 'cancelled' && entry.detail !== CANCELLED_BY.client
  const component = isByOthers ? 'journey' : (COMPONENTS[entry.kind] ?? 'carrier')
  const channel = message.plan[entry.step]?.channel ?? null
  return { at: entry.at, component, event: entry.kind, channel, carrierId: entry.carrierId, detail: entry.detail }
}

export function reportEvents(report: TracedReport): readonly TracedEvent[] {
  const about = { component: 'report', channel: null, carrierId: null } as const
  const written = { ...about, at: report.createdAt, event: 'written', detail: `number ${report.number}` }
  if (report.triedAt === null) return [written]
  const failures = report.tries === 0 ? '' : `, ${report.tries} failed ${report.tries === 1 ? 'try' : 'tries'}`
  const outcomeOf = (made: { readonly detail: string }) => (isDelivery(made) ? 'sent' : 'tried')
  // One that is sent again may wait with its earlier delivery.
  const event = report.state === 'pending' ? outcomeOf(report) : report.state
  const earlier = report.triesMade.filter(({ at }) => at !== report.triedAt)
  return [
    written,
    ...earlier.map((made) => {
      return { ...about, at: made.at, event: outcomeOf(made), detail: `number ${report.number}: ${made.detail}` }
    }),
    { ...about, at: report.triedAt, event, detail: `number ${report.number}: ${report.detail}${failures}` },
  ]
}
