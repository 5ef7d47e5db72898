/**
 * The ledger's rules. Money moves between four pots of an account, always out of one and into another, so that every
 * posting sums to zero. A message holds once, then charges and releases until nothing of its hold is left.
 */
import type { MessageId } from './message-id.ts'
import type { Micros } from './money.ts'

/** `paid`: what came from outside, negative. `available`: free to use. `held`: promised to open messages. `earned`: the operator's. */
export type Pot = 'paid' | 'available' | 'held' | 'earned'

export type PostingKind = 'top-up' | 'hold' | 'charge' | 'release'

/** Out of the first pot, into the second. */
export const MOVES: Readonly<Record<PostingKind, readonly [from: Pot, to: Pot]>> = {
  'top-up': ['paid', 'available'],
  hold: ['available', 'held'],
  charge: ['held', 'earned'],
  release: ['held', 'available'],
}

export interface Posting {
  readonly kind: PostingKind
  /** More than nothing. */
  readonly amountMicros: Micros
  /** Null for a top-up. */
  readonly messageId: MessageId | null
}

export type Pots = Readonly<Record<Pot, Micros>>

/** The pots after a posting. */
export function post(pots: Pots, posting: Posting): Pots {
  const [from, to] = MOVES[posting.kind]
  return {
    ...pots,
    [from]: (pots[from] - posting.amountMicros) as Micros,
    [to]: (pots[to] + posting.amountMicros) as Micros,
  }
}
