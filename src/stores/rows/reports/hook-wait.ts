/** What waits for a hook, from a sample of its waiting reports. */
import { REPORT_LIFETIME_MS } from '../../../domain/reports/report-schedule.ts'
import { readTries } from '../../../domain/reports/report-tries.ts'
import { type HookWait, MAX_WAITING_COUNTED } from '../../../ports/records/pending-report.ts'
import type { CellsOf } from '../cells/cells-of.ts'

/** The others of an account are listed once reports no longer wait for these. */
export const MAX_HOOKS_OF_ACCOUNT = 200
/** Listing ends with the account that reaches it. */
export const MAX_WAITING_HOOKS = 5_000
/** The oldest reports of a hook: they are the ones that are tried. */
const SAMPLED_REPORTS = 50

export type SampleRow = [waiting: number, ...CellsOf<'report', typeof COLUMNS, { due_at: number }>]

const COLUMNS = 'created_at, tried_at, due_at, parked, detail, ends_at, try_log'

/** Returns the SQL that reads SampleRows; `from` selects the waiting reports of the hook. */
export function selectSample(from: string): string {
  return `SELECT (SELECT count(*) FROM (SELECT 1 ${from} LIMIT ${MAX_WAITING_COUNTED}) AS counted), ${COLUMNS}
    ${from} ORDER BY msg_id LIMIT ${SAMPLED_REPORTS}`
}

/** Returns null if nothing waits any more. */
export function summariseWait(rows: readonly SampleRow[]): Omit<HookWait, 'accountId' | 'hook'> | null {
  const [first] = rows
  if (first === undefined) return null
  const reports = rows.map(([, createdAt, triedAt, dueAt, parked, detail, endsAt, tryLog]) => {
    // Tries before it was sent again belong to an earlier failure.
    const since = endsAt === null ? createdAt : endsAt - REPORT_LIFETIME_MS
    const firstTry = readTries(tryLog).find(({ at }) => at >= since)?.at ?? null
    return { createdAt, triedAt, nextAt: parked === 1 ? null : dueAt, detail, firstTry }
  })
  const last = reports.toSorted((a, b) => (b.triedAt ?? 0) - (a.triedAt ?? 0))[0]
  return {
    waiting: first[0],
    oldestAt: Math.min(...reports.map(({ createdAt }) => createdAt)),
    failingSince: least(reports.map(({ firstTry }) => firstTry)),
    triedAt: last?.triedAt ?? null,
    detail: last?.detail ?? '',
    nextAt: least(reports.map(({ nextAt }) => nextAt)),
  }
}

function least(times: readonly (number | null)[]): number | null {
  const known = times.filter((time) => time !== null)
  return known.length === 0 ? null : Math.min(...known)
}
