/** Locks on names, which accounts share, are taken only for what a request can pay. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/app/system/system-clock.ts'
import type { UsageLimit } from '../../src/domain/guards/guards.ts'
import { openPostgresStore } from '../../src/stores/postgres/open-store.ts'
import { messageItem, StoreStory } from '../conformance/store/store-story.ts'
import { BEGINNING } from '../support/build-message.ts'
import type { TestDatabase } from '../support/postgres-databases.ts'
import { TEST_KEYS } from '../support/test-keys.ts'
import { usePostgres } from '../support/use-postgres.ts'

const postgres = await usePostgres()

describe.skipIf(postgres.isMissing)('a large request with limits of all accounts together', () => {
  let database: TestDatabase
  let story: StoreStory
  beforeEach(async () => {
    database = await postgres.takeDatabase()
    const open = () => openPostgresStore({ url: database.url, keys: TEST_KEYS, clock: systemClock })
    story = await StoreStory.begin(async () => ({ open, openTool: open, remove: () => database.giveBack() }))
  })
  afterEach(() => story.end())

  it('locks no name and reads no usage for messages that the account cannot pay', async () => {
    const poor = await story.account(10)
    const limits = Array.from({ length: 300 }, (_, n) => limit(`phone/3600 4915${n}`))
    const items = limits.map((_, n) => messageItem(story.message(poor), { counts: [n] }))
    // Another transaction has all names, and the counts themselves.
    await database.query('BEGIN')
    await database.query('LOCK TABLE usage')
    await database.query('SELECT pg_advisory_xact_lock(7678680000 + number) FROM generate_series(0, 4095) AS number')
    expect(await story.accept(poor, items, { limits })).toEqual(items.map(() => ({ kind: 'unpaid' })))
    await database.query('ROLLBACK')
  })
})

function limit(key: string): UsageLimit {
  return {
    ...{ accountId: null, guard: 'phone', key, slot: 7, since: 7 },
    ...{ maxMessages: 3, maxMicros: null, keepUntil: BEGINNING + 1_000 },
  }
}
