/** Several nodes on one database: nothing twice, nothing lost, and money as with a single node. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { BulkView } from '../../src/domain/bulk/bulk.ts'
import type { AccountId } from '../../src/domain/ids/account-id.ts'
import { type BulkId, bucketOfMessage, type MessageId, makeMessageId } from '../../src/domain/ids/message-id.ts'
import type { Message } from '../../src/domain/message/message.ts'
import type { QueueOrder } from '../../src/ports/records/due-claim.ts'
import type { OfBulk } from '../../src/ports/stores/bulk-store.ts'
import { VERSION } from '../../src/ports/system/user-agent.ts'
import { bucketsOfNode } from '../../src/stores/postgres/cluster/share.ts'
import { messageItem, recorded } from '../conformance/store/store-story.ts'
import { BEGINNING, buildPlan } from '../support/build-message.ts'
import { eventually } from '../support/eventually.ts'
import { receipt, refused, TEST_CARRIER, taken, unclear } from '../support/make-turn.ts'
import { claimed, live, type StoreNode, StoreNodes } from '../support/store-nodes.ts'
import { allOf, claimAll } from '../support/take-from-queues.ts'
import { usePostgres } from '../support/use-postgres.ts'

const postgres = await usePostgres()

describe.skipIf(postgres.isMissing)('several nodes', () => {
  let world: StoreNodes
  beforeEach(async () => {
    world = await StoreNodes.start(postgres)
  })
  afterEach(() => world.stop())

  it('seal queries of hook addresses once no gateway of a version that cannot open them is left', async () => {
    const old = await world.open()
    await world.database.query(`UPDATE node SET opens_addresses = 0 WHERE node = (SELECT max(node) FROM node)`)
    await live([world.first], 1)
    const client = await world.story.account()
    const hook = 'https://client.example/hook?token=S3CRET'
    const stored = async ({ id }: Message) =>
      (await world.database.query(`SELECT hook FROM message WHERE msg_id = ${id}`))[0]?.['hook']
    const beside = await world.story.accepted(client, { hook })
    expect(await stored(beside)).toBe(hook)
    await old.store.close()
    await live([world.first], 1)
    const alone = await world.story.accepted(client, { hook })
    expect(await stored(alone)).toMatch(/^https:\/\/client\.example\/hook\?v2\./)
    expect((await world.first.store.loadMessages([beside.id, alone.id])).map((message) => message.hook)).toEqual([
      hook,
      hook,
    ])
    await world.first.store.sealAnew()
    expect(await stored(beside)).toMatch(/\?v2\./)
  })

  it('add to the same statistics of all accounts when they roll up at the same time', async () => {
    const second = await world.open()
    await live([world.first, second], 2)
    // Two accounts share a bucket.
    for (let account = 0; account < 24; account += 1) {
      const accountId = await world.story.account()
      for (const _ of [1, 2, 3]) await world.story.accepted(accountId)
    }
    const left = () => world.database.query('SELECT DISTINCT bucket FROM message_total WHERE level = 0')
    expect(await left()).toHaveLength(12)
    for (const hours of [3, 4])
      await Promise.all(
        [world.first, second].map(({ store }) =>
          store.sweep(BEGINNING + hours * 3_600_000, { settledKeptDays: null, inboundKeptDays: null }),
        ),
      )
    expect(await left()).toEqual([])
    const ofAll = 'SELECT bucket, level, messages::int FROM message_total WHERE level IN (3, 4) ORDER BY level'
    expect(await world.database.query(ofAll)).toEqual([3, 4].map((level) => ({ bucket: 0, level, messages: 72 })))
  })

  describe('and a message held by one of them', () => {
    it('leave it there when another records a turn of it', async () => {
      const second = await world.open()
      const message = await world.story.accepted(await world.story.account())
      const turn = unclear(message)
      const late = recorded(turn, { held: true, fromOtherNode: true })
      expect(await second.store.record([late])).toMatchObject({ stale: [], elsewhere: [message.id] })
      const stored = await world.database.query('SELECT node, version FROM due JOIN message USING (msg_id)')
      expect(stored).toMatchObject([{ node: 1, version: turn.message.journey.version }])
      await world.first.store.release([message.id])
      expect(await second.store.record([recorded(taken(turn.message, ['a']), { fromOtherNode: true })])).toMatchObject({
        elsewhere: [],
      })
    })
  })

  describe('and connection slots', () => {
    const take = async ({ store }: StoreNode, inUse: readonly number[] = [], slots = 5) => {
      const [held] = await store.cluster.takeSlots([{ carrierId: 'smsc', slots: slots, inUse }])
      return held ?? []
    }

    it('hold every slot between them, and none twice', async () => {
      expect(await take(world.first)).toEqual([0, 1, 2, 3, 4])
      const second = await world.open()
      await live([world.first], 1)
      // The first node's connections are still open; it may no longer use all of them.
      const kept = await take(world.first, [0, 1, 2, 3, 4])
      expect(kept.length).toBeLessThan(4)
      expect(await take(second)).toEqual([])
      expect(await take(world.first, kept)).toEqual(kept)
      const others = await take(second)
      expect([...kept, ...others].sort()).toEqual([0, 1, 2, 3, 4])
      expect(await take(second, others)).toEqual(others)
    })

    it('hold none if there are too few, and get one when it is free', async () => {
      const second = await world.open()
      await live([world.first], 1)
      const [one, other] = [await take(world.first, [], 1), await take(second, [], 1)]
      expect([...one, ...other]).toEqual([0])
      const [has, waits] = one.length > 0 ? [world.first, second] : [second, world.first]
      await world.close(has)
      await live([waits], 1)
      expect(await take(waits, [], 1)).toEqual([0])
    })

    it('release those of a removed carrier', async () => {
      await take(world.first)
      expect(await world.first.store.cluster.takeSlots([])).toEqual([])
      expect(await world.database.query('SELECT * FROM carrier_slot')).toEqual([])
    })

    it('know how many of them accept requests', async () => {
      const counted = () => world.first.store.cluster.intakeNodes
      expect(counted()).toBe(1)
      await world.open()
      await live([world.first], 1)
      expect(counted()).toBe(2)
      await world.open('tool')
      await live([world.first], 1)
      expect(counted()).toBe(2)
    })

    it('send nothing once others may declare them dead, until their next heartbeat', async () => {
      const { cluster } = world.first.store
      expect(cluster.mayAct()).toBe(true)
      await world.database.query('ALTER TABLE node RENAME TO hidden')
      await live([world.first], 3)
      expect(cluster.mayAct()).toBe(true)
      await live([world.first], 1)
      expect(cluster.mayAct()).toBe(false)
      await world.database.query('ALTER TABLE hidden RENAME TO node')
      await live([world.first], 1)
      expect(cluster.mayAct()).toBe(true)
    })

    it('forward messages to any node that has the carrier, whatever its share', async () => {
      const second = await world.open()
      await live([world.first], 1)
      const client = await world.story.account()
      const messages = await Promise.all(Array.from({ length: 20 }, () => world.story.accepted(client)))
      const orders = messages.map(({ id, journey }) => ({
        messageId: id,
        version: journey.version,
        ...{ channel: 'sms', carriers: ['smsc'], routing: 'now', tenant: 6, dueAt: BEGINNING + 60_000 },
      })) as readonly QueueOrder[]
      await world.first.store.enqueue(orders)
      const without = { now: BEGINNING, routing: 'now' }
      for (const { store } of [world.first, second]) expect(allOf(await claimAll(store, without))).toEqual([])
      const { forCarriers } = await claimAll(second.store, { ...without, carriers: ['smsc'] })
      expect([...forCarriers].sort()).toEqual(messages.map(({ id }) => id).sort())
    })
  })

  describe('and money', () => {
    it('accept exactly what is paid for, on any of them', async () => {
      const nodes = [world.first, await world.open(), await world.open()]
      const accounts = [
        await world.story.account(100 * 50_000),
        await world.story.account(70 * 50_000),
        await world.story.account(0),
      ]
      const requests = accounts.flatMap((accountId) =>
        Array.from({ length: 150 }, (_, index) => {
          const { store } = nodes[index % nodes.length] as StoreNode
          const items = [messageItem(world.story.message(accountId))]
          return store.accept({ accountId, now: BEGINNING, idempotency: null, items })
        }),
      )
      const outcomes = (await Promise.all(requests)).map((answer) => {
        return answer.kind === 'executed' ? answer.outcomes[0]?.kind : answer.kind
      })
      const accepted = [0, 1, 2].map(
        (index) => outcomes.slice(index * 150, (index + 1) * 150).filter((kind) => kind === 'accepted').length,
      )
      expect(accepted).toEqual([100, 70, 0])
      expect(await world.story.store.balancesOf(accounts[0] as AccountId)).toMatchObject({
        available: 0,
        held: 5_000_000,
      })
      expect(await world.story.store.verifyLedger()).toEqual([])
    })

    it('execute a request once, even if it is repeated to another node', async () => {
      const nodes = [world.first, await world.open(), await world.open()]
      const client = await world.story.account()
      const idempotency = { key: 'k', bodyHash: 'h', draft: 'd', keepUntil: BEGINNING + 1_000 }
      const answers = await Promise.all(
        nodes.map(({ store }) => {
          const items = [messageItem(world.story.message(client))]
          return store.accept({ accountId: client, now: BEGINNING, idempotency, items })
        }),
      )
      expect(answers.map(({ kind }) => kind).sort()).toEqual(['executed', 'replayed', 'replayed'])
      expect(await world.story.store.counts()).toMatchObject({ open: 1 })
    })

    it('give no phone the same code twice, and no client id a second message', async () => {
      const nodes = [world.first, await world.open(), await world.open()]
      const client = await world.story.account()
      const candidates = ['0001', '0002', '0003'].map((code) => ({ kind: 'call', from: `4930${code}`, code }) as const)
      const limit = { max: 9, since: 0 }
      const calls = await Promise.all(
        nodes.map(({ store }) => {
          const message = world.story.message(client, { plan: buildPlan('call') })
          const call = { kind: 'call', message, waits: false, candidates, codesSince: 0, limit } as const
          return store.accept({ accountId: client, now: BEGINNING, idempotency: null, items: [call] })
        }),
      )
      expect(new Set(calls.map((answer) => JSON.stringify(answer).match(/"code":"(\d+)"/)?.[1])).size).toBe(3)
      const unique = await Promise.all(
        nodes.map(({ store }) => {
          const items = [messageItem(world.story.message(client, { clientId: '"a"' }), { uniqueId: true })]
          return store.accept({ accountId: client, now: BEGINNING, idempotency: null, items })
        }),
      )
      expect(unique.map((answer) => JSON.stringify(answer).match(/accepted|repeated/)?.[0]).sort()).toEqual([
        'accepted',
        'repeated',
        'repeated',
      ])
    })

    it('record one of two turns, whether they are alike or differ', async () => {
      const other = await world.open()
      const client = await world.story.account()
      const message = await world.story.accepted(client)
      const turn = taken(message, ['ref-1'])
      const how = { held: false, reportsHeld: true, clickedCode: null }
      const same = await Promise.all([world.first, other].map(({ store }) => store.record([{ turn, ...how }])))
      expect(same.flatMap(({ stale }) => stale)).toEqual([message.id])
      const ends = [receipt(turn.message, 'delivered'), receipt(turn.message, 'undeliverable')]
      const different = await Promise.all(
        ends.map((end, index) => (index === 0 ? world.first : other).store.record([{ turn: end, ...how }])),
      )
      expect(different.flatMap(({ stale }) => stale)).toEqual([message.id])
      expect(await world.story.store.verifyLedger()).toEqual([])
    })

    it('recognize a recorded turn, even after later ones', async () => {
      const other = await world.open()
      const message = await world.story.accepted(await world.story.account())
      const how = { held: true, reportsHeld: true, clickedCode: null }
      const begun = taken(message, ['ref-1'])
      const last = receipt(begun.message, 'delivered')
      await world.first.store.record([{ turn: begun, ...how }])
      await other.store.record([{ turn: last, ...how, held: false, fromOtherNode: true }])
      // As if the acknowledgement of the first try was lost.
      const again = await world.first.store.record([{ turn: begun, ...how, again: true }])
      expect(again).toMatchObject({ stale: [], elsewhere: [message.id] })
      const both = await world.first.store.record(
        [begun, last].map((turn) => ({ turn, ...how, held: false, again: true })),
      )
      expect(both).toMatchObject({ stale: [], elsewhere: [] })
      const { timeline, reports } = (await world.story.store.trace(message.id)) ?? {}
      expect(timeline?.map(({ kind }) => kind)).toEqual(['taken', 'delivered'])
      expect(reports).toHaveLength(begun.reports.length + last.reports.length)
    })
  })

  describe('and due messages', () => {
    const waiting = async (count: number): Promise<readonly Message[]> => {
      const client = await world.story.account(1e9)
      const elsewhere = await world.story.account(1e9)
      const messages = Array.from({ length: count }, (_, index) =>
        world.story.message(index % 2 === 0 ? client : elsewhere),
      )
      for (const message of messages)
        await world.story.accept(message.accountId, [messageItem(message, { waits: true })])
      return messages
    }

    it('share the buckets, each with one of them', () => {
      const nodes = [1, 2, 3, 7]
      const shares = nodes.map((node) => bucketsOfNode(node, nodes))
      expect(shares.flat().sort((a, b) => a - b)).toEqual(Array.from({ length: 64 }, (_, bucket) => bucket))
      for (const share of shares) expect(share.length).toBeGreaterThan(5)
      const before = new Set(bucketsOfNode(7, nodes))
      expect(bucketsOfNode(7, [2, 3, 7]).filter((bucket) => before.has(bucket))).toHaveLength(before.size)
      expect(bucketsOfNode(9, nodes)).toEqual([])
    })

    it('claim every message once, each from its own share', async () => {
      const other = await world.open()
      await live([world.first], 1)
      const messages = await waiting(40)
      const [mine, theirs] = await Promise.all([claimed(world.first), claimed(other)])
      expect([...mine, ...theirs].sort()).toEqual(messages.map(({ id }) => id).sort())
      const buckets = (ids: readonly MessageId[]) => new Set(ids.map(bucketOfMessage))
      expect(buckets(mine).isDisjointFrom(buckets(theirs))).toBe(true)
      expect(await claimed(other)).toEqual([])
    })

    it('find every due bulk, each of its own share, however many of the other come before', async () => {
      const other = await world.open()
      await live([world.first], 1)
      const made: BulkId[] = []
      for (let counter = 1; counter <= 12; counter += 1) {
        const accountId = await world.story.account()
        const id = makeMessageId(counter, accountId)
        const content = { message: '{}', currency: 'EUR', pace: 1, createdAt: BEGINNING } as const
        const bulk = { id, accountId, test: false, clientId: null, hook: null, ...content }
        await world.story.store.bulk({ kind: 'create', accountId, bulk, maxOpen: 1 })
        const start = { kind: 'start', at: BEGINNING, startAt: BEGINNING } as const
        await world.story.store.bulk({ kind: 'command', accountId, bulkId: id, command: start })
        made.push(id)
      }
      const due = async ({ store }: StoreNode) => {
        const ids: BulkId[] = []
        for (let after: OfBulk | null = null, more = true; more; ) {
          const page: readonly BulkView[] = await store.dueBulks({ now: BEGINNING, after, limit: 1 })
          for (const { id, accountId } of page) {
            ids.push(id)
            after = { accountId, bulkId: id }
          }
          more = page.length === 1
        }
        return ids
      }
      const [mine, theirs] = await Promise.all([due(world.first), due(other)])
      expect(Math.min(mine.length, theirs.length)).toBeGreaterThan(0)
      expect([...mine, ...theirs].sort((a, b) => a - b)).toEqual(made)
    })

    it('are notified when another comes or goes, and look again soon while there are others', async () => {
      const other = await world.open()
      await live([world.first], 1)
      expect(world.first.events).toEqual(['due'])
      const { nextDueAt } = await world.first.store.claimDue({ now: BEGINNING, limit: 1 })
      expect(nextDueAt).toBe(BEGINNING + 1_000)
      await other.store.close()
      await live([world.first], 1)
      expect(world.first.events).toEqual(['due', 'due'])
      expect((await world.first.store.claimDue({ now: BEGINNING, limit: 1 })).nextDueAt).toBeNull()
    })

    it('look again at once if anything may have changed while they looked', async () => {
      const message = await world.story.after(unclear(await world.story.accepted(await world.story.account())), {
        held: false,
      })
      const dueAt = message.journey.dueAt ?? 0
      const claim = { now: dueAt - 10, limit: 1 } as const
      const claiming = world.first.store.claimDue(claim)
      world.first.store.expectDue()
      expect((await claiming).nextDueAt).toBe(claim.now)
      expect((await world.first.store.claimDue(claim)).nextDueAt).toBe(dueAt)
    })

    it('claim unheld messages once they are due, and none that another holds', async () => {
      const other = await world.open()
      await live([world.first], 1)
      const [message] = await waiting(1)
      const id = (message as Message).id
      expect(await other.store.cluster.hold([id])).toEqual([id])
      expect(await other.store.cluster.hold([id])).toEqual([id])
      expect(await world.first.store.cluster.hold([id])).toEqual([])
      expect([...(await claimed(world.first)), ...(await claimed(other))]).toEqual([])
      await other.store.release([id])
      expect(await world.first.store.cluster.hold([id])).toEqual([id])
      await world.story.after(refused(message as Message))
      expect(await other.store.cluster.hold([id])).toEqual([])
    })

    it('are listed, only gateways, dead ones included', async () => {
      await world.open('api')
      await world.open('tool')
      const listed = await world.first.store.cluster.nodes()
      expect(listed.map(({ role }) => role)).toEqual(['all', 'api'])
      expect(listed[0]).toMatchObject({ node: world.first.store.cluster.node, name: expect.stringMatching(/./) })
      for (const { startedAt, silentMs, version, slots } of listed) {
        expect(startedAt).toBeGreaterThan(0)
        expect(silentMs).toBeGreaterThanOrEqual(0)
        expect([version, slots]).toEqual([VERSION, 0])
      }
      await world.first.store.cluster.takeSlots([{ carrierId: TEST_CARRIER, slots: 3, inUse: [] }])
      expect((await world.first.store.cluster.nodes()).map(({ slots }) => slots)).toEqual([3, 0])
    })

    it('of a version that did not write it down yet are listed without one', async () => {
      await world.database.query('INSERT INTO node (node, heartbeat, delivers, name) VALUES (900, 0, 0, $$old$$)')
      expect(await world.first.store.cluster.nodes()).toContainEqual(
        expect.objectContaining({ name: 'old', version: '' }),
      )
    })

    it('look again soon if another only accepts requests', async () => {
      await world.open('api')
      await live([world.first], 1)
      expect(world.first.events).toEqual(['due'])
      const { nextDueAt } = await world.first.store.claimDue({ now: BEGINNING, limit: 1 })
      expect(nextDueAt).toBe(BEGINNING + 1_000)
    })

    it('are notified at once of what another only accepted', async () => {
      const other = await world.open('api')
      await live([world.first], 1)
      expect(await claimed(world.first)).toEqual([])
      world.first.events.length = 0
      const client = await world.story.account(1e9)
      world.story.store = other.store
      const message = await world.story.accepted(client, {}, { waits: true })
      await eventually('the node to be notified', () => world.first.events.includes('due'))
      expect(await claimed(world.first)).toEqual([message.id])
    })

    it('find what another left for later without a notification', async () => {
      const other = await world.open()
      await live([world.first], 1)
      const now = BEGINNING
      expect([...(await claimed(world.first, now)), ...(await claimed(other, now))]).toEqual([])
      const messages = await waiting(4)
      const both = [...(await claimed(world.first, now + 1_000)), ...(await claimed(other, now + 1_000))]
      expect(both.sort()).toEqual(messages.map(({ id }) => id).sort())
    })
  })
})
