/** Hooks that reports wait for: what waits, since when, and trying one of them. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AccountId } from '../../../src/domain/ids/account-id.ts'
import type { Message } from '../../../src/domain/message/message.ts'
import { REPORT_LIFETIME_MS } from '../../../src/domain/reports/report-schedule.ts'
import type { Page } from '../../../src/ports/records/pages.ts'
import { MAX_WAITS, type ReportResult, type TracedReport } from '../../../src/ports/records/pending-report.ts'
import { BEGINNING } from '../../support/build-message.ts'
import { refused } from '../../support/make-turn.ts'
import { type Install, StoreStory } from './store-story.ts'

const NOW = BEGINNING + 60_000
const HOUR = 3_600_000
const HOOK = 'https://client.example/hook'

export function describeFailingHooks(install: Install): void {
  let story: StoreStory
  let client: AccountId
  beforeEach(async () => {
    story = await StoreStory.begin(install)
    client = await story.account(1_000_000)
  })
  afterEach(() => story.end())

  const ended = async (hook: string, accountId = client): Promise<Message> =>
    story.after(refused(await story.accepted(accountId, { hook })), { reportsHeld: true })
  const settle = ({ id }: Message, change: Partial<ReportResult>) =>
    story.store.settleReports([
      { messageId: id, number: 0, kind: 'later', at: NOW, dueAt: NOW + HOUR, held: false, detail: '', ...change },
    ])

  describe('hooks that reports wait for', () => {
    it('counts what waits for each, with the first failed try, the last error and the next try', async () => {
      const other = await story.account(1_000_000)
      const [first, second, third] = [await ended(`${HOOK}?id=1`), await ended(`${HOOK}?id=2`), await ended(HOOK)]
      await settle(first, { at: NOW, detail: 'HTTP 500' })
      await settle(second, { at: NOW + 5, dueAt: NOW + 2 * HOUR, detail: 'HTTP 502' })
      await settle(third, { kind: 'parked', dueAt: NOW + 9 * HOUR })
      await settle(await ended('https://parked.example/'), { kind: 'parked', dueAt: NOW + 9 * HOUR })
      await settle(await ended('https://fine.example/'), { kind: 'sent', dueAt: null })
      await settle(await ended(HOOK, other), { detail: 'timeout' })
      const createdAt = BEGINNING + 1_000
      const wait = { waiting: 1, oldestAt: createdAt, failingSince: NOW, triedAt: NOW, nextAt: NOW + HOUR }
      const own = [
        {
          ...{ ...wait, accountId: client, hook: HOOK, waiting: 3 },
          ...{ triedAt: NOW + 5, detail: 'HTTP 502' },
        },
        {
          ...{ ...wait, accountId: client, hook: 'https://parked.example/' },
          ...{ failingSince: null, triedAt: null, detail: '', nextAt: null },
        },
      ]
      const byHook = <T extends { readonly hook: string }>(waits: readonly T[]) =>
        waits.toSorted((a, b) => (a.hook < b.hook ? -1 : 1))
      expect(byHook(await story.store.hookWaits(client))).toEqual(own)
      const all = await story.store.hookWaits(null)
      expect(byHook(all.filter(({ accountId }) => accountId === client))).toEqual(own)
      expect(all.filter(({ accountId }) => accountId === other)).toEqual([
        { ...wait, accountId: other, hook: HOOK, detail: 'timeout' },
      ])
    })

    it('dates a failure from the tries since the report was last sent again', async () => {
      const message = await ended(HOOK)
      await settle(message, { kind: 'failed', at: NOW - HOUR, dueAt: null, detail: 'HTTP 500' })
      const one = { messageId: message.id, number: 0, accountId: null, address: null, since: null }
      await story.store.change({ kind: 'resend reports', ...one, pending: true, at: NOW })
      await story.store.claimReports({ now: NOW, limit: 1 })
      await settle(message, { at: NOW + 1, detail: 'HTTP 503' })
      expect(await story.store.hookWaits(client)).toMatchObject([{ failingSince: NOW + 1, detail: 'HTTP 503' }])
    })

    it('send a report again only if its last try is the one that was seen', async () => {
      const message = await ended(HOOK)
      await settle(message, { kind: 'sent', at: NOW, dueAt: null })
      const one = { messageId: message.id, number: 0, accountId: null, address: null, since: null }
      const resend = (triedAt: number | null) =>
        story.store.change({ kind: 'resend reports', ...one, pending: true, at: NOW, triedAt })
      expect(await resend(NOW - 1)).toBe(0)
      expect(await resend(NOW)).toBe(1)
      await settle(message, { kind: 'sent', at: NOW + 1, dueAt: null })
      expect(await resend(NOW)).toBe(0)
      expect(await resend(null)).toBe(1)
    })

    it('lists a bounded number of them', async () => {
      for (let hook = 0; hook < MAX_WAITS + 5; hook += 1) await settle(await ended(`${HOOK}/${hook}`), {})
      expect(await story.store.hookWaits(client)).toHaveLength(MAX_WAITS)
      expect(await story.store.hookWaits(null)).toHaveLength(MAX_WAITS)
    })

    it('lists the reports that wait for one, the highest first, page by page', async () => {
      const waiting = []
      for (const query of ['', '?id=1', '?id=2']) waiting.push(await ended(`${HOOK}${query}`))
      for (const message of waiting) await settle(message, { detail: 'HTTP 500' })
      await settle(await ended(`${HOOK}/other`), {})
      const query = { of: 'waiting reports', accountId: client, hook: HOOK } as const
      const rows = []
      for (let after: number | null = null, more = true; more; more = after !== null) {
        const page: Page<TracedReport> = await story.store.page({ ...query, after, limit: 2 })
        rows.push(...page.rows)
        after = page.next
      }
      expect(rows.map(({ messageId }) => messageId)).toEqual(waiting.map(({ id }) => id).reverse())
      expect(rows).toMatchObject([
        { waitsFor: 'retry', detail: 'HTTP 500', body: expect.stringContaining('message.status') },
        { address: `${HOOK}?id=1` },
        { address: HOOK },
      ])
    })

    it('gives all that waits to a claim of the hook when an operator has it tried', async () => {
      const [first, second, other] = [await ended(`${HOOK}?id=1`), await ended(HOOK), await ended(`${HOOK}/other`)]
      for (const message of [first, second, other]) await settle(message, { detail: 'HTTP 500' })
      const hook = { accountId: client, hook: HOOK }
      expect(await story.store.change({ kind: 'try hook', hook })).toBe(2)
      expect(await story.store.waitingHooks()).toContainEqual({ ...hook, parked: true })
      expect(await story.store.reportsOf(first.id)).toMatchObject([{ waitsFor: 'hook', tries: 1 }])
      expect((await story.store.claimReports({ now: NOW, limit: 10 })).reports).toEqual([])
      const claimed = await story.store.claimReportsOf({ ...hook, failedSince: null, limit: 10 })
      expect(claimed.map(({ messageId }) => messageId)).toEqual([first.id, second.id])
      expect(claimed[0]?.endsAt).toBe(BEGINNING + 1_000 + REPORT_LIFETIME_MS)
      expect(await story.store.change({ kind: 'try hook', hook })).toBe(0)
    })
  })
}
