/** Statistics of calls: counted with the turns that know of them, once each, and added up by what is asked. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AccountId } from '../../../src/domain/ids/account-id.ts'
import type { Message } from '../../../src/domain/message/message.ts'
import { type CallKey, type CallQuery, callDay } from '../../../src/domain/statistics/call-statistics.ts'
import { CALLS_COUNTED_DAYS } from '../../../src/ports/stores/query-store.ts'
import { BEGINNING, buildPlan } from '../../support/build-message.ts'
import { receipt, refused, taken } from '../../support/make-turn.ts'
import { type Install, recorded, StoreStory } from './store-story.ts'

const DAY_MS = 86_400_000
const TODAY = callDay(BEGINNING)

export function describeCalls(install: Install): void {
  let story: StoreStory
  let client: AccountId
  beforeEach(async () => {
    story = await StoreStory.begin(install)
    client = await story.account()
  })
  afterEach(() => story.end())

  const call = (accountId = client, change: Partial<Message> = {}) =>
    story.accepted(accountId, { plan: buildPlan('call'), ...change })
  /** It rings a second after the beginning, and is hung up on three seconds later. */
  async function rung(message: Message, carrierId = 'a', at = BEGINNING + 1_000): Promise<void> {
    const ringing = await story.after(taken(message, [`ref-${message.id}`], { carrierId, at }))
    await story.after(receipt(ringing, 'unanswered', { carrierId, at: at + 3_000 }))
  }
  const totals = async (by: readonly CallKey[], change: Partial<CallQuery> = {}) => {
    const query = { from: TODAY, through: TODAY, accountId: null, by, limit: 100, ...change }
    const found = await story.store.callTotals(query)
    return found.map(({ day, accountId, carrierId, operator, outcome, calls, ringMs }) => {
      const place = [day === null ? null : day - TODAY, accountId, carrierId, operator].filter((each) => each !== null)
      return [...place, outcome, calls, ringMs]
    })
  }

  describe('statistics of calls', () => {
    it('count how each began and ended, by what is asked', async () => {
      const other = await story.account()
      await rung(await call())
      await rung(await call(client, { operator: '26202' }), 'b')
      await rung(await call(other))
      await story.after(refused(await call(), 'gone', { carrierId: 'a' }))
      expect(await totals(['carrier'])).toEqual([
        ['a', 'failed', 1, 0],
        ['a', 'rang', 2, 0],
        ['a', 'unanswered', 2, 6_000],
        ['b', 'rang', 1, 0],
        ['b', 'unanswered', 1, 3_000],
      ])
      expect(await totals(['operator', 'account'], { accountId: client })).toEqual([
        [client, '26201', 'failed', 1, 0],
        [client, '26201', 'rang', 1, 0],
        [client, '26201', 'unanswered', 1, 3_000],
        [client, '26202', 'rang', 1, 0],
        [client, '26202', 'unanswered', 1, 3_000],
      ])
      expect(await totals(['account'], { accountId: other })).toEqual([
        [other, 'rang', 1, 0],
        [other, 'unanswered', 1, 3_000],
      ])
      expect(await totals([], { limit: 2 })).toEqual([
        ['failed', 1, 0],
        ['rang', 3, 0],
      ])
    })

    it('are of days, the last included', async () => {
      for (const days of [0, 1, 2]) await rung(await call(), 'a', BEGINNING + days * DAY_MS)
      expect(await totals(['day'], { through: TODAY + 1 })).toEqual([
        [0, 'rang', 1, 0],
        [0, 'unanswered', 1, 3_000],
        [1, 'rang', 1, 0],
        [1, 'unanswered', 1, 3_000],
      ])
      expect(await totals([], { from: TODAY + 3, through: TODAY + 9 })).toEqual([])
    })

    it('include calls with an unknown operator, and survive a restart', async () => {
      await rung(await call(client, { operator: null }))
      await story.reopen()
      expect(await story.store.callTotals({ ...ALL_DAYS, by: ['operator'] })).toMatchObject([
        { operator: null, outcome: 'rang', calls: 1 },
        { operator: null, outcome: 'unanswered', calls: 1, ringMs: 3_000 },
      ])
    })

    it('count a turn that is recorded twice once, and a stale one not at all', async () => {
      const message = await call()
      const turn = taken(message, ['ref'], { carrierId: 'a' })
      await story.store.record([recorded(turn)])
      await story.store.record([recorded(turn, { again: true })])
      await story.store.record([recorded(refused(message))])
      expect(await totals([])).toEqual([['rang', 1, 0]])
    })

    it('leave out what is no call, and what was sent with a test key', async () => {
      await story.after(taken(await story.accepted(client), ['sms']))
      await rung(await call(client, { test: true }))
      expect(await totals([])).toEqual([])
    })

    it('are forgotten after two years and more', async () => {
      await rung(await call())
      await story.sweep(BEGINNING + (CALLS_COUNTED_DAYS - 1) * DAY_MS)
      expect(await totals([])).toHaveLength(2)
      await story.sweep(BEGINNING + CALLS_COUNTED_DAYS * DAY_MS)
      expect(await totals([])).toEqual([])
    })
  })
}

const ALL_DAYS = { from: 0, through: TODAY + 1_000, accountId: null, limit: 100 }
