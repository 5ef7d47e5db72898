/**
 * The ledger's rules. Money moves between four pots of an account, always out of one and into another, so that every
 * posting sums to zero. A message holds once, then charges and releases until nothing of its hold is left. A posting is
 * never changed: what was wrong is corrected by another.
 */
import type { Channel } from './channel.ts'
import type { MessageId } from './message-id.ts'
import type { Micros } from './money.ts'

/**
 * `paid`: what came from outside, negative. `available`: free to use; below zero is what the account owes, down to its
 * credit limit. `held`: promised to open messages. `earned`: the operator's.
 */
export type Pot = 'paid' | 'available' | 'held' | 'earned'

/** What a person posts. */
export const PAYMENT_KINDS = ['top-up', 'correction up', 'correction down'] as const

export type PaymentKind = (typeof PAYMENT_KINDS)[number]

export type PostingKind = PaymentKind | 'hold' | 'charge' | 'release'

/** Out of the first pot, into the second. */
export const MOVES: Readonly<Record<PostingKind, readonly [from: Pot, to: Pot]>> = {
  'top-up': ['paid', 'available'],
  'correction up': ['paid', 'available'],
  'correction down': ['available', 'paid'],
  hold: ['available', 'held'],
  charge: ['held', 'earned'],
  release: ['held', 'available'],
}

export interface Posting {
  readonly kind: PostingKind
  /** More than nothing. */
  readonly amountMicros: Micros
  /** Null for what a person posted. */
  readonly messageId: MessageId | null
  /** Of a charge, and there only: what it is for. It outlives the message. */
  readonly charge?: Charge
  /** The person who posted it; absent when no person did. */
  readonly by?: string
  /** What that person said to it; absent when nothing was. */
  readonly note?: string
}

/** What a charge is for: the step that earned it. */
export interface Charge {
  readonly channel: Channel
  /** MCC and MNC as looked up when the message was accepted; null when nobody knew it. */
  readonly operator: string | null
  readonly parts: number
  /** Who took it; null when that is not known. */
  readonly carrierId: string | null
  /** What carriers take for it from us; null when that is not known. */
  readonly cost: Amount | null
}

export interface Amount {
  readonly micros: Micros
  /** ISO 4217. */
  readonly currency: string
}

export type Pots = Readonly<Record<Pot, Micros>>

/** The balances after a posting. */
export function post(pots: Pots, { kind, amountMicros }: Pick<Posting, 'kind' | 'amountMicros'>): Pots {
  const [from, to] = MOVES[kind]
  return {
    ...pots,
    [from]: (pots[from] - amountMicros) as Micros,
    [to]: (pots[to] + amountMicros) as Micros,
  }
}
