/** Money: whatever happens, the book is right. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toMicros } from '../../../src/domain/money/money.ts'
import { buildStep } from '../../support/build-message.ts'
import { receipt, refused, taken } from '../../support/make-turn.ts'
import { type Install, StoreStory } from './store-story.ts'

type Life = 'stays open' | 'refused' | 'carried' | 'delivered' | 'second step'

export function describeLedger(install: Install): void {
  describe('the ledger', () => {
    it('is right after any lives of any messages', async () => {
      const lives = fc.array(
        fc.record({
          life: fc.constantFrom<Life>('stays open', 'refused', 'carried', 'delivered', 'second step'),
          prices: fc.tuple(fc.nat(90_000), fc.nat(90_000)),
        }),
        { maxLength: 12 },
      )
      const story = await StoreStory.begin(install)
      let total = { currency: 'EUR', heldMicros: 0, accounts: 0 }
      await fc.assert(
        fc.asyncProperty(lives, fc.nat(400_000), async (drawn, balanceMicros) => {
          const client = await story.account(balanceMicros)
          await Promise.all(drawn.map(({ life, prices }) => live(story, client, life, prices)))
          const balances = await story.store.balancesOf(client)
          expect(Object.values(balances ?? {}).reduce<number>((sum, each) => sum + each, 0)).toBe(0)
          const held = balances?.held ?? 0
          const accounts = held === 0 ? 0 : 1
          expect(await story.store.holds(client)).toEqual([{ currency: 'EUR', heldMicros: held, accounts }])
          total = { currency: 'EUR', heldMicros: total.heldMicros + held, accounts: total.accounts + accounts }
          expect(await story.store.holds(null)).toEqual([total])
          expect(await story.store.verifyLedger()).toEqual([])
        }),
        { numRuns: 15 },
      )
      await story.end()
    })
  })
}

async function live(story: StoreStory, client: number, life: Life, prices: readonly [number, number]): Promise<void> {
  const plan = (['rcs', 'sms'] as const).map((channel, index) =>
    buildStep(channel, { priceMicros: toMicros(prices[index] ?? 0) }),
  )
  const message = story.message(client as never, { plan, hook: null })
  const [outcome] = await story.accept(message.accountId, [
    { kind: 'message', message, waits: false, links: [], uniqueId: false },
  ])
  if (outcome?.kind !== 'accepted' || life === 'stays open') return
  if (life === 'refused') {
    await story.after(refused(await story.after(refused(message))))
  } else if (life === 'second step') {
    await story.after(taken(await story.after(refused(message)), [`ref-${message.id}`]))
  } else {
    const carried = await story.after(taken(message, [`ref-${message.id}`]))
    if (life === 'delivered') await story.after(receipt(carried, 'delivered'))
  }
}
