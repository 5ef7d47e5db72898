/** Several nodes write events of one account: they become visible in the order of their positions. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/app/system/system-clock.ts'
import type { AccountId } from '../../src/domain/ids/account-id.ts'
import { EVENT_FEED } from '../../src/domain/reports/event-feed.ts'
import { openPostgresStore } from '../../src/stores/postgres/open-store.ts'
import type { PostgresStore } from '../../src/stores/postgres/postgres-store.ts'
import { recorded, StoreStory } from '../conformance/store/store-story.ts'
import { eventually } from '../support/eventually.ts'
import { refused } from '../support/make-turn.ts'
import type { TestDatabase } from '../support/postgres-databases.ts'
import { TEST_KEYS } from '../support/test-keys.ts'
import { usePostgres } from '../support/use-postgres.ts'

const postgres = await usePostgres()

describe.skipIf(postgres.isMissing)('the event feed of an account on several nodes', () => {
  let database: TestDatabase
  /** Its store is the first node. */
  let story: StoreStory
  let second: PostgresStore
  let client: AccountId
  beforeEach(async () => {
    database = await postgres.takeDatabase()
    const open = () => openPostgresStore({ url: database.url, keys: TEST_KEYS, clock: systemClock })
    story = await StoreStory.begin(async () => ({ open, openTool: open, remove: () => database.giveBack() }))
    second = await open()
    client = await story.account(100_000_000)
  })
  afterEach(async () => {
    await second.close()
    await story.end()
  })

  const nextTurn = async () => recorded(refused(await story.accepted(client, { hook: EVENT_FEED })))
  const read = (after: number) =>
    second.readEvents({ accountId: client, after, limit: 7, maxBytes: 1_000_000 }).then(({ events }) => events)

  it('has no event behind one that can be read already', async () => {
    const turn = await nextTurn()
    await story.store.record([await nextTurn()])
    // A transaction has assigned position 2 and is not committed.
    await database.query('BEGIN')
    await database.query(`UPDATE event_feed SET last = last + 1 WHERE account_id = ${client}`)
    const recording = second.record([turn])
    await eventually('the other node to wait for it', async () => {
      const waiting = 'SELECT 1 FROM pg_locks WHERE transactionid = pg_current_xact_id()::xid AND NOT granted'
      return (await database.query(waiting)).length > 0
    })
    expect((await read(0)).map(({ position }) => position)).toEqual([1])
    await database.query('COMMIT')
    await recording
    expect((await read(0)).map(({ position }) => position)).toEqual([1, 3])
  })

  it('gives a reader every event once, while both nodes write', async () => {
    const turns = []
    for (let count = 0; count < 120; count += 1) turns.push(await nextTurn())
    let written = false
    const writing = Promise.all(
      turns.map((turn, index) => (index % 2 === 0 ? story.store : second).record([turn])),
    ).then(() => {
      written = true
    })
    const seen: { readonly position: number; readonly messageId: number }[] = []
    for (let wasWritten = false; ; wasWritten = written) {
      const events = await read(seen.at(-1)?.position ?? 0)
      seen.push(...events)
      if (events.length === 0 && wasWritten) break
    }
    await writing
    expect(seen.map(({ position }) => position)).toEqual(turns.map((_, index) => index + 1))
    expect(new Set(seen.map(({ messageId }) => messageId)).size).toBe(turns.length)
  })
})
