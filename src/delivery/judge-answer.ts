/** What a hook's answer means to its report: arrived, tried again later and when, or given up. */
import type { HookAnswer } from '../ports/hook-post.ts'
import type { PendingReport, ReportResult } from '../ports/pending-report.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** The waits after the first try, the second and so on. When they are used up the report is given up. */
export const RETRY_WAITS_MS: readonly number[] = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
]

const LONGEST_WAIT_MS = 24 * HOUR
const LONGEST_DETAIL = 200

/** A try that failed, in a form that can stand for several reports of one hook. */
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
  const notBefore = answer.retryAfterMs === null ? 0 : at + Math.min(answer.retryAfterMs, LONGEST_WAIT_MS)
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
  const wait = RETRY_WAITS_MS[report.tries]
  if (wait === undefined) return giveUp(failure.detail, at)
  return retryAfter(wait, failure, at, jitter)
}

/** For a report that was not tried at all because its hook is too slow for all that waits for it: never given up. */
export function postpone(report: PendingReport, failure: HookFailure, at: number, jitter: number): Judgement {
  return retryAfter(RETRY_WAITS_MS[report.tries] ?? LONGEST_WAIT_MS, failure, at, jitter)
}

export function giveUp(detail: string, at: number): Judgement {
  return { kind: 'failed', at, dueAt: null, detail: detail.slice(0, LONGEST_DETAIL) }
}

function retryAfter(wait: number, failure: HookFailure, at: number, jitter: number): Judgement {
  const dueAt = Math.max(at + Math.round(wait * (0.9 + jitter / 5)), failure.notBefore)
  return { kind: 'later', at, dueAt, detail: failure.detail.slice(0, LONGEST_DETAIL) }
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300
}
