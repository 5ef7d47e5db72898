/** Reads the margin some accounts at a time, so that no question about all of them delays others. */
import type { AccountId } from '../../../domain/ids/account-id.ts'
import type { ChargeTotal } from '../../../domain/money/margin.ts'
import type { Months } from '../../../ports/changes/money-change.ts'
import type { QueryStore } from '../../../ports/stores/query-store.ts'
import { type PageInput, STANDARD_ROWS } from '../fields/take-page.ts'

/** Of one question. */
export const MAX_MARGIN_MONTHS = 24
/** Accounts that one command reads, times the months: an account has some rows for each month. */
const SLICE_ACCOUNT_MONTHS = 100
/** The position of a page is an account and how many of its lines came before. */
const MAX_LINES_OF_ACCOUNT = 100_000

interface MarginQuery {
  readonly months: Months
  readonly accounts: readonly AccountId[]
  readonly page: PageInput
}

/** Returns the lines of a page, and where the next one begins; null on the last one. */
export async function readMargin(
  store: Pick<QueryStore, 'chargeTotals'>,
  { months, accounts, page: { after = 0, most = STANDARD_ROWS } }: MarginQuery,
): Promise<{ readonly totals: readonly ChargeTotal[]; readonly next: number | null }> {
  const [first, before] = [Math.floor(after / MAX_LINES_OF_ACCOUNT), after % MAX_LINES_OF_ACCOUNT]
  const rest = accounts.filter((id) => id >= first).sort((a, b) => a - b)
  const size = Math.max(1, Math.floor(SLICE_ACCOUNT_MONTHS / monthsIn(months)))
  const totals: ChargeTotal[] = []
  let skipped = 0
  for (let from = 0; from < rest.length && totals.length <= most; from += size) {
    const found = await store.chargeTotals({ ...months, accounts: rest.slice(from, from + size) })
    for (const total of found) {
      if (total.accountId === first && skipped < before) skipped += 1
      else totals.push(total)
    }
  }
  const following = totals[most]
  if (following === undefined) return { totals, next: null }
  const lines = totals.slice(0, most)
  const taken = lines.filter(({ accountId }) => accountId === following.accountId).length
  const place = following.accountId === first ? before + taken : taken
  return { totals: lines, next: following.accountId * MAX_LINES_OF_ACCOUNT + place }
}

/** Returns how many months there are. */
export function monthsIn({ from, through }: Months): number {
  const number = (month: number) => Math.floor(month / 100) * 12 + (month % 100)
  return number(through) - number(from) + 1
}
