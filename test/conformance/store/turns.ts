/** TURN: each turn is written whole, once, and only upon the one before it. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AccountId } from '../../../src/domain/ids/account-id.ts'
import { BEGINNING, buildPlan, toMessageId } from '../../support/build-message.ts'
import { receipt, refused, revoked, taken, unclear } from '../../support/make-turn.ts'
import { ALL_WRITTEN, type Install, messageItem, recorded, StoreStory } from './store-story.ts'

export function describeTurns(install: Install): void {
  let story: StoreStory
  let client: AccountId
  beforeEach(async () => {
    story = await StoreStory.begin(install)
    client = await story.account(1_000_000)
  })
  afterEach(() => story.end())

  describe('recording turns', () => {
    it('writes the journey, the timeline, the money and the report of a whole life', async () => {
      const message = await story.accepted(client)
      const carried = await story.after(taken(message, ['ref-1']))
      const delivered = receipt(carried, 'delivered')
      expect(await story.record(delivered)).toEqual(ALL_WRITTEN)
      const trace = await story.store.trace(message.id)
      expect(trace?.message).toEqual(delivered.message)
      expect(trace?.timeline.map(({ at, kind, detail }) => [at - BEGINNING, kind, detail])).toEqual([
        [1_000, 'taken', 'as ref-1'],
        [2_000, 'delivered', 'stat:delivered'],
      ])
      expect(trace?.postings.map(({ kind, amountMicros, at }) => [kind, amountMicros, at - BEGINNING])).toEqual([
        ['hold', 50_000, 0],
        ['charge', 50_000, 1_000],
      ])
      expect(trace?.reports).toEqual([
        {
          ...delivered.reports[0],
          tries: 0,
          createdAt: BEGINNING + 2_000,
          state: 'pending',
          detail: '',
          triedAt: null,
          dueAt: BEGINNING + 2_000,
          waitsFor: 'sending',
          triesMade: [],
        },
      ])
      expect(await story.store.balancesOf(client)).toEqual({
        paid: -1_000_000,
        available: 950_000,
        held: 0,
        earned: 50_000,
      })
      expect(await story.store.counts()).toEqual({ open: 0, pendingReports: 1, failedReports: 0, unreadEvents: 0 })
      expect(await story.store.verifyLedger()).toEqual([])
    })

    it('takes a batch in its order, several turns of one message included', async () => {
      const message = await story.accepted(client)
      const first = unclear(message)
      const second = taken(first.message, ['ref-1'])
      const third = receipt(second.message, 'delivered')
      expect(await story.store.record([first, second, third].map((turn) => recorded(turn)))).toEqual(ALL_WRITTEN)
      expect(await story.store.loadMessages([message.id])).toEqual([third.message])
      expect((await story.store.trace(message.id))?.timeline.map(({ kind }) => kind)).toEqual([
        'unclear',
        'taken',
        'delivered',
      ])
    })

    it('gives back what a failed message held', async () => {
      const message = await story.accepted(client)
      await story.after(refused(message))
      expect(await story.store.balancesOf(client)).toMatchObject({ available: 1_000_000, held: 0, earned: 0 })
      expect(await story.store.verifyLedger()).toEqual([])
    })

    it('refuses a stale turn alone and writes nothing of it', async () => {
      const message = await story.accepted(client)
      const other = await story.accepted(client)
      const winner = taken(message, ['ref-1'])
      await story.after(winner)
      const loser = refused(message)
      const outcome = await story.store.record([recorded(loser), recorded(taken(other, ['ref-2']))])
      expect(outcome).toEqual({ ...ALL_WRITTEN, stale: [message.id] })
      expect(await story.store.loadMessages([message.id])).toEqual([winner.message])
      expect((await story.store.trace(message.id))?.timeline).toHaveLength(1)
      expect(await story.store.counts()).toMatchObject({ open: 2, pendingReports: 0 })
      expect(await story.store.verifyLedger()).toEqual([])
    })

    it('refuses a turn that is ahead of the stored one, and one of an unknown message', async () => {
      const message = await story.accepted(client)
      const ahead = receipt(taken(message, ['ref-1']).message, 'delivered')
      const unknown = taken(story.message(client), ['ref-2'])
      const { stale } = await story.store.record([recorded(ahead), recorded(unknown)])
      expect(stale).toEqual([message.id, unknown.message.id])
    })

    it('refuses a turn that equals a stored one, if it was not tried before', async () => {
      const message = await story.accepted(client)
      const turn = refused(message)
      await story.record(turn)
      expect(await story.record(turn)).toEqual({ ...ALL_WRITTEN, stale: [message.id] })
    })

    it('counts a turn that it has already as written, and writes it once', async () => {
      const message = await story.accepted(client)
      const turn = refused(message)
      await story.record(turn)
      expect(await story.record(turn, { again: true })).toEqual(ALL_WRITTEN)
      expect((await story.store.trace(message.id))?.timeline).toHaveLength(1)
      expect(await story.store.counts()).toMatchObject({ pendingReports: 1 })
      expect(await story.store.verifyLedger()).toEqual([])
    })

    it('recognizes a turn that was recorded before, although its message has gone on since', async () => {
      const first = taken(await story.accepted(client), ['ref-1'])
      await story.after(first)
      await story.after(receipt(first.message, 'delivered'))
      const before = await story.store.trace(first.message.id)
      expect((await story.record(first, { again: true })).stale).toEqual([])
      expect(await story.store.trace(first.message.id)).toEqual(before)
    })

    it('does not take another turn with the same journey for the same turn', async () => {
      const message = await story.accepted(client)
      const [one, two] = [revoked(message, 'revoked'), revoked(message, 'unknown there')]
      expect(one.message).toEqual(two.message)
      await story.record(one)
      expect((await story.record(two, { again: true })).stale).toEqual([message.id])
    })

    it('keeps a long word of a carrier short, and takes any characters', async () => {
      const message = await story.accepted(client)
      await story.after(refused(message, `\u0000 ${'ü'.repeat(5_000)}`))
      const [entry] = (await story.store.trace(message.id))?.timeline ?? []
      expect(entry?.detail.length).toBeLessThanOrEqual(500)
      expect(entry?.detail).toContain('üüü')
    })

    it('moves to the next step and reports it on request', async () => {
      const message = await story.accepted(client, { plan: buildPlan('rcs', 'sms'), reportSteps: true })
      const second = await story.after(refused(message))
      const [report] = (await story.store.trace(message.id))?.reports ?? []
      expect(JSON.parse(report?.body ?? '')).toMatchObject({ status: 'QUEUED', channel: 'sms' })
      await story.after(taken(second, ['ref-1']))
      expect(await story.store.verifyLedger()).toEqual([])
    })
  })

  it('knows nothing of a message that was never accepted', async () => {
    expect(await story.store.trace(toMessageId(6_401))).toBeNull()
    expect(await story.store.loadMessages([toMessageId(6_401)])).toEqual([])
    expect(await story.store.balancesOf(4_711 as AccountId)).toBeNull()
  })

  it('takes what was made from a stale turn for stale, even where its version would fit', async () => {
    const message = await story.accepted(client, { plan: buildPlan('rcs', 'sms') })
    const turn = refused(message)
    await story.record(turn)
    const stale = unclear(message)
    const onTop = refused(stale.message)
    const outcome = await story.store.record([recorded(stale), recorded(onTop)])
    expect(outcome.stale).toContain(message.id)
    expect((await story.store.loadMessages([message.id]))[0]?.journey).toEqual(turn.message.journey)
    expect(await story.store.verifyLedger()).toEqual([])
  })

  it('takes it for stale also at the other end of a long list of turns', async () => {
    const rich = await story.account(100_000_000)
    const message = await story.accepted(rich, { plan: buildPlan('rcs', 'sms') })
    const turn = refused(message)
    await story.record(turn)
    const others = Array.from({ length: 200 }, () => story.message(rich))
    await story.accept(
      rich,
      others.map((other) => messageItem(other)),
    )
    const stale = unclear(message)
    const turns = [stale, ...others.map((other, index) => taken(other, [`many-${index}`])), refused(stale.message)]
    const outcome = await story.store.record(turns.map((each) => recorded(each)))
    expect(outcome).toEqual({ ...ALL_WRITTEN, stale: [message.id, message.id] })
    const states = await story.store.loadMessages([message.id, ...others.map(({ id }) => id)])
    expect(states).toEqual([turn.message, ...turns.slice(1, -1).map((each) => each.message)])
  })

  it('loads messages in the order asked', async () => {
    const messages = [story.message(client), story.message(client), story.message(client)]
    await story.accept(
      client,
      messages.map((message) => messageItem(message)),
    )
    const ids = messages.map((message) => message.id).reverse()
    expect((await story.store.loadMessages(ids)).map((message) => message.id)).toEqual(ids)
  })
}
