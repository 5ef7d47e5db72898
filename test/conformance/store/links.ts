/** Short links: found by their code, clicks counted, the first human click reported once. */
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AccountId } from '../../../src/domain/ids/account-id.ts'
import type { BulkId } from '../../../src/domain/ids/message-id.ts'
import type { Message } from '../../../src/domain/message/message.ts'
import { DAYS_KEPT_DAYS, hourOf, type StatisticsQuery } from '../../../src/domain/statistics/message-statistics.ts'
import {
  type ClickCount,
  type LinkTotalQuery,
  MAX_DAILY_TARGETS,
  type ShortLink,
} from '../../../src/ports/records/short-link.ts'
import { BEGINNING } from '../../support/build-message.ts'
import { clicked } from '../../support/make-turn.ts'
import { type Install, messageItem, StoreStory } from './store-story.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const FIRST = hourOf(BEGINNING)

export function describeLinks(install: Install): void {
  let story: StoreStory
  let client: AccountId
  let message: Message
  let links: readonly ShortLink[]
  beforeEach(async () => {
    story = await StoreStory.begin(install)
    client = await story.account(1_000_000)
    message = story.message(client)
    links = ['aaaa', 'bbbb'].map((code) => {
      return { code, messageId: message.id, url: `https://shop.example/${code}?q=ü`, expiresAt: BEGINNING + 1e9 }
    })
    await story.accept(client, [messageItem(message, { links })])
  })
  afterEach(() => story.end())

  const count = (...clicks: readonly ClickCount[]) => story.store.countClicks(clicks)
  const clicks = (code: string, humans: number, robots: number, at = BEGINNING) => ({ code, humans, robots, at })
  const human = (code: string): ClickCount => clicks(code, 1, 0)
  const robot = (code: string): ClickCount => clicks(code, 0, 1)

  describe('short links', () => {
    it('finds the links of known codes, letter for letter', async () => {
      expect(await story.store.findLinks(['bbbb', 'nope', 'AAAA', 'aaaa'])).toEqual([links[1], links[0]])
    })

    it('stores no link of a message that was not accepted', async () => {
      const poor = await story.account(0)
      const unpaid = story.message(poor)
      const link = { code: 'cccc', messageId: unpaid.id, url: 'https://shop.example', expiresAt: BEGINNING }
      await story.accept(poor, [messageItem(unpaid, { links: [link] })])
      expect(await story.store.findLinks(['cccc'])).toEqual([])
    })

    it('counts humans and robots apart', async () => {
      await count(clicks('aaaa', 2, 3), human('aaaa'), robot('bbbb'), human('nope'))
      expect((await story.store.trace(message.id))?.links).toEqual([
        { ...links[0], humans: 3, robots: 3 },
        { ...links[1], humans: 0, robots: 1 },
      ])
    })

    it('returns the code of a human click until a turn has reported it', async () => {
      expect(await count(robot('aaaa'))).toEqual([])
      expect(await count(human('aaaa'), robot('bbbb'))).toEqual(['aaaa'])
      expect(await count(human('aaaa'), human('aaaa'))).toEqual(['aaaa'])
      const turn = clicked(message, links[0]?.url ?? '', 'aaaa')
      await story.after(turn, { clickedCode: 'aaaa' })
      expect(await count(human('aaaa'), human('bbbb'))).toEqual(['bbbb'])
      expect(await story.store.counts()).toMatchObject({ pendingReports: 1 })
    })

    it('does not count a stale turn as reported', async () => {
      const turn = clicked(message, links[0]?.url ?? '', 'aaaa')
      await story.after(clicked(message, links[1]?.url ?? '', 'bbbb'), { clickedCode: 'bbbb' })
      await story.record(turn, { clickedCode: 'aaaa' })
      expect(await count(human('aaaa'))).toEqual(['aaaa'])
    })

    const totals = async (change: Partial<StatisticsQuery> = {}) => {
      const range = { from: FIRST, through: FIRST + 47, source: 'hours', slotHours: 1, limit: 1_000 } as const
      const found = await story.store.messageTotals({ ...range, accountId: null, only: {}, by: [], ...change })
      return found
        .filter(({ event }) => /click/.test(event))
        .map(({ slot, event, messages }) => [slot === -1 ? -1 : slot - FIRST, event, messages])
        .sort()
    }

    it('counts each click in the statistics of its hour, and a message with clicks once, in the hour of its start', async () => {
      const later = BEGINNING + 26 * HOUR_MS
      await count(clicks('aaaa', 2, 1), clicks('bbbb', 1, 0, later), clicks('nope', 5, 5))
      await count(clicks('aaaa', 1, 0, later))
      const one = await story.after(clicked(message, links[0]?.url ?? '', 'aaaa', later), { clickedCode: 'aaaa' })
      await story.after(clicked(one, links[1]?.url ?? '', 'bbbb', later), { clickedCode: 'bbbb' })
      const hours = [
        [0, 'clicked', 1],
        [0, 'human click', 2],
        [0, 'robot click', 1],
        [26, 'human click', 2],
      ]
      expect(await totals()).toEqual(hours)
      await story.store.sweep(later + 2 * HOUR_MS, { settledKeptDays: null, inboundKeptDays: null })
      expect(await totals({ accountId: client })).toEqual(hours)
      expect(await totals({ only: { channel: 'sms', country: 'DE', operator: '26201' } })).toEqual(hours)
      expect(await totals({ source: 'days', slotHours: 24 })).toEqual([
        [0, 'clicked', 1],
        [0, 'human click', 2],
        [0, 'robot click', 1],
        [24, 'human click', 2],
      ])
      expect(await totals({ only: { channel: 'rcs' } })).toEqual([])
      expect(await totals({ accountId: await story.account() })).toEqual([])
    })

    it('counts no click on a link of a test message in the statistics', async () => {
      const test = story.message(client, { test: true })
      const link = { code: 'cccc', messageId: test.id, url: 'https://shop.example', expiresAt: BEGINNING }
      await story.accept(client, [messageItem(test, { links: [link] })])
      await count(human('cccc'))
      await story.after(clicked(test, link.url, 'cccc'), { clickedCode: 'cccc' })
      expect(await totals()).toEqual([])
      expect((await story.store.trace(test.id))?.links).toMatchObject([{ humans: 1 }])
    })

    it('has the same clicks in the statistics as on its links, whatever was clicked and rolled up in between', async () => {
      const counts = fc.record({
        code: fc.constantFrom('aaaa', 'bbbb', 'nope'),
        humans: fc.nat(3),
        robots: fc.nat(3),
        at: fc.nat(30).map((hour) => BEGINNING + hour * HOUR_MS),
      })
      const batches = fc.array(fc.oneof(fc.array(counts, { maxLength: 4 }), fc.constant('sweep' as const)), {
        maxLength: 8,
      })
      await fc.assert(
        fc.asyncProperty(batches, async (drawn) => {
          for (const batch of drawn) {
            if (batch === 'sweep') {
              await story.store.sweep(BEGINNING + 20 * HOUR_MS, { settledKeptDays: null, inboundKeptDays: null })
            } else await count(...batch)
          }
          const stored = (await story.store.trace(message.id))?.links ?? []
          const sum = (each: 'humans' | 'robots') => stored.reduce((total, link) => total + link[each], 0)
          const expected = [
            [-1, 'human click', sum('humans')],
            [-1, 'robot click', sum('robots')],
          ].filter(([, , clicks]) => clicks !== 0)
          for (const source of ['hours', 'days'] as const) {
            for (const accountId of [client, null]) {
              expect(await totals({ source, accountId, slotHours: null })).toEqual(expected)
            }
          }
        }),
        { numRuns: 10 },
      )
    })

    const DAY = Math.floor(BEGINNING / DAY_MS)
    const byTarget = async (change: Partial<LinkTotalQuery> = {}) => {
      const range = { accountId: null, bulkId: null, from: DAY, through: DAY + 9, after: null, limit: 100 }
      return story.store.linkTotals({ ...range, ...change })
    }
    /** Accepts a message with one link; returns its code. */
    const linked = async (url: string, change: Parameters<StoreStory['message']>[1] = {}, accountId = client) => {
      const of = story.message(accountId, change)
      const code = `code-${of.id}`
      await story.accept(accountId, [
        messageItem(of, { links: [{ code, messageId: of.id, url, expiresAt: BEGINNING + 1e9 }] }),
      ])
      return code
    }

    it('sums up clicks by account, day, bulk and address, without what is different for each recipient', async () => {
      const other = await story.account(1_000_000)
      const journey = { ...story.message(client).journey, bulk: 7 as BulkId }
      const one = await linked('https://shop.example/sale?c=17')
      const two = await linked('https://shop.example/sale?c=18')
      const ofBulk = await linked('https://shop.example/sale', { journey })
      const ofOther = await linked('https://shop.example/order/4711000123', {}, other)
      const test = await linked('https://shop.example/sale', { test: true })
      await count(clicks(one, 2, 1), clicks(two, 0, 1, BEGINNING + 5_000), clicks(ofBulk, 1, 0), human(test))
      await count(clicks(one, 1, 0, BEGINNING + 9_000), clicks(two, 1, 0, BEGINNING + DAY_MS), clicks(ofOther, 4, 0))
      const sale = { accountId: client, address: 'https://shop.example/sale', target: expect.stringMatching(/^#/) }
      const first = {
        ...sale,
        day: DAY,
        bulkId: 0,
        humans: 3,
        robots: 2,
        links: 1,
        firstAt: BEGINNING,
        lastAt: BEGINNING + 9_000,
      }
      const bulk = {
        ...sale,
        day: DAY,
        bulkId: 7,
        humans: 1,
        robots: 0,
        links: 1,
        firstAt: BEGINNING,
        lastAt: BEGINNING,
      }
      const next = {
        ...first,
        day: DAY + 1,
        humans: 1,
        robots: 0,
        firstAt: BEGINNING + DAY_MS,
        lastAt: BEGINNING + DAY_MS,
      }
      const order = { ...bulk, accountId: other, bulkId: 0, address: 'https://shop.example/order/*', humans: 4 }
      expect(await byTarget()).toEqual([first, bulk, order, next])
      expect(await byTarget({ accountId: client })).toEqual([first, bulk, next])
      expect(await byTarget({ bulkId: 7 as BulkId })).toEqual([bulk])
      expect(await byTarget({ from: DAY + 1 })).toEqual([next])
      expect(await byTarget({ through: DAY })).toEqual([first, bulk, order])
      for (const accountId of [client, null]) {
        const [head] = await byTarget({ accountId, limit: 1 })
        expect(head).toEqual(first)
        const rest = await byTarget({ accountId, after: head ?? null })
        expect(rest).toEqual((await byTarget({ accountId })).slice(1))
      }
    })

    it('sums up the addresses beyond the limit of an account and day in one', async () => {
      const rich = await story.account(1e9)
      const codes = Array.from({ length: MAX_DAILY_TARGETS + 2 }, (_, number) => `page${number}`)
      const items = codes.map((code) => {
        const of = story.message(rich)
        const link = { code, messageId: of.id, url: `https://shop.example/${code}`, expiresAt: BEGINNING + 1e9 }
        return messageItem(of, { links: [link] })
      })
      await story.accept(rich, items)
      const [first = '', ...others] = codes
      await count(...others.slice(0, 900).map(human))
      await count(...others.slice(900).map(human), human(first))
      await count(human(first), human(others[0] ?? ''))
      const found = await byTarget({ limit: 2 * MAX_DAILY_TARGETS })
      expect(found).toHaveLength(MAX_DAILY_TARGETS + 1)
      expect(found[0]).toMatchObject({ target: '', address: '', humans: 3, links: 2 })
      expect(found.reduce((sum, { humans }) => sum + humans, 0)).toBe(codes.length + 2)
      await count(clicks(first, 1, 0, BEGINNING + DAY_MS))
      expect(await byTarget({ from: DAY + 1 })).toMatchObject([{ address: 'https://shop.example/page0', links: 0 }])
    })

    it('deletes the clicks by address after as long as other statistics', async () => {
      await count(human('aaaa'))
      const keeping = { settledKeptDays: null, inboundKeptDays: null }
      await story.store.sweep(BEGINNING + (DAYS_KEPT_DAYS - 1) * DAY_MS, keeping)
      expect(await byTarget()).toHaveLength(1)
      await story.store.sweep(BEGINNING + (DAYS_KEPT_DAYS + 1) * DAY_MS, keeping)
      expect(await byTarget()).toEqual([])
    })
  })
}
