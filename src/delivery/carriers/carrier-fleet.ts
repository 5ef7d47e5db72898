/**
 * The running carriers of this node. Follows the directory: carriers are added, changed, drained and removed while the
 * gateway runs. Knows of each whether it can take messages now.
 */
import type { CarrierSetup } from '../../domain/directory/directory.ts'
import type { Carrier, Inbox } from '../../ports/carriers/carrier.ts'
import type { CarrierObstacle } from '../../ports/carriers/routing.ts'
import type { Clock } from '../../ports/system/clock.ts'
import type { Log } from '../../ports/system/log.ts'
import type { Random } from '../../ports/system/random.ts'
import { Breaker, type Degraded } from './breaker.ts'
import type { PlacedCarrier } from './connection-slots.ts'
import { RateMeter } from './rate-meter.ts'
import { UnstartedCarrier } from './unstarted-carrier.ts'

export interface FleetTools {
  /** Throws if the settings of a carrier are invalid; that carrier then takes nothing and shows why. */
  readonly createCarrier: (setup: CarrierSetup) => Carrier
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
}

interface Running {
  readonly carrier: Carrier
  readonly breaker: Breaker
  readonly rate: RateMeter
  /** The setup it was created from, as JSON. */
  readonly setup: string
  readonly slots: readonly number[]
}

export class CarrierFleet {
  readonly #tools: FleetTools
  readonly #running = new Map<string, Running>()
  /** By id, the slots still used by carriers that are stopping. */
  readonly #stopping = new Map<string, readonly number[]>()
  /** Removed or changed carriers, until their connections are closed. */
  readonly #leaving = new Set<Promise<void>>()
  /** Carriers that were logged as degraded. */
  readonly #degraded = new Set<string>()
  #stopped = false
  #draining: ReadonlySet<string> = new Set()
  #elsewhere: ReadonlySet<string> = new Set()
  #onStopped: () => void = () => {}
  #onChange: () => void = () => {}

  constructor(tools: FleetTools) {
    this.#tools = tools
  }

  /** Called when a breaker changes its state. */
  set onChange(listener: () => void) {
    this.#onChange = listener
  }

  /** Called when a carrier with shared slots has stopped and may start again with other slots. */
  set onStopped(listener: () => void) {
    this.#onStopped = listener
  }

  get(id: string): Carrier | undefined {
    return this.#running.get(id)?.carrier
  }

  /** Whether it runs here with settings that can be used: without, no message waits for it. */
  hasStarted(id: string): boolean {
    const running = this.#running.get(id)
    return running !== undefined && !(running.carrier instanceof UnstartedCarrier)
  }

  /** Ends the waits for the next attempt to connect, and for the next probe. */
  connectNow(id: string): void {
    this.#running.get(id)?.carrier.connectNow?.()
    this.#running.get(id)?.breaker.tryNow()
  }

  breakerOf(id: string): Breaker | undefined {
    return this.#running.get(id)?.breaker
  }

  /** Counts the parts that the carrier took or refused. */
  rateOf(id: string): RateMeter | undefined {
    return this.#running.get(id)?.rate
  }

  isDraining(id: string): boolean {
    return this.#draining.has(id)
  }

  /** Whether only other nodes run it: this node has no slot of it. */
  isElsewhere(id: string): boolean {
    return this.#elsewhere.has(id)
  }

