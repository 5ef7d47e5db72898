/** The verdict that an HTTP result stands for when its body does not say more. */
import type { Verdict } from '../../domain/message/journey-event.ts'
import type { HttpResult } from '../../wire/http-client.ts'

/** Errors that occur before a connection is open: nothing can have been sent. */
const NOT_SENT: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

/** Statuses of a service that understood the request and rejects its content. */
const MESSAGE_STATUSES: ReadonlySet<number> = new Set([400, 409, 413, 422])
/** Statuses that concern the client as a whole, and statuses of proxies. */
const CLIENT_STATUSES: ReadonlySet<number> = new Set([401, 403, 405, 407, 408, 429])

/**
 * Returns whether an answer that is not understood concerns this message rather than the service, which may be out of
 * order.
 * @param isCarriers whether the body has the carrier's own format, so that no proxy wrote it.
 */
export function isAboutMessage(status: number, isCarriers: boolean): boolean {
  return MESSAGE_STATUSES.has(status) || (isCarriers && status < 500 && !CLIENT_STATUSES.has(status))
}

/**
 * Returns `unreachable` if there was no connection, `slow` for 429, otherwise `unclear`: an ambiguous answer is never
 * read as a rejection.
 */
export function readHttpVerdict(result: HttpResult): Verdict {
  if (result.kind === 'silent') {
    return { kind: NOT_SENT.has(result.reason) ? 'unreachable' : 'unclear', reason: result.reason }
  }
  if (result.status === 429) return { kind: 'slow', reason: 'HTTP 429', retryAfterMs: result.retryAfterMs }
  const reason = `HTTP ${result.status}`
  return isAboutMessage(result.status, false)
    ? { kind: 'unclear', reason, aboutMessage: true }
    : { kind: 'unclear', reason }
}
