/** Time limits and windows of one side of an SMPP session. */
import type { Clock } from '../../ports/system/clock.ts'

export interface SessionOptions {
  readonly clock: Clock
  /** Own requests that may be unanswered at one time; enquire_link, bind and unbind are not counted. */
  readonly window: number
  /** Requests of the peer that may be unanswered before reading from its socket pauses. */
  readonly peerWindow: number
  /** A longer PDU of the peer ends the session, until it is trusted; that of SMPP if absent. */
  readonly maxPduBytes?: number
  /** Refuses requests of the peer with an optional parameter that is cut off; otherwise they are read without it. */
  readonly isStrict?: boolean
  readonly responseTimeoutMs: number
  /** Interval of enquire_link; null for never. */
  readonly enquireLinkMs: number | null
  /**
   * Checked before own requests are sent; if it returns false, the session ends and they are not sent. Always true if
   * absent.
   */
  readonly maySend?: () => boolean
}
