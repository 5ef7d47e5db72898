/** Limits how long a gateway takes to stop. */
import type { Clock } from '../../ports/system/clock.ts'
import { CannotDo } from '../command/failure.ts'

/** Slightly less than service managers grant (deploy/), so that nothing holds up the stop for longer. */
const STOP_WITHIN_MS = 55_000

/** Rejects with CannotDo if the stop takes longer, or with its own error. */
export async function stopWithin(clock: Clock, stopped: Promise<void>): Promise<void> {
  const late = Promise.withResolvers<never>()
  const cancel = clock.after(STOP_WITHIN_MS, () => {
    late.reject(
      new CannotDo(`the stop took longer than ${STOP_WITHIN_MS / 1_000} s; open work is recovered as after a crash`),
    )
  })
  await Promise.race([stopped, late.promise]).finally(cancel)
}
