/**
 * The lane of one hook: the reports of one account that wait for one origin, in order, and how many calls at once the
 * hook bears. A hook that answers well is given more, one that fails is given fewer; after five failures in a row it
 * rests, and then one report at a time is tried until it answers again.
 */
import type { AccountId } from '../domain/account.ts'
import type { PendingReport } from '../ports/pending-report.ts'
import type { HookFailure } from './judge-answer.ts'

const FIRST_WIDTH = 8
const WIDEST = 64
const FAILURES_BEFORE_REST = 5
const FIRST_REST_MS = 5_000
const LONGEST_REST_MS = 60_000

interface Waiting {
  readonly report: PendingReport
  readonly since: number
}

export class HookLane {
  readonly accountId: AccountId
  readonly origin: string
  #line: Waiting[] = []
  #head = 0
  #active = 0
  #width = FIRST_WIDTH
  #failures = 0
  #restMs = 0
  #restUntil = 0
  #lastFailure: HookFailure | null = null

  constructor(accountId: AccountId, origin: string) {
    this.accountId = accountId
    this.origin = origin
  }

  get length(): number {
    return this.#line.length - this.#head
  }

  get canStart(): boolean {
    return this.#active < this.#width && this.length > 0
  }

  /** Nothing waits, nothing is under way, and there is nothing to remember about the hook. */
  get isBlank(): boolean {
    return this.isEmpty && this.#failures === 0
  }

  get isEmpty(): boolean {
    return this.#active === 0 && this.length === 0
  }

  /** Since when the first in line waits, milliseconds; null when the line is empty. */
  get waitsSince(): number | null {
    return this.#line[this.#head]?.since ?? null
  }

  /** The failure that stands for every report of the hook at the moment; null when reports may be sent. */
  restsFor(now: number): HookFailure | null {
    if (this.#failures < FAILURES_BEFORE_REST) return null
    return now < this.#restUntil || this.#active > 0 ? this.#lastFailure : null
  }

  push(report: PendingReport, now: number): void {
    this.#line.push({ report, since: now })
  }

  /** Takes the first in line for a call; every report taken ends with `succeeded`, `failed` or `ended`. */
  startNext(): PendingReport {
    const first = this.#line[this.#head]
    if (first === undefined) throw new RangeError('the line is empty')
    this.#head += 1
    if (this.#head > 1_000 && this.#head * 2 > this.#line.length) {
      this.#line = this.#line.slice(this.#head)
      this.#head = 0
    }
    this.#active += 1
    return first.report
  }

  /** Empties the line and hands back what stood in it. */
  clear(): readonly PendingReport[] {
    const rest = this.#line.slice(this.#head).map(({ report }) => report)
    this.#line = []
    this.#head = 0
    return rest
  }

  succeeded(): void {
    this.#active -= 1
    this.#failures = 0
    this.#restMs = 0
    this.#lastFailure = null
    this.#width = Math.min(WIDEST, this.#width + 1)
  }

  /** True when the hook begins to rest with this failure. */
  failed(failure: HookFailure, now: number): boolean {
    this.#active -= 1
    this.#failures += 1
    this.#lastFailure = failure
    this.#width = Math.max(1, this.#width >> 1)
    if (this.#failures < FAILURES_BEFORE_REST || now < this.#restUntil) return false
    this.#restMs = this.#restMs === 0 ? FIRST_REST_MS : Math.min(LONGEST_REST_MS, this.#restMs * 2)
    this.#restUntil = now + this.#restMs
    return true
  }

  /** The call says nothing about the health of the hook. */
  ended(): void {
    this.#active -= 1
  }
}
