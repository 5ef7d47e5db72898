/** What every driver works with. */
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { Random } from '../ports/random.ts'

export interface CarrierTools {
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  /** Whether anything may be sent now: not after this node was silent for so long that others take over. Always if absent. */
  readonly mayAct?: () => boolean
}
