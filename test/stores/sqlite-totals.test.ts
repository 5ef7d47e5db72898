/** The journal of counts on SQLite: however it is summed up and interrupted, each count counts once. */
import type { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type AccountId, toAccountId } from '../../src/domain/ids/account-id.ts'
import type { MessageEvent } from '../../src/domain/statistics/message-statistics.ts'
import type { CountRow } from '../../src/stores/rows/statistics/message-total.ts'
import { openSqliteStore } from '../../src/stores/sqlite/open-store.ts'
import { SqliteTotals } from '../../src/stores/sqlite/session/sqlite-totals.ts'
import { memoryDatabase } from '../support/memory-database.ts'
import { SeededRandom } from '../support/seeded-random.ts'
import { TEST_KEYS } from '../support/test-keys.ts'

const HOUR = 24 * 20_000 + 5

interface Count {
  readonly account: number
  readonly event?: MessageEvent
  readonly sender?: string
  readonly parts?: number
}

function rowOf({ account, event = 'asked', sender = 'Shop', parts = 1 }: Count): CountRow {
  const place = ['sms', 'sms-1', '26201', 'DE', sender, 'EUR', ''] as const
  return [HOUR, toAccountId(account), event, ...place, parts, parts * 10, parts * 3]
}

describe('the statistics of messages on SQLite', () => {
  let database: DatabaseSync
  let totals: SqliteTotals
  beforeEach(() => {
    database = memoryDatabase()
    totals = new SqliteTotals(database)
  })
  afterEach(() => database.close())

  const write = (counts: readonly Count[], times?: number) => {
    for (const count of counts) totals.count([rowOf(count)], times)
    totals.flush()
  }
  /** As the process is killed before the commit, and another one opens the database. */
  const interrupted = (work: () => void) => {
    database.exec('BEGIN')
    work()
    database.exec('ROLLBACK')
    totals = new SqliteTotals(database)
  }
  const sumUpAll = () => {
    let transactions = 1
    while (totals.sumUp()) transactions += 1
    return transactions
  }
  const entries = () => Number(database.prepare('SELECT count(*) AS entries FROM message_count').get()?.['entries'])
  /** The sums of the accounts by event and sender, or those of all accounts in an hour. */
  const sums = (level: 3 | 5 = 5) => {
    const rows = database.prepare(
      `SELECT account_id, event, sender, messages, parts, price_micros, cost_micros FROM message_total
       WHERE level = ? AND slot = ${HOUR} ORDER BY account_id, event, sender`,
    )
    return rows.all(level).map((row) => Object.values(row).join(' '))
  }

  it('writes one row for a transaction with any number of counts, and none without counts', () => {
    write([])
    expect(entries()).toBe(0)
    write([{ account: 1 }, { account: 2 }, { account: 1, event: 'taken' }, { account: 3, sender: 'Other' }])
    expect(entries()).toBe(1)
    expect(sums()).toEqual([])
  })

  it('sums up by account and kind, and for all accounts without the sender', () => {
    write([{ account: 2 }, { account: 2 }, { account: 1 }, { account: 2 }, { account: 2, sender: 'Other' }])
    write(
      [
        { account: 1, parts: 3 },
        { account: 1, event: 'taken' },
      ],
      2,
    )
    expect(sumUpAll()).toBe(1)
    expect(sums()).toEqual([
      '1 asked Shop 3 7 70 21',
      '1 taken Shop 2 2 20 6',
      '2 asked Other 1 1 10 3',
      '2 asked Shop 3 3 30 9',
    ])
    expect(sums(3)).toEqual(['0 asked  7 11 110 33', '0 taken  2 2 20 6'])
    expect(entries()).toBe(0)
  })

  it('loses and doubles nothing, wherever it is interrupted', () => {
    const random = new SeededRandom(7)
    const expected = new Map<AccountId, number>()
    const accounts = 9_000
    const writeSome = () => {
      const counts = Array.from({ length: 3_000 }, () => ({ account: 1 + random.below(accounts) }))
      interrupted(() => write(counts))
      write(counts)
      for (const { account } of counts) {
        const id = toAccountId(account)
        expected.set(id, (expected.get(id) ?? 0) + 1)
      }
    }
    for (let round = 0; round < 9; round += 1) writeSome()
    let transactions = 0
    for (let isMore = true; isMore; transactions += 1) {
      interrupted(() => totals.sumUp())
      isMore = totals.sumUp()
      // What comes between two parts is summed up behind them.
      if (transactions === 0) writeSome()
    }
    expect(transactions).toBe(4)
    expect(entries()).toBe(0)
    const all = [...expected].sort(([a], [b]) => a - b)
    expect(sums()).toEqual(all.map(([account, n]) => `${account} asked Shop ${n} ${n} ${10 * n} ${3 * n}`))
    const messages = all.reduce((sum, [, count]) => sum + count, 0)
    expect(sums(3)).toEqual([`0 asked  ${messages} ${messages} ${10 * messages} ${3 * messages}`])
  })

  /** A sum with parts that are left, and counts that came later. */
  const beginSum = () => {
    write(Array.from({ length: 20_000 }, (_, at) => ({ account: 1 + at })))
    expect(totals.sumUp()).toBe(true)
    write([{ account: 1 }, { account: 2 }])
  }

  it('sums up what came after a sum that was left in parts', () => {
    beginSum()
    while (totals.sumUp());
    expect(entries()).toBe(0)
    expect(sums(3)).toEqual(['0 asked  20002 20002 200020 60006'])
  })

  it('shows what came after a sum that was left in parts', async () => {
    const store = await openSqliteStore({ file: ':memory:', keys: TEST_KEYS, inline: true, database })
    beginSum()
    const range = { from: HOUR, through: HOUR, source: 'hours', slotHours: null, limit: 9 } as const
    const found = await store.messageTotals({ ...range, accountId: null, only: {}, by: [] })
    expect(found).toMatchObject([{ event: 'asked', messages: 20_002 }])
    await store.close()
  })

  it('sums up by itself once the journal is long, a bounded number of rows at a time', () => {
    const size = 25_000
    let most = 0
    let longest = 0
    const rows = () => Number(database.prepare('SELECT count(*) AS rows FROM message_total').get()?.['rows'])
    for (let transaction = 0; transaction < 400; transaction += 1) {
      const before = rows()
      write(Array.from({ length: 1_000 }, (_, at) => ({ account: 1 + ((transaction * 1_000 + at * 7) % size) })))
      totals.keepShort()
      most = Math.max(most, rows() - before)
      longest = Math.max(longest, entries())
    }
    expect(rows()).toBeGreaterThan(0)
    expect(most).toBeLessThan(8_500)
    expect(longest).toBeLessThan(350)
    sumUpAll()
    expect(sums(3)).toEqual(['0 asked  400000 400000 4000000 1200000'])
  })

  it('divides what a single account has, too', () => {
    const senders = Array.from({ length: 20_000 }, (_, at) => ({ account: 1, sender: `${at}` }))
    const kinds = Array.from({ length: 10_000 }, (_, at) => ({ account: 1, event: `delivered ${at}` as const }))
    for (const [counts, transactions] of [
      [senders, 4],
      [kinds, 5],
    ] as const) {
      database.exec('DELETE FROM message_total')
      write(counts)
      expect(sumUpAll()).toBe(transactions)
      expect(sums()).toHaveLength(counts.length)
      const messages = sums(3).map((row) => Number(row.split(' ').at(-4)))
      expect(messages.reduce((sum, count) => sum + count, 0)).toBe(counts.length)
    }
  })

  it('sums up the rows that another process left', () => {
    const gateway = totals
    const tool = new SqliteTotals(database)
    write(Array.from({ length: 9_000 }, (_, at) => ({ account: at + 1 })))
    tool.sumUp()
    // The journal has two parts, and the tool knows them; the gateway sums them up, and goes on.
    while (gateway.sumUp());
    write([{ account: 1 }])
    while (tool.sumUp());
    expect(entries()).toBe(0)
    expect(sums(3)).toEqual(['0 asked  9001 9001 90010 27003'])
  })

  it('knows the length of the journal after a transaction was rolled back', () => {
    const texts = Array.from({ length: 2_500 }, (_, at) => ({ account: 1, sender: `${at}`.padEnd(1_000, '.') }))
    interrupted(() => write(texts))
    totals.keepShort()
    expect(entries()).toBe(0)
    database.exec('BEGIN')
    write(texts)
    database.exec('ROLLBACK')
    totals.forget()
    write([{ account: 1 }])
    totals.keepShort()
    expect(entries()).toBe(1)
    write(texts)
    totals.keepShort()
    expect(entries()).toBe(0)
  })

  it('knows the length of the journal after another process has summed it up', () => {
    const other = new SqliteTotals(database)
    const texts = Array.from({ length: 900 }, (_, at) => ({ account: 1, sender: `${at}`.padEnd(1_000, '.') }))
    for (let times = 0; times < 3; times += 1) {
      write(texts)
      totals.keepShort()
      while (other.sumUp());
    }
    write(texts)
    totals.keepShort()
    write([{ account: 1 }])
    totals.keepShort()
    expect(entries()).toBeGreaterThan(0)
  })
})
