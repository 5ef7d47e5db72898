/** Judges a hook's answer: the report is delivered, retried later, or given up. */
import { type AccountHooks, hookIdOf, isDeleted } from '../../domain/reports/client-hook.ts'
import { isFeed } from '../../domain/reports/event-feed.ts'
import { isAskedFor } from '../../domain/reports/program-event.ts'
import { isTestReport } from '../../domain/reports/report.ts'
import { RETRY_WAITS_MS } from '../../domain/reports/report-schedule.ts'
import { formOf } from '../../domain/reports/report-target.ts'
import type { HookAnswer } from '../../ports/hooks/hook-post.ts'
import type { PendingReport, ReportResult } from '../../ports/records/pending-report.ts'
import type { ReportBatch } from './report-batches.ts'

const MAX_WAIT_MS = 86_400_000
const MAX_DETAIL = 200

/** A try that failed. */
export interface HookFailure {
  readonly detail: string
  /** The hook asked for no call before this time, milliseconds since 1970; 0 if it did not. */
  readonly notBefore: number
}

export type Judgement = Omit<ReportResult, 'messageId' | 'number' | 'held'>

interface HookFacts {
  readonly gone: { has(batch: ReportBatch): boolean }
  /** Of the account of the report. */
  readonly hooks: AccountHooks
}

/** Returns why these reports are not posted. Events of a feed are claimed only when they were not read in time. */
export function obstacleTo(batch: ReportBatch, { gone, hooks }: HookFacts): string | null {
  const [report] = batch
  if (isFeed(report.address)) return 'not read in time'
  if (isDeleted(hooks, hookIdOf(report.number))) return 'not sent: the hook was deleted'
  return gone.has(batch) ? 'not sent: the hook is gone (HTTP 410)' : null
}

/** Returns what settles a report that its program did not ask for, without a call; null if it is sent. */
export function judgeUnasked([{ address, body }]: ReportBatch, at: number): Judgement | null {
  return isAskedFor(address, body) ? null : { kind: 'sent', at, dueAt: null, detail: 'not asked for' }
}

/** The body that Jasmin's callbacks ask for. */
const JASMIN_ACK = 'ACK/Jasmin'

/** Returns the failure in an answer if the report should be retried; null for success and final answers. */
export function failureIn([{ address }]: ReportBatch, answer: HookAnswer, at: number): HookFailure | null {
  if (answer.kind === 'failed') return { detail: answer.reason, notBefore: 0 }
  if (answer.kind === 'forbidden' || answer.status === 410) return null
  if (isSuccess(answer.status)) {
    if (formOf(address) !== 'jasmin' || answer.text === JASMIN_ACK) return null
    return { detail: `HTTP ${answer.status} without ${JASMIN_ACK}`, notBefore: 0 }
  }
  const notBefore = answer.retryAfterMs === null ? 0 : at + Math.min(answer.retryAfterMs, MAX_WAIT_MS)
  return { detail: `HTTP ${answer.status}`, notBefore }
}

/** Returns whether the hook took the report and said something with it. */
export function hasReply(answer: HookAnswer): answer is HookAnswer & { readonly text: string } {
  return answer.kind === 'answered' && isSuccess(answer.status) && answer.text !== undefined && answer.text !== ''
}

/** Judges an answer without a `failureIn`: success or final. */
export function judgeFinal(answer: Exclude<HookAnswer, { kind: 'failed' }>, at: number): Judgement {
  if (answer.kind === 'forbidden') return giveUp(answer.reason, at)
  const detail = `HTTP ${answer.status}`
  return { kind: isSuccess(answer.status) ? 'sent' : 'gone', at, dueAt: null, detail }
}

/** Adds what only the report says: whether a 410 stops its hook for test messages only. */
export function judgedFor(report: PendingReport, judgement: Judgement): Judgement {
  return judgement.kind === 'gone' ? { ...judgement, test: isTestReport(report) } : judgement
}

/** Judges a failed try. `jitter`, in [0, 1), moves the next try by up to a tenth. */
export function judgeFailure(report: PendingReport, failure: HookFailure, at: number, jitter: number): Judgement {
  const detail = failure.detail.slice(0, MAX_DETAIL)
  if (at >= report.endsAt) return { kind: 'failed', at, dueAt: null, detail }
  return { kind: 'later', at, dueAt: Math.max(nextTryAt(report, at, jitter), failure.notBefore), detail }
}

/** Parks a report that its hook cannot take now, without counting a try. Gives it up with `why` after its lifetime. */
export function park({ endsAt }: PendingReport, why: string, at: number): Judgement {
  return at < endsAt ? { kind: 'parked', at, dueAt: endsAt, detail: '' } : giveUp(`not sent: ${why}`, at)
}

/** Gives up a report. */
export function giveUp(detail: string, at: number): Judgement {
  return { kind: 'unsent', at, dueAt: null, detail: detail.slice(0, MAX_DETAIL) }
}

function nextTryAt({ tries, endsAt }: PendingReport, at: number, jitter: number): number {
  const wait = RETRY_WAITS_MS[tries]
  // Early retries used up the schedule: the last try is at the end of the lifetime.
  return wait === undefined ? endsAt : at + Math.round(wait * (0.9 + jitter / 5))
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300
}
