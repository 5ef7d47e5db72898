/** The clock of the machine. */
import type { Clock } from '../../ports/system/clock.ts'

/** Maximum delay of a timer: about 24.8 days. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after: (milliseconds, run) => {
    const timer = setTimeout(run, Math.min(Math.max(0, milliseconds), LONGEST_TIMER_MS)).unref()
    return () => clearTimeout(timer)
  },
}

/** Resolves after `milliseconds`, and keeps the process alive until then. */
export function systemPause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}

/** Whether the store and the reports have threads of their own: those know the system's time and no other. */
export function hasThreads(clock: Clock): boolean {
  return clock.now === systemClock.now
}
