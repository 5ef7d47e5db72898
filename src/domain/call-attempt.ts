/**
 * What an attempt to place a call leads to. A one-time code that comes late is worth nothing, and a phone that may have rung is
 * not called again: so a call goes to the next carrier at once or fails, and only a carrier without a free line is waited for.
 */
import type { Channel } from './channel.ts'
import type { Failure } from './status.ts'
import type { NotTaken } from './verdicts.ts'

/** How a step ends that no other carrier is left for; null when it waits and is tried again. */
export function failureOfAttempt(channel: Channel, verdict: NotTaken | null): Failure | null {
  if (channel !== 'call' || verdict === null || verdict.kind === 'slow') return null
  return verdict.kind === 'unclear' ? 'UNKNOWN' : 'UNDELIVERABLE'
}
