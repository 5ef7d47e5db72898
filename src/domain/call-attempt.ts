/**
 * What an attempt to place a call leads to. A one-time code that comes late is worth nothing, and a phone that may have rung is
 * not called again: so a call goes to the next carrier at once or fails, and only a carrier without a free line is waited for.
 */
import type { Channel } from './channel.ts'
import type { Failure } from './status.ts'
import type { NotTaken } from './verdicts.ts'

/** Whether another carrier may take the step at once: this one surely has nothing of it, and need not be waited for. */
export function leavesToAnother(channel: Channel, verdict: NotTaken | null): boolean {
  return verdict?.kind === 'unreachable' || (channel === 'call' && verdict?.kind === 'slow')
}

/** How a step ends that no other carrier is left for; null when it waits and is tried again. */
export function failureOfAttempt(channel: Channel, verdict: NotTaken | null): Failure | null {
  if (channel !== 'call' || verdict === null || verdict.kind === 'slow') return null
  return verdict.kind === 'unclear' ? 'UNKNOWN' : 'UNDELIVERABLE'
}
