/** The carriers that run, kept equal to what operators have set up: added, changed and removed while the gateway runs. */
import type { CarrierSetup } from '../domain/directory.ts'
import type { Carrier, Inbox } from '../ports/carrier.ts'
import type { Log } from '../ports/log.ts'

export class CarrierFleet {
  readonly #create: (setup: CarrierSetup) => Carrier
  readonly #log: Log
  readonly #running = new Map<string, { readonly carrier: Carrier; readonly setup: string }>()

  /** `create` throws when the settings of a carrier cannot be used; that carrier is then left out, and said so. */
  constructor(create: (setup: CarrierSetup) => Carrier, log: Log) {
    this.#create = create
    this.#log = log
  }

  get(id: string): Carrier | undefined {
    return this.#running.get(id)?.carrier
  }

  all(): readonly Carrier[] {
    return [...this.#running.values()].map((each) => each.carrier)
  }

  /** Starts what is new or changed and stops what is gone. Answers with the ids of all carriers that are not as before. */
  update(setups: readonly CarrierSetup[], inbox: Inbox): readonly string[] {
    const wanted = new Map(setups.map((setup) => [setup.id, setup]))
    const changed: string[] = []
    for (const [id, { carrier, setup }] of this.#running) {
      const next = wanted.get(id)
      if (next !== undefined && JSON.stringify(next) === setup) continue
      changed.push(id)
      this.#running.delete(id)
      void carrier
        .stop()
        .catch((error: Error) => this.#log.warn({ carrier: id, error }, 'a carrier did not stop cleanly'))
    }
    for (const setup of setups) {
      if (this.#running.has(setup.id)) continue
      if (!changed.includes(setup.id)) changed.push(setup.id)
      this.#launch(setup, inbox)
    }
    return changed
  }

  async stop(): Promise<void> {
    await Promise.allSettled(this.all().map((carrier) => carrier.stop()))
  }

  #launch(setup: CarrierSetup, inbox: Inbox): void {
    try {
      const carrier = this.#create(setup)
      carrier.start(inbox)
      this.#running.set(setup.id, { carrier, setup: JSON.stringify(setup) })
    } catch (error) {
      this.#log.error({ carrier: setup.id, error: error as Error }, 'a carrier cannot be used as it is set up')
    }
  }
}
