/** The store's part in maintenance: retention, erasure, ledger verification, health. */
import type { InstallationRetention } from '../../domain/accounts/retention.ts'
import type { Phone } from '../../domain/numbers/phone.ts'
import type { Forgotten } from '../records/forgetting.ts'

export interface UpkeepStore {
  /**
   * Verifies the whole ledger: balances and totals against postings, postings against messages, closed months against
   * what they were when they were closed. Returns the discrepancies. Reads in slices and never blocks other calls.
   */
  verifyLedger(): Promise<readonly string[]>
  /**
   * Erases a phone, in slices: of its ended messages only timeline and money stay, its inbound messages are deleted,
   * its opt-outs stay under a keyed hash. Changes nothing while something is in the way.
   */
  forget(phone: Phone, now: number): Promise<Forgotten>
  /**
   * Closes months (money-change.ts) and deletes what is past its retention, in slices, so that other calls never wait
   * for it: texts and records of ended messages as their accounts keep them, settled reports, carriers' ids, links,
   * inbound messages and their keys, answers under idempotency keys, parked receipts, used call codes, usage counts.
   */
  sweep(now: number, keeping: InstallationRetention): Promise<void>
  counts(): Promise<StoreCounts>
  /** Rejects while the store cannot write: no room on the disk for an insert, file read-only. */
  checkWrites(): Promise<void>
  /** Waits for calls in progress and closes. Held messages and reports stay held and are due for the next node. */
  close(): Promise<void>
}

export interface StoreCounts {
  readonly open: number
  /** Unread events included. */
  readonly pendingReports: number
  readonly failedReports: number
  /** Events of all feeds that were not acknowledged, those included that are no longer kept. */
  readonly unreadEvents: number
}
