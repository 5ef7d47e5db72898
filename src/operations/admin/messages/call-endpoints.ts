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
  operator: nullable(Type.String({ description: 'MCC and MNC; null when nobody knows it' })),
  placed: whole({ description: 'tries to place a call' }),
  rang: whole(),
  share: nullable(Type.Number({ description: 'what of the tries rang, 1 is all' })),
  answered: whole({ description: 'of those that rang' }),
  unanswered: whole({ description: 'of those that rang' }),
  ring_seconds: nullable(Type.Number({ description: 'how long they rang on the mean; null when nobody knows' })),
  busy: whole(),
  declined: whole(),
  off: whole({ description: 'the phone could not be reached' }),
  wrong_number: whole(),
  failed: whole({ description: 'the carrier did not do it' }),
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
      from: DAY('the first day; thirty days until the last one without'),
      through: DAY('the last day; today without'),
      account: Type.Optional(ACCOUNT),
      by: Type.Optional(
        Type.String({
          pattern: `^(${CALL_KEYS.join('|')})(,(${CALL_KEYS.join('|')}))*$`,
          rule: `must be some of ${CALL_KEYS.join(', ')}, separated by commas`,
          default: 'carrier,operator',
          description: 'what there is a line for each of',
        }),
      ),
    },
    result: listOf(CallStatistics),
    run: async ({ store, clock }, { from, through, account, by = 'carrier,operator' }) => {
      const last = through === undefined ? callDay(clock.now()) : dayIn('through', through)
      const first = from === undefined ? last - DAYS_STANDARD + 1 : dayIn('from', from)
      if (first > last) throw new ChangeRefused('from must not be later than through')
      if (last - first >= MAX_DAYS) throw new ChangeRefused(`at most ${MAX_DAYS} days are counted at a time`)
      const accountId = account === undefined ? null : toAccountId(account)
      const keys = by.split(',') as readonly CallKey[]
      const query = { from: first, through: last, accountId, by: keys, limit: MAX_TOTALS + 1 }
      const totals = await store.callTotals(query)
      if (totals.length > MAX_TOTALS)
        throw new ChangeRefused('these are too many lines: name an account, or less of by')
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
