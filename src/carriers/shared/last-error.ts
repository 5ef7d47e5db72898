/** The last error of a connection, and when it occurred. */
import type { CarrierFault } from '../../ports/carriers/carrier.ts'
import type { Clock } from '../../ports/system/clock.ts'

export class LastError {
  readonly #clock: Pick<Clock, 'now'>
  #fault: CarrierFault = { lastError: null, lastErrorAt: null }

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock
  }

  get fault(): CarrierFault {
    return this.#fault
  }

  get text(): string | null {
    return this.#fault.lastError
  }

  note(text: string): void {
    this.#fault = { lastError: text, lastErrorAt: this.#clock.now() }
  }

  clear(): void {
    this.#fault = { lastError: null, lastErrorAt: null }
  }
}
