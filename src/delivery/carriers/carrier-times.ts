/** Adds up how long each carrier of this gateway is in each state, and stores the sums every minute. */
import { type CarrierTime, carrierStateOf, dayNumber, expiredDays } from '../../domain/routing/carrier-time.ts'
import type { SetupStore } from '../../ports/stores/setup-store.ts'
import type { Clock } from '../../ports/system/clock.ts'
import type { CarrierView } from './view-carriers.ts'

export interface CarrierTimesTools {
  readonly store: Pick<SetupStore, 'change'>
  readonly clock: Clock
  /** 0 without a cluster. */
  readonly node: number
  readonly carriers: () => readonly Pick<CarrierView, 'id' | 'up' | 'draining' | 'breaker'>[]
}

const WRITE_MS = 60_000
/** A process that was suspended for longer saw nothing in between. */
const MAX_STEP_MS = 30_000

export class CarrierTimes {
  readonly #tools: CarrierTimesTools
  #times = new Map<string, CarrierTime>()
  /** Monotonic. */
  #lookedAt: number
  #writtenAt: number
  /** Of which expired days were removed. */
  #day = 0

  constructor(tools: CarrierTimesTools) {
    this.#tools = tools
    this.#lookedAt = tools.clock.monotonic()
    this.#writtenAt = this.#lookedAt
  }

  /** Called every few seconds. */
  async look(): Promise<void> {
    const { clock } = this.#tools
    const now = clock.monotonic()
    const elapsed = now - this.#lookedAt
    this.#lookedAt = now
    if (elapsed <= MAX_STEP_MS) this.#add(elapsed / 1_000)
    if (now - this.#writtenAt < WRITE_MS) return
    this.#writtenAt = now
    await this.write()
  }

  /** Stores what was added up. Rejects if the store does; the seconds are then lost. */
  async write(): Promise<void> {
    const { store, clock } = this.#tools
    const times = [...this.#times.values()].map((time) => ({ ...time, seconds: Math.round(time.seconds) }))
    const today = dayNumber(clock.now())
    const expired = this.#day === today ? [] : expiredDays(today)
    if (times.length === 0) return
    this.#times = new Map()
    await store.change({ kind: 'add carrier times', times, expired })
    this.#day = today
  }

  #add(seconds: number): void {
    const { carriers, clock, node } = this.#tools
    const day = dayNumber(clock.now())
    for (const carrier of carriers()) {
      const time = { carrierId: carrier.id, day, node, state: carrierStateOf(carrier) }
      const key = JSON.stringify(time)
      this.#times.set(key, { ...time, seconds: (this.#times.get(key)?.seconds ?? 0) + seconds })
    }
  }
}
