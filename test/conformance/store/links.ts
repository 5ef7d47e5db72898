/** Short links: found by their code, clicks counted, the first human click reported once. */
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AccountId } from '../../../src/domain/account.ts'
import type { Message } from '../../../src/domain/message.ts'
import { hourOf, type StatisticsQuery } from '../../../src/domain/message-statistics.ts'
import type { ClickCount, ShortLink } from '../../../src/ports/short-link.ts'
import { BEGINNING } from '../../support/build-message.ts'
import { clicked } from '../../support/make-turn.ts'
import { type Install, messageItem, StoreStory } from './store-story.ts'

const HOUR_MS = 3_600_000
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
  })
}
