/** A low balance is reported to the account's hook, once each time, in the transaction that moved the money. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AccountSettings } from '../../../src/domain/accounts/account.ts'
import { DEFAULT_ACCOUNT_SETTINGS } from '../../../src/domain/accounts/account.ts'
import type { AccountId } from '../../../src/domain/ids/account-id.ts'
import { toMicros } from '../../../src/domain/money/money.ts'
import type { PendingReport } from '../../../src/ports/records/pending-report.ts'
import { BEGINNING } from '../../support/build-message.ts'
import { refused } from '../../support/make-turn.ts'
import { type Install, messageItem, StoreStory } from './store-story.ts'

const HOOK = 'https://client.example/account'

export function describeLowBalance(install: Install): void {
  let story: StoreStory
  let client: AccountId

  beforeEach(async () => {
    story = await StoreStory.begin(install)
    client = await story.account(200_000, { defaultHook: HOOK, lowBalanceMicros: toMicros(100_000) })
  })
  afterEach(async () => {
    expect(await story.store.verifyLedger()).toEqual([])
    await story.end()
  })

  /** Those that have come since the last look, as a reporter claims them. */
  const reports = async (): Promise<readonly PendingReport[]> => {
    const { reports } = await story.store.claimReports({ now: BEGINNING + 60_000, limit: 100 })
    return reports
  }
  const amounts = async () => (await reports()).map(({ body }) => JSON.parse(body).available)
  const correct = (amount: number) =>
    story.store.change({ kind: 'correct', accountId: client, amountMicros: toMicros(amount), at: BEGINNING })
  const set = (settings: Partial<AccountSettings>) =>
    story.store.change({
      kind: 'set account',
      accountId: client,
      settings: {
        ...DEFAULT_ACCOUNT_SETTINGS,
        defaultHook: HOOK,
        lowBalanceMicros: toMicros(100_000),
        ...settings,
      },
    })

  describe('a low balance', () => {
    it('is reported once, below the limit and not at it', async () => {
      await story.accepted(client)
      await story.accepted(client)
      expect(await reports()).toEqual([])
      await correct(-1)
      const [report, ...others] = await reports()
      expect(others).toEqual([])
      expect(report).toMatchObject({ accountId: client, number: 0, address: HOOK, tries: 0, createdAt: BEGINNING })
      expect(report?.body).toBe(
        `{"type":"balance.low","timestamp":"${new Date(BEGINNING).toISOString()}","account":"Client 1",` +
          '"available":0.099999,"threshold":0.1,"currency":"EUR"}',
      )
      await story.accepted(client)
      await correct(-1)
      expect(await reports()).toEqual([])
    })

    it('is reported again only after it has risen above', async () => {
      await correct(-100_001)
      await correct(1)
      await correct(-1)
      expect(await amounts()).toEqual([0.099999])
      await correct(2)
      await correct(-2)
      expect(await amounts()).toEqual([0.099999])
    })

    it('is reported once, in the order of commits, for concurrent requests', async () => {
      const items = Array.from({ length: 4 }, () => messageItem(story.message(client)))
      await story.accept(client, items)
      expect(await amounts()).toEqual([0])
    })

    it('that a release makes good is armed again', async () => {
      const accept = () => story.accepted(client, { hook: null })
      const messages = [await accept(), await accept(), await accept()]
      expect(await amounts()).toEqual([0.05])
      for (const message of messages) await story.after(refused(message))
      const items = Array.from({ length: 3 }, () => messageItem(story.message(client)))
      await story.accept(client, items)
      expect(await amounts()).toEqual([0.05])
    })

    it('has a number of its own, and is not lost when the gateway vanishes', async () => {
      await correct(-100_001)
      await correct(2)
      await correct(-2)
      await story.reopen()
      const all = await reports()
      expect(new Set(all.map(({ messageId }) => messageId)).size).toBe(2)
      const next = await story.store.reserveIds(1)
      for (const { messageId } of all) expect(Math.floor(messageId / 64)).toBeLessThan(next)
      const results = all.map(({ messageId, number }) => {
        return { messageId, number, kind: 'sent', at: BEGINNING, dueAt: null, held: false, detail: '200' } as const
      })
      await story.store.settleReports(results)
      expect(await story.store.counts()).toMatchObject({ pendingReports: 0 })
    })

    it('is not reported without a hook or a limit', async () => {
      await set({ defaultHook: null })
      await correct(-100_001)
      expect(await reports()).toEqual([])
      await set({ lowBalanceMicros: null })
      await correct(-1)
      expect(await reports()).toEqual([])
      await set({})
      await correct(-1)
      expect(await amounts()).toEqual([0.099997])
    })

    it('is reported again after a change of the limit, but not of other settings', async () => {
      await correct(-150_000)
      expect(await amounts()).toEqual([0.05])
      await set({ uniqueIds: true })
      await correct(-1)
      expect(await reports()).toEqual([])
      await set({ lowBalanceMicros: toMicros(60_000) })
      await correct(-1)
      expect(await amounts()).toEqual([0.049998])
    })
  })
}
