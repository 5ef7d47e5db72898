/** The meaning of a final answer to an INVITE of a call that has not rung. */
import type { CallFailure, Verdict } from '../../domain/message/journey-event.ts'
import { headerOf } from '../../wire/sip/headers.ts'
import type { SipResponse } from '../../wire/sip/message.ts'

/** Concerns the called phone: the number is wrong, or the phone cannot be reached now. */
const ABOUT_PHONE: ReadonlyMap<number, CallFailure> = new Map([
  ...([404, 410, 484, 604] as const).map((status) => [status, 'wrong number'] as const),
  ...([486, 600] as const).map((status) => [status, 'busy'] as const),
  ...([603, 607, 608] as const).map((status) => [status, 'declined'] as const),
  [480, 'off'],
])
/** The trunk does not accept this client, has no capacity, or got no answer itself. */
const UNAVAILABLE: ReadonlySet<number> = new Set([401, 407, 408, 503, 504])
const MAX_REASON_LETTERS = 120

/**
 * For 3xx to 6xx. A status that does not concern the phone is a failure of the route, including authentication: another
 * route may work. Only some say that the route fails for all calls: 403 may mean that this one number is blocked
 * (refusal-run.ts).
 */
export function judgeCallAnswer(response: SipResponse): Verdict {
  const reason = reasonOf(response)
  const cause = ABOUT_PHONE.get(response.status)
  if (cause !== undefined) return { kind: 'refused', status: 'UNDELIVERABLE', reason, cause }
  return UNAVAILABLE.has(response.status)
    ? { kind: 'unreachable', reason }
    : { kind: 'unreachable', reason, aboutMessage: true }
}

/** Returns the status with the peer's reason. */
export function reasonOf({ status, reason }: SipResponse): string {
  return `${status} ${reason}`.trim().slice(0, MAX_REASON_LETTERS)
}

/** Returns the shortest session that a 422 asks for, seconds (RFC 4028 section 6); null for any other answer. */
export function minSessionOf(response: SipResponse): number | null {
  const [digits = ''] = /^\d{1,6}/.exec(headerOf(response, 'Min-SE') ?? '') ?? []
  return response.status === 422 && digits !== '' ? Number(digits) : null
}
