/** What a hook's answer means to its report: arrived, tried again later and when, or given up. */
import { RETRY_WAITS_MS } from '../domain/report-schedule.ts'
import type { HookAnswer } from '../ports/hook-post.ts'
import type { PendingReport, ReportResult } from '../ports/pending-report.ts'

const MAX_WAIT_MS = 86_400_000
const MAX_DETAIL = 200

/** A try that failed. */
export interface HookFailure {
  readonly detail: string
  /** Milliseconds: the hook asked for no call before; 0 when it did not ask. */
  readonly notBefore: number
}

export type Judgement = Omit<ReportResult, 'messageId' | 'number' | 'held'>

/** The failure in an answer that calls for another try; null for success and for final answers. */
export function failureIn(answer: HookAnswer, at: number): HookFailure | null {
  if (answer.kind === 'failed') return { detail: answer.reason, notBefore: 0 }
  if (answer.kind === 'forbidden' || isSuccess(answer.status) || answer.status === 410) return null
  const notBefore = answer.retryAfterMs === null ? 0 : at + Math.min(answer.retryAfterMs, MAX_WAIT_MS)
  return { detail: `HTTP ${answer.status}`, notBefore }
}

/** What becomes of a report whose answer is success or final: every answer without a `failureIn`. */
export function judgeFinal(answer: Exclude<HookAnswer, { kind: 'failed' }>, at: number): Judgement {
  if (answer.kind === 'forbidden') return giveUp(answer.reason, at)
  const detail = `HTTP ${answer.status}`
  return { kind: isSuccess(answer.status) ? 'sent' : 'gone', at, dueAt: null, detail }
}

/** What becomes of a report after a failed try. `jitter` from 0 to below 1 moves the next try by up to a tenth. */
export function judgeFailure(report: PendingReport, failure: HookFailure, at: number, jitter: number): Judgement {
  const detail = failure.detail.slice(0, MAX_DETAIL)
  if (at >= report.endsAt) return { kind: 'failed', at, dueAt: null, detail }
  return { kind: 'later', at, dueAt: Math.max(nextTryAt(report, at, jitter), failure.notBefore), detail }
}

/** For a report that its hook cannot take now: no try was made, so none is counted. `why` is told when it is given up. */
export function park({ endsAt }: PendingReport, why: string, at: number): Judgement {
  return at < endsAt ? { kind: 'parked', at, dueAt: endsAt, detail: '' } : giveUp(`not sent: ${why}`, at)
}

/** For a report that is not sent (any more). */
export function giveUp(detail: string, at: number): Judgement {
  return { kind: 'unsent', at, dueAt: null, detail: detail.slice(0, MAX_DETAIL) }
}

function nextTryAt({ tries, endsAt }: PendingReport, at: number, jitter: number): number {
  const wait = RETRY_WAITS_MS[tries]
  // More tries than planned were made ahead of their time: one is left for the end.
  return wait === undefined ? endsAt : at + Math.round(wait * (0.9 + jitter / 5))
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300
}
