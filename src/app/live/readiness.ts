/** Readiness of the gateway: for `/readyz`, and as one log line per change. */
import type { Log } from '../../ports/system/log.ts'

export class Readiness {
  readonly #ask: () => Promise<string | null>
  readonly #log: Log
  #logged: string | null = null

  /** `ask` resolves to the reason why the gateway should get no traffic, null if it is ready; it may reject. */
  constructor(ask: () => Promise<string | null>, log: Log) {
    this.#ask = ask
    this.#log = log
  }

  /** What `whyNot` found last. */
  get known(): string | null {
    return this.#logged
  }

  /** The reason why the gateway should get no traffic; null if it is ready. */
  async whyNot(): Promise<string | null> {
    const reason = await this.#ask().catch((error: Error) => `the database does not answer: ${error.message}`)
    if (reason !== null && this.#logged === null) this.#log.warn({ reason }, 'not ready: the gateway gets no traffic')
    if (reason === null && this.#logged !== null) this.#log.info({}, 'ready again')
    this.#logged = reason
    return reason
  }
}
