/** Reads the clicks of a range of days, slice by slice, and sums them up by address. */
import type { LinkTotal, LinkTotalQuery } from '../../../ports/records/short-link.ts'
import type { QueryStore } from '../../../ports/stores/query-store.ts'
import { FieldRefused } from '../fields/field-refused.ts'

/** Of one command of the store. */
const SLICE_ROWS = 2_000
/** Rows of one answer: each is an address on a day in a bulk. */
const MAX_ROWS = 100_000

export type ClickedAddress = Omit<LinkTotal, 'day' | 'bulkId'>

type Asked = Omit<LinkTotalQuery, 'after' | 'limit'>

/** Returns the most clicked first. Throws FieldRefused for too many rows. */
export async function readClicks(
  store: Pick<QueryStore, 'linkTotals'>,
  asked: Asked,
): Promise<readonly ClickedAddress[]> {
  const sums = new Map<string, ClickedAddress>()
  let after: LinkTotal | null = null
  for (let read = SLICE_ROWS; ; read += SLICE_ROWS) {
    const rows: readonly LinkTotal[] = await store.linkTotals({ ...asked, after, limit: SLICE_ROWS })
    for (const row of rows) {
      const name = `${row.accountId} ${row.target}`
      sums.set(name, addUp(sums.get(name), row))
    }
    after = rows.at(-1) ?? null
    if (after === null || rows.length < SLICE_ROWS) break
    if (read >= MAX_ROWS) throw new FieldRefused('from', 'has too many clicks: choose a shorter time or an account')
  }
  return [...sums.values()].sort((a, b) => b.humans - a.humans || b.robots - a.robots || a.accountId - b.accountId)
}

function addUp(sum: ClickedAddress | undefined, { day: _, bulkId: __, ...row }: LinkTotal): ClickedAddress {
  if (sum === undefined) return row
  return {
    ...row,
    humans: sum.humans + row.humans,
    robots: sum.robots + row.robots,
    links: sum.links + row.links,
    firstAt: Math.min(sum.firstAt, row.firstAt),
    lastAt: Math.max(sum.lastAt, row.lastAt),
  }
}
