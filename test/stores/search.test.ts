/** A search finds its messages on the first page, however many others came before or after them. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/app/system/system-clock.ts'
import type { AccountId } from '../../src/domain/ids/account-id.ts'
import type { Message } from '../../src/domain/message/message.ts'
import { openPostgresStore } from '../../src/stores/postgres/open-store.ts'
import { openSqliteStore } from '../../src/stores/sqlite/open-store.ts'
import { StoreStory } from '../conformance/store/store-story.ts'
import { BEGINNING } from '../support/build-message.ts'
import { TEST_KEYS } from '../support/test-keys.ts'
import { usePostgres } from '../support/use-postgres.ts'

/** More than a page looks at. */
const OTHERS = 21_000
const DAY_MS = 86_400_000
const MATCH = { clientId: null, sender: null, carrierId: null, channel: null, from: null, until: null }
/** Buckets: ids that are as far apart share one. */
const APART = 64

interface Stage {
  readonly story: StoreStory
  run(sql: string): Promise<unknown>
}

const postgres = await usePostgres()

describe('on SQLite, a search', () => {
  describeSearch('', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'posthorn-'))
    const file = join(folder, 'posthorn.db')
    const open = () => openSqliteStore({ file, keys: TEST_KEYS, inline: true })
    const remove = async () => rmSync(folder, { recursive: true })
    const run = async (sql: string) => {
      const database = new DatabaseSync(file)
      database.exec(sql)
      database.close()
    }
    return { story: await StoreStory.begin(async () => ({ open, openTool: open, remove })), run }
  })
})

describe.skipIf(postgres.isMissing)('on PostgreSQL, a search', () => {
  describeSearch('bucket, ', async () => {
    const database = await postgres.takeDatabase()
    const open = () => openPostgresStore({ url: database.url, keys: TEST_KEYS, clock: systemClock })
    const remove = () => database.giveBack()
    return {
      story: await StoreStory.begin(async () => ({ open, openTool: open, remove })),
      run: (sql) => database.query(sql),
    }
  })
})

function describeSearch(bucket: '' | 'bucket, ', begin: () => Promise<Stage>): void {
  let story: StoreStory
  let client: AccountId
  let other: AccountId
  let first: Message

  /** Many messages of another account follow, a second and a posting each; a third of them share a client id. */
  beforeEach(async () => {
    const stage = await begin()
    story = stage.story
    const accounts = await Promise.all(Array.from({ length: APART + 1 }, () => story.account()))
    client = Math.min(...accounts) as AccountId
    other = accounts.find((id) => id !== client && id % APART === client % APART) as AccountId
    first = await story.accepted(client, { clientId: '"order-1"' })
    const same = 'phone, plan, report_steps, currency'
    const numbers = `WITH RECURSIVE later (number) AS
      (SELECT 1 UNION ALL SELECT number + 1 FROM later WHERE number < ${OTHERS})`
    await stage.run(`
      ${numbers} INSERT INTO message (${bucket}msg_id, account_id, client_id, ${same}, created_at, version, status, journey, test)
      SELECT ${bucket}msg_id + ${APART} * number, ${other}, '"later-' || (number % 3) || '"', ${same},
        created_at + ${DAY_MS} + number * 1000, version, status, journey, test FROM message CROSS JOIN later;
      ${numbers} INSERT INTO posting (${bucket}account_id, posting_id, msg_id, kind, amount_micros, at)
      SELECT ${bucket}${other}, posting_id + number, msg_id + ${APART} * number, kind, amount_micros, at
      FROM posting CROSS JOIN later WHERE kind = 'hold'`)
  })
  afterEach(() => story.end())

  /** On the first page. */
  const idsOf = async (search: object) => {
    const query = { of: 'messages', accountId: null, phone: null, status: null, after: null, limit: 10 } as const
    const { rows } = await story.store.page({ ...query, ...search })
    return rows.map(({ id }) => id)
  }

  it('finds a message by its client id', async () => {
    for (const accountId of [client, null]) {
      const match = { ...MATCH, clientId: '"order-1"' }
      expect(await idsOf({ accountId, match })).toEqual([first.id])
    }
  })

  it('finds the newest of many messages with a client id or a phone', async () => {
    const last = first.id + APART * OTHERS
    const match = { ...MATCH, clientId: '"later-0"' }
    for (const accountId of [other, null]) {
      expect(await idsOf({ accountId, match, limit: 2 })).toEqual([last, last - 3 * APART])
      expect(await idsOf({ accountId, match, limit: 1, after: last })).toEqual([last - 3 * APART])
      expect(await idsOf({ accountId, match, phone: first.phone, limit: 1 })).toEqual([last])
      expect(await idsOf({ accountId, phone: first.phone, limit: 2 })).toEqual([last, last - APART])
    }
    expect(await idsOf({ accountId: client, phone: first.phone })).toEqual([])
    expect(await idsOf({ phone: first.phone, after: first.id + 1 })).toEqual([first.id])
  })

  it('finds the newest message that a client names', async () => {
    const names = ['"later-0"', '"order-1"'].map((clientId) => ({ messageId: null, clientId, test: false }))
    const found = await story.store.findMessages(other, names)
    expect(found.map((message) => message?.id)).toEqual([first.id + APART * OTHERS, undefined])
    expect(await story.store.findMessages(other, [{ messageId: null, clientId: '"later-0"', test: true }])).toEqual([
      null,
    ])
  })

  it('finds the messages of an account, also with a status', async () => {
    expect(await idsOf({ accountId: client })).toEqual([first.id])
    expect(await idsOf({ accountId: client, status: 'QUEUED' })).toEqual([first.id])
    expect(await idsOf({ accountId: client, status: 'DELIVERED' })).toEqual([])
  })

  it('finds messages of a time', async () => {
    expect(await idsOf({ match: { ...MATCH, until: BEGINNING + 1_000 } })).toEqual([first.id])
    const from = BEGINNING + DAY_MS + OTHERS * 1_000
    expect(await idsOf({ match: { ...MATCH, from } })).toEqual([first.id + APART * OTHERS])
  })

  it('finds the postings of an account alone, although accounts count their own', async () => {
    const page = await story.store.page({ of: 'postings', accountId: client, after: null, limit: 10 })
    expect(page).toMatchObject({ rows: [{ kind: 'hold', messageId: first.id }, { kind: 'top-up' }], next: null })
  })
}
