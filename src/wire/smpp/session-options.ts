/** How patient one side of an SMPP session is, and how much of it may be under way. */
import type { Clock } from '../../ports/clock.ts'

export interface SessionOptions {
  readonly clock: Clock
  /** Own requests that may be unanswered at one time; keep-alive, bind and unbind are not counted. */
  readonly window: number
  /** Requests of the peer that may be unanswered before its socket is read no further. */
  readonly peerWindow: number
  readonly responseTimeoutMs: number
  /** How often the link is tried out; null for never. */
  readonly enquireLinkMs: number | null
  /** Asked once more when own requests leave; where it says no, the session ends and they do not. Always if absent. */
  readonly mayAsk?: () => boolean
}
