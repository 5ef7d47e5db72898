/** The store's part in routing by quality: counts that gateways add to, and the history of demotions. */
import type { Demotion } from '../../domain/routing/demotion.ts'
import type { QualityRow } from '../../domain/routing/quality-counts.ts'

export interface QualityStore {
  /** Adds counts to their slots and days. */
  countQuality(rows: readonly QualityRow[]): Promise<void>
  /** Returns the slots since a time, and the sums of the days since another one; a bounded number of each. */
  qualityRows(query: QualityQuery): Promise<QualityRows>
  /** Returns demotions, the newest first: those that last or ended since then. */
  demotions(query: DemotionQuery): Promise<readonly Demotion[]>
}

export interface QualityQuery {
  /** Milliseconds. */
  readonly slotsSince: number
  readonly daysSince: number
}

export interface QualityRows {
  readonly recent: readonly QualityRow[]
  readonly usual: readonly QualityRow[]
}

export interface DemotionQuery {
  /** Milliseconds. */
  readonly endedSince: number
  readonly limit: number
}

export const DEMOTIONS_KEPT_DAYS = 400