  /** Returns the running carriers that have shared slots. */
  shared(): readonly Carrier[] {
    return [...this.#running.values()].flatMap(({ carrier, slots }) => (slots.length > 0 ? carrier : []))
  }

  /** Returns the slots that connections of this node use. */
  slotsInUse(id: string): readonly number[] {
    return [...(this.#running.get(id)?.slots ?? []), ...(this.#stopping.get(id) ?? [])]
  }

  /** Whether an attempt may begin with it now. */
  mayTry(id: string): boolean {
    return this.obstacleOf(id) === null
  }

  /** Returns why no attempt may begin with it now; null if one may. */
  obstacleOf(id: string): CarrierObstacle | null {
    const running = this.#running.get(id)
    if (running === undefined) return 'not running'
    if (this.#draining.has(id)) return 'draining'
    if (!running.breaker.mayTry) return 'breaker open'
    return isUp(running.carrier) ? null : 'disconnected'
  }

  /** Whether it makes its first connection: it has not been up yet and has no error. */
  isStarting(id: string): boolean {
    const running = this.#running.get(id)
    if (running === undefined || this.#draining.has(id)) return false
    const { up, links } = running.carrier.state()
    return !up && links.some(({ state, lastError }) => state === 'connecting' && lastError === null)
  }

  /** Whether it is up and answers, but asks to slow down. */
  isSlow(id: string): boolean {
    const running = this.#running.get(id)
    if (running === undefined || this.#draining.has(id)) return false
    return running.breaker.degraded?.slow === true && isUp(running.carrier)
  }

  all(): readonly Carrier[] {
    return [...this.#running.values()].map((each) => each.carrier)
  }

  /**
   * Starts new and changed carriers and stops removed ones. Returns the ids of all that changed. Does nothing after
   * `stop`, because a carrier started then would never be stopped.
   */
  update(placed: readonly PlacedCarrier[], inbox: Inbox): readonly string[] {
    if (this.#stopped) return []
    this.#draining = new Set(placed.flatMap(({ carrier }) => (carrier.draining ? carrier.id : [])))
    const wanted = new Map(placed.filter(hasPlace).map((each) => [each.carrier.id, each]))
    const changed: string[] = []
    for (const [id, running] of this.#running) {
      const next = wanted.get(id)
      if (next !== undefined && JSON.stringify(setupOf(next)) === running.setup) continue
      changed.push(id)
      this.#stop(id, running)
    }
    for (const [id, next] of wanted) {
      // Each slot is used once at a time: the old connections close first.
      if (this.#running.has(id) || (next.slots !== null && this.#stopping.has(id))) continue
      if (!changed.includes(id)) changed.push(id)
      this.#launch(next, inbox)
    }
    const elsewhere = placed.flatMap(({ carrier: { id }, slots }) =>
      slots !== null && (slots.length === 0 || this.#stopping.has(id)) ? id : [],
    )
    for (const id of elsewhere) if (!this.#elsewhere.has(id) && !changed.includes(id)) changed.push(id)
    this.#elsewhere = new Set(elsewhere)
    return changed
  }

  async stop(): Promise<void> {
    this.#stopped = true
    for (const { breaker } of this.#running.values()) breaker.close()
    await Promise.allSettled([...this.all().map((carrier) => carrier.stop()), ...this.#leaving])
  }

  #launch(placed: PlacedCarrier, inbox: Inbox): void {
    const { clock, random } = this.#tools
    const setup = setupOf(placed)
    const carrier = this.#create(setup)
    carrier.start(inbox)
    const { degradedAfter } = carrier
    const onChange = () => this.#breakerChanged(setup.id)
    const breaker = new Breaker({ clock, random, onChange, degradedAfter })
    const slots = placed.slots ?? []
    this.#running.set(setup.id, { carrier, breaker, rate: new RateMeter(clock), setup: JSON.stringify(setup), slots })
  }

  #create(setup: CarrierSetup): Carrier {
    const { clock, log } = this.#tools
    try {
      return this.#tools.createCarrier(setup)
    } catch (error) {
      log.error({ carrier: setup.id, error: error as Error }, 'a carrier was not started: its settings are invalid')
      return new UnstartedCarrier(setup, (error as Error).message, clock.now())
    }
  }

  #stop(id: string, { carrier, breaker, slots }: Running): void {
    this.#running.delete(id)
    this.#degraded.delete(id)
    breaker.close()
    if (slots.length > 0) this.#stopping.set(id, slots)
    const leaving = carrier
      .stop()
      .catch((error: Error) => this.#tools.log.warn({ carrier: id, error }, 'a carrier did not stop cleanly'))
      .then(() => {
        this.#leaving.delete(leaving)
        if (this.#stopping.delete(id)) this.#onStopped()
      })
    this.#leaving.add(leaving)
  }

  #breakerChanged(id: string): void {
    const { log } = this.#tools
    const degraded = this.#running.get(id)?.breaker.degraded ?? null
    // A breaker that opens again after its probe is not logged again.
    if (degraded === null) {
      if (this.#degraded.delete(id))
        log.info({ carrier: id }, 'the carrier is no longer degraded: its breaker is closed')
    } else if (!this.#degraded.has(id)) {
      this.#degraded.add(id)
      log.warn({ carrier: id, reason: degraded.reason }, `the carrier ${faultOf(degraded)}`)
    }
    this.#onChange()
  }
}

function faultOf({ slow, account }: Degraded): string {
  if (account === true) return 'is down: our account there can send nothing'
  return `${slow ? 'keeps asking to slow down' : 'keeps failing'}: its breaker opens and it is degraded`
}

function isUp(carrier: Carrier): boolean {
  return carrier.isUp ?? carrier.state().up
}

function hasPlace({ slots }: PlacedCarrier): boolean {
  return slots === null || slots.length > 0
}

function setupOf({ carrier: { id, channel, kind, settings } }: PlacedCarrier): CarrierSetup {
  return { id, channel, kind, settings }
}
