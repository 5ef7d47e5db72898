/** Reports that a client reads: every event once, in the order of its position, until it is acknowledged. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DAY_MS } from '../../../src/domain/accounts/retention.ts'
import type { AccountId } from '../../../src/domain/ids/account-id.ts'
import type { Message } from '../../../src/domain/message/message.ts'
import { toMicros } from '../../../src/domain/money/money.ts'
import { EVENT_FEED, type FeedQuery, MAX_EVENTS } from '../../../src/domain/reports/event-feed.ts'
import { REPORT_LIFETIME_MS } from '../../../src/domain/reports/report-schedule.ts'
import { BEGINNING } from '../../support/build-message.ts'
import { receipt, refused, taken } from '../../support/make-turn.ts'
import { type Install, recorded, StoreStory } from './store-story.ts'

const NOW = BEGINNING + 60_000
const NO_FILTER = { messageId: null, accountId: null, address: null, since: null } as const

export function describeEventFeed(install: Install): void {
  let story: StoreStory
  let client: AccountId
  beforeEach(async () => {
    story = await StoreStory.begin(install)
    client = await story.account(100_000_000)
  })
  afterEach(() => story.end())

  /** A message that ended, with one event. */
  const ended = async (accountId = client): Promise<Message> =>
    story.after(refused(await story.accepted(accountId, { hook: EVENT_FEED })))
  const read = (query: Partial<FeedQuery> = {}) =>
    story.store.readEvents({ accountId: client, after: null, limit: 100, maxBytes: 1_000_000, ...query })
  const positions = async (query: Partial<FeedQuery> = {}) =>
    (await read(query)).events.map(({ position, messageId, number }) => [position, messageId, number])
  const acknowledge = (through: number, at = NOW) => story.store.acknowledgeEvents({ accountId: client, through, at })
  const stateOf = async ({ id }: Message) => (await story.store.trace(id))?.reports.map(({ state }) => state)

  describe('the event feed', () => {
    it('numbers the events of an account without gaps, those of a message in their order', async () => {
      const other = await story.account()
      const first = await story.after(taken(await story.accepted(client, { hook: EVENT_FEED }), ['ref-1']))
      const theirs = await ended(other)
      const second = await ended()
      await story.after(receipt(await story.after(receipt(first, 'delivered')), 'read'))
      expect(await positions()).toEqual([
        [1, second.id, 0],
        [2, first.id, 0],
        [3, first.id, 1],
      ])
      expect(await positions({ accountId: other })).toEqual([[1, theirs.id, 0]])
      expect(await positions({ accountId: await story.account(0) })).toEqual([])
    })

    it('numbers the events of one call in its order', async () => {
      const messages = [await story.accepted(client, { hook: EVENT_FEED }), await story.accepted(client)]
      messages.push(await story.accepted(client, { hook: EVENT_FEED }))
      await story.store.record(messages.map((message) => recorded(refused(message))))
      expect(await positions()).toEqual([
        [1, messages[0]?.id, 0],
        [2, messages[2]?.id, 0],
      ])
    })

    it('gives no event to those who post reports, and queues no report behind one', async () => {
      const turn = refused(await story.accepted(client, { hook: EVENT_FEED }))
      expect(await story.record(turn, { reportsHeld: false })).toMatchObject({ queuedReports: [] })
      expect((await read()).events).toEqual([
        { position: 1, messageId: turn.message.id, number: 0, body: turn.reports[0]?.body },
      ])
      const { reports, nextDueAt } = await story.store.claimReports({ now: NOW, limit: 10 })
      expect(reports).toEqual([])
      expect(nextDueAt).toBe(BEGINNING + 1_000 + REPORT_LIFETIME_MS)
      expect(await story.store.change({ kind: 'resend reports', ...NO_FILTER, pending: true, at: NOW })).toBe(0)
      expect(await story.store.countReports({ ...NO_FILTER, at: NOW })).toEqual({ failed: 0, waiting: 0, stopped: 0 })
    })

    it('returns the same events for the same position, and the later ones after it', async () => {
      const messages = [await ended(), await ended(), await ended()]
      const all = await positions({ after: 0 })
      expect(all.map(([, id]) => id)).toEqual(messages.map(({ id }) => id))
      await acknowledge(2)
      await story.reopen()
      expect(await positions({ after: 0 })).toEqual(all)
      expect(await positions({ after: 2 })).toEqual(all.slice(2))
      expect(await positions()).toEqual(all.slice(2))
    })

    it('limits a page by events and by bytes, and returns at least one event', async () => {
      for (let count = 0; count < 3; count += 1) await ended()
      const { events } = await read()
      const [first = 0, second = 0] = events.map(({ body }) => body.length)
      const page = async (limit: number, maxBytes: number) => {
        const { events: taken, isAll } = await read({ limit, maxBytes })
        return [taken.length, isAll]
      }
      expect(await page(2, 1_000_000)).toEqual([2, false])
      expect(await page(4, 1_000_000)).toEqual([3, true])
      expect(await page(4, first + second)).toEqual([2, false])
      expect(await page(4, first + second - 1)).toEqual([1, false])
      expect(await page(4, 1)).toEqual([1, false])
    })

    it('settles what was acknowledged, once', async () => {
      const [one, two] = [await ended(), await ended()]
      expect(await story.store.counts()).toMatchObject({ pendingReports: 2, unreadEvents: 2 })
      await acknowledge(1)
      await acknowledge(1, NOW + 1)
      await acknowledge(0)
      expect(await read()).toMatchObject({ last: 2, acknowledged: 1 })
      expect((await story.store.trace(one.id))?.reports).toMatchObject([
        { state: 'sent', triedAt: NOW, tries: 0, detail: 'read by the client' },
      ])
      expect(await stateOf(two)).toEqual(['pending'])
      expect(await story.store.counts()).toMatchObject({ pendingReports: 1, unreadEvents: 1 })
      await acknowledge(MAX_EVENTS * 3)
      expect(await read()).toMatchObject({ last: 2, acknowledged: 2 })
    })

    it('gives up an event that is not read in time, and still returns and acknowledges it', async () => {
      const message = await ended()
      const due = BEGINNING + 1_000 + REPORT_LIFETIME_MS
      expect((await story.store.claimReports({ now: due - 1, limit: 10 })).reports).toEqual([])
      const { reports } = await story.store.claimReports({ now: due, limit: 10 })
      expect(reports).toMatchObject([{ messageId: message.id, number: 0, address: EVENT_FEED }])
      const result = { messageId: message.id, number: 0, kind: 'unsent', at: due, dueAt: null, held: false } as const
      await story.store.settleReports([{ ...result, detail: 'not read in time' }])
      expect(await stateOf(message)).toEqual(['failed'])
      expect(await story.store.change({ kind: 'resend reports', ...NO_FILTER, pending: true, at: due })).toBe(0)
      expect(await positions()).toEqual([[1, message.id, 0]])
      await acknowledge(1, due)
      expect(await stateOf(message)).toEqual(['sent'])
    })

    it('is not settled by its expiry once it was read', async () => {
      const message = await ended()
      await acknowledge(1)
      const result = { messageId: message.id, number: 0, kind: 'unsent', at: NOW, dueAt: null, held: false } as const
      expect(await story.store.settleReports([{ ...result, detail: 'not read in time' }])).toEqual([])
      expect(await stateOf(message)).toEqual(['sent'])
    })

    it('passes no later event of the message to those who post reports', async () => {
      const message = await story.after(taken(await story.accepted(client, { hook: EVENT_FEED }), ['ref-1']))
      await story.after(receipt(await story.after(receipt(message, 'delivered')), 'read'))
      const result = { messageId: message.id, number: 0, kind: 'unsent', at: NOW, dueAt: null, held: false } as const
      expect(await story.store.settleReports([{ ...result, detail: 'not read in time' }])).toEqual([])
    })

    it('keeps unread events from the sweeper, and leaves read ones to it', async () => {
      const [message, unread] = [await ended(), await ended()]
      const later = BEGINNING + 31 * DAY_MS
      await acknowledge(1)
      await story.sweep(later)
      expect(await stateOf(message)).toEqual([])
      expect(await positions({ after: 0 })).toEqual([[2, unread.id, 0]])
      await acknowledge(2, later)
      await story.sweep(later)
      expect(await positions({ after: 0 })).toEqual([])
      expect(await read()).toMatchObject({ last: 2, acknowledged: 2, isAll: true })
      expect(await story.store.counts()).toMatchObject({ pendingReports: 0, unreadEvents: 0 })
    })

    it('has the report of a low balance', async () => {
      const settings = { defaultHook: EVENT_FEED, lowBalanceMicros: toMicros(100_000) }
      const poor = await story.account(200_000, settings)
      await story.store.reserveIds(100)
      await ended(poor)
      await story.store.change({ kind: 'correct', accountId: poor, amountMicros: toMicros(-150_000), at: BEGINNING })
      const { events } = await read({ accountId: poor })
      expect(events.map(({ position, body }) => [position, JSON.parse(body).type])).toEqual([
        [1, 'message.status'],
        [2, 'balance.low'],
      ])
    })
  })
}
