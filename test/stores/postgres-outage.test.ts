/**
 * Failures between a node and its database: connections at a commit, the server, the network, the primary. Acknowledged
 * requests stay, refused ones leave no trace, and nothing happens twice.
 */

import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/app/system/system-clock.ts'
import type { AccountId } from '../../src/domain/ids/account-id.ts'
import type { MessageId } from '../../src/domain/ids/message-id.ts'
import type { Clock } from '../../src/ports/system/clock.ts'
import { openPostgresStore } from '../../src/stores/postgres/open-store.ts'
import type { PostgresStore } from '../../src/stores/postgres/postgres-store.ts'
import { messageItem, StoreStory } from '../conformance/store/store-story.ts'
import { BadWire } from '../support/bad-wire.ts'
import { BEGINNING } from '../support/build-message.ts'
import { eventually, settled } from '../support/eventually.ts'
import { receipt, TEST_CARRIER, taken } from '../support/make-turn.ts'
import type { TestDatabase } from '../support/postgres-databases.ts'
import { type PostgresServer, startPostgres } from '../support/postgres-server.ts'
import { useSmallDisk } from '../support/small-disk.ts'
import { allOf, claimAll } from '../support/take-from-queues.ts'
import { TEST_KEYS } from '../support/test-keys.ts'
import { usePostgres } from '../support/use-postgres.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

const PRICE_MICROS = 50_000

const postgres = await usePostgres()
const smallDisk = useSmallDisk(64)

function openStore(url: string, clock: Clock = systemClock): Promise<PostgresStore> {
  return openPostgresStore({ url, keys: TEST_KEYS, clock })
}

function storyOf(store: PostgresStore): Promise<StoreStory> {
  return StoreStory.begin(async () => ({
    open: async () => store,
    openTool: async () => store,
    remove: async () => {},
  }))
}

