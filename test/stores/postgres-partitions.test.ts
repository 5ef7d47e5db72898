/** Partitions by time: created ahead, dropped whole when nothing in them is needed, and never before. */
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import { systemClock } from '../../src/app/system/system-clock.ts'
import { DAY_MS } from '../../src/domain/accounts/retention.ts'
import type { AccountId } from '../../src/domain/ids/account-id.ts'
import type { Message } from '../../src/domain/message/message.ts'
import { openPostgresStore } from '../../src/stores/postgres/open-store.ts'
import { faultOfServer } from '../../src/stores/postgres/schema/schema.ts'
import { messageItem, StoreStory } from '../conformance/store/store-story.ts'
import { receipt, taken } from '../support/make-turn.ts'
import type { TestDatabase } from '../support/postgres-databases.ts'
import { TEST_KEYS } from '../support/test-keys.ts'
import { usePostgres } from '../support/use-postgres.ts'

const WEEK_MS = 7 * DAY_MS
/** The ids of a week: 2^33 counters in 64 buckets. */
const IDS_A_WEEK = 2 ** 39

const postgres = await usePostgres()

describe.skipIf(postgres.isMissing)('partitions', () => {
  let database: TestDatabase
  let story: StoreStory
  let client: AccountId
  let now: number
  let url: string
  /** The beginning of the first eight weeks without data from a migration. */
  let beginning: number

  beforeEach(async () => {
    // A database of its own, because partitions come and go.
    database = await postgres.takeDatabase({ isNew: true })
    url = database.url
    const year = Date.UTC(2026, 0, 1)
    beginning = year + Math.ceil((Date.now() - year) / (8 * WEEK_MS)) * 8 * WEEK_MS
    now = beginning
    const clock = { ...systemClock, now: () => now }
    const open = (role: 'all' | 'tool') => {
      return openPostgresStore({ url, keys: TEST_KEYS, clock, role, lanes: 1 })
    }
    story = await StoreStory.begin(async () => ({
      open: () => open('all'),
      openTool: () => open('tool'),
      remove: database.giveBack,
    }))
    client = await story.account(1_000_000, { textsKeptDays: 60, recordsKeptDays: 100 })
    await sweepAt(beginning)
  })
  afterEach(async () => {
    expect(await story.store.verifyLedger()).toEqual([])
    await story.end()
  })

  const sweepAt = (at: number, settledKeptDays: number | null = 30) => {
    now = at
    return story.sweep(at, { settledKeptDays })
  }
  const accepted = async (change: Partial<Message> = {}): Promise<Message> => {
    const counter = await story.store.reserveIds(1)
    const id = (counter * 64 + ((change.accountId ?? client) % 64)) as Message['id']
    const message = { ...story.message(client, { createdAt: now, ...change }), id }
    await story.accept(message.accountId, [messageItem(message)])
    return message
  }
  /** Delivered, and reported to its hook. */
  const ended = async (change: Partial<Message> = {}): Promise<Message> => {
    const message = await accepted(change)
    const after = await story.after(receipt(await story.after(taken(message, [`ref-${message.id}`])), 'delivered'))
    const report = { messageId: message.id, number: 0, kind: 'sent', at: now, dueAt: null, held: false } as const
    await story.store.settleReports([{ ...report, detail: '200' }])
    return after
  }
  const partitionsOf = async (table: string): Promise<readonly string[]> => {
    const rows = await database.query(`SELECT inhrelid::regclass::text AS name FROM pg_inherits
      WHERE inhparent = '${table}'::regclass ORDER BY 1`)
    return rows.map(({ name }) => String(name))
  }
  const partOf = async (table: string, { id }: Message): Promise<readonly string[]> => {
    const rows = await database.query(
      `SELECT DISTINCT tableoid::regclass::text AS name FROM ${table} WHERE msg_id = ${id}`,
    )
    return rows.map(({ name }) => String(name))
  }
  const weekOf = (at: number) => (at - Date.UTC(2026, 0, 1)) / WEEK_MS

  it('exist before any row needs them, and take rows by the week of the id', async () => {
    const first = weekOf(beginning)
    expect(await partitionsOf('message')).toEqual(
      expect.arrayContaining([`message_w${first}`, `message_w${first + 8}`, 'message_rest']),
    )
    const today = await ended()
    expect(Math.floor(today.id / IDS_A_WEEK)).toBe(first)
    expect(await partOf('message', today)).toEqual([`message_w${first}`])
    await sweepAt(beginning + WEEK_MS)
    const later = await ended()
    expect(Math.floor(later.id / IDS_A_WEEK)).toBe(first + 1)
    expect(await partOf('report', later)).toEqual([`report_w${first + 1}`])
    expect(await partOf('part_ref', later)).toEqual([`part_ref_w${first + 1}`])
    expect(await partOf('event', later)).toEqual([`event_w${first}`])
  })

  it('of delivery data are dropped whole, a day after the retention of the last row', async () => {
    const message = await ended()
    const part = `report_w${weekOf(beginning)}`
    await sweepAt(beginning + WEEK_MS + 31 * DAY_MS - 1)
    expect(await partitionsOf('report')).toContain(part)
    expect((await story.store.trace(message.id))?.reports).toHaveLength(1)
    await sweepAt(beginning + WEEK_MS + 31 * DAY_MS)
    expect(await partitionsOf('report')).not.toContain(part)
    expect(await partitionsOf('part_ref')).not.toContain(`part_ref_w${weekOf(beginning)}`)
    const trace = await story.store.trace(message.id)
    expect(trace?.reports).toEqual([])
    expect(trace?.timeline.map(({ kind }) => kind)).toEqual(['taken', 'delivered'])
  })

  it('stay while a message in them is open or has a pending report', async () => {
    const open = await accepted()
    const part = `report_w${weekOf(beginning)}`
    await sweepAt(beginning + 10 * WEEK_MS)
    expect(await partitionsOf('report')).toContain(part)
    const reported = await story.after(receipt(await story.after(taken(open, ['late'])), 'delivered'))
    await sweepAt(beginning + 11 * WEEK_MS)
    expect((await story.store.trace(reported.id))?.reports).toHaveLength(1)
    const report = { messageId: open.id, number: 0, kind: 'sent', at: now, dueAt: null, held: false } as const
    await story.store.settleReports([{ ...report, detail: '200' }])
    await sweepAt(beginning + 12 * WEEK_MS)
    expect(await partitionsOf('report')).not.toContain(part)
  })

  it('of messages are dropped when the last is deleted, each on its own day, with its timeline', async () => {
    const [early, late] = [await ended(), await sweepAt(beginning + 7 * WEEK_MS).then(() => ended())]
    await sweepAt(beginning + 100 * DAY_MS)
    expect(await story.store.trace(early.id)).toBeNull()
    expect(await partOf('event', early)).toEqual([`event_w${weekOf(beginning)}`])
    expect(await story.store.trace(late.id)).not.toBeNull()
    await sweepAt(beginning + 7 * WEEK_MS + 100 * DAY_MS)
    await sweepAt(beginning + 8 * WEEK_MS + 100 * DAY_MS)
    for (const table of ['message', 'message_text', 'event']) {
      expect(await partitionsOf(table)).not.toContain(`${table}_w${weekOf(beginning)}`)
    }
    const left = await database.query('SELECT count(*)::int AS count FROM event')
    expect(left).toEqual([{ count: 0 }])
  })

  it('keep no data of an account with shorter retention', async () => {
    await story.account(1_000_000, { textsKeptDays: null, recordsKeptDays: null })
    const message = await ended()
    await sweepAt(beginning + 100 * DAY_MS)
    expect(await story.store.trace(message.id)).toBeNull()
    expect(await partOf('event', message)).toEqual([])
  })

  it('are optional: rows without a partition are stored and deleted row by row', async () => {
    for (const table of ['message', 'message_text', 'event', 'report', 'part_ref']) {
      for (const part of await partitionsOf(table)) {
        if (/_w\d+$/.test(part)) await database.query(`DROP TABLE ${part}`)
      }
    }
    const message = await ended()
    expect(await partOf('message', message)).toEqual(['message_rest'])
    await sweepAt(beginning + 31 * DAY_MS)
    expect((await story.store.trace(message.id))?.reports).toEqual([])
    expect(await partitionsOf('message')).toContain(`message_w${weekOf(beginning) + 8}`)
    await sweepAt(beginning + 100 * DAY_MS)
    expect(await partOf('event', message)).toEqual([])
  })

  it('are not created in tables of another database user: everything is deleted row by row', async () => {
    const message = await ended()
    await database.query(`CREATE ROLE clerk LOGIN PASSWORD 'sesame';
      GRANT ALL ON ALL TABLES IN SCHEMA public TO clerk; GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO clerk`)
    url = url.replace('posthorn:', 'clerk:')
    await story.reopen()
    await sweepAt(beginning + 40 * DAY_MS)
    expect(await partOf('report', message)).toEqual([])
    expect(await partitionsOf('report')).toContain(`report_w${weekOf(beginning)}`)
  })

  it('wait for readers and delay no traffic', async () => {
    await ended()
    const part = `report_w${weekOf(beginning)}`
    await database.query(`BEGIN; SELECT FROM ${part}`)
    await sweepAt(beginning + 10 * WEEK_MS)
    await ended()
    await database.query('COMMIT')
    expect(await partitionsOf('report')).toContain(part)
    await sweepAt(beginning + 10 * WEEK_MS + DAY_MS)
    expect(await partitionsOf('report')).not.toContain(part)
  })
})

test('names the version of a server that is too old', () => {
  expect(faultOfServer(140_011)).toBe('the server is PostgreSQL 14.11, and Posthorn needs 15 or newer')
  expect(faultOfServer(150_000)).toBeNull()
})
