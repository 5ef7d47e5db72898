/** What a receipt needs beyond the report of its message: the facts behind the login in the address of the report. */
import { type TargetFacts, writeTarget } from '../../domain/reports/report-target.ts'
import type { Reporting } from '../../operations/request/planned.ts'
import type { Address } from '../../wire/smpp/pdu.ts'

/** The bits of registered_delivery that ask for receipts of the SMSC (SMPP 5.0, 4.7.21). */
const OUTCOME_BITS = 0x03
const [FAILURES, SUCCESSES] = [2, 3] as const
const INTERMEDIATE_BIT = 0x10

export interface ReceiptFacts {
  /** Sender and recipient, as the client wrote them. */
  readonly from: Address
  readonly to: Address
  /** Milliseconds: when the client submitted the message. */
  readonly at: number
  /** registered_delivery. */
  readonly asked: number
  /** Ids of the parts that asked for a receipt; empty for a message of one part, which has its own. */
  readonly ids: readonly string[]
  /** user_message_reference, hexadecimal; null without one. */
  readonly reference: string | null
  /** The connection on which the message was submitted. */
  readonly on: string
}

/** Whether any receipt is asked for. */
export function asksForReceipts(registeredDelivery: number): boolean {
  return (registeredDelivery & (OUTCOME_BITS | INTERMEDIATE_BIT)) !== 0
}

function asksForSteps(registeredDelivery: number): boolean {
  return (registeredDelivery & INTERMEDIATE_BIT) !== 0
}

/** Whether a receipt of this outcome is asked for. */
export function asksFor(registeredDelivery: number, outcome: 'success' | 'failure' | 'intermediate'): boolean {
  const bits = registeredDelivery & OUTCOME_BITS
  if (outcome === 'intermediate') return asksForSteps(registeredDelivery)
  return bits !== 0 && bits !== (outcome === 'success' ? FAILURES : SUCCESSES)
}

function writeFacts({ from, to, at, asked, ids, reference, on }: ReceiptFacts): TargetFacts {
  return {
    from: writeAddress(from),
    to: writeAddress(to),
    at: String(at),
    asked: String(asked),
    on,
    ...(ids.length === 0 ? {} : { ids: ids.join(' ') }),
    ...(reference === null ? {} : { ref: reference }),
  }
}

/** Returns how a message is reported as receipts to a login. */
export function receiptsTo(login: string, facts: ReceiptFacts): Reporting {
  const to = writeTarget({ form: 'smpp', to: login, facts: writeFacts(facts) })
  return { to, steps: asksForSteps(facts.asked) }
}

/** Returns null for the address of a login alone, as operators give it. */
export function readReceiptFacts(facts: TargetFacts): ReceiptFacts | null {
  const { from, to, at, asked, on = '', ids = '', ref = null } = facts
  if (from === undefined || to === undefined) return null
  return {
    from: readAddress(from),
    to: readAddress(to),
    at: Number(at),
    asked: Number(asked),
    ids: ids === '' ? [] : ids.split(' '),
    reference: ref,
    on,
  }
}

function writeAddress({ ton, npi, digits }: Address): string {
  return `${ton}.${npi}.${digits}`
}

function readAddress(text: string): Address {
  const [, ton, npi, digits = ''] = /^(\d+)\.(\d+)\.(.*)$/s.exec(text) ?? []
  return { ton: Number(ton ?? 0), npi: Number(npi ?? 0), digits }
}
