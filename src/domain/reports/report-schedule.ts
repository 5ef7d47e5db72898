/** When reports are retried, how long they live, and which of them share a hook. */
import { formOf } from './report-target.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** Waits after the first try, the second and so on, milliseconds. Each varies by up to a tenth. */
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

/**
 * Milliseconds: at this age a report ends when a try fails or its hook is still resting. It is the shortest time that
 * all waits can take together, so that a report has its ten tries. Earlier retries after the hook has recovered do not
 * count against them.
 */
export const REPORT_LIFETIME_MS = Math.floor(RETRY_WAITS_MS.reduce((sum, wait) => sum + wait, 0) * 0.9)

/** Reports to a login wait until it connects. */
const LOGIN_REPORT_LIFETIME_MS = 7 * 24 * HOUR

/** Returns how long a report to the address lives, milliseconds. */
export function reportLifetimeOf(address: string): number {
  return formOf(address) === 'smpp' ? LOGIN_REPORT_LIFETIME_MS : REPORT_LIFETIME_MS
}

/**
 * Returns the hook of an address: the address without its query, in which clients name their messages. Reports of one
 * account to one hook share a queue and the health of the hook. The stores have an index on the same expression.
 */
export function hookOf(address: string): string {
  const end = address.indexOf('?')
  return end === -1 ? address : address.slice(0, end)
}
