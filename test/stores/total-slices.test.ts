/** Statistics of messages are read in slices of a bounded number of rows, and few at a time. */
import { describe, expect, it } from 'vitest'
import { type AccountId, toAccountId } from '../../src/domain/ids/account-id.ts'
import { groupOf, type StatisticsQuery } from '../../src/domain/statistics/message-statistics.ts'
import { TooMuchToRead } from '../../src/ports/records/store-errors.ts'
import { TOTALS_SLICE_ROWS, type TotalPlace, TotalSlices } from '../../src/stores/rows/statistics/total-slices.ts'
import { sliceTotals, totalPlaces } from '../../src/stores/sqlite/statistics/message-totals.ts'
import { useFilledStore } from '../support/use-filled-store.ts'

const DAYS = 366
const GROUPS = 300
const FIRST = 24 * 20_000
const LARGE = toAccountId(2)
const EMPTY = toAccountId(3)

/** A year of an account with many groups, rolled up to days. */
const FILL = `WITH RECURSIVE days (day) AS (SELECT 0 UNION ALL SELECT day + 1 FROM days WHERE day < ${DAYS - 1}),
    groups (id) AS (SELECT 0 UNION ALL SELECT id + 1 FROM groups WHERE id < ${GROUPS - 1})
  INSERT INTO message_total SELECT 2, ${FIRST} + day * 24, ${LARGE}, 'asked', 'sms', '', '26' || (100 + id), 'DE', 'S',
    'EUR', '', 1, 1000, 0, 1 FROM days CROSS JOIN groups`

const queryOf = (accountId: AccountId | null, change: Partial<StatisticsQuery> = {}): StatisticsQuery => {
  const range = { from: FIRST, through: FIRST + DAYS * 24 - 1, source: 'days', slotHours: null, limit: 50_001 } as const
  return { ...range, accountId, only: {}, by: ['operator'], ...change }
}

