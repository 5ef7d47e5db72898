/**
 * The tries of a report that did not succeed at once, or was sent again, as one short text: a line for each, the oldest
 * first.
 */

export interface ReportTry {
  /** Milliseconds. */
  readonly at: number
  /** Milliseconds until the hook answered or the try was given up; null if it was not measured. */
  readonly tookMs: number | null
  /** The status or the error. */
  readonly detail: string
}

/** The first try and the newest others are kept. */
export const MAX_KEPT_TRIES = 10
const MAX_DETAIL = 100

/**
 * Returns the text with one more try, bounded. A try that succeeds is added only after one that failed: a report that
 * is delivered at once has no text. One that is sent again has (stores/rows/reports/report-row.ts).
 */
export function addTry(text: string | null, { at, tookMs, detail }: ReportTry, succeeded: boolean): string | null {
  if (text === null && succeeded) return null
  const line = `${at} ${tookMs === null ? '-' : Math.round(tookMs)} ${detail.slice(0, MAX_DETAIL).replaceAll('\n', ' ')}`
  if (text === null) return line
  const [first = '', ...others] = text.split('\n')
  return [first, ...others.slice(2 - MAX_KEPT_TRIES), line].join('\n')
}

/** Whether the hook took the report. */
export function isDelivery({ detail }: Pick<ReportTry, 'detail'>): boolean {
  return /^HTTP 2\d\d$/.test(detail)
}

/** The oldest first. */
export function readTries(text: string | null): readonly ReportTry[] {
  if (text === null) return []
  return text.split('\n').map((line) => {
    const [at = '', tookMs = '-', ...detail] = line.split(' ')
    return { at: Number(at), tookMs: tookMs === '-' ? null : Number(tookMs), detail: detail.join(' ') }
  })
}
