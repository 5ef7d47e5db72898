/** Describes the reports of a message for `status`. */
import type { ReportTally } from '../../ports/records/pending-report.ts'

/** From the counts of one message. `error` is the reason of the last failed try. */
export function describeReports(tallies: readonly ReportTally[]): object {
  const latest = (each: readonly ReportTally[]) => each.toSorted((a, b) => (b.triedAt ?? 0) - (a.triedAt ?? 0))[0]
  const count = (state: ReportTally['state']) => tallies.find((each) => each.state === state)?.count ?? 0
  const triedAt = latest(tallies)?.triedAt ?? null
  return {
    sent: count('sent'),
    pending: count('pending'),
    failed: count('failed'),
    tried_at: triedAt === null ? null : new Date(triedAt).toISOString(),
    error: latest(tallies.filter(({ state }) => state !== 'sent'))?.detail || null,
  }
}
