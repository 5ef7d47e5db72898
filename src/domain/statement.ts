/**
 * The statement of an account for a month: what it had, what came in, what was corrected, what was charged for what, and
 * what was left. It is made of postings alone and equals them to the millionth. Held money is still the account's.
 */
import type { Channel } from './channel.ts'
import type { Posting, PostingKind } from './ledger.ts'
import { type Micros, NO_MONEY, toMicros } from './money.ts'
import type { Month } from './month.ts'

/** All that a statement is written of. */
export interface AccountMonth {
  /** What the account had when the month began, held money included. */
  readonly openingMicros: Micros
  /** One for each kind of posting but holds and releases, and of charges for each channel and operator. */
  readonly totals: readonly PostingTotal[]
  /** What people posted, in its order. */
  readonly payments: readonly (Posting & { readonly at: number })[]
  /** Nothing is booked in it any more. */
  readonly isClosed: boolean
}

/** Postings of one kind and purpose, added up. */
interface PostingTotal {
  readonly kind: PostingKind
  /** Null for what was no charge, and for charges from before it was written down. */
  readonly channel: Channel | null
  readonly operator: string | null
  readonly postings: number
  readonly parts: number
  readonly amountMicros: Micros
}

export interface Statement {
  readonly month: Month
  /** Nothing of it changes any more. */
  readonly isClosed: boolean
  readonly openingMicros: Micros
  readonly topUpMicros: Micros
  /** Less than nothing when more was taken away than given. */
  readonly correctionMicros: Micros
  readonly chargeMicros: Micros
  /** Opening, top-ups and corrections, less charges. */
  readonly closingMicros: Micros
  /** What was charged, by channel and operator. */
  readonly charges: readonly ChargeLine[]
  readonly payments: AccountMonth['payments']
}

interface ChargeLine {
  /** Null for charges from before it was written down. */
  readonly channel: Channel | null
  /** Null when nobody knew it. */
  readonly operator: string | null
  readonly messages: number
  readonly parts: number
  readonly amountMicros: Micros
}

export function drawStatement(month: Month, { openingMicros, totals, payments, isClosed }: AccountMonth): Statement {
  const sum = (kind: PostingKind) =>
    totals.reduce((amount, total) => (total.kind === kind ? amount + total.amountMicros : amount), NO_MONEY as number)
  const topUpMicros = toMicros(sum('top-up'))
  const correctionMicros = toMicros(sum('correction up') - sum('correction down'))
  const chargeMicros = toMicros(sum('charge'))
  return {
    month,
    isClosed,
    openingMicros,
    topUpMicros,
    correctionMicros,
    chargeMicros,
    closingMicros: toMicros(openingMicros + topUpMicros + correctionMicros - chargeMicros),
    charges: totals.flatMap(({ kind, channel, operator, postings, parts, amountMicros }) =>
      kind === 'charge' ? [{ channel, operator, messages: postings, parts, amountMicros }] : [],
    ),
    payments,
  }
}
