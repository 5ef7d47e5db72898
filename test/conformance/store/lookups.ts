/** Lookups: charged when they are answered, once, and only to an account that can pay. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AccountId } from '../../../src/domain/ids/account-id.ts'
import { toMicros } from '../../../src/domain/money/money.ts'
import { monthOf } from '../../../src/domain/time/month.ts'
import { zonedMonth } from '../../../src/domain/time/zoned-month.ts'
import type { AcceptRequest, LookupItem } from '../../../src/ports/stores/intake-store.ts'
import { BEGINNING } from '../../support/build-message.ts'
import { type Install, messageItem, StoreStory } from './store-story.ts'

export function describeLookups(install: Install): void {
  let story: StoreStory
  beforeEach(async () => {
    story = await StoreStory.begin(install)
  })
  afterEach(() => story.end())

  const item = (priceMicros: number, operator = '26201'): LookupItem => ({
    kind: 'lookup',
    priceMicros: toMicros(priceMicros),
    charge: {
      channel: 'lookup',
      operator,
      parts: 1,
      carrierId: 'numbers',
      cost: { micros: toMicros(1_000), currency: 'EUR' },
    },
  })
  const accept = async (accountId: AccountId, request: Partial<AcceptRequest>) => {
    const accepted = await story.store.accept({ accountId, now: BEGINNING, idempotency: null, items: [], ...request })
    return accepted.kind === 'executed' ? accepted.outcomes.map(({ kind }) => kind) : accepted.kind
  }
  const month = (accountId: AccountId) => story.store.accountMonth(accountId, zonedMonth(monthOf(BEGINNING), 'UTC'))

  describe('lookups', () => {
    it('are paid one after the other until the money is used up, credit included, and the ledger is right', async () => {
      const client = await story.account(10_000)
      await story.store.change({
        kind: 'set credit limit',
        accountId: client,
        creditLimitMicros: toMicros(4_000),
      })
      const items = [item(6_000), item(6_000), item(6_000), item(2_000, '26202')]
      expect(await accept(client, { items })).toEqual(['charged', 'charged', 'unpaid', 'charged'])
      expect(await story.store.balancesOf(client)).toMatchObject({ available: -4_000, held: 0, earned: 14_000 })
      expect(await story.store.verifyLedger()).toEqual([])
    })

    it('stand in the statement by operator, beside messages and apart from payments', async () => {
      const client = await story.account(1_000_000)
      await accept(client, {
        items: [item(4_000), messageItem(story.message(client)), item(4_000), item(5_000, '26203')],
      })
      const { totals, payments } = await month(client)
      expect(totals.filter(({ kind }) => kind === 'charge')).toEqual([
        { kind: 'charge', channel: 'lookup', operator: '26201', postings: 2, parts: 2, amountMicros: 8_000 },
        { kind: 'charge', channel: 'lookup', operator: '26203', postings: 1, parts: 1, amountMicros: 5_000 },
      ])
      expect(payments.map(({ kind }) => kind)).toEqual(['top-up'])
      expect(await story.store.verifyLedger()).toEqual([])
    })

    it('count towards what an account may spend in a day, beside messages, and not as messages', async () => {
      const client = await story.account(1_000_000)
      const day = { accountId: client, guard: 'day', key: 'day', slot: 7, since: 7, keepUntil: BEGINNING + 1 } as const
      const limits = [{ ...day, maxMessages: 1, maxMicros: toMicros(62_000) }]
      const counted = { ...item(6_000), counts: [0] }
      const message = () => messageItem(story.message(client), { counts: [0] })
      const items = [counted, message(), counted, counted, message()]
      expect(await accept(client, { items, limits })).toEqual(['charged', 'accepted', 'charged', 'limited', 'limited'])
      expect(await accept(client, { items: [counted], limits })).toEqual(['limited'])
      expect(await story.store.balancesOf(client)).toMatchObject({ earned: 12_000, held: 50_000 })
      expect(await story.store.verifyLedger()).toEqual([])
    })

    it('are charged once under an idempotency key, also when the request comes twice at the same time', async () => {
      const client = await story.account(1_000_000)
      const idempotency = { key: 'k', bodyHash: 'h', draft: '{}', keepUntil: BEGINNING + 1_000 }
      const kinds = await Promise.all([1, 2, 3].map(() => accept(client, { idempotency, items: [item(4_000)] })))
      expect(kinds.toSorted()).toEqual([['charged'], 'replayed', 'replayed'].toSorted())
      expect(await story.store.balancesOf(client)).toMatchObject({ earned: 4_000 })
    })
  })
}
