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

/** Answers of a service that has understood the request and does not like what is in it. */
const ABOUT_MESSAGE: ReadonlySet<number> = new Set([400, 409, 413, 422])
/** Answers to whoever asks, and of proxies. */
const TO_EVERYBODY: ReadonlySet<number> = new Set([401, 403, 405, 407, 408, 429])

/**
 * Whether an answer that is not understood is about this message rather than about the service, which may then be out of
 * order. `ownWords`: it holds words of the carrier's own, so that no proxy has said it.
 */
export function isAboutMessage(status: number, ownWords: boolean): boolean {
  return ABOUT_MESSAGE.has(status) || (ownWords && status < 500 && !TO_EVERYBODY.has(status))
}

/**
 * `unreachable` when there was no connection, `slow` for 429, otherwise `unclear`: what is not said clearly is never taken
 * for a rejection.
 */
export function readHttpVerdict(result: HttpResult): Verdict {
  if (result.kind === 'silent') {
    return { kind: BEFORE_SENDING.has(result.reason) ? 'unreachable' : 'unclear', reason: result.reason }
  }
  if (result.status === 429) return { kind: 'slow', reason: 'HTTP 429', retryAfterMs: result.retryAfterMs }
  const reason = `HTTP ${result.status}`
  return isAboutMessage(result.status, false)
    ? { kind: 'unclear', reason, aboutMessage: true }
    : { kind: 'unclear', reason }
}
