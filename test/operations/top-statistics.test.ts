/** Statistics with more groups than an answer may have lines: the first groups, and a line for all others. */
import { expect, it } from 'vitest'
import { toAccountId } from '../../src/domain/ids/account-id.ts'
import type { StatisticsRank } from '../../src/domain/statistics/message-statistics.ts'
import type { StatisticsLine } from '../../src/domain/statistics/statistics-lines.ts'
import { readStatistics } from '../../src/operations/read/read-statistics.ts'
import { useFilledStore } from '../support/use-filled-store.ts'

const ACCOUNTS = 6_000
const NOW = Date.UTC(2026, 10, 30, 12)
const DAY = Date.UTC(2026, 10, 29) / 3_600_000

/** Account `id` has asked for `id` messages on each of two days; every tenth account has had three failures. */
const FILL = `WITH RECURSIVE accounts (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM accounts WHERE id < ${ACCOUNTS}),
    days (slot) AS (VALUES (${DAY}), (${DAY + 24}))
  INSERT INTO message_total SELECT 2, slot, id, 'asked', 'sms', '', '26201', 'DE', 'S', 'EUR', '', 1, 0, 0, id
    FROM accounts, days
  UNION ALL SELECT 2, slot, id, 'failed EXPIRED', 'sms', '', '26201', 'DE', 'S', 'EUR', '', 1, 0, 0, 3
    FROM accounts, days WHERE id % 10 = 0`

const filled = useFilledStore(FILL)

async function answer(
  top: { groups: number | undefined; rank?: StatisticsRank } | undefined,
  resolution: 'total' | 'day' = 'total',
) {
  const range = { from: '2026-11-29', through: '2026-11-30', resolution }
  const ranked = top === undefined ? {} : { top: { groups: top.groups, rank: top.rank } }
  const found = await readStatistics(
    filled.store,
    { ...range, accountId: null, only: {}, by: ['account' as const], ...ranked },
    NOW,
  )
  if ('rule' in found) throw new Error(`${found.field} ${found.rule}`)
  return found
}

const read = async (...input: Parameters<typeof answer>) => (await answer(...input)).lines
const most = (by: StatisticsRank['by']) => ({ by, descending: true })
const least = (by: StatisticsRank['by']) => ({ by, descending: false })
const sum = (lines: readonly StatisticsLine[]) => lines.reduce((total, { asked }) => total + asked, 0)

it('has a line for the hundred groups with most messages, and one for all others', async () => {
  const { lines, sum: total } = await answer({ groups: undefined })
  expect(lines).toHaveLength(101)
  expect(lines.slice(0, 2)).toMatchObject([
    { accountId: 6_000, asked: 12_000, failed: 6, others: null },
    { accountId: 5_999, asked: 11_998, failed: 0, others: null },
  ])
  expect(lines.at(-1)).toMatchObject({ accountId: null, others: 5_900, failed: 590 * 6 })
  expect(sum(lines)).toBe(ACCOUNTS * (ACCOUNTS + 1))
  expect(total).toMatchObject({ accountId: null, asked: ACCOUNTS * (ACCOUNTS + 1), failed: 600 * 6, others: null })
})

it('has as many groups as were asked for, by another count, and the others of each day', async () => {
  const lines = await read({ groups: 2, rank: most('failed') }, 'day')
  expect(lines.map(({ slot, accountId, failed, others }) => [slot, accountId, failed, others])).toEqual([
    [DAY, 10, 3, null],
    [DAY, 20, 3, null],
    [DAY, null, 598 * 3, 5_998],
    [DAY + 24, 10, 3, null],
    [DAY + 24, 20, 3, null],
    [DAY + 24, null, 598 * 3, 5_998],
  ])
  expect(sum(lines)).toBe(ACCOUNTS * (ACCOUNTS + 1))
})

it('finds the accounts that lose money among thousands, and those of the worst share', async () => {
  filled.database.exec(`UPDATE message_total SET cost_currency = 'EUR', price_micros = 1000,
    cost_micros = iif(account_id IN (7, 70, 700), 3000 + account_id, 400) WHERE event = 'asked' AND account_id % 2 = 0 OR account_id = 7`)
  const losing = await read({ groups: 3, rank: least('marginMicros') })
  expect(losing.map(({ accountId, marginMicros, others }) => [accountId, marginMicros, others])).toEqual([
    [700, 2 * (1000 - 3700), null],
    [70, 2 * (1000 - 3070), null],
    [7, 2 * (1000 - 3007), null],
    [null, 2 * 2_998 * 600, 5_997],
  ])
  // Accounts of which none has ended have no share, and are last in both directions.
  const columns = `2, ${DAY}, id, event, 'sms', 'c', '26201', 'DE', 'S', 'EUR', '', 1, 0, 0, messages`
  filled.database.exec(`WITH counts (id, event, messages) AS
    (VALUES (20, 'taken', 20), (20, 'delivered 3', 9), (30, 'taken', 20), (30, 'delivered 3', 1))
    INSERT INTO message_total SELECT ${columns} FROM counts`)
  for (const [rank, ...expected] of [
    [least('deliveredOfTaken'), 30, 20],
    [most('deliveredOfTaken'), 20, 30],
  ] as const) {
    expect((await read({ groups: 2, rank })).map(({ accountId }) => accountId)).toEqual([...expected, null])
  }
})

it('says of each day how many groups the others of that day are', async () => {
  filled.database.exec(`DELETE FROM message_total WHERE slot = ${DAY} AND account_id > 10`)
  const lines = await read({ groups: 2, rank: most('asked') }, 'day')
  expect(lines.map(({ slot, accountId, others }) => [slot, accountId, others])).toEqual([
    [DAY, null, 10],
    [DAY + 24, 6_000, null],
    [DAY + 24, 5_999, null],
    [DAY + 24, null, 5_998],
  ])
})

it('has no line for others if there are none', async () => {
  filled.database.exec('DELETE FROM message_total WHERE account_id > 3')
  expect((await read({ groups: 3 })).map(({ accountId }) => accountId)).toEqual([3, 2, 1])
  expect((await read({ groups: undefined })).map(({ accountId }) => accountId)).toEqual([1, 2, 3])
})

it('refuses too many lines to clients, and too many groups to all', async () => {
  await expect(read(undefined)).rejects.toThrow('by gives more than 5000 lines')
  await expect(read({ groups: 1_000 }, 'day')).resolves.toHaveLength(2_002)
  const more = `WITH RECURSIVE more (id) AS (SELECT 10000 UNION ALL SELECT id + 1 FROM more WHERE id < 60000)
    INSERT INTO message_total SELECT 2, ${DAY}, id, 'asked', 'sms', '', '26201', 'DE', 'S', 'EUR', '', 1, 0, 0, 1 FROM more`
  filled.database.exec(more)
  await expect(read({ groups: 10 })).rejects.toThrow('by gives more than 5000 lines')
  const one = { from: '2026-11-29', accountId: toAccountId(7), only: {}, by: ['account' as const] }
  expect(await readStatistics(filled.store, one, NOW)).toMatchObject({ lines: [{ asked: 14 }], sum: { asked: 14 } })
})
