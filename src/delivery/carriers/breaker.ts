/**
 * The breaker of one carrier. It opens after five failures in a row, or after several answers in which the carrier asks
 * to slow down. After a wait it lets one probe through: if the carrier takes or refuses it, the breaker closes; if the
 * probe fails, the breaker opens for twice as long. While it is not closed the carrier is degraded. It opens at once if
 * the carrier says that our account can send nothing; then only the answer to the probe closes it.
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
/** An account gets credit or a new key by hand. */
const FIRST_ACCOUNT_WAIT_MS = 60_000
const MAX_ACCOUNT_WAIT_MS = 600_000
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
  /** Set if our account there can send nothing. */
  readonly account?: true
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
    if (this.#isHeld && !this.#probing) return
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
    this.#open({ reason, slow: false })
  }

  /** Our account there can send nothing. */
  hold(reason: string): void {
    // Attempts that began before say the same.
    if (this.#state === 'open' && this.#isHeld) return
    if (!this.#isHeld) this.#waits = 0
    this.#open({ reason, slow: false, account: true })
  }

  /** Lets a probe through now. */
  tryNow(): void {
    if (this.#state === 'open') this.#enter('half-open')
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
    this.#open({ reason, slow: true })
    return true
  }

  /** Cancels its timer, for a carrier that was removed. */
  close(): void {
    this.#wakeUp?.()
  }

  get #isHeld(): boolean {
    return this.#degraded?.account === true
  }

  #open(why: Omit<Degraded, 'since'>): void {
    this.#probing = false
    // A probe that fails in another way says nothing about the account.
    if (this.#degraded === null || why.account === true || !this.#isHeld) {
      const since = this.#isHeld === (why.account === true) ? this.#degraded?.since : undefined
      this.#degraded = { since: since ?? this.#tools.clock.now(), ...why }
    }
    this.#enter('open')
    const [firstMs, maxMs] = waitsOf(this.#degraded)
    const full = Math.min(maxMs, firstMs * 2 ** Math.min(this.#waits, 20))
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

function waitsOf({ slow, account }: Degraded): readonly [firstMs: number, maxMs: number] {
  if (account === true) return [FIRST_ACCOUNT_WAIT_MS, MAX_ACCOUNT_WAIT_MS]
  return [FIRST_WAIT_MS, slow ? MAX_SLOW_WAIT_MS : MAX_WAIT_MS]
}
