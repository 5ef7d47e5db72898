/** Accounts take turns in the queues of PostgreSQL, also where many of them share a bucket. */
import { expect, test } from 'vitest'
import { systemClock } from '../../src/app/system/system-clock.ts'
import type { AccountId } from '../../src/domain/ids/account-id.ts'
import { BUCKETS } from '../../src/domain/ids/message-id.ts'
import { openPostgresStore } from '../../src/stores/postgres/open-store.ts'
import { StoreStory } from '../conformance/store/store-story.ts'
import { BEGINNING, buildPlan } from '../support/build-message.ts'
import { claimAll } from '../support/take-from-queues.ts'
import { TEST_KEYS } from '../support/test-keys.ts'
import { usePostgres } from '../support/use-postgres.ts'

const postgres = await usePostgres()

test.skipIf(postgres.isMissing)('a queue goes on where it stopped, however far another one has come', async () => {
  const database = await postgres.takeDatabase()
  const open = () => openPostgresStore({ url: database.url, keys: TEST_KEYS, clock: systemClock })
  const story = await StoreStory.begin(async () => ({ open, openTool: open, remove: async () => {} }))
  await database.query(`ALTER TABLE account ALTER COLUMN account_id SET INCREMENT BY ${BUCKETS}`)
  const fill = async (channel: 'sms' | 'rcs', accounts: number): Promise<AccountId[]> => {
    const added = await Promise.all(Array.from({ length: accounts }, () => story.account()))
    const plan = buildPlan(channel, 'chatapp')
    for (const account of added) {
      for (let count = 0; count < 6; count += 1) await story.accepted(account, { plan }, { waits: true })
    }
    return added
  }
  // Together more than one claim reads. The accounts of the second queue are later, so that it comes further.
  const waiting = new Set([...(await fill('sms', 40)), ...(await fill('rcs', 40))])
  for (let claim = 0; claim < 4; claim += 1) {
    const { queued } = await claimAll(story.store, { now: BEGINNING, limit: 64 })
    for (const { accountId } of queued) waiting.delete(accountId)
  }
  expect([...waiting]).toEqual([])
  await story.end()
  await database.query('ALTER TABLE account ALTER COLUMN account_id SET INCREMENT BY 1')
  await database.giveBack()
})
