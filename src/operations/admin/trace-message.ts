/**
 * The walk of one message through the gateway, station by station in the order of time: what was accepted, what
 * carriers said, what was paid, what the client's hook was told. It tells no texts and no codes.
 */
import type { AccountId } from '../../domain/account.ts'
import type { Channel } from '../../domain/channel.ts'
import type { Message, Phase } from '../../domain/message.ts'
import type { MessageId } from '../../domain/message-id.ts'
import { type Micros, toDecimal } from '../../domain/money.ts'
import type { Status } from '../../domain/status.ts'
import type { TimelineEntry } from '../../domain/turn.ts'
import type { TracedReport } from '../../ports/pending-report.ts'
import type { Store } from '../../ports/store.ts'
import type { Trace } from '../../ports/trace.ts'

export interface MessageTrace {
  readonly messageId: MessageId
  readonly accountId: AccountId
  readonly test: boolean
  /** The client's `id` as the JSON token that was sent; null without one. */
  readonly clientId: string | null
  readonly phone: string
  readonly status: Status
  readonly phase: Phase
  /** Milliseconds: when the message is looked at next; null once ended. */
  readonly dueAt: number | null
  readonly currency: string
  readonly heldMicros: Micros
  readonly chargedMicros: Micros
  readonly hook: string | null
  readonly steps: readonly TracedStep[]
  readonly stations: readonly Station[]
}

interface TracedStep {
  readonly channel: Channel
  readonly sender: string
  readonly parts: number
  readonly priceMicros: Micros
  readonly lifetimeSeconds: number
  /** Null while the message has not come to this step. */
  readonly status: Status | null
  readonly carrierId: string | null
  readonly detail: string | null
}

interface Station {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly room: 'client' | 'carrier' | 'journey' | 'money' | 'report' | 'link'
  /** What happened there, in a word or two: `accepted`, `taken`, `hold`, `sent`. */
  readonly event: string
  /** The channel of the step that it is about; null when it is about the whole message. */
  readonly channel: Channel | null
  readonly carrierId: string | null
  readonly detail: string
}

/** Null when there is no such message. */
export async function traceMessage(store: Store, id: MessageId): Promise<MessageTrace | null> {
  const trace = await store.trace(id)
  if (trace === null) return null
  const { message } = trace
  const { journey } = message
  return {
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
      parts: step.parts,
      priceMicros: step.priceMicros,
      lifetimeSeconds: step.lifetimeSeconds,
      status: journey.steps[index]?.status ?? null,
      carrierId: journey.steps[index]?.carrierId ?? null,
      detail: journey.steps[index]?.detail ?? null,
    })),
    stations: stationsOf(trace),
  }
}

/** Sorted by time; what happened at the same moment stays in the order in which causes come before effects. */
function stationsOf({ message, timeline, postings, reports, links }: Trace): readonly Station[] {
  const whole = { channel: null, carrierId: null }
  const { currency, createdAt } = message
  return [
    { ...whole, at: createdAt, room: 'client', event: 'accepted', detail: writePlan(message) } as const,
    ...links.map((link) => {
      const detail = `${link.code} for ${link.url}, opened by ${link.people} people and ${link.robots} robots`
      return { ...whole, at: createdAt, room: 'link', event: 'made', detail } as const
    }),
    ...timeline.map((entry) => stationOf(message, entry)),
    ...postings.map((posting) => {
      const detail = `${toDecimal(posting.amountMicros)} ${currency}`
      return { ...whole, at: posting.at, room: 'money', event: posting.kind, detail } as const
    }),
    ...reports.flatMap(reportStations),
  ].sort((a, b) => a.at - b.at)
}

function writePlan(message: Message): string {
  const channels = message.plan.map((step) => step.channel).join(', then ')
  const { sendAt } = message.journey
  return sendAt === undefined ? channels : `${channels}, to be sent at ${new Date(sendAt).toISOString()}`
}

/** Where entries come from that carriers did not cause. */
const ROOMS: Readonly<Record<string, Station['room']>> = {
  'no route': 'journey',
  filtered: 'journey',
  postponed: 'journey',
  expired: 'journey',
  cancelled: 'client',
  clicked: 'link',
}

function stationOf(message: Message, entry: TimelineEntry): Station {
  const room = ROOMS[entry.kind] ?? 'carrier'
  const channel = message.plan[entry.step]?.channel ?? null
  return { at: entry.at, room, event: entry.kind, channel, carrierId: entry.carrierId, detail: entry.detail }
}

function reportStations(report: TracedReport): readonly Station[] {
  const about = { room: 'report', channel: null, carrierId: null } as const
  const written = { ...about, at: report.createdAt, event: 'written', detail: `number ${report.number}` }
  if (report.triedAt === null) return [written]
  const failures = report.tries === 0 ? '' : `, ${report.tries} failed ${report.tries === 1 ? 'try' : 'tries'}`
  const event = report.state === 'pending' ? 'tried' : report.state
  return [
    written,
    { ...about, at: report.triedAt, event, detail: `number ${report.number}: ${report.detail}${failures}` },
  ]
}
