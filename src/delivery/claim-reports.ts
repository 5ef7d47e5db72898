/**
 * The watch over reports that wait in the store: knows when the next is due and claims it then, as long as there is
 * room in memory. It looks again every minute all the same, for other processes may have made something due.
 */
import type { Cancel, Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { PendingReport, Store } from '../ports/store.ts'

const CLAIM_MOST = 500
/** Reports due within this time of each other are claimed together. */
const GATHER_MS = 20
const AFTER_FAILURE_MS = 1_000
/** How soon a claim that found no room is tried again. */
const WITHOUT_ROOM_MS = 1_000
const LOOK_AGAIN_MS = 60_000

export interface ReportClaimsTools {
  readonly store: Pick<Store, 'claimReports'>
  readonly clock: Clock
  readonly log: Log
}

export interface ReportClaimsHandlers {
  /** Whether so many reports more may be held; asked before every claim, and free to make the room. */
  readonly makeRoom: (count: number) => boolean
  readonly claimed: (reports: readonly PendingReport[]) => void
}

export class ReportClaims {
  readonly #tools: ReportClaimsTools
  readonly #handlers: ReportClaimsHandlers
  #nextAt = Number.POSITIVE_INFINITY
  #timer: Cancel | null = null
  #claiming = false
  #again = false
  #stopped = false

  constructor(tools: ReportClaimsTools, handlers: ReportClaimsHandlers) {
    this.#tools = tools
    this.#handlers = handlers
  }

  get idle(): boolean {
    return !this.#claiming
  }

  /** Something will be due at this time, milliseconds. */
  expect(at: number): void {
    if (this.#stopped || at >= this.#nextAt) return
    this.#nextAt = at
    this.#timer?.()
    this.#timer = this.#tools.clock.after(Math.max(at - this.#tools.clock.now(), GATHER_MS), () => {
      this.#nextAt = Number.POSITIVE_INFINITY
      this.wake()
    })
  }

  /** Something may be due now. */
  wake(): void {
    if (this.#stopped) return
    this.#nextAt = Number.POSITIVE_INFINITY
    this.#timer?.()
    this.#timer = null
    this.#again = true
    if (!this.#claiming) void this.#claimAll()
  }

  stop(): void {
    this.#stopped = true
    this.#timer?.()
  }

  async #claimAll(): Promise<void> {
    this.#claiming = true
    while (this.#again && !this.#stopped) {
      this.#again = false
      await this.#claimOnce().catch((error: Error) => {
        this.#tools.log.error({ error }, 'reports that are due cannot be claimed; trying again')
        this.#expectWithin(AFTER_FAILURE_MS)
      })
    }
    this.#claiming = false
    this.#expectWithin(LOOK_AGAIN_MS)
  }

  async #claimOnce(): Promise<void> {
    if (!this.#handlers.makeRoom(CLAIM_MOST)) {
      this.#expectWithin(WITHOUT_ROOM_MS)
      return
    }
    const claim = { now: this.#tools.clock.now(), limit: CLAIM_MOST }
    const { reports, nextDueAt } = await this.#tools.store.claimReports(claim)
    this.#handlers.claimed(reports)
    if (reports.length === CLAIM_MOST) this.#again = true
    
  }

  #expectWithin(milliseconds: number): void {
    this.expect(this.#tools.clock.now() + milliseconds)
  }
}
