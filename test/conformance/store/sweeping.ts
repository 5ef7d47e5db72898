/** Sweeping: what is past its keeping goes, and nothing else. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AccountId } from '../../../src/domain/ids/account-id.ts'
import { PARKED_FOR_MS } from '../../../src/ports/stores/delivery-store.ts'
import type { AcceptRequest } from '../../../src/ports/stores/intake-store.ts'
import { CALLS_KEPT_MS } from '../../../src/ports/stores/intake-store.ts'
import { BEGINNING, buildPlan, buildStep } from '../../support/build-message.ts'
import { TEST_CARRIER, taken } from '../../support/make-turn.ts'
import { type Install, messageItem, StoreStory } from './store-story.ts'

export function describeSweeping(install: Install): void {
  let story: StoreStory
  let client: AccountId
  beforeEach(async () => {
    story = await StoreStory.begin(install)
    client = await story.account(1_000_000)
  })
  afterEach(() => story.end())

  describe('sweeping', () => {
    it('forgets idempotency keys past their time, however many they are', async () => {
      const request = (n: number): AcceptRequest => {
        const idempotency = { key: `k-${n}`, bodyHash: 'a', draft: '', keepUntil: BEGINNING + (n === 0 ? 2 : 1) }
        return { accountId: client, now: BEGINNING, idempotency, items: [{ kind: 'balance' }] }
      }
      const numbers = Array.from({ length: 2_500 }, (_, n) => n)
      await Promise.all(numbers.map((n) => story.store.accept(request(n))))
      await story.sweep(BEGINNING + 1)
      expect(await story.store.accept(request(0))).toMatchObject({ kind: 'replayed' })
      const again = await Promise.all([1, 1_000, 2_499].map((n) => story.store.accept(request(n))))
      expect(again.map(({ kind }) => kind)).toEqual(['executed', 'executed', 'executed'])
    })

    it('forgets receipts that never matched', async () => {
      const message = await story.accepted(client, { plan: [buildStep('sms', { parts: 2 })] })
      const receipt = { carrierId: TEST_CARRIER, ref: 'old', outcome: 'delivered', detail: '' } as const
      await story.store.matchReceipts([receipt], BEGINNING)
      await story.store.matchReceipts([{ ...receipt, ref: 'new' }], BEGINNING + 1)
      await story.sweep(BEGINNING + PARKED_FOR_MS)
      const { earlyReceipts } = await story.record(taken(message, ['old', 'new']))
      expect(earlyReceipts.map((earlyReceipt) => earlyReceipt.receipt.ref)).toEqual(['new'])
    })

    it('forgets calls, and leaves their messages', async () => {
      const from = { kind: 'call', from: '49301230001', code: '0001' } as const
      const call = (): AcceptRequest['items'][number] => ({
        kind: 'call',
        message: story.message(client, { plan: buildPlan('call') }),
        waits: false,
        candidates: [from],
        codesSince: 0,
        limit: { max: 9, since: 0 },
      })
      await story.accept(client, [call()])
      await story.sweep(BEGINNING + CALLS_KEPT_MS - 1)
      expect(await story.accept(client, [call()])).toEqual([{ kind: 'no number free' }])
      await story.sweep(BEGINNING + CALLS_KEPT_MS)
      expect(await story.accept(client, [call(), messageItem(story.message(client))])).toMatchObject([
        { kind: 'accepted' },
        { kind: 'accepted' },
      ])
      expect(await story.store.counts()).toMatchObject({ open: 3 })
    })
  })
}
