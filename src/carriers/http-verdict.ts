/** What an HTTP exchange means for a part when the carrier's own words do not say more. */
import type { Verdict } from '../domain/journey-event.ts'
import type { HttpResult } from '../wire/http-client.ts'

/** Errors that come before a connection stands: nothing can have been sent. */
const BEFORE_SENDING: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

/**
 * `unreachable` when there was no connection, `slow` for 429, otherwise `unclear`: what is not said clearly is never taken
 * for a rejection.
 */
export function readHttpVerdict(result: HttpResult): Verdict {
  if (result.kind === 'silent') {
    return { kind: BEFORE_SENDING.has(result.reason) ? 'unreachable' : 'unclear', reason: result.reason }
  }
  if (result.status === 429) return { kind: 'slow', reason: 'HTTP 429', retryAfterMs: result.retryAfterMs }
  return { kind: 'unclear', reason: `HTTP ${result.status}` }
}
