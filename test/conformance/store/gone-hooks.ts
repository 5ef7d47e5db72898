/** A hook that answered 410 gets no reports until it is resumed. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AccountId } from '../../../src/domain/ids/account-id.ts'
import type { Message } from '../../../src/domain/message/message.ts'
import { HOOK_STOP_LASTS_MS } from '../../../src/domain/reports/stopped-hook.ts'
import type { ReportResult } from '../../../src/ports/records/pending-report.ts'
import { BEGINNING } from '../../support/build-message.ts'
import { refused } from '../../support/make-turn.ts'
import { type Install, StoreStory } from './store-story.ts'

const NOW = BEGINNING + 60_000

export function describeGoneHooks(install: Install): void {
  let story: StoreStory
  let client: AccountId
  beforeEach(async () => {
    story = await StoreStory.begin(install)
    client = await story.account(1_000_000)
  })
  afterEach(() => story.end())

  /** A message that ended, with report 0. */
  const ended = async (reportsHeld: boolean, hook = 'https://client.example/hook'): Promise<Message> =>
    story.after(refused(await story.accepted(client, { hook })), { reportsHeld })
  const settle = (message: Message, number: number, change: Partial<ReportResult> = {}) =>
    story.store.settleReports([
      { messageId: message.id, number, kind: 'sent', at: NOW, dueAt: null, held: false, detail: '200', ...change },
    ])

  describe('a hook that is gone', () => {
    const HOOK = 'https://client.example/hook'
    const stops = async () =>
      (await story.store.stoppedHooks({ accountId: null, since: NOW })).map(({ address, stopped }) => [
        address,
        stopped,
      ])

    it('stops the address and leaves the directory as it is', async () => {
      const before = await story.store.directoryRevision()
      const [one, two] = [await ended(true), await ended(false)]
      expect(await settle(one, 0, { kind: 'gone', detail: '410' })).toEqual([])
      expect((await story.store.trace(one.id))?.reports).toMatchObject([{ state: 'failed', tries: 1, detail: '410' }])
      expect((await story.store.trace(two.id))?.reports).toMatchObject([{ state: 'pending' }])
      expect(await story.store.directoryRevision()).toBe(before)
      expect(await story.store.stoppedHooks({ accountId: client, since: NOW })).toEqual([
        { accountId: client, address: HOOK, stopped: true, test: false, changedAt: NOW },
      ])
      expect(await story.store.stoppedHooks({ accountId: null, since: NOW + 1 })).toEqual([])
    })

    it('is stopped for test messages only until another report is answered with 410, and not the other way', async () => {
      const test = async () => (await story.store.stoppedHooks({ accountId: client, since: NOW }))[0]?.test
      await settle(await ended(true), 0, { kind: 'gone', test: true })
      expect(await test()).toBe(true)
      await settle(await ended(true), 0, { kind: 'gone', test: false })
      expect(await test()).toBe(false)
      await settle(await ended(true), 0, { kind: 'gone', test: true })
      expect(await test()).toBe(false)
      await story.store.change({ kind: 'resume hook', hook: { accountId: client, address: HOOK }, at: NOW })
      await settle(await ended(true), 0, { kind: 'gone', test: true })
      expect(await test()).toBe(true)
    })

    it('keeps the newest hundred of an account, however long their addresses are', async () => {
      const other = await story.account(1_000_000)
      const theirs = await story.after(refused(await story.accepted(other, { hook: HOOK })), { reportsHeld: true })
      await settle(theirs, 0, { kind: 'gone', detail: '410', at: NOW })
      const long = Array.from({ length: 2_000 }, (_, index) => String.fromCharCode(0x4e00 + ((index * 7919) % 20_000)))
      for (let hook = 0; hook < 103; hook += 1) {
        const message = await ended(true, `${HOOK}/${hook}/${long.join('')}`)
        await settle(message, 0, { kind: 'gone', detail: '410', at: NOW + hook })
      }
      const hooks = await story.store.stoppedHooks({ accountId: client, since: NOW })
      expect(hooks).toHaveLength(100)
      expect(hooks.at(-1)?.changedAt).toBe(NOW + 3)
      expect(await story.store.stoppedHooks({ accountId: other, since: NOW })).toHaveLength(1)
    })

    it('stops the hook, whatever the queries of its addresses are', async () => {
      for (const query of ['', '?id=1', '?id=2']) {
        await settle(await ended(true, `${HOOK}${query}`), 0, { kind: 'gone', detail: '410' })
      }
      expect(await stops()).toEqual([[HOOK, true]])
    })

    it('is sent no failed reports again, which are counted, until it is resumed or its stop runs out', async () => {
      const filter = { messageId: null, accountId: client, address: null, since: null }
      const resend = { kind: 'resend reports', ...filter, pending: false } as const
      await settle(await ended(true, `${HOOK}?id=1`), 0, { kind: 'gone', detail: '410' })
      await settle(await ended(true, 'https://other.example/hook'), 0, { kind: 'failed' })
      const count = (at: number) => story.store.countReports({ ...filter, at })
      expect(await count(NOW)).toEqual({ failed: 2, waiting: 0, stopped: 1 })
      expect(await story.store.change({ ...resend, at: NOW })).toBe(1)
      expect(await count(NOW + HOOK_STOP_LASTS_MS)).toMatchObject({ failed: 1, stopped: 0 })
      expect(await story.store.change({ ...resend, at: NOW + 1 })).toBe(0)
      const [stopped] = (await story.store.page({ of: 'failed reports', accountId: client, after: null, limit: 1 }))
        .rows
      const one = { ...resend, messageId: stopped?.messageId ?? null, number: 0, accountId: null }
      expect(await story.store.change({ ...one, at: NOW + 1 })).toBe(0)
      await story.store.change({ kind: 'resume hook', hook: { accountId: client, address: HOOK }, at: NOW + 2 })
      expect(await story.store.change({ ...resend, at: NOW + 3 })).toBe(1)
    })

    it('takes reports again once an operator resumes it', async () => {
      await settle(await ended(true), 0, { kind: 'gone', detail: '410' })
      const resume = { kind: 'resume hook', hook: { accountId: client, address: HOOK }, at: NOW + 1 } as const
      await story.store.change(resume)
      expect(await stops()).toEqual([[HOOK, false]])
      await expect(story.store.change(resume)).rejects.toMatchObject({ name: 'ChangeRefused' })
      await settle(await ended(true), 0, { kind: 'gone', detail: '410', at: NOW + 2 })
      expect(await stops()).toEqual([[HOOK, true]])
    })
  })
}
