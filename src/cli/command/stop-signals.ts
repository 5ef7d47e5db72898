/** Waits until the process is asked to stop: by a signal, or by the end of the npm that runs it. */
import type { Clock } from '../../ports/system/clock.ts'

/** What the wait needs of the process. */
export interface Signalled {
  on(signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP', listener: () => void): unknown
  exit(code: number): void
  readonly ppid: number
}

/** Exit code after a second signal. */
const ENDED_AT_ONCE = 130

/** npm passes on the signal that a terminal has sent to all processes, so one Ctrl-C arrives twice. */
const SAME_REQUEST_MS = 1_000

const PARENT_SEEN_EVERY_MS = 500

/**
 * The first signal requests a clean stop; SIGINT or SIGTERM later ends the process at once. A closed terminal sends
 * SIGHUP more than once, so that never does. With `endsWithParent`, the end of the parent process requests a stop: npm
 * does not pass on SIGHUP, and the shell between it and the program passes on no signal.
 */
export function untilStopRequested(process: Signalled, clock: Clock, endsWithParent: boolean): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  let requestedAt: number | null = null
  const request = (): void => {
    requestedAt ??= clock.monotonic()
    resolve()
  }
  const interrupt = (): void => {
    if (requestedAt !== null && clock.monotonic() - requestedAt >= SAME_REQUEST_MS) process.exit(ENDED_AT_ONCE)
    else request()
  }
  process.on('SIGINT', interrupt)
  process.on('SIGTERM', interrupt)
  process.on('SIGHUP', request)
  const parent = process.ppid
  const watchParent = (): void => {
    if (process.ppid === parent) clock.after(PARENT_SEEN_EVERY_MS, watchParent)
    else request()
  }
  if (endsWithParent) watchParent()
  return promise
}
