/**
 * The outcome of an attempt to place a call. A late one-time code is worthless, and a phone that may have rung is not
 * called again. A call therefore goes to the next carrier at once or fails; it waits only for a carrier without a free
 * line.
 */
import type { Channel } from '../channels/channel.ts'
import type { Failure } from './status.ts'
import type { NotTaken } from './verdicts.ts'

/** Returns the failure of a step that has no other carrier left; null if it waits and is tried again. */
export function failureOfAttempt(channel: Channel, verdict: NotTaken | null): Failure | null {
  if (channel !== 'call' || verdict === null || verdict.kind === 'slow') return null
  return verdict.kind === 'unclear' ? 'UNKNOWN' : 'UNDELIVERABLE'
}
