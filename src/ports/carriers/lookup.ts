/**
 * The operators of numbers: at once, by a prefix table, or asked of a lookup service, which also knows ported numbers
 * and whether a phone can be reached.
 */
import type { AccountId } from '../../domain/ids/account-id.ts'
import type { Amount } from '../../domain/money/ledger.ts'
import type { NumberFacts } from '../../domain/numbers/number-facts.ts'
import type { Phone } from '../../domain/numbers/phone.ts'

export interface Lookup {
  /** Returns the mobile operator as MCC and MNC (`26201`); null if unknown, which excludes no route. */
  operatorOf(phone: Phone): string | null
}

export interface NumberLookup {
  /** Whether a route leads to a lookup service for the number. */
  serves(number: AskedNumber): boolean
  /** Returns the answer to an earlier question of the account; null if a service has to be asked. */
  known(question: NumberQuestion): NumberAnswer | null
  /** Returns null if no service answers in time. Never rejects. */
  ask(question: NumberQuestion): Promise<NumberAnswer | null>
}

/** A number with the facts that decide its routes. */
export interface AskedNumber {
  readonly phone: Phone
  /** By prefix; null if unknown. */
  readonly operator: string | null
  readonly accountId: AccountId
}

export interface NumberQuestion extends AskedNumber {
  /** An answer that is not older is used again, milliseconds; 0 to ask the service in any case. */
  readonly maxAgeMs: number
  /** Milliseconds from now until the question is given up. */
  readonly withinMs: number
}

export interface NumberAnswer {
  readonly facts: NumberFacts
  /** The carrier that answered. */
  readonly carrierId: string
  /** When it answered, milliseconds. */
  readonly at: number
  /** Given to an earlier question. */
  readonly cached: boolean
  /** What the carrier charges us; null if unknown. */
  readonly cost: Amount | null
}
