/** All lanes, one for each account and origin of its hooks, and how much waits in them. */
import type { PendingReport } from '../ports/pending-report.ts'
import { HookLane } from './hook-lane.ts'

/** Lanes without reports are kept up to here, for what they remember of failing hooks; then the oldest are forgotten. */
const MOST_LANES = 5_000

export class HookLanes {
  readonly #lanes = new Map<string, HookLane>()
  #waiting = 0

  get waiting(): number {
    return this.#waiting
  }

  laneOf({ accountId, address }: PendingReport): HookLane {
    const origin = originOf(address)
    const key = `${accountId} ${origin}`
    let lane = this.#lanes.get(key)
    if (lane === undefined) {
      lane = new HookLane(accountId, origin)
      this.#lanes.set(key, lane)
    }
    return lane
  }

  push(lane: HookLane, report: PendingReport, now: number): void {
    lane.push(report, now)
    this.#waiting += 1
  }

  startNext(lane: HookLane): PendingReport {
    this.#waiting -= 1
    return lane.startNext()
  }

  clear(lane: HookLane): readonly PendingReport[] {
    this.#waiting -= lane.length
    return lane.clear()
  }

  longest(): HookLane | null {
    let longest: HookLane | null = null
    for (const lane of this.#lanes.values()) if (lane.length > (longest?.length ?? 0)) longest = lane
    return longest
  }

  /** Forgets the lane when nothing of it is left to remember. */
  forget(lane: HookLane): void {
    if (lane.isBlank) this.#lanes.delete(`${lane.accountId} ${lane.origin}`)
    if (this.#lanes.size <= MOST_LANES) return
    // A few each time: as many go as come.
    for (const [key, oldest] of this.#lanes.entries().take(4)) if (oldest.isEmpty) this.#lanes.delete(key)
  }
}

/** What one server answers for: the address up to its path, without user and password. Cheaper than reading it whole. */
function originOf(address: string): string {
  const [, scheme = '', host = ''] = /^([^:]*:\/\/)(?:[^/?#]*@)?([^/?#]*)/.exec(address) ?? []
  return (scheme + host).toLowerCase()
}
