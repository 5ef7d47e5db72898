/**
 * The carriers that run, kept equal to what operators have set up: added, changed, drained and removed while the gateway
 * runs. Knows of each whether it can take something now.
 */
import type { CarrierSetup, InstalledCarrier } from '../domain/directory.ts'
import type { Carrier, Inbox } from '../ports/carrier.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { Random } from '../ports/random.ts'
import { Breaker } from './breaker.ts'
import { RateMeter } from './rate-meter.ts'

export interface FleetTools {
  /** Throws when the settings of a carrier cannot be used; that carrier is then left out, and said so. */
  readonly createCarrier: (setup: CarrierSetup) => Carrier
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
}

interface Running {
  readonly carrier: Carrier
  readonly breaker: Breaker
  readonly rate: RateMeter
  /** What it was made of. */
  readonly setup: string
}

export class CarrierFleet {
  readonly #tools: FleetTools
  readonly #running = new Map<string, Running>()
  #draining: ReadonlySet<string> = new Set()
  #onChange: () => void = () => {}

  constructor(tools: FleetTools) {
    this.#tools = tools
  }

  /** Who is told when a breaker opens or lets something through again. */
  set onChange(listener: () => void) {
    this.#onChange = listener
  }

  get(id: string): Carrier | undefined {
    return this.#running.get(id)?.carrier
  }

  breakerOf(id: string): Breaker | undefined {
    return this.#running.get(id)?.breaker
  }

  /** Of the parts that it took or refused. */
  rateOf(id: string): RateMeter | undefined {
    return this.#running.get(id)?.rate
  }

  isDraining(id: string): boolean {
    return this.#draining.has(id)
  }

  /** Whether an attempt may begin with it now. */
  mayTry(id: string): boolean {
    const running = this.#running.get(id)
    if (running === undefined || this.#draining.has(id)) return false
    return running.breaker.mayTry && running.carrier.state().up
  }

  all(): readonly Carrier[] {
    return [...this.#running.values()].map((each) => each.carrier)
  }

  /** Starts what is new or changed and stops what is gone. Answers with the ids of all carriers that are not as before. */
  update(installed: readonly InstalledCarrier[], inbox: Inbox): readonly string[] {
    this.#draining = new Set(installed.filter(({ draining }) => draining).map(({ id }) => id))
    const setups = installed.map(({ draining: _, ...setup }): CarrierSetup => setup)
    const wanted = new Map(setups.map((setup) => [setup.id, setup]))
    const changed: string[] = []
    for (const [id, { carrier, breaker, setup }] of this.#running) {
      const next = wanted.get(id)
      if (next !== undefined && JSON.stringify(next) === setup) continue
      changed.push(id)
      this.#running.delete(id)
      breaker.close()
      void carrier
        .stop()
        .catch((error: Error) => this.#tools.log.warn({ carrier: id, error }, 'a carrier did not stop cleanly'))
    }
    for (const setup of setups) {
      if (this.#running.has(setup.id)) continue
      if (!changed.includes(setup.id)) changed.push(setup.id)
      this.#launch(setup, inbox)
    }
    return changed
  }

  async stop(): Promise<void> {
    for (const { breaker } of this.#running.values()) breaker.close()
    await Promise.allSettled(this.all().map((carrier) => carrier.stop()))
  }

  #launch(setup: CarrierSetup, inbox: Inbox): void {
    const { clock, random, log } = this.#tools
    try {
      const carrier = this.#tools.createCarrier(setup)
      carrier.start(inbox)
      const breaker = new Breaker({ clock, random, onChange: () => this.#breakerChanged(setup.id) })
      this.#running.set(setup.id, { carrier, breaker, rate: new RateMeter(clock), setup: JSON.stringify(setup) })
    } catch (error) {
      log.error({ carrier: setup.id, error: error as Error }, 'a carrier cannot be used as it is set up')
    }
  }

  #breakerChanged(id: string): void {
    const state = this.#running.get(id)?.breaker.state
    if (state === 'open') this.#tools.log.warn({ carrier: id }, 'the carrier fails again and again: its breaker opens')
    if (state === 'closed') this.#tools.log.info({ carrier: id }, 'the carrier answers again: its breaker is closed')
    this.#onChange()
  }
}
