/** Several nodes on one database: nothing twice, nothing lost, and money as with a single node. */

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/app/system/system-clock.ts'
import type { BulkView } from '../../src/domain/bulk/bulk.ts'
import type { AccountId } from '../../src/domain/ids/account-id.ts'
import { type BulkId, bucketOfMessage, type MessageId, makeMessageId } from '../../src/domain/ids/message-id.ts'
import type { Message } from '../../src/domain/message/message.ts'
import type { CarrierReceipt } from '../../src/ports/carriers/carrier.ts'
import type { EarlyReceipt } from '../../src/ports/carriers/receipt-address.ts'
import type { NodeRole } from '../../src/ports/records/cluster.ts'
import type { QueueOrder } from '../../src/ports/records/due-claim.ts'
import type { OfBulk } from '../../src/ports/stores/bulk-store.ts'
import { VERSION } from '../../src/ports/system/user-agent.ts'
import { shareOf } from '../../src/stores/postgres/cluster/share.ts'
import { openPostgresStore } from '../../src/stores/postgres/open-store.ts'
import type { PostgresStore } from '../../src/stores/postgres/postgres-store.ts'
import { messageItem, recorded, StoreStory } from '../conformance/store/store-story.ts'
import { BEGINNING, buildPlan, buildStep } from '../support/build-message.ts'
import { eventually } from '../support/eventually.ts'
import { receipt, refused, TEST_CARRIER, taken, unclear } from '../support/make-turn.ts'
import type { TestDatabase } from '../support/postgres-databases.ts'
import { allOf, claimAll } from '../support/take-from-queues.ts'
import { TEST_KEYS } from '../support/test-keys.ts'
import { usePostgres } from '../support/use-postgres.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

const postgres = await usePostgres()

interface Node {
  readonly store: PostgresStore
  /** Stands still until a test advances it: a node that has stopped. */
  readonly clock: VirtualClock
  readonly events: string[]
}

