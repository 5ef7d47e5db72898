/**
 * The breaker of one carrier. It opens after five failures in a row, or after several answers in which the carrier asks
 * to slow down. After a wait it lets one probe through: if the carrier takes or refuses it, the breaker closes; if the
 * probe fails, the breaker opens for twice as long. While it is not closed the carrier is degraded.
 */
import type { DegradedAfter } from '../../ports/carriers/carrier.ts'
import type { Cancel, Clock } from '../../ports/system/clock.ts'
import type { Random } from '../../ports/system/random.ts'

export type BreakerState = 'closed' | 'open' | 'half-open'

const FAILURES_TO_OPEN = 5
const FIRST_WAIT_MS = 5_000
const MAX_WAIT_MS = 300_000
/** A slow carrier is tried again sooner than an unreachable one. */
const MAX_SLOW_WAIT_MS = 60_000
const DEFAULT_DEGRADED_AFTER: DegradedAfter = { answers: 5, seconds: 5 }

export interface BreakerTools {
  readonly clock: Clock
  readonly random: Random
  /** Called when `mayTry` may have changed. */
  readonly onChange: () => void
  readonly degradedAfter?: DegradedAfter | undefined
}

/** Why a carrier gets only messages that have no other carrier. */
export interface Degraded {
  /** Milliseconds since 1970. */
  readonly since: number
  /** The carrier's text, without phones and message texts. */
  readonly reason: string
  /** True if the carrier answers and asks to slow down. */
  readonly slow: boolean
}

export class Breaker {
  readonly #tools: BreakerTools
  readonly #degradedAfter: DegradedAfter
  #state: BreakerState = 'closed'
  #degraded: Degraded | null = null
  #failures = 0
  #slowAnswers = 0
  /** Time of the first of the slow answers, monotonic. */
  #slowSince = 0
  #waits = 0
  #probing = false
  #wakeUp: Cancel | null = null

  constructor(tools: BreakerTools) {
    this.#tools = tools
    this.#degradedAfter = tools.degradedAfter ?? DEFAULT_DEGRADED_AFTER
  }

  get state(): BreakerState {
    return this.#state
  }

  /** Null while it is closed. */
  get degraded(): Degraded | null {
    return this.#degraded
  }

  /** Whether an attempt may begin now: while it is closed, or as the probe. */
  get mayTry(): boolean {
    return this.#state === 'closed' || (this.#state === 'half-open' && !this.#probing)
  }

  /** Notes that an attempt begins: the probe while the breaker is half-open. */
  begin(): void {
    this.#probing = this.#state === 'half-open'
  }

  /** The carrier answered, and did not ask to slow down. */
  succeed(): void {
    this.#failures = 0
    this.#slowAnswers = 0
    this.#waits = 0
    this.#probing = false
    this.#degraded = null
    this.#enter('closed')
  }

  /** The carrier was unreachable, or its answer unclear. Ignored while open: the attempt began before. */
  fail(reason: string): void {
    if (this.#state === 'open') return
    this.#failures += 1
    if (this.#state === 'closed' && this.#failures < FAILURES_TO_OPEN) return
    this.#open({ reason, slow: false }, MAX_WAIT_MS)
  }

  /** The carrier did not take a part and asks to slow down. Returns whether messages should move to another carrier. */
  slow(reason: string): boolean {
    if (this.#state === 'open') return true
    const now = this.#tools.clock.monotonic()
    if (this.#slowAnswers === 0) this.#slowSince = now
    this.#slowAnswers += 1
    const { answers, seconds } = this.#degradedAfter
    const isEnough = this.#slowAnswers >= answers || (this.#slowAnswers > 1 && now - this.#slowSince >= seconds * 1_000)
    if (this.#state === 'closed' && !isEnough) return false
    this.#open({ reason, slow: true }, MAX_SLOW_WAIT_MS)
    return true
  }

  /** Cancels its timer, for a carrier that was removed. */
  close(): void {
    this.#wakeUp?.()
  }

  #open(why: Omit<Degraded, 'since'>, maxWaitMs: number): void {
    this.#probing = false
    this.#degraded = { since: this.#degraded?.since ?? this.#tools.clock.now(), ...why }
    this.#enter('open')
    const full = Math.min(maxWaitMs, FIRST_WAIT_MS * 2 ** Math.min(this.#waits, 20))
    this.#waits += 1
    const wait = full - this.#tools.random.below(full / 5)
    this.#wakeUp = this.#tools.clock.after(wait, () => this.#enter('half-open'))
  }

  #enter(state: BreakerState): void {
    if (state === this.#state) return
    this.#wakeUp?.()
    this.#wakeUp = null
    this.#state = state
    this.#tools.onChange()
  }
}
