/**
 * Retransmission over UDP (RFC 3261 section 17): first after T1, then at doubled intervals, until it is stopped or
 * 64·T1 have passed. Over TCP a message is repeated only if it could not be sent.
 */
import type { Cancel, Clock } from '../../ports/system/clock.ts'

/** An estimate of the round trip, milliseconds (17.1.1.1). */
const T1_MS = 500
/** The longest interval of retransmissions other than of an INVITE. */
export const T2_MS = 4_000
/** How long a message may be under way (17.1.2.2). */
export const T4_MS = 5_000
/** Timers B, D, F, H, J, L and M: no answer is expected after this time. */
export const TRANSACTION_MS = 64 * T1_MS

/**
 * Calls `send` now and repeatedly until it returns true: the message was given to a reliable transport. Calls
 * `onTimeout` once after 64·T1. Returns a function that stops both.
 */
export function retransmit(clock: Clock, send: () => boolean, maxMs: number, onTimeout: () => void): Cancel {
  let again: Cancel = () => {}
  const sendAndWait = (waitMs: number) => {
    if (!send()) again = clock.after(waitMs, () => sendAndWait(Math.min(waitMs * 2, maxMs)))
  }
  const timeout = clock.after(TRANSACTION_MS, () => {
    again()
    onTimeout()
  })
  sendAndWait(T1_MS)
  return () => {
    again()
    timeout()
  }
}
