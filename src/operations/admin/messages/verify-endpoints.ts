/** Verification statistics: how many were started, and how many of them were approved. */
import Type, { type Static } from 'typebox'
import { drawVerifyLines, type VerifyLine } from '../../../domain/statistics/call-statistics.ts'
import { shareOf } from '../../../domain/statistics/statistics-lines.ts'
import { CLIENTS } from '../endpoint/client-access.ts'
import { endpoint } from '../endpoint/endpoint.ts'
import { listOf, nullable, READERS, whole } from '../fields/shapes.ts'
import { readTotals, STATISTICS_PLACE, STATISTICS_QUERY, viewPlace } from './read-totals.ts'

const VerifyStatistics = Type.Object({
  ...STATISTICS_PLACE,
  started: whole({ description: 'verifications that have ended' }),
  approved: whole(),
  conversion: nullable(Type.Number({ description: 'share that was approved, from 0 to 1' })),
  approval_seconds: nullable(Type.Number({ description: 'mean time until the code was approved' })),
  expired: whole({ description: 'no right code in time' }),
  too_many: whole({ description: 'ended by wrong codes' }),
  failed: whole({ description: 'no channel reached the phone' }),
  cancelled: whole(),
})

const ClientLine = Type.Omit(VerifyStatistics, ['carrier'])

export const VERIFY_ENDPOINTS = [
  endpoint({
    name: 'showVerificationStatistics',
    method: 'GET',
    path: '/verifications/statistics',
    command: 'verify statistics',
    summary: 'show verification counts per day (UTC): started, approved, and how others ended',
    may: READERS,
    clients: { may: CLIENTS, scope: 'account', fixed: { by: 'day,operator' }, result: listOf(ClientLine) },
    query: STATISTICS_QUERY,
    result: listOf(VerifyStatistics),
    run: async (tools, query) => ({ data: drawVerifyLines(await readTotals(tools, query)).map(viewLine) }),
  }),
]

function viewLine({ started, counts, meanMs, ...place }: VerifyLine): Static<typeof VerifyStatistics> {
  const { approved, ...others } = counts
  return {
    ...viewPlace(place),
    started,
    approved,
    conversion: shareOf(approved, started),
    approval_seconds: meanMs === null ? null : Math.round(meanMs) / 1_000,
    ...others,
  }
}
