/**
 * Waits for what sockets and promises bring about while the clock of the test stands still: turns the event loop until
 * a condition holds. Never asks what time it took; gives up after twenty real seconds and says what it waited for.
 */
import type { VirtualClock } from './virtual-clock.ts'

const PATIENCE_MS = 20_000
/** Sockets and key operations get this much real time to come to rest before the clock is turned once more. */
const REST_MS = 20
const REST_ROUNDS = 60

export interface EventuallyOptions {
  /** Turned to its next timer whenever the sockets had time to come to rest and the condition still does not hold. */
  readonly clock?: VirtualClock
}

/**
 * Resolves with what `look` answers once that is neither false, null nor undefined.
 * @param what completes the sentence "waited in vain for …".
 * @throws Error when it takes more than twenty real seconds, with the last error that `look` threw as its cause.
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
    if (performance.now() > giveUpAt) throw new Error(`waited in vain for ${what}`, { cause })
    await turnLoop(1)
    rounds += 1
    if (options.clock !== undefined && rounds >= REST_ROUNDS && performance.now() - restedAt >= REST_MS) {
      const next = options.clock.nextAt()
      if (next !== null) options.clock.turnTo(next)
      rounds = 0
      restedAt = performance.now()
    }
  }
}

/** Waits for `promise` while the clock is turned to whatever it has planned next. */
export async function settled<T>(what: string, promise: Promise<T>, clock?: VirtualClock): Promise<T> {
  let done = false
  const mark = () => {
    done = true
  }
  promise.then(mark, mark)
  await eventually(what, () => done, clock === undefined ? {} : { clock })
  return promise
}

/** Turns the event loop so many times: what can happen by itself has happened then. For proofs that nothing comes. */
export async function turnLoop(rounds = 100): Promise<void> {
  for (let round = 0; round < rounds; round += 1) await new Promise<void>((resolve) => setImmediate(resolve))
}
