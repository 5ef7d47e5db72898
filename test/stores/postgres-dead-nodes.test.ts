/** Nodes on one database that die and start: what one held is taken over, and nothing is done twice. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/app/system/system-clock.ts'
import type { CarrierReceipt } from '../../src/ports/carriers/carrier.ts'
import type { EarlyReceipt } from '../../src/ports/carriers/receipt-address.ts'
import { openPostgresStore } from '../../src/stores/postgres/open-store.ts'
import { messageItem } from '../conformance/store/store-story.ts'
import { BEGINNING, buildStep } from '../support/build-message.ts'
import { eventually } from '../support/eventually.ts'
import { receipt, TEST_CARRIER, taken } from '../support/make-turn.ts'
import { claimed, live, StoreNodes } from '../support/store-nodes.ts'
import { TEST_KEYS } from '../support/test-keys.ts'
import { usePostgres } from '../support/use-postgres.ts'

const postgres = await usePostgres()

describe.skipIf(postgres.isMissing)('several nodes', () => {
  let world: StoreNodes
  beforeEach(async () => {
    world = await StoreNodes.start(postgres)
  })
  afterEach(() => world.stop())

  describe('when one dies', () => {
    it('take over what it held after five looks, and its later writes are refused', async () => {
      const client = await world.story.account()
      const held = await world.story.accepted(client)
      const ended = await world.story.accepted(client)
      await world.story.after(taken(ended, ['ref-1']))
      const other = await world.open()
      await live([other], 4)
      expect(await claimed(other)).toEqual([])
      await live([other], 2)
      expect((await claimed(other)).sort()).toEqual([held.id, ended.id].sort())
      expect(other.events).toContain('due')

      const late = { turn: taken(held, ['ref-2']), held: false, reportsHeld: true, clickedCode: null }
      const lost = { name: 'StoreError', message: 'another node has taken over from this one' }
      await expect(world.first.store.record([late])).rejects.toMatchObject(lost)
      const request = { accountId: client, now: BEGINNING, idempotency: null }
      const items = [messageItem(world.story.message(client))]
      await expect(world.first.store.accept({ ...request, items })).rejects.toMatchObject(lost)
      await expect(world.first.store.release([held.id])).rejects.toMatchObject(lost)
      const change = { kind: 'set account', accountId: client, state: 'closed' } as const
      await expect(world.first.store.change(change)).rejects.toMatchObject(lost)
      expect(world.first.events).toEqual(['lost'])
      expect(await other.store.loadMessages([held.id])).toEqual([held])
      expect(await other.store.counts()).toMatchObject({ open: 2 })
      expect(await other.store.verifyLedger()).toEqual([])
    })

    it('take over its assigned receipts once, however many look at the same time', async () => {
      const message = await world.story.accepted(await world.story.account(), {
        plan: [buildStep('sms', { parts: 20 })],
      })
      const refs = Array.from({ length: 20 }, (_, part) => `ref-${part}`)
      const early = refs.map(
        (ref): CarrierReceipt => ({ carrierId: TEST_CARRIER, ref, outcome: 'delivered', detail: '' }),
      )
      await world.story.store.matchReceipts(early, BEGINNING)
      await world.story.after(taken(message, refs))
      const others = [await world.open(), await world.open(), await world.open()]
      await live(others, 6)
      const claim = { now: BEGINNING, limit: 100 } as const
      const claims = await Promise.all(others.map(({ store }) => store.claimDue(claim)))
      const claimed = claims.flatMap(({ earlyReceipts }) => earlyReceipts.map(({ receipt: { ref } }) => ref))
      expect(claimed.toSorted()).toEqual(refs.toSorted())
    })

    it('take over its reports and assigned receipts', async () => {
      const client = await world.story.account()
      const message = await world.story.accepted(client)
      const early: CarrierReceipt = { carrierId: TEST_CARRIER, ref: 'ref-1', outcome: 'delivered', detail: '' }
      await world.story.store.matchReceipts([early], BEGINNING)
      const carried = taken(message, ['ref-1'])
      expect((await world.story.record(carried)).earlyReceipts).toHaveLength(1)
      await world.story.after(receipt(carried.message, 'delivered'))
      const other = await world.open()
      await live([other], 6)
      const { earlyReceipts } = await other.store.claimDue({ now: BEGINNING, limit: 10 })
      expect(earlyReceipts).toMatchObject([{ receipt: early }])
      const { reports } = await other.store.claimReports({ now: BEGINNING, limit: 10 })
      expect(reports).toMatchObject([{ messageId: message.id, number: 0 }])
    })

    it('wait for its transactions in progress', async () => {
      const client = await world.story.account(1e9)
      const other = await world.open()
      const requests = Array.from({ length: 200 }, () =>
        world.story.accept(client, [messageItem(world.story.message(client))]),
      )
      const settled = Promise.allSettled(requests)
      await live([other], 6)
      const accepted = (await settled).filter(({ status }) => status === 'fulfilled').length
      const taken = await claimed(other)
      expect(taken).toHaveLength(accepted)
      expect(await other.store.counts()).toMatchObject({ open: accepted })
    })

    it('notices it at its next look', async () => {
      const other = await world.open()
      await live([other], 6)
      world.first.clock.advance(1_000)
      await eventually('it to notice', () => world.first.events.includes('lost'))
      expect(world.first.clock.nextAt()).toBeNull()
    })

    it('take over only as gateways: a tool does not', async () => {
      const client = await world.story.account()
      await world.story.accepted(client)
      const tool = await world.open('tool')
      await live([tool], 8)
      expect(await claimed(world.first)).toEqual([])
      await live([world.first], 1)
      expect(world.first.events).toEqual([])
    })

    it('do not declare one dead whose heartbeats are late', async () => {
      const client = await world.story.account()
      await world.story.accepted(client)
      const other = await world.open()
      for (let round = 0; round < 4; round += 1) {
        await live([other], 4)
        await live([world.first], 1)
      }
      expect(await claimed(other)).toEqual([])
      expect(world.first.events).toEqual(['due'])
    })
  })

  describe('and receipts', () => {
    it('get each once that arrives at one of them while another records its id', async () => {
      const other = await world.open()
      const client = await world.story.account(1e9)
      const found: (readonly [ref: string, how: 'matched' | 'assigned'])[] = []
      const rounds = Array.from({ length: 40 }, async (_, index) => {
        const ref = `ref-${index}`
        const message = await world.story.accepted(client)
        const news: CarrierReceipt = { carrierId: TEST_CARRIER, ref, outcome: 'delivered', detail: '' }
        const how = { held: false, reportsHeld: true, clickedCode: null }
        const [{ earlyReceipts }, [address]] = await Promise.all([
          world.first.store.record([{ turn: taken(message, [ref]), ...how }]),
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
      await world.database.query('UPDATE schema_version SET version = version + 1000')
      const opening = openPostgresStore({ url: world.database.url, keys: TEST_KEYS, clock: systemClock })
      await expect(opening).rejects.toThrow(/version 10\d\d, .* use a newer Posthorn/)
      await world.database.query('UPDATE schema_version SET version = version - 1000')
    })

    it('refuse a database sealed with another key', async () => {
      const keys = { kind: 'given', name: 'the test', keys: 'ab'.repeat(32) } as const
      const opening = openPostgresStore({ url: world.database.url, keys, clock: systemClock })
      await expect(opening).rejects.toMatchObject({ name: 'StoreError' })
      expect(await world.database.query('SELECT count(*)::int AS nodes FROM node')).toEqual([{ nodes: 1 }])
    })
  })
})
