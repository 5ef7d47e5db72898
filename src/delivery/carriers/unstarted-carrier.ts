/** Stands for a carrier whose settings cannot be used: it takes nothing, and shows why. */
import type { CarrierSetup } from '../../domain/directory/directory.ts'
import type { Verdict } from '../../domain/message/journey-event.ts'
import type { Carrier, CarrierState, Submission } from '../../ports/carriers/carrier.ts'

export class UnstartedCarrier implements Carrier {
  readonly id: string
  readonly channel: Carrier['channel']
  readonly window = 1
  readonly #reason: string
  readonly #since: number

  /** @param reason names the setting, and no value. */
  constructor({ id, channel }: CarrierSetup, reason: string, now: number) {
    this.id = id
    this.channel = channel
    this.#reason = `not started: ${reason}`
    this.#since = now
  }

  start(): void {}

  submit({ parts }: Submission): Promise<readonly Verdict[]> {
    return Promise.resolve(parts.map(() => ({ kind: 'unreachable', reason: this.#reason })))
  }

  state(): CarrierState {
    const [lastError, lastErrorAt] = [this.#reason, this.#since]
    return { up: false, since: this.#since, lastError, lastErrorAt, inFlight: 0, throughput: null, links: [] }
  }

  stop(): Promise<void> {
    return Promise.resolve()
  }
}
