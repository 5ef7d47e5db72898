/** Reports of one message go out one after the other. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AccountId } from '../../../src/domain/ids/account-id.ts'
import type { Message } from '../../../src/domain/message/message.ts'
import { REPORT_LIFETIME_MS } from '../../../src/domain/reports/report-schedule.ts'
import type { ReportResult } from '../../../src/ports/records/pending-report.ts'
import { BEGINNING, buildPlan } from '../../support/build-message.ts'
import { clicked, receipt, refused, taken } from '../../support/make-turn.ts'
import { type Install, StoreStory } from './store-story.ts'

const NOW = BEGINNING + 60_000

export function describeReports(install: Install): void {
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
  const claimedIds = async (now: number, limit = 100) =>
    (await story.store.claimReports({ now, limit })).reports.map(({ messageId, number }) => [messageId, number])

  describe('reports', () => {
    it('gives a waiting report out once, as it was written', async () => {
      const turn = refused(await story.accepted(client))
      await story.after(turn, { reportsHeld: false })
      const { reports, nextDueAt } = await story.store.claimReports({ now: NOW, limit: 10 })
      const createdAt = BEGINNING + 1_000
      expect(reports).toEqual([{ ...turn.reports[0], tries: 0, createdAt, endsAt: createdAt + REPORT_LIFETIME_MS }])
      expect(nextDueAt).toBeNull()
      expect(await claimedIds(NOW)).toEqual([])
    })

    it('leaves alone what this node holds, until it vanishes', async () => {
      const message = await ended(true)
      expect(await claimedIds(NOW)).toEqual([])
      await story.reopen()
      expect(await claimedIds(BEGINNING)).toEqual([[message.id, 0]])
    })

    it('tallies the reports of messages by state, with the last try of each', async () => {
      const [sent, twice, unread] = [await ended(true), await ended(true), await ended(true)]
      await settle(sent, 0)
      await settle(twice, 0, { kind: 'later', dueAt: NOW + 5_000, detail: 'HTTP 500' })
      await settle(twice, 0, { kind: 'failed', at: NOW + 5_000, detail: 'HTTP 503' })
      const quiet = await story.accepted(client)
      const tallies = await story.store.tallyReports(client, [sent.id, twice.id, unread.id, quiet.id])
      expect(tallies.toSorted((a, b) => a.messageId - b.messageId)).toEqual([
        { messageId: sent.id, state: 'sent', count: 1, triedAt: NOW, detail: '200' },
        { messageId: twice.id, state: 'failed', count: 1, triedAt: NOW + 5_000, detail: 'HTTP 503' },
        { messageId: unread.id, state: 'pending', count: 1, triedAt: null, detail: '' },
      ])
      expect(await story.store.tallyReports(client, [])).toEqual([])
    })

    it('writes down what became of a try', async () => {
      const message = await ended(true)
      await settle(message, 0)
      const [report] = (await story.store.trace(message.id))?.reports ?? []
      expect(report).toMatchObject({ state: 'sent', tries: 0, triedAt: NOW, detail: '200' })
      await story.reopen()
      expect(await claimedIds(NOW * 2)).toEqual([])
      expect(await story.store.counts()).toMatchObject({ pendingReports: 0, failedReports: 0 })
    })

    it('waits for the next try in the store, or in the hands of the node', async () => {
      const [waiting, held] = [await ended(true), await ended(true)]
      await settle(waiting, 0, { kind: 'later', dueAt: NOW + 5_000, detail: '503' })
      await settle(held, 0, { kind: 'later', dueAt: NOW + 1_000, held: true, detail: '503' })
      expect(await story.store.claimReports({ now: NOW + 4_999, limit: 10 })).toEqual({
        reports: [],
        nextDueAt: NOW + 5_000,
      })
      const { reports } = await story.store.claimReports({ now: NOW + 5_000, limit: 10 })
      expect(reports).toMatchObject([{ messageId: waiting.id, tries: 1 }])
      expect((await story.store.trace(held.id))?.reports).toMatchObject([{ tries: 1, detail: '503', state: 'pending' }])
    })

    it('gives up a report, visibly', async () => {
      const message = await ended(true)
      await settle(message, 0, { kind: 'failed', detail: 'x'.repeat(2_000) })
      const [report] = (await story.store.trace(message.id))?.reports ?? []
      expect(report).toMatchObject({ state: 'failed', tries: 1, triedAt: NOW })
      expect(report?.detail).toHaveLength(500)
      expect(await story.store.counts()).toMatchObject({ pendingReports: 0, failedReports: 1 })
    })

    it('sends failed reports again from the first try on, one after the other, when an operator wants it', async () => {
      const resend = (change: object = {}) =>
        story.store.change({
          kind: 'resend reports',
          messageId: null,
          accountId: null,
          address: null,
          since: null,
          pending: false,
          at: NOW,
          ...change,
        })
      const message = await story.after(taken(await story.accepted(client), ['ref-1']))
      await story.after(receipt(await story.after(receipt(message, 'delivered')), 'read'))
      const other = await ended(true, 'https://other.example/hook')
      for (const number of [0, 1]) await settle(message, number, { kind: 'failed' })
      await settle(other, 0, { kind: 'failed' })
      expect(await resend({ address: 'https://unknown.example/hook' })).toBe(0)
      expect(await resend({ messageId: message.id })).toBe(2)
      expect(await story.store.counts()).toMatchObject({ pendingReports: 2, failedReports: 1 })
      expect((await story.store.claimReports({ now: NOW, limit: 10 })).reports).toMatchObject([
        { messageId: message.id, number: 0, tries: 0 },
      ])
      const next = await settle(message, 0)
      expect(next).toMatchObject([{ messageId: message.id, number: 1, tries: 0 }])
      expect(await resend({ accountId: client, address: 'https://other.example/hook' })).toBe(1)
      expect(await claimedIds(NOW)).toEqual([[other.id, 0]])
    })

    it('tallies what waits and what has failed by hook, with the last error of each', async () => {
      const [first, second, third] = [
        await ended(true, 'https://a.example/hook?id=1'),
        await ended(true, 'https://a.example/hook?id=2'),
        await ended(true, 'https://b.example/hook'),
      ]
      await settle(first, 0, { kind: 'failed', detail: 'HTTP 500' })
      await settle(second, 0, { kind: 'failed', at: NOW + 1, detail: 'HTTP 503' })
      await settle(third, 0, { kind: 'later', dueAt: NOW + 5_000, detail: 'timeout' })
      await settle(await ended(true, 'https://c.example/hook'), 0)
      const tallies = await story.store.tallyHooks(client)
      expect(tallies.toSorted((a, b) => (a.hook < b.hook ? -1 : 1))).toEqual([
        { hook: 'https://a.example/hook', state: 'failed', count: 2, triedAt: NOW + 1, detail: 'HTTP 503' },
        { hook: 'https://b.example/hook', state: 'pending', count: 1, triedAt: NOW, detail: 'timeout' },
      ])
      expect(await story.store.tallyHooks(await story.account(1))).toEqual([])
    })

    it('sends one report again, also one that was delivered, and leaves the others alone', async () => {
      const resend = (messageId: Message['id'], number: number, accountId: AccountId | null = client) =>
        story.store.change({
          ...{
            kind: 'resend reports',
            messageId,
            number,
            accountId,
            address: null,
            since: null,
            pending: true,
            at: NOW,
          },
        })
      const message = await story.after(taken(await story.accepted(client), ['ref-1']))
      await story.after(receipt(await story.after(receipt(message, 'delivered')), 'read'))
      await settle(message, 0)
      await settle(message, 1, { kind: 'failed' })
      expect(await resend(message.id, 0, await story.account(1))).toBe(0)
      expect(await resend(message.id, 0, null)).toBe(1)
      expect(await story.store.reportsOf(message.id)).toMatchObject([
        { number: 0, state: 'pending', tries: 0, dueAt: NOW, triesMade: [{ at: NOW, tookMs: null, detail: '200' }] },
        { number: 1, state: 'failed', tries: 1, dueAt: null },
      ])
      expect(await claimedIds(NOW)).toEqual([[message.id, 0]])
      // This node has it in memory now, and tries it within seconds.
      expect(await resend(message.id, 0)).toBe(1)
      expect(await resend(message.id, 0, await story.account(1))).toBe(0)
      expect(await resend(message.id, 2)).toBe(0)
      const later = await ended(true)
      await settle(later, 0, { kind: 'later', dueAt: NOW + 9_000_000 })
      expect(await resend(later.id, 0)).toBe(1)
      expect(await story.store.reportsOf(later.id)).toMatchObject([{ tries: 0, dueAt: NOW }])
      const { reports } = await story.store.claimReports({ now: NOW, limit: 10 })
      expect(reports).toMatchObject([{ messageId: later.id, tries: 0, endsAt: NOW + REPORT_LIFETIME_MS }])
    })

    it('says what a pending report waits for', async () => {
      const [held, retried, parked] = [await ended(true), await ended(true), await ended(true)]
      await settle(retried, 0, { kind: 'later', dueAt: NOW + 9_000_000 })
      await settle(parked, 0, { kind: 'parked', dueAt: NOW + 9_000_000 })
      const delivered = receipt(await story.after(taken(await story.accepted(client), ['ref-1'])), 'delivered')
      const both = await story.after(receipt(await story.after(delivered, { reportsHeld: false }), 'read'))
      const waitsFor = async ({ id }: Message) =>
        (await story.store.reportsOf(id)).map((report) => [report.state, report.waitsFor])
      expect(await waitsFor(held)).toEqual([['pending', 'sending']])
      expect(await waitsFor(retried)).toEqual([['pending', 'retry']])
      expect(await waitsFor(parked)).toEqual([['pending', 'hook']])
      expect((await waitsFor(both)).at(-1)).toEqual(['pending', 'earlier report'])
      await settle(held, 0)
      expect(await waitsFor(held)).toEqual([['sent', null]])
    })

    it('keeps the tries of a report that failed at first, and none of one that was delivered at once', async () => {
      const [failing, fine] = [await ended(true), await ended(true)]
      await settle(fine, 0, { tookMs: 5 })
      await settle(failing, 0, { kind: 'later', dueAt: NOW, detail: 'HTTP 500', tookMs: 31 })
      await settle(failing, 0, { kind: 'parked', dueAt: NOW + 1_000 })
      await settle(failing, 0, { at: NOW + 2, detail: 'HTTP 200', tookMs: 7 })
      expect(await story.store.reportsOf(fine.id)).toMatchObject([{ state: 'sent', triesMade: [] }])
      const triesMade = [
        { at: NOW, tookMs: 31, detail: 'HTTP 500' },
        { at: NOW + 2, tookMs: 7, detail: 'HTTP 200' },
      ]
      expect(await story.store.reportsOf(failing.id)).toMatchObject([{ state: 'sent', tries: 1, triesMade }])
      await settle(await ended(true), 0, { kind: 'failed', detail: 'timeout', tookMs: 10_000 })
      const failed = await story.store.page({ of: 'failed reports', accountId: client, after: null, limit: 1 })
      expect(failed.rows).toMatchObject([{ triesMade: [{ at: NOW, tookMs: 10_000, detail: 'timeout' }] }])
    })

    it('selects all reports to a hook by its address without a query, and one address by the whole of it', async () => {
      const HOOK = 'https://client.example/hook'
      for (const query of ['', '?id=1', '?id=2']) {
        await settle(await ended(true, `${HOOK}${query}`), 0, { kind: 'failed' })
      }
      await settle(await ended(true, `${HOOK}/other`), 0, { kind: 'failed' })
      const filter = { messageId: null, accountId: client, since: null, at: NOW }
      const countOf = async (address: string) => (await story.store.countReports({ ...filter, address })).failed
      expect([await countOf(HOOK), await countOf(`${HOOK}?id=1`), await countOf(`${HOOK}?id=3`)]).toEqual([3, 1, 0])
      const resend = { kind: 'resend reports', ...filter, pending: false } as const
      expect(await story.store.change({ ...resend, address: `${HOOK}?id=1` })).toBe(1)
      expect(await story.store.change({ ...resend, address: HOOK })).toBe(2)
    })

    it('is counted and sent again only if it was written since a given time', async () => {
      const [failed, waiting] = [await ended(true), await ended(true)]
      await settle(failed, 0, { kind: 'failed' })
      await settle(waiting, 0, { kind: 'later', dueAt: NOW + 9_000_000 })
      const [{ createdAt } = { createdAt: 0 }] = await story.store.reportsOf(failed.id)
      const filter = { messageId: null, accountId: client, address: null, at: NOW }
      const resend = { kind: 'resend reports', ...filter, pending: true } as const
      const later = createdAt + 1
      expect(await story.store.countReports({ ...filter, since: later })).toMatchObject({ failed: 0, waiting: 0 })
      expect(await story.store.change({ ...resend, since: later })).toBe(0)
      expect(await story.store.countReports({ ...filter, since: createdAt })).toMatchObject({ failed: 1, waiting: 1 })
      const before = { ...filter, since: createdAt, until: createdAt }
      expect(await story.store.countReports(before)).toMatchObject({ failed: 0, waiting: 0 })
      expect(await story.store.countReports({ ...before, until: later })).toMatchObject({ failed: 1, waiting: 1 })
      expect(await story.store.change({ ...resend, ...before })).toBe(0)
      expect(await story.store.change({ ...resend, since: createdAt })).toBe(2)
    })

    it('makes what waits due at once when an operator wants it, whatever it waits for, and counts it', async () => {
      const noFilter = { messageId: null, accountId: null, address: null, since: null }
      const [parked, retried, failed, held] = [
        await ended(true),
        await ended(true),
        await ended(true),
        await ended(true),
      ]
      await settle(parked, 0, { kind: 'parked', dueAt: NOW + 9_000_000 })
      await settle(retried, 0, { kind: 'later', dueAt: NOW + 9_000_000 })
      await settle(failed, 0, { kind: 'failed' })
      expect(await story.store.countReports({ ...noFilter, accountId: client, at: NOW })).toEqual({
        failed: 1,
        waiting: 2,
        stopped: 0,
      })
      expect(await story.store.countReports({ ...noFilter, messageId: parked.id, at: NOW })).toEqual({
        failed: 0,
        waiting: 1,
        stopped: 0,
      })
      const resend = { kind: 'resend reports', ...noFilter, accountId: client, at: NOW } as const
      expect(await story.store.change({ ...resend, pending: true })).toBe(3)
      expect(new Set((await claimedIds(NOW)).map(([id]) => id))).toEqual(new Set([parked.id, retried.id, failed.id]))
      expect((await story.store.trace(held.id))?.reports).toMatchObject([{ tries: 0, state: 'pending' }])
    })

    it('returns the next report again for a result that is settled again', async () => {
      const message = await story.after(taken(await story.accepted(client), ['ref-1']))
      await story.after(receipt(await story.after(receipt(message, 'delivered')), 'read'))
      const next = await settle(message, 0)
      expect(next).toMatchObject([{ messageId: message.id, number: 1 }])
      expect(await settle(message, 0)).toEqual(next)
      expect((await story.store.trace(message.id))?.reports).toMatchObject([{ state: 'sent' }, { state: 'pending' }])
    })

    it('parks a report in the millisecond in which it was tried', async () => {
      const message = await ended(true)
      await settle(message, 0, { kind: 'later', dueAt: NOW + 5_000, held: true, detail: 'HTTP 500' })
      await settle(message, 0, { kind: 'parked', dueAt: NOW + 9_000 })
      expect(await claimedIds(NOW + 8_999)).toEqual([])
      expect(await claimedIds(NOW + 9_000)).toEqual([[message.id, 0]])
      expect((await story.store.trace(message.id))?.reports).toMatchObject([{ tries: 1, detail: 'HTTP 500' }])
    })

    it('settles a report once', async () => {
      const message = await ended(true)
      await settle(message, 0)
      await settle(message, 0, { kind: 'failed', detail: 'too late' })
      await settle(message, 0, { kind: 'later', dueAt: NOW, detail: 'too late' })
      expect((await story.store.trace(message.id))?.reports).toMatchObject([{ state: 'sent', detail: '200' }])
    })
  })

  describe('reports that wait for their hook', () => {
    const HOOK = 'https://client.example/hook'
    const parked = async (address = HOOK, accountId = client): Promise<Message> => {
      const turn = refused(await story.accepted(accountId, { hook: address }))
      return story.after(turn, { reportsHeld: false, places: turn.reports.map(() => 'parked' as const) })
    }
    const claimedOf = async (change: { failedSince?: number; limit?: number; hook?: string } = {}) => {
      const claim = { accountId: client, hook: HOOK, failedSince: null, limit: 100, ...change }
      return (await story.store.claimReportsOf(claim)).map(({ messageId, tries }) => [messageId, tries])
    }

    it('keeps them from claims by time until they end, and gives them to claims of their hook', async () => {
      const [one, two] = [await parked(), await parked(`${HOOK}?message=2`)]
      const other = await parked(`${HOOK}/other`)
      expect(await claimedIds(NOW)).toEqual([])
      expect(await claimedOf({ limit: 1 })).toEqual([[one.id, 0]])
      expect(await claimedOf()).toEqual([[two.id, 0]])
      expect(await claimedOf()).toEqual([])
      expect(await claimedIds(NOW + REPORT_LIFETIME_MS)).toEqual([[other.id, 0]])
    })

    it('parks a report without counting a try', async () => {
      const message = await ended(true)
      await settle(message, 0, { kind: 'parked', dueAt: NOW + 1_000, detail: '' })
      expect((await story.store.trace(message.id))?.reports).toMatchObject([
        { state: 'pending', tries: 0, triedAt: null, detail: '' },
      ])
      expect(await claimedOf()).toEqual([[message.id, 0]])
    })

    it('gives up a report that was never sent without counting a try', async () => {
      const message = await ended(true)
      await settle(message, 0, { kind: 'unsent', detail: 'not sent' })
      expect((await story.store.trace(message.id))?.reports).toMatchObject([
        { state: 'failed', tries: 0, detail: 'not sent' },
      ])
    })

    it('brings forward what has failed since a time, and leaves the rest to its retry', async () => {
      const [early, late] = [await ended(true), await ended(true)]
      const dueAt = NOW + 3_600_000
      await settle(early, 0, { kind: 'later', dueAt, at: NOW })
      await settle(late, 0, { kind: 'later', dueAt, at: NOW + 10 })
      expect(await claimedOf()).toEqual([])
      expect(await claimedOf({ failedSince: NOW + 10 })).toEqual([[late.id, 1]])
      expect(await claimedOf({ failedSince: NOW })).toEqual([[early.id, 1]])
    })

    it('names the hooks that reports wait for, each once', async () => {
      const other = await story.account(1_000_000)
      for (const query of ['', '?message=1', '?message=2']) await parked(HOOK + query)
      await parked(HOOK, other)
      await settle(await ended(true, `${HOOK}/failing`), 0, { kind: 'later', dueAt: NOW + 3_600_000 })
      await ended(true, `${HOOK}/held`)
      const hooks = await story.store.waitingHooks()
      expect(hooks).toHaveLength(3)
      expect(hooks).toEqual(
        expect.arrayContaining([
          { accountId: client, hook: HOOK, parked: true },
          { accountId: client, hook: `${HOOK}/failing`, parked: false },
          { accountId: other, hook: HOOK, parked: true },
        ]),
      )
    })

    it('names some hooks of each account, however many one account has', async () => {
      const other = await story.account(1_000_000)
      for (let hook = 0; hook < 210; hook += 1) await parked(`${HOOK}/${hook}`)
      await parked(HOOK, other)
      const hooks = await story.store.waitingHooks()
      expect(hooks.filter(({ accountId }) => accountId === client)).toHaveLength(200)
      expect(hooks.filter(({ accountId }) => accountId === other)).toHaveLength(1)
    })
  })

  describe('several reports of one message', () => {
    /** Three reports: accepted, delivered, clicked. */
    const talkative = async () => {
      const message = await story.accepted(client, { plan: buildPlan('rcs'), reportSteps: true })
      const carried = await story.after(taken(message, ['ref-1']))
      const delivered = receipt(carried, 'delivered')
      const second = await story.record(delivered)
      const third = await story.record(clicked(delivered.message, 'https://shop.example', 'c'), { reportsHeld: false })
      return { message, queued: [...second.queuedReports, ...third.queuedReports] }
    }

    it('queues behind the first that is not settled, and says so', async () => {
      const { message, queued } = await talkative()
      expect(queued).toEqual([
        { messageId: message.id, number: 1 },
        { messageId: message.id, number: 2 },
      ])
      expect(await claimedIds(NOW)).toEqual([])
    })

    it('frees the next when one is settled, sent or failed, into the hands of this node', async () => {
      const { message } = await talkative()
      expect(await settle(message, 0)).toMatchObject([{ messageId: message.id, number: 1, tries: 0 }])
      expect(await claimedIds(NOW)).toEqual([])
      expect(await settle(message, 1, { kind: 'later', dueAt: NOW, held: true })).toEqual([])
      expect(await settle(message, 1, { kind: 'failed' })).toMatchObject([{ messageId: message.id, number: 2 }])
      expect(await settle(message, 2)).toEqual([])
    })

    it('gives only the first to the next node', async () => {
      const { message } = await talkative()
      await story.reopen()
      expect(await claimedIds(NOW)).toEqual([[message.id, 0]])
      expect(await settle(message, 0)).toMatchObject([{ number: 1 }])
      await story.reopen()
      expect(await claimedIds(NOW)).toEqual([[message.id, 1]])
    })

    it('queues nothing when everything before is settled', async () => {
      const message = await story.accepted(client, { plan: buildPlan('rcs'), reportSteps: true })
      const carried = await story.after(taken(message, ['ref-1']))
      await settle(carried, 0)
      expect((await story.record(receipt(carried, 'delivered'), { reportsHeld: false })).queuedReports).toEqual([])
      expect(await claimedIds(NOW)).toEqual([[message.id, 1]])
    })
  })
}
