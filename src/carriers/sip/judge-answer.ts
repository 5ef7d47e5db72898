/** What a final answer to an INVITE says about the call, as long as the phone did not ring. */
import type { CallFailure } from '../../domain/call-statistics.ts'
import type { Verdict } from '../../domain/journey-event.ts'
import { headerOf } from '../../wire/sip/headers.ts'
import type { SipResponse } from '../../wire/sip/message.ts'

/** What is about the person: the number is wrong, or nobody is to be reached there now. */
const ABOUT_PERSON: ReadonlyMap<number, CallFailure> = new Map([
  ...([404, 410, 484, 604] as const).map((status) => [status, 'wrong number'] as const),
  ...([486, 600] as const).map((status) => [status, 'busy'] as const),
  ...([603, 607, 608] as const).map((status) => [status, 'declined'] as const),
  [480, 'off'],
])
/** The trunk does not know us, has no room, or did not get an answer itself. */
const OUT_OF_ORDER: ReadonlySet<number> = new Set([401, 407, 408, 503, 504])
const MAX_REASON_LETTERS = 120

/**
 * For 3xx to 6xx. What is not about the person is a failure of the route, to be let in included: another one may do. Only
 * some of it says that the route fails for everybody: 403 may mean that this one number is barred (refusal-run.ts).
 */
export function judgeAnswer(response: SipResponse): Verdict {
  const reason = reasonOf(response)
  const cause = ABOUT_PERSON.get(response.status)
  if (cause !== undefined) return { kind: 'refused', status: 'UNDELIVERABLE', reason, cause }
  return OUT_OF_ORDER.has(response.status)
    ? { kind: 'unreachable', reason }
    : { kind: 'unreachable', reason, aboutMessage: true }
}

/** The status in the peer's own words. */
export function reasonOf({ status, reason }: SipResponse): string {
  return `${status} ${reason}`.trim().slice(0, MAX_REASON_LETTERS)
}

/** Seconds: what a 422 asks a session to last at least (RFC 4028 section 6); null for every other answer. */
export function minSessionOf(response: SipResponse): number | null {
  const [digits = ''] = /^\d{1,6}/.exec(headerOf(response, 'Min-SE') ?? '') ?? []
  return response.status === 422 && digits !== '' ? Number(digits) : null
}