describe.skipIf(postgres.isMissing)('several nodes', () => {
  let database: TestDatabase
  let open: Node[]
  /** Its store is the first node's. */
  let story: StoreStory
  beforeEach(async () => {
    database = await postgres.takeDatabase()
    open = []
    const { store } = await openNode()
    story = await StoreStory.begin(async () => ({
      open: async () => store,
      openTool: async () => store,
      remove: async () => {},
    }))
  })
  afterEach(async () => {
    for (const { store } of open) await store.close()
    await database.giveBack()
  })

  const openNode = async (role: NodeRole | 'tool' = 'all'): Promise<Node> => {
    const clock = new VirtualClock()
    const events: string[] = []
    const handlers = { onDue: () => events.push('due'), onLost: () => events.push('lost') }
    const store = await openPostgresStore({ url: database.url, keys: TEST_KEYS, clock, role, ...handlers })
    const node = { store, clock, events }
    open.push(node)
    return node
  }
  const first = () => open[0] as Node
  /** Lets every node but the first run for this many seconds. */
  const live = async (nodes: readonly Node[], seconds: number) => {
    for (let second = 0; second < seconds; second += 1) {
      for (const { clock } of nodes) {
        clock.advance(1_000)
        await eventually('the beat to be over', () => clock.nextAt() === clock.now() + 1_000)
      }
    }
  }
  const claimed = async (node: Node, now = BEGINNING): Promise<MessageId[]> => {
    return allOf(await claimAll(node.store, { now })).map(({ id }) => id)
  }

  it('seal queries of hook addresses once no gateway of a version that cannot open them is left', async () => {
    const old = await openNode()
    await database.query(`UPDATE node SET opens_addresses = 0 WHERE node = (SELECT max(node) FROM node)`)
    await live([first()], 1)
    const client = await story.account()
    const hook = 'https://client.example/hook?token=S3CRET'
    const stored = async ({ id }: Message) =>
      (await database.query(`SELECT hook FROM message WHERE msg_id = ${id}`))[0]?.['hook']
    const beside = await story.accepted(client, { hook })
    expect(await stored(beside)).toBe(hook)
    await old.store.close()
    await live([first()], 1)
    const alone = await story.accepted(client, { hook })
    expect(await stored(alone)).toMatch(/^https:\/\/client\.example\/hook\?v2\./)
    expect((await first().store.loadMessages([beside.id, alone.id])).map((message) => message.hook)).toEqual([
      hook,
      hook,
    ])
    await first().store.sealAnew()
    expect(await stored(beside)).toMatch(/\?v2\./)
  })

  it('add to the same statistics of all accounts when they roll up at the same time', async () => {
    const second = await openNode()
    await live([first(), second], 2)
    // Two accounts share a bucket.
    for (let account = 0; account < 24; account += 1) {
      const accountId = await story.account()
      for (const _ of [1, 2, 3]) await story.accepted(accountId)
    }
    const left = () => database.query('SELECT DISTINCT bucket FROM message_total WHERE level = 0')
    expect(await left()).toHaveLength(12)
    for (const hours of [3, 4])
      await Promise.all(
        [first(), second].map(({ store }) =>
          store.sweep(BEGINNING + hours * 3_600_000, { settledKeptDays: null, inboundKeptDays: null }),
        ),
      )
    expect(await left()).toEqual([])
    const ofAll = 'SELECT bucket, level, messages::int FROM message_total WHERE level IN (3, 4) ORDER BY level'
    expect(await database.query(ofAll)).toEqual([3, 4].map((level) => ({ bucket: 0, level, messages: 72 })))
  })

  describe('and a message held by one of them', () => {
    it('leave it there when another records a turn of it', async () => {
      const second = await openNode()
      const message = await story.accepted(await story.account())
      const turn = unclear(message)
      const late = recorded(turn, { held: true, fromOtherNode: true })
      expect(await second.store.record([late])).toMatchObject({ stale: [], elsewhere: [message.id] })
      const stored = await database.query('SELECT node, version FROM due JOIN message USING (msg_id)')
      expect(stored).toMatchObject([{ node: 1, version: turn.message.journey.version }])
      await first().store.release([message.id])
      expect(await second.store.record([recorded(taken(turn.message, ['a']), { fromOtherNode: true })])).toMatchObject({
        elsewhere: [],
      })
    })
  })

  describe('and connection slots', () => {
    const take = async ({ store }: Node, inUse: readonly number[] = [], slots = 5) => {
      const [held] = await store.cluster.takeSlots([{ carrierId: 'smsc', slots: slots, inUse }])
      return held ?? []
    }

    it('hold every slot between them, and none twice', async () => {
      expect(await take(first())).toEqual([0, 1, 2, 3, 4])
      const second = await openNode()
      await live([first()], 1)
      // The first node's connections are still open; it may no longer use all of them.
      const kept = await take(first(), [0, 1, 2, 3, 4])
      expect(kept.length).toBeLessThan(4)
      expect(await take(second)).toEqual([])
      expect(await take(first(), kept)).toEqual(kept)
      const others = await take(second)
      expect([...kept, ...others].sort()).toEqual([0, 1, 2, 3, 4])
      expect(await take(second, others)).toEqual(others)
    })

    it('hold none if there are too few, and get one when it is free', async () => {
      const second = await openNode()
      await live([first()], 1)
      const [one, other] = [await take(first(), [], 1), await take(second, [], 1)]
      expect([...one, ...other]).toEqual([0])
      const [has, waits] = one.length > 0 ? [first(), second] : [second, first()]
      await has.store.close()
      open.splice(open.indexOf(has), 1)
      await live([waits], 1)
      expect(await take(waits, [], 1)).toEqual([0])
    })

    it('release those of a removed carrier', async () => {
      await take(first())
      expect(await first().store.cluster.takeSlots([])).toEqual([])
      expect(await database.query('SELECT * FROM carrier_slot')).toEqual([])
    })

    it('know how many of them accept requests', async () => {
      const counted = () => first().store.cluster.intakeNodes
      expect(counted()).toBe(1)
      await openNode()
      await live([first()], 1)
      expect(counted()).toBe(2)
      await openNode('tool')
      await live([first()], 1)
      expect(counted()).toBe(2)
    })

    it('send nothing once others may declare them dead, until their next heartbeat', async () => {
      const { cluster } = first().store
      expect(cluster.mayAct()).toBe(true)
      await database.query('ALTER TABLE node RENAME TO hidden')
      await live([first()], 3)
      expect(cluster.mayAct()).toBe(true)
      await live([first()], 1)
      expect(cluster.mayAct()).toBe(false)
      await database.query('ALTER TABLE hidden RENAME TO node')
      await live([first()], 1)
      expect(cluster.mayAct()).toBe(true)
    })

    it('forward messages to any node that has the carrier, whatever its share', async () => {
      const second = await openNode()
      await live([first()], 1)
      const client = await story.account()
      const messages = await Promise.all(Array.from({ length: 20 }, () => story.accepted(client)))
      const orders = messages.map(({ id, journey }) => ({
        messageId: id,
        version: journey.version,
        ...{ channel: 'sms', carriers: ['smsc'], routing: 'now', tenant: 6, dueAt: BEGINNING + 60_000 },
      })) as readonly QueueOrder[]
      await first().store.enqueue(orders)
      const without = { now: BEGINNING, routing: 'now' }
      for (const { store } of [first(), second]) expect(allOf(await claimAll(store, without))).toEqual([])
      const { forCarriers } = await claimAll(second.store, { ...without, carriers: ['smsc'] })
      expect([...forCarriers].sort()).toEqual(messages.map(({ id }) => id).sort())
    })
  })

  describe('and money', () => {
    it('accept exactly what is paid for, on any of them', async () => {
      const nodes = [first(), await openNode(), await openNode()]
      const accounts = [await story.account(100 * 50_000), await story.account(70 * 50_000), await story.account(0)]
      const requests = accounts.flatMap((accountId) =>
        Array.from({ length: 150 }, (_, index) => {
          const { store } = nodes[index % nodes.length] as Node
          const items = [messageItem(story.message(accountId))]
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
      expect(await story.store.balancesOf(accounts[0] as AccountId)).toMatchObject({ available: 0, held: 5_000_000 })
      expect(await story.store.verifyLedger()).toEqual([])
    })

    it('execute a request once, even if it is repeated to another node', async () => {
      const nodes = [first(), await openNode(), await openNode()]
      const client = await story.account()
      const idempotency = { key: 'k', bodyHash: 'h', draft: 'd', keepUntil: BEGINNING + 1_000 }
      const answers = await Promise.all(
        nodes.map(({ store }) => {
          const items = [messageItem(story.message(client))]
          return store.accept({ accountId: client, now: BEGINNING, idempotency, items })
        }),
      )
      expect(answers.map(({ kind }) => kind).sort()).toEqual(['executed', 'replayed', 'replayed'])
      expect(await story.store.counts()).toMatchObject({ open: 1 })
    })

    it('give no phone the same code twice, and no client id a second message', async () => {
      const nodes = [first(), await openNode(), await openNode()]
      const client = await story.account()
      const candidates = ['0001', '0002', '0003'].map((code) => ({ kind: 'call', from: `4930${code}`, code }) as const)
      const limit = { max: 9, since: 0 }
      const calls = await Promise.all(
        nodes.map(({ store }) => {
          const message = story.message(client, { plan: buildPlan('call') })
          const call = { kind: 'call', message, waits: false, candidates, codesSince: 0, limit } as const
          return store.accept({ accountId: client, now: BEGINNING, idempotency: null, items: [call] })
        }),
      )
      expect(new Set(calls.map((answer) => JSON.stringify(answer).match(/"code":"(\d+)"/)?.[1])).size).toBe(3)
      const unique = await Promise.all(
        nodes.map(({ store }) => {
          const items = [messageItem(story.message(client, { clientId: '"a"' }), { uniqueId: true })]
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
      const other = await openNode()
      const client = await story.account()
      const message = await story.accepted(client)
      const turn = taken(message, ['ref-1'])
      const how = { held: false, reportsHeld: true, clickedCode: null }
      const same = await Promise.all([first(), other].map(({ store }) => store.record([{ turn, ...how }])))
      expect(same.flatMap(({ stale }) => stale)).toEqual([message.id])
      const ends = [receipt(turn.message, 'delivered'), receipt(turn.message, 'undeliverable')]
      const different = await Promise.all(
        ends.map((end, index) => (index === 0 ? first() : other).store.record([{ turn: end, ...how }])),
      )
      expect(different.flatMap(({ stale }) => stale)).toEqual([message.id])
      expect(await story.store.verifyLedger()).toEqual([])
    })

    it('recognize a recorded turn, even after later ones', async () => {
      const other = await openNode()
      const message = await story.accepted(await story.account())
      const how = { held: true, reportsHeld: true, clickedCode: null }
      const begun = taken(message, ['ref-1'])
      const last = receipt(begun.message, 'delivered')
      await first().store.record([{ turn: begun, ...how }])
      await other.store.record([{ turn: last, ...how, held: false, fromOtherNode: true }])
      // As if the acknowledgement of the first try was lost.
      const again = await first().store.record([{ turn: begun, ...how, again: true }])
      expect(again).toMatchObject({ stale: [], elsewhere: [message.id] })
      const both = await first().store.record([begun, last].map((turn) => ({ turn, ...how, held: false, again: true })))
      expect(both).toMatchObject({ stale: [], elsewhere: [] })
      const { timeline, reports } = (await story.store.trace(message.id)) ?? {}
      expect(timeline?.map(({ kind }) => kind)).toEqual(['taken', 'delivered'])
      expect(reports).toHaveLength(begun.reports.length + last.reports.length)
    })
  })

  describe('and due messages', () => {
    const waiting = async (count: number): Promise<readonly Message[]> => {
      const client = await story.account(1e9)
      const elsewhere = await story.account(1e9)
      const messages = Array.from({ length: count }, (_, index) => story.message(index % 2 === 0 ? client : elsewhere))
      for (const message of messages) await story.accept(message.accountId, [messageItem(message, { waits: true })])
      return messages
    }

    it('share the buckets, each with one of them', () => {
      const nodes = [1, 2, 3, 7]
      const shares = nodes.map((node) => shareOf(node, nodes))
      expect(shares.flat().sort((a, b) => a - b)).toEqual(Array.from({ length: 64 }, (_, bucket) => bucket))
      for (const share of shares) expect(share.length).toBeGreaterThan(5)
      const before = new Set(shareOf(7, nodes))
      expect(shareOf(7, [2, 3, 7]).filter((bucket) => before.has(bucket))).toHaveLength(before.size)
      expect(shareOf(9, nodes)).toEqual([])
    })

    it('claim every message once, each from its own share', async () => {
      const other = await openNode()
      await live([first()], 1)
      const messages = await waiting(40)
      const [mine, theirs] = await Promise.all([claimed(first()), claimed(other)])
      expect([...mine, ...theirs].sort()).toEqual(messages.map(({ id }) => id).sort())
      const buckets = (ids: readonly MessageId[]) => new Set(ids.map(bucketOfMessage))
      expect(buckets(mine).isDisjointFrom(buckets(theirs))).toBe(true)
      expect(await claimed(other)).toEqual([])
    })

    it('find every due bulk, each of its own share, however many of the other come before', async () => {
      const other = await openNode()
      await live([first()], 1)
      const made: BulkId[] = []
      for (let counter = 1; counter <= 12; counter += 1) {
        const accountId = await story.account()
        const id = makeMessageId(counter, accountId)
        const content = { message: '{}', currency: 'EUR', pace: 1, createdAt: BEGINNING } as const
        const bulk = { id, accountId, test: false, clientId: null, hook: null, ...content }
        await story.store.bulk({ kind: 'create', accountId, bulk, maxOpen: 1 })
        const start = { kind: 'start', at: BEGINNING, startAt: BEGINNING } as const
        await story.store.bulk({ kind: 'command', accountId, bulkId: id, command: start })
        made.push(id)
      }
      const due = async ({ store }: Node) => {
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
      const [mine, theirs] = await Promise.all([due(first()), due(other)])
      expect(Math.min(mine.length, theirs.length)).toBeGreaterThan(0)
      expect([...mine, ...theirs].sort((a, b) => a - b)).toEqual(made)
    })

    it('are notified when another comes or goes, and look again soon while there are others', async () => {
      const other = await openNode()
      await live([first()], 1)
      expect(first().events).toEqual(['due'])
      const { nextDueAt } = await first().store.claimDue({ now: BEGINNING, limit: 1 })
      expect(nextDueAt).toBe(BEGINNING + 1_000)
      await other.store.close()
      await live([first()], 1)
      expect(first().events).toEqual(['due', 'due'])
      expect((await first().store.claimDue({ now: BEGINNING, limit: 1 })).nextDueAt).toBeNull()
    })

    it('look again at once if anything may have changed while they looked', async () => {
      const message = await story.after(unclear(await story.accepted(await story.account())), { held: false })
      const dueAt = message.journey.dueAt ?? 0
      const claim = { now: dueAt - 10, limit: 1 } as const
      const claiming = first().store.claimDue(claim)
      first().store.expectDue()
      expect((await claiming).nextDueAt).toBe(claim.now)
      expect((await first().store.claimDue(claim)).nextDueAt).toBe(dueAt)
    })

    it('claim unheld messages once they are due, and none that another holds', async () => {
      const other = await openNode()
      await live([first()], 1)
      const [message] = await waiting(1)
      const id = (message as Message).id
      expect(await other.store.cluster.hold([id])).toEqual([id])
      expect(await other.store.cluster.hold([id])).toEqual([id])
      expect(await first().store.cluster.hold([id])).toEqual([])
      expect([...(await claimed(first())), ...(await claimed(other))]).toEqual([])
      await other.store.release([id])
      expect(await first().store.cluster.hold([id])).toEqual([id])
      await story.after(refused(message as Message))
      expect(await other.store.cluster.hold([id])).toEqual([])
    })

    it('are listed, only gateways, dead ones included', async () => {
      await openNode('api')
      await openNode('tool')
      const listed = await first().store.cluster.nodes()
      expect(listed.map(({ role }) => role)).toEqual(['all', 'api'])
      expect(listed[0]).toMatchObject({ node: first().store.cluster.node, name: expect.stringMatching(/./) })
      for (const { startedAt, silentMs, version, slots } of listed) {
        expect(startedAt).toBeGreaterThan(0)
        expect(silentMs).toBeGreaterThanOrEqual(0)
        expect([version, slots]).toEqual([VERSION, 0])
      }
      await first().store.cluster.takeSlots([{ carrierId: TEST_CARRIER, slots: 3, inUse: [] }])
      expect((await first().store.cluster.nodes()).map(({ slots }) => slots)).toEqual([3, 0])
    })

    it('of a version that did not write it down yet are listed without one', async () => {
      await database.query('INSERT INTO node (node, heartbeat, delivers, name) VALUES (900, 0, 0, $$old$$)')
      expect(await first().store.cluster.nodes()).toContainEqual(expect.objectContaining({ name: 'old', version: '' }))
    })

    it('look again soon if another only accepts requests', async () => {
      await openNode('api')
      await live([first()], 1)
      expect(first().events).toEqual(['due'])
      const { nextDueAt } = await first().store.claimDue({ now: BEGINNING, limit: 1 })
      expect(nextDueAt).toBe(BEGINNING + 1_000)
    })

    it('are notified at once of what another only accepted', async () => {
      const other = await openNode('api')
      await live([first()], 1)
      expect(await claimed(first())).toEqual([])
      first().events.length = 0
      const client = await story.account(1e9)
      story.store = other.store
      const message = await story.accepted(client, {}, { waits: true })
      await eventually('the node to be notified', () => first().events.includes('due'))
      expect(await claimed(first())).toEqual([message.id])
    })

    it('find what another left for later without a notification', async () => {
      const other = await openNode()
      await live([first()], 1)
      const now = BEGINNING
      expect([...(await claimed(first(), now)), ...(await claimed(other, now))]).toEqual([])
      const messages = await waiting(4)
      const both = [...(await claimed(first(), now + 1_000)), ...(await claimed(other, now + 1_000))]
      expect(both.sort()).toEqual(messages.map(({ id }) => id).sort())
    })
  })

  describe('when one dies', () => {
    it('take over what it held after five looks, and its later writes are refused', async () => {
      const client = await story.account()
      const held = await story.accepted(client)
      const ended = await story.accepted(client)
      await story.after(taken(ended, ['ref-1']))
      const other = await openNode()
      await live([other], 4)
      expect(await claimed(other)).toEqual([])
      await live([other], 2)
      expect((await claimed(other)).sort()).toEqual([held.id, ended.id].sort())
      expect(other.events).toContain('due')

      const late = { turn: taken(held, ['ref-2']), held: false, reportsHeld: true, clickedCode: null }
      const lost = { name: 'StoreError', message: 'another node has taken over from this one' }
      await expect(first().store.record([late])).rejects.toMatchObject(lost)
      const request = { accountId: client, now: BEGINNING, idempotency: null }
      const items = [messageItem(story.message(client))]
      await expect(first().store.accept({ ...request, items })).rejects.toMatchObject(lost)
      await expect(first().store.release([held.id])).rejects.toMatchObject(lost)
      const change = { kind: 'set account', accountId: client, state: 'closed' } as const
      await expect(first().store.change(change)).rejects.toMatchObject(lost)
      expect(first().events).toEqual(['lost'])
      expect(await other.store.loadMessages([held.id])).toEqual([held])
      expect(await other.store.counts()).toMatchObject({ open: 2 })
      expect(await other.store.verifyLedger()).toEqual([])
    })

    it('take over its assigned receipts once, however many look at the same time', async () => {
      const message = await story.accepted(await story.account(), { plan: [buildStep('sms', { parts: 20 })] })
      const refs = Array.from({ length: 20 }, (_, part) => `ref-${part}`)
      const early = refs.map(
        (ref): CarrierReceipt => ({ carrierId: TEST_CARRIER, ref, outcome: 'delivered', detail: '' }),
      )
      await story.store.matchReceipts(early, BEGINNING)
      await story.after(taken(message, refs))
      const others = [await openNode(), await openNode(), await openNode()]
      await live(others, 6)
      const claim = { now: BEGINNING, limit: 100 } as const
      const claims = await Promise.all(others.map(({ store }) => store.claimDue(claim)))
      const claimed = claims.flatMap(({ earlyReceipts }) => earlyReceipts.map(({ receipt: { ref } }) => ref))
      expect(claimed.toSorted()).toEqual(refs.toSorted())
    })

    it('take over its reports and assigned receipts', async () => {
      const client = await story.account()
      const message = await story.accepted(client)
      const early: CarrierReceipt = { carrierId: TEST_CARRIER, ref: 'ref-1', outcome: 'delivered', detail: '' }
      await story.store.matchReceipts([early], BEGINNING)
      const carried = taken(message, ['ref-1'])
      expect((await story.record(carried)).earlyReceipts).toHaveLength(1)
      await story.after(receipt(carried.message, 'delivered'))
      const other = await openNode()
      await live([other], 6)
      const { earlyReceipts } = await other.store.claimDue({ now: BEGINNING, limit: 10 })
      expect(earlyReceipts).toMatchObject([{ receipt: early }])
      const { reports } = await other.store.claimReports({ now: BEGINNING, limit: 10 })
      expect(reports).toMatchObject([{ messageId: message.id, number: 0 }])
    })

    it('wait for its transactions in progress', async () => {
      const client = await story.account(1e9)
      const other = await openNode()
      const requests = Array.from({ length: 200 }, () => story.accept(client, [messageItem(story.message(client))]))
      const settled = Promise.allSettled(requests)
      await live([other], 6)
      const accepted = (await settled).filter(({ status }) => status === 'fulfilled').length
      const taken = await claimed(other)
      expect(taken).toHaveLength(accepted)
      expect(await other.store.counts()).toMatchObject({ open: accepted })
    })

    it('notices it at its next look', async () => {
      const other = await openNode()
      await live([other], 6)
      first().clock.advance(1_000)
      await eventually('it to notice', () => first().events.includes('lost'))
      expect(first().clock.nextAt()).toBeNull()
    })

    it('take over only as gateways: a tool does not', async () => {
      const client = await story.account()
      await story.accepted(client)
      const tool = await openNode('tool')
      await live([tool], 8)
      expect(await claimed(first())).toEqual([])
      await live([first()], 1)
      expect(first().events).toEqual([])
    })

    it('do not declare one dead whose heartbeats are late', async () => {
      const client = await story.account()
      await story.accepted(client)
      const other = await openNode()
      for (let round = 0; round < 4; round += 1) {
        await live([other], 4)
        await live([first()], 1)
      }
      expect(await claimed(other)).toEqual([])
      expect(first().events).toEqual(['due'])
    })
  })

  describe('and receipts', () => {
    it('get each once that arrives at one of them while another records its id', async () => {
      const other = await openNode()
      const client = await story.account(1e9)
      const found: (readonly [ref: string, how: 'matched' | 'assigned'])[] = []
      const rounds = Array.from({ length: 40 }, async (_, index) => {
        const ref = `ref-${index}`
        const message = await story.accepted(client)
        const news: CarrierReceipt = { carrierId: TEST_CARRIER, ref, outcome: 'delivered', detail: '' }
        const how = { held: false, reportsHeld: true, clickedCode: null }
        const [{ earlyReceipts }, [address]] = await Promise.all([
          first().store.record([{ turn: taken(message, [ref]), ...how }]),
          other.store.matchReceipts([news], BEGINNING),
        ])
        if (address !== null && address !== undefined) found.push([ref, 'matched'])
        for (const each of earlyReceipts as readonly EarlyReceipt[]) found.push([each.receipt.ref, 'assigned'])
      })
      await Promise.all(rounds)
      expect(found.map(([ref]) => ref).toSorted()).toEqual(
        Array.from({ length: 40 }, (_, index) => `ref-${index}`).toSorted(),
      )
    })
  })

  describe('that start', () => {
    it('together on an empty database create it once', async () => {
      const { url } = await postgres.takeDatabase({ isNew: true })
      const opening = Array.from({ length: 4 }, () => openPostgresStore({ url, keys: TEST_KEYS, clock: systemClock }))
      const stores = await Promise.all(opening)
      expect(await stores[0]?.directoryRevision()).toBe(1)
      for (const store of stores) await store.close()
    })

    it('refuse a database of a newer Posthorn', async () => {
      await database.query('UPDATE schema_version SET version = version + 1000')
      const opening = openPostgresStore({ url: database.url, keys: TEST_KEYS, clock: systemClock })
      await expect(opening).rejects.toThrow(/version 10\d\d, .* use a newer Posthorn/)
      await database.query('UPDATE schema_version SET version = version - 1000')
    })

    it('refuse a database sealed with another key', async () => {
      const keys = { kind: 'given', name: 'the test', keys: 'ab'.repeat(32) } as const
      const opening = openPostgresStore({ url: database.url, keys, clock: systemClock })
      await expect(opening).rejects.toMatchObject({ name: 'StoreError' })
      expect(await database.query('SELECT count(*)::int AS nodes FROM node')).toEqual([{ nodes: 1 }])
    })
  })
})
