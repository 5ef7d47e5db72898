/** Call statistics as rows. A column that was not requested, or an unknown operator, is empty. */

import type { AccountId } from '../../../domain/ids/account-id.ts'
import type { Turn } from '../../../domain/journey/turn.ts'
import { type CallKey, type CallTotal, callDay } from '../../../domain/statistics/call-statistics.ts'
import type { CellsOf } from '../cells/cells-of.ts'

/** What a turn adds to the statistics of its account. */
export type CallRow = [day: number, carrierId: string, operator: string, outcome: string, ringMs: number]

export const CALL_COLUMNS = 'day, carrier_id, operator, outcome, ring_ms'

export function toCallRows({ calls, message, timeline }: Turn): readonly CallRow[] {
  if (calls.length === 0) return NO_ROWS
  const day = callDay(timeline[0]?.at ?? message.createdAt)
  return calls.map(({ carrierId, outcome, ringMs }) => [day, carrierId, message.operator ?? '', outcome, ringMs])
}

const NO_ROWS: readonly CallRow[] = []

/** Days and accounts that were not requested are -1. */
export type CallTotalRow = CellsOf<
  'call_total',
  'day, account_id, carrier_id, operator, outcome, calls, ring_ms',
  { account_id: AccountId; outcome: CallTotal['outcome'] }
>

/** Whether each column is requested, in the order of a CallTotalRow. */
export function askedKeys(by: readonly CallKey[]): readonly [number, number, number, number] {
  const asked = (key: CallKey) => Number(by.includes(key))
  return [asked('day'), asked('account'), asked('carrier'), asked('operator')]
}

export function readCallTotal([day, accountId, carrierId, operator, outcome, calls, ringMs]: CallTotalRow): CallTotal {
  return {
    day: day === -1 ? null : day,
    accountId: accountId === -1 ? null : accountId,
    carrierId: carrierId === '' ? null : carrierId,
    operator: operator === '' ? null : operator,
    ...{ outcome, calls, ringMs },
  }
}
