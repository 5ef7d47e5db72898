/**
 * Sending again what nobody answered, as SIP does it over UDP (RFC 3261 section 17): first after T1, then doubling, until
 * it is stopped or 64·T1 have passed. Over TCP nothing is repeated unless it could not be sent at all.
 */
import type { Cancel, Clock } from '../../ports/clock.ts'

/** An estimate of the round trip, milliseconds (17.1.1.1). */
const T1_MS = 500
/** The longest wait between two sendings of anything but an INVITE. */
export const T2_MS = 4_000
/** How long a message may still be on its way (17.1.2.2). */
export const T4_MS = 5_000
/** Timers B, D, F, H, J, L and M: after this nobody answers any more. */
export const TRANSACTION_MS = 64 * T1_MS

/**
 * Calls `send` now and again until it answers true: it has handed the message to something that loses nothing. `onTimeout`
 * is called once after 64·T1, unless the answer of this function, which stops it all, was called before.
 */
export function retransmit(clock: Clock, send: () => boolean, longestMs: number, onTimeout: () => void): Cancel {
  let again: Cancel = () => {}
  const sendAndWait = (waitMs: number) => {
    if (!send()) again = clock.after(waitMs, () => sendAndWait(Math.min(waitMs * 2, longestMs)))
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
