/** Decides the new state of a report from the result of a try, or of waiting. */
import { addTry } from '../../domain/reports/report-tries.ts'
import type { ReportResult } from '../../ports/records/pending-report.ts'
import { bounded } from '../rows/cells/kept-text.ts'

/** The stored columns of the report. */
export interface StoredReport {
  readonly state: string
  readonly triedAt: number | null
  readonly tryLog: string | null
}

/** New values of the report's columns. */
interface SettledReport {
  readonly state: 'pending' | 'sent' | 'failed'
  readonly node: number
  readonly dueAt: number | null
  readonly parked: 0 | 1
  /** To be added. */
  readonly tries: 0 | 1
  /** Null if unchanged. */
  readonly triedAt: number | null
  readonly detail: string | null
  readonly tryLog: string | null
}

export interface ReportSettlement {
  /** Null if nothing is to be written: another result settled the report, or this one is stored already. */
  readonly report: SettledReport | null
  /**
   * The next report of the message: `claim` it, `claimed` if an earlier try of this result has claimed it; null for
   * none.
   */
  readonly next: 'claim' | 'claimed' | null
  readonly stopsHook: boolean
}

const NOTHING: ReportSettlement = { report: null, next: null, stopsHook: false }

/** `node` is the node that settles. */
export function settleReport(stored: StoredReport, result: ReportResult, node: number): ReportSettlement {
  const { kind, at } = result
  if (kind === 'parked') return stored.state === 'pending' ? { ...NOTHING, report: parkedReport(result) } : NOTHING
  const isLast = kind !== 'later'
  const state = kind === 'sent' ? 'sent' : isLast ? 'failed' : 'pending'
  const stopsHook = kind === 'gone'
  if (stored.state === state && stored.triedAt === at)
    return { report: null, next: isLast ? 'claimed' : null, stopsHook }
  if (stored.state !== 'pending') return NOTHING
  const detail = bounded(result.detail)
  const tryLog =
    kind === 'unsent' ? null : addTry(stored.tryLog, { at, tookMs: result.tookMs ?? null, detail }, kind === 'sent')
  const tried = { tries: isFailedTry(kind) ? 1 : 0, triedAt: at, detail, tryLog } as const
  if (isLast) return { report: { state, node: 0, dueAt: null, parked: 0, ...tried }, next: 'claim', stopsHook }
  const waits = { node: result.held ? node : 0, dueAt: result.dueAt ?? at, parked: 0 } as const
  return { report: { state, ...waits, ...tried }, next: null, stopsHook }
}

function parkedReport({ at, dueAt }: ReportResult): SettledReport {
  return {
    state: 'pending',
    node: 0,
    dueAt: dueAt ?? at,
    parked: 1,
    tries: 0,
    triedAt: null,
    detail: null,
    tryLog: null,
  }
}

function isFailedTry(kind: ReportResult['kind']): boolean {
  return kind === 'later' || kind === 'failed' || kind === 'gone'
}
