/**
 * A database that answers reads while its commits wait, as with a synchronous standby that is gone: requests are
 * refused in time, the operator sees why, and everything continues by itself when commits do.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AccountId } from '../../src/domain/ids/account-id.ts'
import { openPostgresStore } from '../../src/stores/postgres/open-store.ts'
import type { PostgresStore } from '../../src/stores/postgres/postgres-store.ts'
import { messageItem, StoreStory } from '../conformance/store/store-story.ts'
import { BEGINNING } from '../support/build-message.ts'
import { eventually } from '../support/eventually.ts'
import type { TestDatabase } from '../support/postgres-databases.ts'
import { TEST_KEYS } from '../support/test-keys.ts'
import { usePostgres } from '../support/use-postgres.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

const LANES = 4
const ACCOUNTS = 12
/** Connections of a node: lanes, counters, small changes, heartbeat. */
const WRITING_CONNECTIONS = LANES + 3

const postgres = await usePostgres()

describe.skipIf(postgres.isMissing)('a node whose commits wait for a standby that is gone', () => {
  let database: TestDatabase
  let clock: VirtualClock
  let store: PostgresStore
  let story: StoreStory
  let accounts: AccountId[]
  beforeEach(async () => {
    database = await postgres.takeDatabase({ isNew: true })
    clock = new VirtualClock()
    store = await openPostgresStore({ url: database.url, keys: TEST_KEYS, clock, lanes: LANES })
    story = await StoreStory.begin(async () => ({
      open: async () => store,
      openTool: async () => store,
      remove: async () => {},
    }))
    accounts = []
    for (let made = 0; made < ACCOUNTS; made += 1) accounts.push(await story.account(1e9))
  })
  afterEach(async () => {
    await letCommit()
    await store.close()
  })

  const waiting = async () => {
    const rows = await database.query(
      `SELECT application_name AS who FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND datname = '${database.name}'`,
    )
    return rows.map(({ who }) => who)
  }
  const stall = async () => {
    await database.query(`ALTER SYSTEM SET synchronous_standby_names = 'ghost'`)
    await database.query('SELECT pg_reload_conf()')
    // The server applies the setting after a while; then this commit waits too.
    await eventually('commits to wait', async () => {
      postgres.server.query(database.name, 'CREATE TABLE IF NOT EXISTS probe ()').catch(() => {})
      postgres.server.query(database.name, 'DROP TABLE IF EXISTS probe').catch(() => {})
      return (await waiting()).length > 0
    })
  }
  const letCommit = async () => {
    await database.query('ALTER SYSTEM RESET synchronous_standby_names')
    await database.query('SELECT pg_reload_conf()')
    await eventually('commits to go on', async () => (await waiting()).length === 0)
  }
  const send = (client = accounts[0] as AccountId) => story.accept(client, [messageItem(story.message(client))])
  /** Waits for the outcome while others keep reading. */
  const outcomeOf = async (work: Promise<unknown>) => {
    let outcome: unknown
    work.then(
      (answer) => {
        outcome = answer
      },
      (error: Error) => {
        outcome = error
      },
    )
    await eventually(
      'an outcome',
      async () => {
        await store.directoryRevision()
        return outcome !== undefined
      },
      { clock },
    )
    return outcome
  }

  it('refuses requests although reads succeed, and continues once commits do', async () => {
    const answered = [await story.accepted(accounts[0] as AccountId), await story.accepted(accounts[1] as AccountId)]
    await stall()
    // Its commit was sent: its outcome is unknown.
    const first = await outcomeOf(send())
    expect(first).toMatchObject({
      name: 'StoreError',
      message: expect.stringMatching(/may have been written$/),
    })
    // Those after it are refused without a trace.
    for (let round = 0; round < 3; round += 1) {
      const further = await outcomeOf(Promise.allSettled([send(), send(), send()]))
      const refused = { status: 'rejected', reason: { name: 'StoreError', message: expect.stringMatching(/standby/) } }
      expect(further).toMatchObject([refused, refused, refused])
    }
    await letCommit()
    await eventually('requests to be accepted', async () => (await send()).length === 1, { clock })
    expect(await store.counts()).toMatchObject({ open: answered.length + 2 })
    expect((await store.loadMessages(answered.map(({ id }) => id))).map(({ id }) => id)).toEqual(
      answered.map(({ id }) => id),
    )
    expect(await store.verifyLedger()).toEqual([])
    // What may have been written was written, and is due for the next claim.
    const { messages } = await store.claimDue({ now: BEGINNING, limit: 10 })
    expect(messages).toHaveLength(1)
  })

  it('reports why it is not ready, and that it is again', async () => {
    await stall()
    await eventually('the reason', () => /synchronous_standby_names/.test(store.cluster.whyIdle() ?? ''), { clock })
    expect(store.cluster.mayAct()).toBe(false)
    await letCommit()
    await eventually('to be ready', () => store.cluster.whyIdle() === null, { clock })
  })

  it('leaves at most one waiting connection behind for each of its own, however many requests arrive', async () => {
    await stall()
    for (let round = 0; round < 3; round += 1) {
      const all = accounts.map((client) => send(client))
      await outcomeOf(Promise.allSettled([...all, store.reserveIds(1), store.noteKeyUses([])]))
    }
    const ours = (await waiting()).filter((who) => who === 'posthorn')
    expect(ours.length).toBeGreaterThan(LANES)
    expect(ours.length).toBeLessThanOrEqual(WRITING_CONNECTIONS)
    await letCommit()
  })
})
