/**
 * Waits for sockets and promises while the virtual clock stands still: runs the event loop until a condition holds.
 * Gives up after 20 real seconds and says what it waited for.
 */
import type { VirtualClock } from './virtual-clock.ts'

const PATIENCE_MS = 20_000
/** Real time for sockets and key operations to settle before the clock is advanced. */
const REST_MS = 20
const REST_ROUNDS = 60

export interface EventuallyOptions {
  /** Advanced to its next timer whenever the condition does not hold after that time. */
  readonly clock?: VirtualClock
  /** The most that the clock is advanced by at a time; as far as the next timer if absent. */
  readonly stepMs?: number
}

/**
 * Resolves with the result of `look` once it is neither false, null nor undefined. A `look` that throws is repeated.
 * @param what completes the sentence "still waiting for …".
 * @throws Error after 20 real seconds, with the last error of `look` as its cause.
 */
export async function eventually<T>(
  what: string,
  look: () => T | Promise<T>,
  options: EventuallyOptions = {},
): Promise<Exclude<T, false | null | undefined>> {
  const giveUpAt = performance.now() + PATIENCE_MS
  let restedAt = performance.now()
  let rounds = 0
  let cause: unknown
  for (;;) {
    try {
      const seen = await look()
      if (seen !== false && seen !== null && seen !== undefined) return seen as Exclude<T, false | null | undefined>
    } catch (error) {
      cause = error
    }
    if (performance.now() > giveUpAt) throw new Error(`still waiting for ${what}`, { cause })
    await turnLoop(1)
    rounds += 1
    if (options.clock !== undefined && rounds >= REST_ROUNDS && performance.now() - restedAt >= REST_MS) {
      const next = options.clock.nextAt()
      if (next !== null) options.clock.turnTo(Math.min(next, options.clock.monotonic() + (options.stepMs ?? next)))
      rounds = 0
      restedAt = performance.now()
    }
  }
}

/** Waits for `promise` while the clock is advanced from timer to timer, or in steps. */
export async function settled<T>(
  what: string,
  promise: Promise<T>,
  clock?: VirtualClock,
  steps: Pick<EventuallyOptions, 'stepMs'> = {},
): Promise<T> {
  let done = false
  const mark = () => {
    done = true
  }
  promise.then(mark, mark)
  await eventually(what, () => done, clock === undefined ? {} : { clock, ...steps })
  return promise
}

/** Runs so many rounds of the event loop, to show that nothing more happens by itself. */
export async function turnLoop(rounds = 100): Promise<void> {
  for (let round = 0; round < rounds; round += 1) await new Promise<void>((resolve) => setImmediate(resolve))
}
