/** The margin is read some accounts at a time, and its pages have each line once. */
import { expect, it } from 'vitest'
import { toAccountId } from '../../src/domain/ids/account-id.ts'
import type { ChargeTotal } from '../../src/domain/money/margin.ts'
import { readMargin } from '../../src/operations/admin/money/read-margin.ts'
import type { ChargeQuery } from '../../src/ports/stores/query-store.ts'
import { useFilledStore } from '../support/use-filled-store.ts'

const ACCOUNTS = Array.from({ length: 300 }, (_, index) => toAccountId(300 - index))
const YEAR = { from: 202601 as never, through: 202612 as never }

/** Three carriers of each account in each of two months; every second account has none. */
const FILL = `WITH RECURSIVE accounts (id) AS (SELECT 1 UNION ALL SELECT id + 2 FROM accounts WHERE id < 299),
    carriers (name) AS (VALUES ('a'), ('b'), ('c')), months (month) AS (VALUES (202601), (202612))
  INSERT INTO posting_total (account_id, month, kind, channel, operator, carrier_id, cost_currency, postings, parts,
    amount_micros, cost_micros)
  SELECT id, month, 'charge', 'sms', '26201', name, 'EUR', 1, 1, 50000, 20000 FROM accounts, carriers, months`

const filled = useFilledStore(FILL)

const nameOf = ({ accountId, carrierId }: ChargeTotal) => `${accountId} ${carrierId}`

it.each([1, 2, 50, 449, 450, 1_000])('pages of %i lines have all lines in order, each once', async (most) => {
  const names: string[] = []
  let after: number | null = 0
  let pages = 0
  while (after !== null) {
    const page = await readMargin(filled.store, { months: YEAR, accounts: ACCOUNTS, page: { after, most } })
    expect(page.totals.length).toBeLessThanOrEqual(most)
    expect(page.totals.every(({ messages }) => messages === 2)).toBe(true)
    names.push(...page.totals.map(nameOf))
    after = page.next
    pages += 1
    // A page of one line would read all accounts for each line: some of them are enough.
    if (pages === 20) break
  }
  const all = Array.from({ length: 150 }, (_, index) => ['a', 'b', 'c'].map((carrier) => `${2 * index + 1} ${carrier}`))
  expect(names).toEqual(all.flat().slice(0, pages === 20 ? 20 * most : 450))
})

it('one command reads few accounts, fewer for a longer time', async () => {
  const sizes: number[] = []
  const counting = {
    chargeTotals: (query: ChargeQuery) => {
      sizes.push(query.accounts.length)
      return filled.store.chargeTotals(query)
    },
  }
  await readMargin(counting, { months: YEAR, accounts: ACCOUNTS, page: { most: 1_000 } })
  expect(Math.max(...sizes)).toBe(8)
  sizes.length = 0
  const { totals } = await readMargin(counting, {
    months: { from: YEAR.from, through: YEAR.from },
    accounts: ACCOUNTS,
    page: { most: 1_000 },
  })
  expect(Math.max(...sizes)).toBe(100)
  expect(totals).toHaveLength(450)
})
