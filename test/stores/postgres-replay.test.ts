/** Two nodes are asked at once to send failed reports again: each report is sent again by one of them. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/app/system/system-clock.ts'
import type { AccountId } from '../../src/domain/ids/account-id.ts'
import type { Store } from '../../src/ports/stores/store.ts'
import { openPostgresStore } from '../../src/stores/postgres/open-store.ts'
import type { PostgresStore } from '../../src/stores/postgres/postgres-store.ts'
import { recorded, StoreStory } from '../conformance/store/store-story.ts'
import { BEGINNING } from '../support/build-message.ts'
import { eventually } from '../support/eventually.ts'
import { refused } from '../support/make-turn.ts'
import type { TestDatabase } from '../support/postgres-databases.ts'
import { TEST_KEYS } from '../support/test-keys.ts'
import { usePostgres } from '../support/use-postgres.ts'

const postgres = await usePostgres()
const NOW = BEGINNING + 60_000
const REPORTS = 20

describe.skipIf(postgres.isMissing)('failed reports that two nodes send again', () => {
  let database: TestDatabase
  let story: StoreStory
  let second: PostgresStore
  let client: AccountId
  beforeEach(async () => {
    database = await postgres.takeDatabase()
    const open = () => openPostgresStore({ url: database.url, keys: TEST_KEYS, clock: systemClock })
    story = await StoreStory.begin(async () => ({ open, openTool: open, remove: () => database.giveBack() }))
    second = await open()
    client = await story.account(100_000_000)
    for (let index = 0; index < REPORTS; index += 1) {
      const message = await story.accepted(client, { hook: 'https://client.example/hook' })
      await story.store.record([recorded(refused(message))])
      const settled = { messageId: message.id, number: 0, at: NOW, dueAt: null, held: false, detail: 'HTTP 500' }
      await story.store.settleReports([{ ...settled, kind: 'failed' }])
    }
  })
  afterEach(async () => {
    await second.close()
    await story.end()
  })

  /** Both have chosen their reports before either can change one. */
  async function atBoth(send: (store: Store) => Promise<unknown>): Promise<number> {
    await database.query('BEGIN')
    await database.query('SELECT 1 FROM report FOR UPDATE')
    const sending = [story.store, second].map(send)
    await eventually('both nodes to wait', async () => {
      const [row] = await database.query('SELECT count(DISTINCT pid) AS waiting FROM pg_locks WHERE NOT granted')
      return Number(row?.['waiting']) === 2
    })
    await database.query('COMMIT')
    const counts = await Promise.all(sending)
    return counts.reduce<number>((all, each) => all + Number(each), 0)
  }

  it('are counted once when their client replays them', async () => {
    const replay = { accountId: client, hook: null, since: null, at: NOW }
    expect(await atBoth((store) => store.replayReports(replay))).toBe(REPORTS)
  })

  it('are counted once when an operator resends them', async () => {
    const request = { messageId: null, accountId: client, address: null, since: null, pending: false, at: NOW }
    expect(await atBoth((store) => store.change({ kind: 'resend reports', ...request }))).toBe(REPORTS)
  })
})