describe.skipIf(postgres.isMissing)('a node whose database', () => {
  let database: TestDatabase
  let wire: BadWire
  let address: string
  let store: PostgresStore
  let story: StoreStory
  let client: AccountId
  beforeEach(async () => {
    // A new one for each test: one whose server has crashed is not used again.
    database = await postgres.takeDatabase({ isNew: true })
    wire = await BadWire.open(postgres.server.port)
    const url = new URL(database.url)
    url.port = String(wire.port)
    address = url.href
    store = await openStore(address)
    story = await storyOf(store)
    client = await story.account(100 * PRICE_MICROS)
  })
  afterEach(async () => {
    await store.close()
    await wire.close()
    await database.giveBack()
  })

  const send = () => story.accept(client, [messageItem(story.message(client))])
  const expectSent = async (count: number) => {
    expect(await store.counts()).toMatchObject({ open: count })
    const held = count * PRICE_MICROS
    expect(await store.balancesOf(client)).toMatchObject({ held, available: 100 * PRICE_MICROS - held })
    expect(await store.verifyLedger()).toEqual([])
  }

  it.each(['before the commit', 'after the commit'] as const)('loses the connection %s does it once', async (cut) => {
    wire.cuts.push(cut)
    expect(await send()).toMatchObject([{ kind: 'accepted' }])
    expect(wire.cuts).toEqual([])
    await expectSent(1)
  })

  it('loses one connection after another does every request once', async () => {
    const kinds: unknown[] = []
    for (let round = 0; round < 10; round += 1) {
      wire.cuts.push(round % 2 === 0 ? 'after the commit' : 'before the commit')
      const answers = await Promise.all(Array.from({ length: 4 }, send))
      kinds.push(...answers.map(([outcome]) => outcome?.kind))
    }
    expect(kinds).toEqual(kinds.map(() => 'accepted'))
    expect(wire.cuts).toEqual([])
    await expectSent(40)
  })

  it('loses the connection after the commit of a turn recognizes the turn', async () => {
    const message = await story.accepted(client)
    wire.cuts.push('after the commit')
    const carried = await story.after(taken(message, ['ref-1']))
    wire.cuts.push('before the commit')
    await story.after(receipt(carried, 'delivered'))
    expect(await store.balancesOf(client)).toMatchObject({ held: 0, earned: PRICE_MICROS })
    expect((await store.trace(message.id))?.postings.map(({ kind }) => kind)).toEqual(['hold', 'charge'])
  })

  it('stays away for too long refuses, and releases what may have been written', async () => {
    await store.close()
    const clock = new VirtualClock()
    store = await openStore(address, clock)
    story.store = store
    const patiently = <T>(work: Promise<T>) => settled('it to be done', work, clock)
    const answered = await story.accepted(client)
    wire.cuts.push('after the commit')
    wire.shut()
    await expect(patiently(send())).rejects.toMatchObject({
      name: 'StoreError',
      message: expect.stringMatching(/may have been written$/),
    })
    await expect(patiently(send())).rejects.toMatchObject({ name: 'StoreError' })
    wire.unshut()
    // Tried at once; advancing the clock here would make a slow machine look unresponsive.
    expect(await send()).toMatchObject([{ kind: 'accepted' }])
    // The first was accepted, the second never: a claim finds what is due, and nothing that is held.
    await expectSent(3)
    const messages = allOf(await claimAll(store, { now: BEGINNING }))
    expect(messages).toHaveLength(1)
    expect(messages[0]?.id).not.toBe(answered.id)
  })

  it('cannot look for early receipts records the turn, and finds them later', async () => {
    const message = await story.accepted(client)
    const early = { carrierId: TEST_CARRIER, ref: 'ref-1', outcome: 'delivered', detail: '' } as const
    await store.matchReceipts([early], BEGINNING)
    // As if one server of a distributed database were unavailable.
    await database.query('ALTER TABLE early_receipt RENAME TO away')
    expect((await story.record(taken(message, ['ref-1']))).earlyReceipts).toEqual([])
    await database.query('ALTER TABLE away RENAME TO early_receipt')
    const claim = { now: BEGINNING, channels: ['sms'], limit: 10 } as const
    const { earlyReceipts } = await store.claimDue(claim)
    expect(earlyReceipts).toEqual([{ receipt: early, address: { messageId: message.id, step: 0, part: 0 } }])
  })

  it('cannot look for early receipts still claims what is due', async () => {
    await store.close()
    const clock = new VirtualClock()
    store = await openStore(address, clock)
    story.store = store
    const message = await story.accepted(client, {}, { waits: true })
    await database.query('ALTER TABLE early_receipt RENAME TO away')
    // The next timer may be the time limit of a statement that a slow machine is still executing.
    const claim = settled('the claim', claimAll(store, { now: BEGINNING }), clock, { stepMs: 200 })
    expect(allOf(await claim).map(({ id }) => id)).toEqual([message.id])
    await database.query('ALTER TABLE away RENAME TO early_receipt')
  })

  it('has room for fewer locks than a request has limits accepts it', async () => {
    const message = story.message(client)
    const limits = Array.from({ length: 40_000 }, (_, number) => ({
      ...({ accountId: null, guard: 'phone', key: `phone/60 ${number}`, slot: 7, since: 7 } as const),
      ...{ maxMessages: 1, maxMicros: null, keepUntil: BEGINNING + 1_000 },
    }))
    const outcomes = await story.accept(client, [messageItem(message, { counts: [0] })], { limits })
    expect(outcomes).toMatchObject([{ kind: 'accepted' }])
  })

  it('stops answering is given up in bounded time', async () => {
    await store.close()
    const clock = new VirtualClock()
    store = await openStore(address, clock)
    story.store = store
    await story.accepted(client)
    wire.hush()
    await settled('the store to be closed', store.close(), clock)
    expect(clock.nextAt()).toBeNull()
  })

  it('crashes and restarts continues, and loses no acknowledged request', async () => {
    const answered = (await Promise.all(Array.from({ length: 5 }, () => story.accepted(client)))).map(({ id }) => id)
    await postgres.server.halt('at once')
    const concurrent = Promise.allSettled(Array.from({ length: 5 }, () => story.accepted(client)))
    await postgres.server.start()
    for (const each of await concurrent) if (each.status === 'fulfilled') answered.push(each.value.id)
    answered.push((await story.accepted(client)).id)
    expect((await store.loadMessages(answered)).map(({ id }) => id)).toEqual(answered)
    expect(await store.verifyLedger()).toEqual([])
  }, 60_000)
})

