/** The monthly totals, summed up in memory until a transaction writes them: one row for each kind and purpose. */
import type { PostingKind } from '../../../domain/money/ledger.ts'
import { beginningOf, type Month, monthAfter, monthOf } from '../../../domain/time/month.ts'
import type { ChargeCells, TotalRow } from './posting-row.ts'

export class PostingTotals {
  readonly #totals = new Map<string, TotalRow>()
  /** The last month, because most postings are of the same month. */
  #month: { readonly of: Month; readonly from: number; readonly until: number } = { of: 0 as Month, from: 0, until: 0 }

  /** `bookedAt`: the date of the posting, milliseconds. */
  add(accountId: number, bookedAt: number, kind: PostingKind, amountMicros: number, charge: ChargeCells): void {
    const [channel, operator, parts, carrierId, costMicros, currency] = charge
    const month = this.#monthOf(bookedAt)
    const key = `${accountId} ${month} ${kind} ${channel} ${operator} ${carrierId} ${currency}`
    const total = this.#totals.get(key)
    if (total === undefined) {
      const what = [channel ?? '', operator ?? '', carrierId ?? '', currency ?? ''] as const
      this.#totals.set(key, [accountId, month, kind, ...what, 1, parts ?? 0, amountMicros, costMicros ?? 0])
      return
    }
    total[7] += 1
    total[8] += parts ?? 0
    total[9] += amountMicros
    total[10] += costMicros ?? 0
  }

  rows(): Iterable<TotalRow> {
    return this.#totals.values()
  }

  clear(): void {
    this.#totals.clear()
  }

  #monthOf(at: number): Month {
    if (at < this.#month.from || at >= this.#month.until) {
      const of = monthOf(at)
      this.#month = { of, from: beginningOf(of), until: beginningOf(monthAfter(of)) }
    }
    return this.#month.of
  }
}
