/**
 * What a report says to programs that know only receipts of SMS: an event of the message with a state in the words of
 * SMPP, and whether the program has asked for it.
 */
import type { Status } from '../message/status.ts'
import { readTarget } from './report-target.ts'

/** Of a report's body, `message.status`. */
export interface ProgramEvent {
  readonly status: Status
  /** `ACCEPTED` by the carrier, `REFUSED` before a carrier had it, or a final state. */
  readonly kind: 'accepted' | 'refused' | 'delivered' | 'failed'
  /** A state of receipts: DELIVRD, UNDELIV, EXPIRED, REJECTD, DELETED, UNKNOWN, ACCEPTD. */
  readonly state: string
  readonly messageId: string
  /** Digits; empty if the recipient was erased. */
  readonly phone: string
  readonly channel: string
  readonly error: string
  /** Milliseconds. */
  readonly at: number
}

/** Of statuses that programs know. `READ` follows `DELIVERED`, and `QUEUED` is no event of a carrier. */
const EVENTS: Readonly<Partial<Record<Status, readonly [ProgramEvent['kind'], state: string]>>> = {
  ACCEPTED: ['accepted', 'ACCEPTD'],
  DELIVERED: ['delivered', 'DELIVRD'],
  EXPIRED: ['failed', 'EXPIRED'],
  UNDELIVERABLE: ['failed', 'UNDELIV'],
  UNKNOWN: ['failed', 'UNKNOWN'],
  REJECTED: ['refused', 'REJECTD'],
  FILTERED: ['refused', 'REJECTD'],
  'NO ROUTE': ['refused', 'REJECTD'],
  CANCELLED: ['failed', 'DELETED'],
}

/** Returns what a status says to programs; null if it is no event. */
export function eventOf(status: Status): Pick<ProgramEvent, 'kind' | 'state'> | null {
  const [kind, state] = EVENTS[status] ?? []
  return kind === undefined || state === undefined ? null : { kind, state }
}

/** Returns null for a report of another type, and for a status that is no event. */
export function readProgramEvent(body: string): ProgramEvent | null {
  if (!body.startsWith(STATUS_HEAD)) return null
  const { status, timestamp, msg_id, phone, user_id, channel, error } = JSON.parse(body) as {
    readonly status: Status
    readonly timestamp: string
    readonly msg_id: number
    readonly phone: number | string | null
    readonly user_id?: string
    readonly channel: string | null
    readonly error: string | null
  }
  const event = eventOf(status)
  if (event === null) return null
  const who = { messageId: String(msg_id), phone: String(phone ?? user_id), channel: channel ?? '' }
  return { status, ...event, ...who, error: error ?? '', at: Date.parse(timestamp) }
}

const STATUS_HEAD = '{"type":"message.status"'
const INBOUND_HEAD = '{"type":"message.inbound"'

/** Returns whether it is the report of an inbound message. */
export function isInboundReport(body: string): boolean {
  return body.startsWith(INBOUND_HEAD)
}

/**
 * The bits of Kannel's `dlr-mask`, and the values of `%d`: delivered, not delivered, accepted and refused by the SMSC.
 */
const KANNEL_BITS = { delivered: 1, failed: 2, accepted: 8, refused: 16 } as const
/** Of a target without a mask: all final states. */
const FINAL_MASK = KANNEL_BITS.delivered | KANNEL_BITS.failed | KANNEL_BITS.refused

/**
 * Returns the value of `%d`; null if the mask does not ask for the event. A refusal is a failure to a program that asks
 * for failures alone: it would wait forever.
 */
export function kannelValueOf({ kind }: ProgramEvent, mask = FINAL_MASK): number | null {
  const bit = KANNEL_BITS[kind]
  if ((mask & bit) !== 0) return bit
  return kind === 'refused' && (mask & KANNEL_BITS.failed) !== 0 ? KANNEL_BITS.failed : null
}

/** The levels of Jasmin's callbacks: what the SMSC answered, and the final state. */
type JasminLevel = 1 | 2

/** Returns the level of the event for a program that asked for `asked` (3: both); null if it did not ask for it. */
export function jasminLevelOf({ kind }: ProgramEvent, asked = 2): JasminLevel | null {
  if (kind === 'accepted') return asked === 2 ? null : 1
  if (asked === 1) return kind === 'refused' ? 1 : null
  return 2
}

/** Returns whether the report is sent to its address at all. */
export function isAskedFor(address: string, body: string): boolean {
  const target = readTarget(address)
  if (target === null || isInboundReport(body)) return true
  const event = readProgramEvent(body)
  if (event === null) return false
  const { form, facts } = target
  if (form === 'kannel') return kannelValueOf(event, numberIn(facts['mask'])) !== null
  return form === 'smpp' || jasminLevelOf(event, numberIn(facts['level'])) !== null
}

/** Returns undefined for an absent fact. */
export function numberIn(fact: string | undefined): number | undefined {
  return fact === undefined ? undefined : Number(fact)
}
