/** What a final answer to an INVITE says about the call, as long as the phone did not ring. */
import type { Verdict } from '../../domain/journey-event.ts'
import type { SipResponse } from '../../wire/sip/message.ts'

/** The number is wrong (404, 410, 484, 604), or the person is not to be reached now (480, 486, 600, 603, 607). */
const UNDELIVERABLE: ReadonlySet<number> = new Set([404, 410, 484, 604, 480, 486, 600, 603, 607])
/** The trunk does not know us, has no room, or did not get an answer itself. */
const OUT_OF_ORDER: ReadonlySet<number> = new Set([401, 407, 408, 503, 504])
const MAX_REASON_LETTERS = 120

/**
 * For 3xx to 6xx. What is not about the person is a failure of the route, to be let in included: another one may do. Only
 * some of it says that the route fails for everybody: 403 may mean that this one number is barred.
 */
export function judgeAnswer(response: SipResponse): Verdict {
  const reason = `${response.status} ${response.reason}`.trim().slice(0, MAX_REASON_LETTERS)
  if (UNDELIVERABLE.has(response.status)) return { kind: 'refused', status: 'UNDELIVERABLE', reason }
  return OUT_OF_ORDER.has(response.status)
    ? { kind: 'unreachable', reason }
    : { kind: 'unreachable', reason, aboutMessage: true }
}