describe('reading the statistics of messages', () => {
  const filled = useFilledStore(FILL)

  /** Reads with this database; counts the rows of each slice. */
  function counting() {
    const [places, slice] = [totalPlaces({ database: filled.database }), sliceTotals({ database: filled.database })]
    const count = filled.database.prepare(`SELECT count(*) AS rows FROM json_each(?) AS place JOIN message_total
      ON level = place.value ->> 0 AND slot = place.value ->> 1 WHERE account_id = ?`)
    const slices: number[] = []
    let probed = 0
    const work = { underWay: 0, most: 0 }
    const during = async <T>(run: () => T): Promise<T> => {
      work.underWay += 1
      work.most = Math.max(work.most, work.underWay)
      await new Promise((resolve) => setImmediate(resolve))
      work.underWay -= 1
      return run()
    }
    const reader = new TotalSlices({
      places: (query) => during(() => places(query)),
      slice: (query, from: readonly TotalPlace[], rest) =>
        during(() => {
          const read = slice(query, from, rest)
          probed += from.length
          slices.push(count.get(JSON.stringify(from.slice(0, read.places)), query.accountId)?.['rows'] as number)
          return read
        }),
    })
    return { reader, slices, work, probed: () => probed }
  }

  it('reads at most so many rows at a time, and all of them once', async () => {
    const { reader, slices } = counting()
    const totals = await reader.read(queryOf(LARGE))
    expect(totals).toHaveLength(GROUPS)
    expect(totals.every(({ messages }) => messages === DAYS)).toBe(true)
    expect(slices.reduce((sum, rows) => sum + rows, 0)).toBe(DAYS * GROUPS)
    expect(Math.max(...slices)).toBeLessThanOrEqual(TOTALS_SLICE_ROWS)
    expect(slices).toHaveLength(Math.ceil(DAYS / Math.floor(TOTALS_SLICE_ROWS / GROUPS)))
  })

  it('adds up all groups but one, or refuses to: rows that a limit cuts off are never missing in the sum', async () => {
    const kept = new Set([
      groupOf({ accountId: -1, channel: '', carrierId: '', operator: '26100', country: '', sender: '' }),
    ])
    const { reader, slices } = counting()
    const query = queryOf(LARGE, { kept, slotHours: 24, limit: 1_200 })
    const found = await reader.read(query)
    const totals = found.filter(({ event }) => event !== 'groups')
    expect(totals).toHaveLength(2 * DAYS)
    const groups = found.filter(({ event }) => event === 'groups').map(({ messages }) => messages)
    expect(groups).toEqual(Array.from({ length: DAYS }, () => GROUPS - 1))
    expect(totals.reduce((sum, { messages }) => sum + messages, 0)).toBe(DAYS * GROUPS)
    // Six days have more rows than the limit, so each is read alone.
    expect(slices).toHaveLength(1 + DAYS)
    await expect(reader.read({ ...query, limit: GROUPS - 1 })).rejects.toThrow(TooMuchToRead)
  })

  it('finds rows that are rolled up after it looked where there are any', async () => {
    const fresh = [FIRST + DAYS * 24, FIRST + DAYS * 24 + 5]
    for (const slot of fresh)
      filled.database.exec(`INSERT INTO message_total VALUES (0, ${slot}, ${LARGE}, 'asked', 'sms', '', '26201', 'DE', 'S', 'EUR', '',
        1, 1000, 0, 1)`)
    const [places, slice] = [totalPlaces({ database: filled.database }), sliceTotals({ database: filled.database })]
    for (const hours of [0, 6, 7]) {
      const reader = new TotalSlices({
        places: async (query) => places(query),
        slice: async (query, found, rest) => {
          await filled.store.sweep((FIRST + DAYS * 24 + hours) * 3_600_000 + 900_000, {
            settledKeptDays: null,
            inboundKeptDays: null,
          })
          return slice(query, found, rest)
        },
      })
      const query = queryOf(LARGE, { from: FIRST + DAYS * 24, through: FIRST + DAYS * 24 + 23 })
      expect((await reader.read(query)).map(({ messages }) => messages)).toEqual([2])
    }
  })

  it('looks at the days that exist only, for an account without messages', async () => {
    const { reader, slices, probed } = counting()
    expect(await reader.read(queryOf(EMPTY))).toEqual([])
    expect([slices, probed()]).toEqual([[0], DAYS])
  })

  it('reads all accounts of a day a number of accounts at a time, while rows are rolled up', async () => {
    const day = FIRST + DAYS * 24
    const accounts = 3_000
    const fill = (level: number, slot: number) =>
      filled.database.exec(`WITH RECURSIVE accounts (id) AS
          (SELECT 10 UNION ALL SELECT id + 1 FROM accounts WHERE id < ${10 + accounts - 1}),
          events (event) AS (VALUES ('asked'), ('taken'), ('delivered 3'))
        INSERT INTO message_total SELECT ${level}, ${slot}, id, event, 'sms', '', '26201', 'DE', 'S' || (id % 2), 'EUR', '',
          1, 1000, 0, 1 FROM accounts CROSS JOIN events`)
    fill(2, day)
    fill(0, day + 5)
    const [places, slice] = [totalPlaces({ database: filled.database }), sliceTotals({ database: filled.database })]
    const ranges: number[] = []
    const steps = {
      places: async (query: StatisticsQuery) => places(query),
      slice: async (query: StatisticsQuery, found: readonly TotalPlace[], rest: number) => {
        await filled.store.sweep((day + 6) * 3_600_000, { settledKeptDays: null, inboundKeptDays: null })
        const read = slice(query, found, rest)
        ranges.push(read.rest)
        return read
      },
    }
    const query = queryOf(null, { from: day, through: day + 23, by: ['sender'] })
    const found = await new TotalSlices(steps).read(query)
    const sums = found.map(({ sender, event, messages }) => [sender, event, messages])
    for (const sender of ['S0', 'S1']) expect(sums).toContainEqual([sender, 'asked', accounts])
    expect(sums).toHaveLength(6)
    // Three rows of an account in each place: 666 accounts have no more than so many.
    expect(ranges.length).toBeGreaterThanOrEqual(Math.floor((accounts * 3) / TOTALS_SLICE_ROWS))
    expect(await new TotalSlices(steps).read({ ...query, by: ['account'] })).toHaveLength(accounts * 3)
    await expect(new TotalSlices(steps, 2).read(query)).rejects.toThrow(TooMuchToRead)
  })

  it('reads one query of an account and two of operators at a time, and refuses what would wait too long', async () => {
    const { reader, work } = counting()
    const small = (accountId: AccountId | null) => reader.read(queryOf(accountId, { through: FIRST + 23 }))
    await Promise.all([1, 2, 3, 4].map(() => small(LARGE)))
    expect(work.most).toBe(1)
    await Promise.all([1, 2, 3, 4].map(() => small(null)))
    expect(work.most).toBe(2)
    const results = await Promise.allSettled(Array.from({ length: 103 }, () => small(LARGE)))
    const refused = results.filter(({ status }) => status === 'rejected')
    expect(refused).toHaveLength(2)
    expect(refused[0]).toMatchObject({ reason: { name: 'StoreError', message: 'the store is too busy' } })
    expect(await small(LARGE)).toHaveLength(GROUPS)
  })

  it('lets another account have its turn between two slices', async () => {
    const order: string[] = []
    const query = queryOf(LARGE, { through: FIRST + 24 * 30 - 1 })
    await Promise.all([
      ...[1, 2, 3].map(() => filled.store.messageTotals(query).then(() => order.push('statistics'))),
      filled.store.balancesOf(EMPTY).then(() => order.push('balances')),
    ])
    expect(order).toEqual(['balances', 'statistics', 'statistics', 'statistics'])
  })
})
