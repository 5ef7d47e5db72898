/**
 * The ledger's rules. Money moves between four balances of an account, always from one to another, so that every
 * posting sums to zero. A message holds once, then charges and releases until its hold is used up; an operator may
 * refund its charge. A posting is never changed: errors are corrected by another posting.
 */
import type { RoutedChannel } from '../channels/channel.ts'
import type { MessageId } from '../ids/message-id.ts'
import type { Micros } from './money.ts'

/**
 * `paid`: money from outside, negative. `available`: free to use; below zero it is credit used, down to the credit
 * limit. `held`: reserved for open messages. `earned`: the operator's revenue.
 */
export type BalanceName = 'paid' | 'available' | 'held' | 'earned'

/** Postings made by operators. */
export const PAYMENT_KINDS = ['top-up', 'correction up', 'correction down'] as const

export type PaymentKind = (typeof PAYMENT_KINDS)[number]

export type PostingKind = PaymentKind | 'hold' | 'charge' | 'release' | 'refund'

/** From the first balance to the second. */
export const MOVES: Readonly<Record<PostingKind, readonly [from: BalanceName, to: BalanceName]>> = {
  'top-up': ['paid', 'available'],
  'correction up': ['paid', 'available'],
  'correction down': ['available', 'paid'],
  hold: ['available', 'held'],
  charge: ['held', 'earned'],
  release: ['held', 'available'],
  refund: ['earned', 'available'],
}

export interface Posting {
  readonly kind: PostingKind
  /** Greater than zero. */
  readonly amountMicros: Micros
  /** Null for an operator's posting, and for what has no message. */
  readonly messageId: MessageId | null
  /** Of a charge, and of a refund of it: what it is for. It outlives the message. */
  readonly charge?: Charge
  /** The operator who made the posting; absent for postings that messages make themselves. */
  readonly by?: string
  /** The operator's note; absent if there is none. */
  readonly note?: string
}

/** What a charge is for: the step that earned it. */
export interface Charge {
  readonly channel: RoutedChannel
  /** MCC and MNC as looked up when the message was accepted; null if unknown. */
  readonly operator: string | null
  readonly parts: number
  /** The carrier that took it; null if unknown. */
  readonly carrierId: string | null
  /** What carriers charge us for it; null if unknown. */
  readonly cost: Amount | null
}

export interface Amount {
  readonly micros: Micros
  /** ISO 4217. */
  readonly currency: string
}

/** Stored in place of a message in postings of what has none, such as lookups: held and charged at once. */
export const NO_MESSAGE = 0 as MessageId

export type Balances = Readonly<Record<BalanceName, Micros>>

/** Returns the balances after a posting. */
export function post(balances: Balances, { kind, amountMicros }: Pick<Posting, 'kind' | 'amountMicros'>): Balances {
  const [from, to] = MOVES[kind]
  return {
    ...balances,
    [from]: (balances[from] - amountMicros) as Micros,
    [to]: (balances[to] + amountMicros) as Micros,
  }
}
