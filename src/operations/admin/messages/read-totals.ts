/** Reads the daily statistics of calls and verifications: which days, accounts and groups a query names. */
import Type, { type Static, type TObject } from 'typebox'
import { toAccountId } from '../../../domain/ids/account-id.ts'
import {
  CALL_KEYS,
  type CallKey,
  type CallPlace,
  type CallTotal,
  callDay,
} from '../../../domain/statistics/call-statistics.ts'
import { readMoment } from '../../../domain/time/moment.ts'
import { ChangeRefused } from '../../../ports/records/store-errors.ts'
import type { QueryStore } from '../../../ports/stores/query-store.ts'
import type { Clock } from '../../../ports/system/clock.ts'
import { ACCOUNT, nullable } from '../fields/shapes.ts'

const DAY = (description: string) =>
  Type.Optional(
    Type.String({
      pattern: '^20\\d\\d-\\d\\d-\\d\\d$',
      rule: 'must be a day such as 2026-11-30',
      examples: ['2026-11-30'],
      description,
    }),
  )

/** Returns the fields of a range of days. */
export const daysQuery = () => ({
  from: DAY('first day; by default 30 days up to the last one'),
  through: DAY('last day; today by default'),
})

export const STATISTICS_QUERY = {
  ...daysQuery(),
  account: Type.Optional(ACCOUNT),
  by: Type.Optional(
    Type.String({
      pattern: `^(${CALL_KEYS.join('|')})(,(${CALL_KEYS.join('|')}))*$`,
      rule: `must be one or more of ${CALL_KEYS.join(', ')}, separated by commas`,
      default: 'carrier,operator',
      description: 'grouping of the lines',
    }),
  ),
}

/** The groups of a line; null for those that were not asked for. */
export const STATISTICS_PLACE = {
  day: nullable(Type.String()),
  account: nullable(ACCOUNT),
  carrier: nullable(Type.String()),
  operator: nullable(Type.String({ description: 'MCC and MNC; null if unknown' })),
}

const DAY_MS = 86_400_000
const DAYS_STANDARD = 30
const MAX_DAYS = 366
/** Of the store, which has at most thirteen for each line. */
const MAX_TOTALS = 20_000

type Query = Static<TObject<typeof STATISTICS_QUERY>>

export async function readTotals(
  { store, clock }: { readonly store: QueryStore; readonly clock: Clock },
  { from, through, account, by = 'carrier,operator' }: Query,
): Promise<readonly CallTotal[]> {
  const days = daysIn({ from, through }, clock.now())
  const accountId = account === undefined ? null : toAccountId(account)
  const keys = by.split(',') as readonly CallKey[]
  const query = { ...days, accountId, by: keys, limit: MAX_TOTALS + 1 }
  const totals = await store.callTotals(query)
  if (totals.length > MAX_TOTALS) throw new ChangeRefused('too many lines: give an account, or fewer values of by')
  return totals
}

export function viewPlace({ day, accountId, carrierId, operator }: CallPlace) {
  return { day: day === null ? null : writeDay(day), account: accountId, carrier: carrierId, operator }
}

interface Days {
  readonly from?: string | undefined
  readonly through?: string | undefined
}

/** Reads a range of days, as days since 1970. Throws ChangeRefused. */
export function daysIn({ from, through }: Days, now: number) {
  const last = through === undefined ? callDay(now) : dayIn('through', through)
  const first = from === undefined ? last - DAYS_STANDARD + 1 : dayIn('from', from)
  if (first > last) throw new ChangeRefused('from must not be later than through')
  if (last - first >= MAX_DAYS) throw new ChangeRefused(`a query covers at most ${MAX_DAYS} days`)
  return { from: first, through: last }
}

function dayIn(field: string, text: string): number {
  const at = readMoment(text)
  if (at === null || writeDay(callDay(at)) !== text)
    throw new ChangeRefused(`${field} must be a day such as 2026-11-30`)
  return callDay(at)
}

function writeDay(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10)
}