describe.skipIf(postgres.isMissing)('a node whose database has no room', () => {
  let database: TestDatabase
  let store: PostgresStore
  let story: StoreStory
  let client: AccountId
  const begin = async (url: string, clock: Clock = systemClock) => {
    store = await openStore(url, clock)
    story = await storyOf(store)
    client = await story.account(1e9)
  }
  const send = () => story.accept(client, [messageItem(story.message(client))])
  const expectWhole = async (accepted: number) => {
    expect(await store.counts()).toMatchObject({ open: accepted })
    expect(await store.verifyLedger()).toEqual([])
  }

  it('for another connection refuses in time, and continues once there is', async () => {
    database = await postgres.takeDatabase({ isNew: true })
    await database.query(`CREATE ROLE clerk LOGIN PASSWORD 'sesame'; ALTER DATABASE ${database.name} OWNER TO clerk;
      ALTER SCHEMA public OWNER TO clerk`)
    const clock = new VirtualClock()
    await begin(database.url.replace('posthorn:', 'clerk:'), clock)
    await send()
    await database.query(`ALTER ROLE clerk CONNECTION LIMIT 0;
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'clerk'`)
    await expect(settled('it to be refused', send(), clock)).rejects.toMatchObject({ name: 'StoreError' })
    await database.query('ALTER ROLE clerk CONNECTION LIMIT -1')
    expect(await send()).toMatchObject([{ kind: 'accepted' }])
    await expectWhole(2)
    await store.close()
  })

  it.skipIf(!smallDisk.isThere)('on its disk refuses in time, and goes on once there is', async () => {
    const name = 'on_small_disk'
    await postgres.server.query(
      'postgres',
      `CREATE TABLESPACE small LOCATION '${smallDisk.makeFolder(join(postgres.server.folder, 'data'))}'`,
    )
    await postgres.server.query('postgres', `CREATE DATABASE ${name} TABLESPACE small`)
    await begin(postgres.server.urlOf(name))
    await store.checkWrites()
    smallDisk.fill()
    await expect(store.checkWrites()).rejects.toThrow(/No space left on device/)
    let accepted = 0
    const sendOn = async () => {
      for (;;) accepted += (await send()).length
    }
    await expect(sendOn()).rejects.toThrow(/No space left on device/)
    await expect(send()).rejects.toMatchObject({ name: 'StoreError' })
    smallDisk.clear()
    await store.checkWrites()
    expect(await send()).toMatchObject([{ kind: 'accepted' }])
    await expectWhole(accepted + 1)
    await store.close()
    await postgres.server.query('postgres', `DROP DATABASE ${name}`)
    await postgres.server.query('postgres', 'DROP TABLESPACE small')
  })
})

describe.skipIf(postgres.isMissing)('a node on a primary with a standby', () => {
  let primary: PostgresServer
  let standby: PostgresServer
  beforeAll(async () => {
    primary = await startPostgres({ settings: ['wal_level=replica', 'synchronous_standby_names=*'] })
    await primary.halt()
    standby = await startPostgres({
      standbyOf: primary,
      settings: ['synchronous_standby_names=', 'wal_retrieve_retry_interval=100ms'],
    })
    await primary.start()
  }, 60_000)
  afterAll(async () => {
    await standby?.stop()
    await primary?.stop()
  }, 60_000)

  it('continues with the standby once that is the primary, and loses no acknowledged request', async () => {
    const hosts = [primary, standby].map(({ port }) => `127.0.0.1:${port}`)
    const store = await openStore(primary.urlOf('postgres').replace(/127\.0\.0\.1:\d+/, hosts.join(',')))
    const story = await storyOf(store)
    const client = await story.account(1e9)
    const answered: MessageId[] = []
    for (let round = 0; round < 20; round += 1) answered.push((await story.accepted(client)).id)
    await primary.halt('at once')
    // Refused, and perhaps written, while no server takes writes.
    const concurrent = Promise.allSettled(Array.from({ length: 5 }, () => story.accepted(client)))
    await standby.query('postgres', 'SELECT pg_promote(false)')
    for (const each of await concurrent) if (each.status === 'fulfilled') answered.push(each.value.id)
    answered.push(await eventually('a server to take writes', async () => (await story.accepted(client)).id))
    expect((await store.loadMessages(answered)).map(({ id }) => id)).toEqual(answered)
    expect(await store.verifyLedger()).toEqual([])
    await store.close()
  }, 60_000)
})
