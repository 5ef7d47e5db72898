/** BACK: receipts find their message, whichever comes first. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AccountId } from '../../../src/domain/ids/account-id.ts'
import type { CarrierReceipt } from '../../../src/ports/carriers/carrier.ts'
import { BEGINNING, buildStep } from '../../support/build-message.ts'
import { TEST_CARRIER, taken } from '../../support/make-turn.ts'
import { ALL_WRITTEN, type Install, StoreStory } from './store-story.ts'

const early: CarrierReceipt = {
  ...{ carrierId: TEST_CARRIER, ref: 'ref-1', outcome: 'delivered', detail: 'stat:DELIVRD' },
  category: 'utility',
}

const twoParts = [buildStep('sms', { parts: 2 })]

export function describeReceipts(install: Install): void {
  let story: StoreStory
  let client: AccountId
  beforeEach(async () => {
    story = await StoreStory.begin(install)
    client = await story.account(1_000_000)
  })
  afterEach(() => story.end())

  describe('receipts', () => {
    it('finds the part of a ref, and keeps carriers apart', async () => {
      const message = await story.accepted(client, { plan: twoParts })
      await story.after(taken(message, ['ref-1', 'ref-2']))
      const asked = [{ ...early, ref: 'ref-2' }, early, { ...early, carrierId: 'carrier-2' }]
      expect(await story.store.matchReceipts(asked, BEGINNING)).toEqual([
        { messageId: message.id, step: 0, part: 1 },
        { messageId: message.id, step: 0, part: 0 },
        null,
      ])
    })

    it('finds parts without parking a receipt whose ref is unknown', async () => {
      const message = await story.accepted(client, { plan: twoParts })
      const asked = [{ ...early, ref: 'ref-2' }, early]
      expect(await story.store.findAddresses(asked)).toEqual([null, null])
      expect((await story.record(taken(message, ['ref-1', 'ref-2']))).earlyReceipts).toEqual([])
      expect(await story.store.findAddresses(asked)).toEqual([
        { messageId: message.id, step: 0, part: 1 },
        { messageId: message.id, step: 0, part: 0 },
      ])
    })

    it('parks a receipt that came too early until the turn that brings its ref', async () => {
      const message = await story.accepted(client, { plan: twoParts })
      expect(await story.store.matchReceipts([early], BEGINNING)).toEqual([null])
      expect(await story.record(taken(message, ['ref-1', 'ref-2']))).toEqual({
        ...ALL_WRITTEN,
        earlyReceipts: [{ receipt: early, address: { messageId: message.id, step: 0, part: 0 } }],
      })
      expect(await story.store.matchReceipts([early], BEGINNING)).toEqual([{ messageId: message.id, step: 0, part: 0 }])
    })

    it('returns a receipt that is parked after turns for which none was', async () => {
      const [first, second] = [await story.accepted(client), await story.accepted(client)]
      expect((await story.record(taken(first, ['ref-0']))).earlyReceipts).toEqual([])
      await story.store.matchReceipts([early], BEGINNING)
      expect((await story.record(taken(second, ['ref-1']))).earlyReceipts).toEqual([
        { receipt: early, address: { messageId: second.id, step: 0, part: 0 } },
      ])
    })

    it('hands parked receipts over in the order in which they came, a double once', async () => {
      const message = await story.accepted(client)
      const { category: _, ...uncategorized } = early
      const read: CarrierReceipt = { ...uncategorized, outcome: 'read' }
      await story.store.matchReceipts([read, early, read], BEGINNING)
      const { earlyReceipts } = await story.record(taken(message, ['ref-1']))
      expect(earlyReceipts.map(({ receipt }) => receipt)).toEqual([read, early])
    })

    it('returns no early receipts for a stale turn', async () => {
      const message = await story.accepted(client)
      await story.after(taken(message, ['ref-0']))
      await story.store.matchReceipts([early], BEGINNING)
      expect((await story.record(taken(message, ['ref-1']))).earlyReceipts).toEqual([])
    })

    it('hands a parked receipt over again when the turn is recorded again', async () => {
      const message = await story.accepted(client)
      await story.store.matchReceipts([early], BEGINNING)
      const turn = taken(message, ['ref-1'])
      const first = await story.record(turn)
      expect(await story.record(turn, { again: true })).toEqual(first)
    })

    it('returns a parked receipt for no other message whose part gets the same ref', async () => {
      const [first, second] = [await story.accepted(client), await story.accepted(client)]
      await story.store.matchReceipts([early], BEGINNING)
      expect((await story.record(taken(first, ['ref-1']))).earlyReceipts).toHaveLength(1)
      expect((await story.record(taken(second, ['ref-1']))).earlyReceipts).toEqual([])
    })

    it('returns to the next node a receipt of the message that it was assigned to, whichever has its ref now', async () => {
      const [first, second] = [await story.accepted(client), await story.accepted(client)]
      await story.store.matchReceipts([early], BEGINNING)
      await story.record(taken(first, ['ref-1']), { held: false })
      await story.record(taken(second, ['ref-1']), { held: false })
      await story.reopen()
      const { earlyReceipts } = await story.store.claimDue({ now: BEGINNING, limit: 10 })
      expect(earlyReceipts).toEqual([{ receipt: early, address: { messageId: first.id, step: 0, part: 0 } }])
      const third = await story.accepted(client)
      expect((await story.record(taken(third, ['ref-1']))).earlyReceipts).toEqual([])
    })

    it('keeps no copy of a parked receipt once another one is matched', async () => {
      const [first, second] = [await story.accepted(client), await story.accepted(client)]
      const copies = [
        { ...early, carrierId: 'peer', peers: [TEST_CARRIER] },
        { ...early, peers: ['peer'] },
      ]
      expect(await story.store.matchReceipts(copies, BEGINNING)).toEqual([null, null])
      const { earlyReceipts } = await story.record(taken(first, ['ref-1']))
      expect(earlyReceipts).toEqual([
        { receipt: early, address: { messageId: first.id, step: 0, part: 0 }, peers: ['peer'] },
      ])
      expect((await story.record(taken(second, ['ref-1'], { carrierId: 'peer' }))).earlyReceipts).toEqual([])
    })

    it('parks no copy of a receipt if another one is known', async () => {
      const [first, second] = [await story.accepted(client), await story.accepted(client)]
      await story.after(taken(first, ['ref-1']))
      const copies = [
        { ...early, carrierId: 'peer', peers: [TEST_CARRIER] },
        { ...early, peers: ['peer'] },
      ]
      const address = { messageId: first.id, step: 0, part: 0 }
      expect(await story.store.matchReceipts(copies, BEGINNING)).toEqual([null, address])
      expect((await story.record(taken(second, ['ref-1'], { carrierId: 'peer' }))).earlyReceipts).toEqual([])
    })

    it('returns to the next node what a dead one may not have recorded', async () => {
      const message = await story.accepted(client)
      await story.store.matchReceipts([early], BEGINNING)
      await story.record(taken(message, ['ref-1']), { held: false })
      const claim = { now: BEGINNING, channels: ['sms'], limit: 10 } as const
      expect((await story.store.claimDue(claim)).earlyReceipts).toEqual([])
      await story.reopen()
      expect((await story.store.claimDue(claim)).earlyReceipts).toEqual([
        { receipt: early, address: { messageId: message.id, step: 0, part: 0 } },
      ])
      expect((await story.store.claimDue(claim)).earlyReceipts).toEqual([])
    })

    it('returns the receipts of a dead node page by page, one page a second', async () => {
      const refs = ['ref-1', 'ref-2', 'ref-3', 'ref-4', 'ref-5']
      const message = await story.accepted(client, { plan: [buildStep('sms', { parts: 5 })] })
      await story.store.matchReceipts(
        ['unknown-1', ...refs, 'unknown-2'].map((ref) => ({ ...early, ref })),
        BEGINNING,
      )
      expect((await story.record(taken(message, refs), { held: false })).earlyReceipts).toHaveLength(5)
      await story.reopen()
      const pages: string[][] = []
      for (let second = 0; second < 4; second += 1) {
        const claim = { now: BEGINNING + second * 1_000, limit: 2 } as const
        const { earlyReceipts, nextDueAt } = await story.store.claimDue(claim)
        pages.push(earlyReceipts.map(({ receipt }) => receipt.ref))
        if (second < 2) expect(nextDueAt).toBeLessThanOrEqual(claim.now + 1_000)
      }
      expect(pages.map((page) => page.length)).toEqual([2, 2, 1, 0])
      expect(pages.flat().toSorted()).toEqual(refs)
    })

    it('keeps parked receipts on disk', async () => {
      const message = await story.accepted(client)
      await story.store.matchReceipts([early], BEGINNING)
      await story.reopen()
      expect((await story.record(taken(message, ['ref-1']))).earlyReceipts).toHaveLength(1)
    })
  })
}
