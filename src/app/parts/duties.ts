/** Periodic work of a gateway. */
import type { Cancel, Clock } from '../../ports/system/clock.ts'
import type { Log } from '../../ports/system/log.ts'

export class Duties {
  readonly #tools: { readonly clock: Clock; readonly log: Log }
  readonly #cancels: Cancel[] = []

  constructor(tools: { readonly clock: Clock; readonly log: Log }) {
    this.#tools = tools
  }

  /**
   * Runs the duty repeatedly, each time this many milliseconds after the previous run ended, or `busyMs` after it if
   * that run resolved with `more`.
   */
  every(milliseconds: number, duty: () => Promise<unknown>, busyMs = 0): void {
    const { clock, log } = this.#tools
    let cancel: Cancel = () => {}
    let stopped = false
    let failure = ''
    const arm = (wait: number): void => {
      if (stopped) return
      cancel = clock.after(wait, () => {
        duty()
          .then((result) => {
            failure = ''
            return result === 'more' ? busyMs : milliseconds
          })
          .catch((error: Error) => {
            // Logs each reason once, however long it lasts.
            if (error.message !== failure) log.warn({ error }, 'periodic work failed; retrying')
            failure = error.message
            return milliseconds
          })
          .then(arm)
      })
    }
    arm(milliseconds)
    this.#cancels.push(() => {
      stopped = true
      cancel()
    })
  }

  stop(): void {
    for (const cancel of this.#cancels) cancel()
  }
}
