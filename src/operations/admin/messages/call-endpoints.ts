/** Call statistics: calls placed and rung, how they ended, and why others did not ring. */
import Type, { type Static } from 'typebox'
import { toAccountId } from '../../../domain/account.ts'
import { CALL_KEYS, type CallKey, type CallLine, callDay, drawCallLines } from '../../../domain/call-statistics.ts'
import { readMoment } from '../../../domain/moment.ts'
import { ChangeRefused } from '../../../ports/store-errors.ts'
import { endpoint } from '../endpoint.ts'
import { ACCOUNT, listOf, nullable, READERS, whole } from '../shapes.ts'

const DAY = (description: string) =>
  Type.Optional(
    Type.String({
      pattern: '^20\\d\\d-\\d\\d-\\d\\d$',
      rule: 'must be a day such as 2026-11-30',
      examples: ['2026-11-30'],
      description,
    }),
  )

const CallStatistics = Type.Object({
  day: nullable(Type.String()),
  account: nullable(ACCOUNT),
  carrier: nullable(Type.String()),
  operator: nullable(Type.String({ description: 'MCC and MNC; null if unknown' })),
  placed: whole({ description: 'attempts to place a call' }),
  rang: whole(),
  share: nullable(Type.Number({ description: 'share of attempts that rang, from 0 to 1' })),
  answered: whole({ description: 'of those that rang' }),
  unanswered: whole({ description: 'of those that rang' }),
  ring_seconds: nullable(Type.Number({ description: 'mean ring time; null if unknown' })),
  busy: whole(),
  declined: whole(),
  off: whole({ description: 'the phone was unreachable' }),
  wrong_number: whole(),
  failed: whole({ description: 'the carrier failed' }),
})

const DAY_MS = 86_400_000
const DAYS_STANDARD = 30
const MAX_DAYS = 366
/** Of the store, which has at most eight for each line. */
const MAX_TOTALS = 20_000

export const CALL_ENDPOINTS = [
  endpoint({
    name: 'showCallStatistics',
    method: 'GET',
    path: '/calls/statistics',
    command: 'call statistics',
    summary: 'show call counts per day (UTC): placed, ringing, answered, and why others failed',
    may: READERS,
    query: {
      from: DAY('first day; by default 30 days up to the last one'),
      through: DAY('last day; today by default'),
      account: Type.Optional(ACCOUNT),
      by: Type.Optional(
        Type.String({
          pattern: `^(${CALL_KEYS.join('|')})(,(${CALL_KEYS.join('|')}))*$`,
          rule: `must be one or more of ${CALL_KEYS.join(', ')}, separated by commas`,
          default: 'carrier,operator',
          description: 'grouping of the lines',
        }),
      ),
    },
    result: listOf(CallStatistics),
    run: async ({ store, clock }, { from, through, account, by = 'carrier,operator' }) => {
      const last = through === undefined ? callDay(clock.now()) : dayIn('through', through)
      const first = from === undefined ? last - DAYS_STANDARD + 1 : dayIn('from', from)
      if (first > last) throw new ChangeRefused('from must not be later than through')
      if (last - first >= MAX_DAYS) throw new ChangeRefused(`a query covers at most ${MAX_DAYS} days`)
      const accountId = account === undefined ? null : toAccountId(account)
      const keys = by.split(',') as readonly CallKey[]
      const query = { from: first, through: last, accountId, by: keys, limit: MAX_TOTALS + 1 }
      const totals = await store.callTotals(query)
      if (totals.length > MAX_TOTALS) throw new ChangeRefused('too many lines: give an account, or fewer values of by')
      return { data: drawCallLines(totals).map(viewLine) }
    },
  }),
]

function dayIn(field: string, text: string): number {
  const at = readMoment(text)
  if (at === null || writeDay(callDay(at)) !== text)
    throw new ChangeRefused(`${field} must be a day such as 2026-11-30`)
  return callDay(at)
}

function writeDay(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10)
}

function viewLine({ day, accountId, carrierId, operator, placed, counts, meanRingMs }: CallLine) {
  const { 'wrong number': wrongNumber, rang, answered, unanswered, busy, declined, off, failed } = counts
  const line: Static<typeof CallStatistics> = {
    ...{ day: day === null ? null : writeDay(day), account: accountId, carrier: carrierId, operator },
    ...{ placed, rang, share: placed === 0 ? null : Math.round((rang / placed) * 10_000) / 10_000 },
    ...{ answered, unanswered, ring_seconds: meanRingMs === null ? null : Math.round(meanRingMs) / 1_000 },
    ...{ busy, declined, off, wrong_number: wrongNumber, failed },
  }
  return line
}
