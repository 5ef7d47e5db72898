/** Clock, random source, log and the public address, as every driver gets them. */
import type { Clock } from '../../ports/system/clock.ts'
import type { Log } from '../../ports/system/log.ts'
import type { Random } from '../../ports/system/random.ts'

export interface CarrierTools {
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  /**
   * Returns false after this node was silent for so long that other nodes may have taken over: nothing may be sent.
   * Always true if absent.
   */
  readonly mayAct?: () => boolean
  /** Of 100 places, those that each lower traffic class keeps; LOWER_SHARE if absent. */
  readonly lowerShare?: number
  /** The public address of the installation, which carriers call; null or absent if unknown. */
  readonly publicUrl?: string | null
}
