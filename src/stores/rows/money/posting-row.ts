/** Postings and their totals as rows. Unknown texts are NULL in postings and empty in totals. */

import type { RoutedChannel } from '../../../domain/channels/channel.ts'
import type { AccountId } from '../../../domain/ids/account-id.ts'
import type { MessageId } from '../../../domain/ids/message-id.ts'
import {
  type Charge,
  NO_MESSAGE,
  type PaymentKind,
  type Posting,
  type PostingKind,
} from '../../../domain/money/ledger.ts'
import type { ChargeTotal } from '../../../domain/money/margin.ts'
import type { Micros } from '../../../domain/money/money.ts'
import type { AccountMonth } from '../../../domain/money/statement.ts'
import type { Month } from '../../../domain/time/month.ts'
import type { Quarter } from '../../../domain/time/zoned-month.ts'
import type { HoldTotal } from '../../../ports/stores/query-store.ts'
import type { CellsOf } from '../cells/cells-of.ts'

/** The purpose of a charge, or of what is refunded of it, in column order; NULLs for any other posting. */
export type ChargeCells = Readonly<CellsOf<'posting', typeof CHARGE_COLUMNS>>

export const CHARGE_COLUMNS = 'channel, operator, parts, carrier_id, cost_micros, cost_currency'

/** For postings other than charges and refunds. */
export const NO_CHARGE: ChargeCells = [null, null, null, null, null, null]

export function toChargeCells(charge: Charge | undefined): ChargeCells {
  if (charge === undefined) return NO_CHARGE
  const { channel, operator, parts, carrierId, cost } = charge
  return [channel, operator, parts, carrierId, cost?.micros ?? null, cost?.currency ?? null]
}

const ENTRY_COLUMNS = 'kind, amount_micros, msg_id, at, made_by, note'
export const POSTING_COLUMNS = `${ENTRY_COLUMNS}, ${CHARGE_COLUMNS}`

/** A row of POSTING_COLUMNS. */
export type PostingRow = readonly [
  ...entry: CellsOf<
    'posting',
    typeof ENTRY_COLUMNS,
    { kind: PostingKind; amount_micros: Micros; msg_id: MessageId | null }
  >,
  ...charge:
    | CellsOf<'posting', typeof CHARGE_COLUMNS, { channel: RoutedChannel; parts: number; cost_micros: Micros | null }>
    | readonly [null, null, null, null, null, null],
]

export function readPosting(row: PostingRow): Posting & { readonly at: number } {
  const [kind, amountMicros, messageId, at, by, note, channel, operator, parts, carrierId, micros, currency] = row
  const cost = micros === null || currency === null ? null : { micros, currency }
  return {
    ...{ kind, amountMicros, messageId: messageId === NO_MESSAGE ? null : messageId, at },
    ...(by === null ? {} : { by }),
    ...(note === null ? {} : { note }),
    ...(channel === null ? {} : { charge: { channel, operator, parts, carrierId, cost } }),
  }
}

/** A manual money movement. */
export interface Payment {
  readonly kind: PaymentKind | 'refund'
  readonly accountId: number
  readonly amountMicros: number
  readonly at: number
  readonly by: string | null
  readonly note: string | null
  /** Of a refund: the message, and the purpose of its charge. */
  readonly refunded?: { readonly messageId: number; readonly charge: ChargeCells }
}

/** A month, or a quarter of an hour that may be of another month in a time zone: larger than any month. */
export type Period = Month | Quarter

/** Totals of one kind and purpose in one period. */
export type PostingTotalRow = CellsOf<
  'posting_total',
  typeof POSTING_TOTAL_COLUMNS,
  { month: Period; kind: PostingKind }
>

export const POSTING_TOTAL_COLUMNS =
  'account_id, month, kind, channel, operator, carrier_id, cost_currency, postings, parts, amount_micros, cost_micros'

/** The first cells of a PostingTotalRow identify it; the others are the sums. */
export const TOTAL_KEY_CELLS = 7

/** The effect of each kind on an account's money, held money included; holds and releases have none. */
export const BALANCE_SIGNS: Readonly<Record<PostingKind, -1 | 0 | 1>> = {
  'top-up': 1,
  'correction up': 1,
  'correction down': -1,
  charge: -1,
  hold: 0,
  release: 0,
  refund: 1,
}

/** Returns an account's balance after these totals. */
export function balanceOf(totals: readonly (readonly [kind: PostingKind, amountMicros: number])[]): Micros {
  return totals.reduce((sum, [kind, amount]) => sum + BALANCE_SIGNS[kind] * amount, 0) as Micros
}

export type PurposeTotalRow = [
  ...CellsOf<
    'posting_total',
    'kind, channel, operator, postings, parts, amount_micros',
    { kind: PostingKind; channel: RoutedChannel | ''; amount_micros: Micros }
  >,
  first: Period,
]

/** Of totals of periods, by kind, channel and operator; the last is the first period with one. */
export const PURPOSE_SUMS = 'kind, channel, operator, sum(postings), sum(parts), sum(amount_micros), min(month)'

/** Reads the totals of a month. */
export function readPurposeTotal(row: PurposeTotalRow): AccountMonth['totals'][number] {
  const [kind, channel, operator, postings, parts, amountMicros] = row
  return { kind, channel: channel || null, operator: operator || null, postings, parts, amountMicros }
}

export type ChargeTotalRow = CellsOf<
  'posting_total',
  'account_id, channel, carrier_id, cost_currency, postings, parts, amount_micros, cost_micros',
  { account_id: AccountId; channel: RoutedChannel | ''; amount_micros: Micros; cost_micros: Micros }
>

/** Of charges, less what was refunded of them. */
export const CHARGE_SUMS =
  "sum(CASE kind WHEN 'charge' THEN postings ELSE 0 END), sum(parts), " +
  "sum(CASE kind WHEN 'charge' THEN amount_micros ELSE -amount_micros END), sum(cost_micros)"

/** Reads totals of charges, by account, channel, carrier and cost currency. */
export function readChargeTotal(row: ChargeTotalRow): ChargeTotal {
  const [accountId, channel, carrierId, currency, messages, parts, amountMicros, micros] = row
  const cost = currency === '' ? null : { micros, currency }
  return { accountId, channel: channel || null, carrierId: carrierId || null, messages, parts, amountMicros, cost }
}

export type HoldRow = [currency: string, heldMicros: Micros, accounts: number]

export function readHold([currency, heldMicros, accounts]: HoldRow): HoldTotal {
  return { currency, heldMicros, accounts }
}
