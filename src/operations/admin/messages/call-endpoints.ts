/** Call statistics: calls placed and rung, how they ended, and why others did not ring. */
import Type, { type Static } from 'typebox'
import { type CallLine, drawCallLines } from '../../../domain/statistics/call-statistics.ts'
import { shareOf } from '../../../domain/statistics/statistics-lines.ts'
import { CLIENTS } from '../endpoint/client-access.ts'
import { endpoint } from '../endpoint/endpoint.ts'
import { listOf, nullable, READERS, whole } from '../fields/shapes.ts'
import { readTotals, STATISTICS_PLACE, STATISTICS_QUERY, viewPlace } from './read-totals.ts'

const CallStatistics = Type.Object({
  ...STATISTICS_PLACE,
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

const ClientLine = Type.Omit(CallStatistics, ['carrier'])

export const CALL_ENDPOINTS = [
  endpoint({
    name: 'showCallStatistics',
    method: 'GET',
    path: '/calls/statistics',
    command: 'call statistics',
    summary: 'show call counts per day (UTC): placed, ringing, answered, and why others failed',
    may: READERS,
    clients: { may: CLIENTS, scope: 'account', fixed: { by: 'day,operator' }, result: listOf(ClientLine) },
    query: STATISTICS_QUERY,
    result: listOf(CallStatistics),
    run: async (tools, query) => ({ data: drawCallLines(await readTotals(tools, query)).map(viewLine) }),
  }),
]

function viewLine({ placed, counts, meanRingMs, ...place }: CallLine): Static<typeof CallStatistics> {
  const { 'wrong number': wrongNumber, rang, answered, unanswered, busy, declined, off, failed } = counts
  return {
    ...viewPlace(place),
    placed,
    rang,
    share: shareOf(rang, placed),
    answered,
    unanswered,
    ring_seconds: meanRingMs === null ? null : Math.round(meanRingMs) / 1_000,
    busy,
    declined,
    off,
    wrong_number: wrongNumber,
    failed,
  }
}
