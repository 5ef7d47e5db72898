/**
 * Counts what carriers take and deliver, and has them judged (domain/routing/judge-quality.ts). Each node adds its
 * counts to the store every few seconds, so that a crash loses no more; the node that leads judges them.
 */
import type { Directory } from '../../domain/directory/directory.ts'
import type { Turn } from '../../domain/journey/turn.ts'
import { lastChecks } from '../../domain/routing/carrier-check.ts'
import { placeKey, type QualityPlace } from '../../domain/routing/demotion.ts'
import { judgeQuality, type QualityFinding, rowsSince } from '../../domain/routing/judge-quality.ts'
import {
  addCounts,
  countTurnQuality,
  NO_COUNTS,
  type QualityCounts,
  type QualityRow,
  SLOT_MS,
  slotOf,
  USUAL_MS,
} from '../../domain/routing/quality-counts.ts'
import type { QualityRules } from '../../domain/routing/quality-rule.ts'
import type { Clustered } from '../../ports/records/cluster.ts'
import { ChangeRefused } from '../../ports/records/store-errors.ts'
import type { QualityStore } from '../../ports/stores/quality-store.ts'
import type { SetupStore } from '../../ports/stores/setup-store.ts'
import type { Clock } from '../../ports/system/clock.ts'
import type { Log } from '../../ports/system/log.ts'
import { runInSlices } from '../../ports/system/slices.ts'

export interface QualityWatchTools {
  readonly store: QualityStore & Pick<SetupStore, 'change'> & Clustered
  readonly directory: () => Directory
  readonly clock: Clock
  readonly log: Log
  /** Reads the directory again, after a demotion has begun or ended. */
  readonly refresh: () => Promise<void>
}

/** Counts between two writes; further operators count for their country alone, and further countries not at all. */
const MAX_ROWS = 4_000
const MAX_OPERATOR_ROWS = 3_000
const MAX_DEMOTIONS = 2_000

export class QualityWatch {
  readonly #tools: QualityWatchTools
  readonly #startedAt: number
  #rows = new Map<string, QualityRow>()
  /** The slot that was judged last: between slots nothing changes. */
  #judgedSlot = 0

  constructor(tools: QualityWatchTools) {
    this.#tools = tools
    this.#startedAt = tools.clock.now()
  }

  /** Not to be called while no carrier is judged. */
  count(turn: Turn): void {
    const { qualityRules: rules } = this.#tools.directory()
    countTurnQuality(turn, { rules, since: this.#startedAt }, (place, at, counts) =>
      this.#add(place, slotOf(at), counts),
    )
  }

  /** Writes what was counted, and judges once in a slot. Rejects if the store does; the counts are then lost. */
  async look(): Promise<void> {
    const { store, directory, clock } = this.#tools
    const rows = [...this.#rows.values()]
    this.#rows = new Map()
    if (rows.length > 0) await store.countQuality(rows)
    const slot = slotOf(clock.now())
    if (slot === this.#judgedSlot || store.cluster?.leads() === false) return
    this.#judgedSlot = slot
    const { qualityRules, demotions } = directory()
    if (qualityRules.judges || demotions.all.length > 0) await this.#judge()
  }

  async #judge(): Promise<void> {
    const { store, directory, clock, log, refresh } = this.#tools
    const setUp = directory()
    const findings = await findQuality(store, { setUp, rules: setUp.qualityRules, now: clock.now() })
    let changed = false
    for (const { change } of findings) {
      if (change === null) continue
      try {
        await store.change({ kind: 'judge carrier', ...change })
      } catch (error) {
        if (!(error instanceof ChangeRefused)) throw error
        continue
      }
      changed = true
      const { carrierId: carrier, country, operator, kind, reason, endReason } = change.demotion
      const fields = { carrier, country, operator, kind, reason: endReason ?? reason }
      if (endReason === null) log.warn(fields, 'the carrier delivers too little or too slowly and is demoted')
      else log.info(fields, 'the carrier is no longer demoted')
    }
    if (changed) await refresh()
  }

  #add(place: QualityPlace, slot: number, counts: Partial<QualityCounts>): void {
    const isFull = this.#rows.size >= MAX_OPERATOR_ROWS && !this.#rows.has(`${placeKey(place)} ${slot}`)
    const counted = isFull ? { ...place, operator: null } : place
    const key = `${placeKey(counted)} ${slot}`
    const known = this.#rows.get(key)
    if (known === undefined && this.#rows.size >= MAX_ROWS) return
    this.#rows.set(key, { ...counted, slot, ...addCounts(known ?? NO_COUNTS, { ...NO_COUNTS, ...counts }) })
  }
}

interface QualityQuestion {
  /** What is set up: its checks and carriers. */
  readonly setUp: Parameters<typeof lastChecks>[0]
  readonly rules: QualityRules
  readonly now: number
}

/** Judges all carriers as they are now. */
export async function findQuality(
  store: QualityStore,
  { setUp, rules, now }: QualityQuestion,
): Promise<readonly QualityFinding[]> {
  const { carriers } = setUp
  const demotions = await store.demotions({ endedSince: now - USUAL_MS, limit: MAX_DEMOTIONS })
  const falseReceipts = lastChecks(setUp).filter(({ outcome }) => outcome === 'false receipt')
  const facts = { demotions, falseReceipts, carriers, rules, now }
  const rows = await store.qualityRows({ slotsSince: rowsSince(facts) - SLOT_MS, daysSince: now - USUAL_MS })
  return await runInSlices(judgeQuality({ ...facts, ...rows }))
}
