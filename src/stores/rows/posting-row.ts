/** Postings and their totals as rows. Unknown texts are NULL in postings and empty in totals. */
import type { Charge, PaymentKind, Posting, PostingKind } from '../../domain/ledger.ts'
import type { ChargeTotal } from '../../domain/margin.ts'
import type { Micros } from '../../domain/money.ts'
import type { AccountMonth } from '../../domain/statement.ts'
import type { Cell } from './cell.ts'

/** The purpose of a charge, in column order; NULLs for any other posting. */
export type ChargeCells = readonly [
  channel: string | null,
  operator: string | null,
  parts: number | null,
  carrierId: string | null,
  costMicros: number | null,
  costCurrency: string | null,
]

export const CHARGE_COLUMNS = 'channel, operator, parts, carrier_id, cost_micros, cost_currency'

/** For postings other than charges. */
export const NO_CHARGE: ChargeCells = [null, null, null, null, null, null]

export function toChargeCells(charge: Charge | undefined): ChargeCells {
  if (charge === undefined) return NO_CHARGE
  const { channel, operator, parts, carrierId, cost } = charge
  return [channel, operator, parts, carrierId, cost?.micros ?? null, cost?.currency ?? null]
}

export const POSTING_COLUMNS = `kind, amount_micros, msg_id, at, made_by, note, ${CHARGE_COLUMNS}`

/** Reads a row of POSTING_COLUMNS. */
export function readPosting(row: readonly Cell[]): Posting & { readonly at: number } {
  const [kind, amountMicros, messageId, at, by, note, channel, operator, parts, carrierId, micros, currency] = row
  const cost = micros === null ? null : { micros, currency }
  const posting = {
    ...{ kind, amountMicros, messageId, at },
    ...(by === null ? {} : { by }),
    ...(note === null ? {} : { note }),
    ...(channel === null ? {} : { charge: { channel, operator, parts, carrierId, cost } }),
  }
  return posting as unknown as Posting & { readonly at: number }
}

/** A manual money movement. */
export interface Payment {
  readonly kind: PaymentKind
  readonly accountId: number
  readonly amountMicros: number
  readonly at: number
  readonly by: string | null
  readonly note: string | null
}

/** Totals of one kind and purpose in one month. */
export type TotalRow = [
  accountId: number,
  month: number,
  kind: PostingKind,
  channel: string,
  operator: string,
  carrierId: string,
  costCurrency: string,
  postings: number,
  parts: number,
  amountMicros: number,
  costMicros: number,
]

export const TOTAL_COLUMNS =
  'account_id, month, kind, channel, operator, carrier_id, cost_currency, postings, parts, amount_micros, cost_micros'

/** The first cells of a TotalRow identify it; the others are the sums. */
export const TOTAL_KEY_CELLS = 7

/** The effect of each kind on an account's money, held money included; holds and releases have none. */
export const BALANCE_SIGNS: Readonly<Record<PostingKind, -1 | 0 | 1>> = {
  'top-up': 1,
  'correction up': 1,
  'correction down': -1,
  charge: -1,
  hold: 0,
  release: 0,
}

/** Returns an account's balance after these totals. */
export function balanceOf(totals: readonly (readonly [kind: PostingKind, amountMicros: number])[]): Micros {
  return totals.reduce((sum, [kind, amount]) => sum + BALANCE_SIGNS[kind] * amount, 0) as Micros
}

/** Reads totals of one month, by kind, channel and operator. */
export function readMonthTotal(row: readonly Cell[]): AccountMonth['totals'][number] {
  const [kind, channel, operator, postings, parts, amountMicros] = row
  const known = { channel: channel === '' ? null : channel, operator: operator === '' ? null : operator }
  return { kind, ...known, postings, parts, amountMicros } as AccountMonth['totals'][number]
}

/** Reads totals of charges, by account, channel, carrier and cost currency. */
export function readChargeTotal(row: readonly Cell[]): ChargeTotal {
  const [accountId, channel, carrierId, currency, messages, parts, amountMicros, micros] = row
  const known = { channel: channel === '' ? null : channel, carrierId: carrierId === '' ? null : carrierId }
  const cost = currency === '' ? null : { micros, currency }
  return { accountId, ...known, messages, parts, amountMicros, cost } as ChargeTotal
}
