/**
 * The monthly statement of an account: opening balance, top-ups, corrections, charges by purpose, closing balance. Made
 * from postings alone, it equals them to the millionth. Held money still belongs to the account.
 */
import type { RoutedChannel } from '../channels/channel.ts'
import type { Month } from '../time/month.ts'
import type { ZonedMonth } from '../time/zoned-month.ts'
import type { Posting, PostingKind } from './ledger.ts'
import { type Micros, NO_MONEY, toMicros } from './money.ts'

/** The data that a statement is written from. */
export interface AccountMonth {
  /** The account's balance at the beginning of the month, held money included. */
  readonly openingMicros: Micros
  /** One per kind of posting except holds and releases, and per channel and operator of charges. */
  readonly totals: readonly PostingTotal[]
  /** Operators' postings without a message, in order. */
  readonly payments: readonly (Posting & { readonly at: number })[]
  /** Nothing more is posted in it. */
  readonly isClosed: boolean
  /** No month before it has postings; at most this one. */
  readonly firstMonth: Month
  /** The first month that is known in time zones other than UTC. */
  readonly firstZonedMonth: Month
}

/** Postings of one kind and purpose, summed. */
interface PostingTotal {
  readonly kind: PostingKind
  /** Null for anything but a charge, and for charges from before it was recorded. */
  readonly channel: RoutedChannel | null
  readonly operator: string | null
  readonly postings: number
  readonly parts: number
  readonly amountMicros: Micros
}

export interface Statement {
  readonly month: Month
  /** The month is one of this time zone. */
  readonly zone: string
  /** No month before it has postings; at most `month`. */
  readonly firstMonth: Month
  /** The first one from there on that is known in time zones other than UTC. */
  readonly firstZonedMonth: Month
  /** It is final. */
  readonly isClosed: boolean
  readonly openingMicros: Micros
  readonly topUpMicros: Micros
  /** Refunds included; below zero if more was taken away than added. */
  readonly correctionMicros: Micros
  /** What was refunded of the charges of messages. */
  readonly refundMicros: Micros
  readonly chargeMicros: Micros
  /** Opening, top-ups and corrections, less charges. */
  readonly closingMicros: Micros
  /** Charges by channel and operator. */
  readonly charges: readonly ChargeLine[]
  readonly payments: AccountMonth['payments']
}

interface ChargeLine {
  /** Null for charges from before it was recorded. */
  readonly channel: RoutedChannel | null
  /** Null if unknown. */
  readonly operator: string | null
  readonly messages: number
  readonly parts: number
  readonly amountMicros: Micros
}

export function drawStatement({ month, zone }: ZonedMonth, facts: AccountMonth): Statement {
  const { openingMicros, totals, payments, isClosed, firstMonth, firstZonedMonth } = facts
  const sum = (kind: PostingKind) =>
    totals.reduce((amount, total) => (total.kind === kind ? amount + total.amountMicros : amount), NO_MONEY as number)
  const topUpMicros = toMicros(sum('top-up'))
  const refundMicros = toMicros(sum('refund'))
  const correctionMicros = toMicros(sum('correction up') - sum('correction down') + refundMicros)
  const chargeMicros = toMicros(sum('charge'))
  return {
    month,
    zone,
    firstMonth,
    firstZonedMonth: firstZonedMonth > firstMonth ? firstZonedMonth : firstMonth,
    isClosed,
    openingMicros,
    topUpMicros,
    correctionMicros,
    refundMicros,
    chargeMicros,
    closingMicros: toMicros(openingMicros + topUpMicros + correctionMicros - chargeMicros),
    charges: totals.flatMap(({ kind, channel, operator, postings, parts, amountMicros }) =>
      kind === 'charge' ? [{ channel, operator, messages: postings, parts, amountMicros }] : [],
    ),
    payments,
  }
}
