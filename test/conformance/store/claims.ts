/** OUT: every open message is held by one node or waits for its due time, and a dead node loses none. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Channel } from '../../../src/domain/channels/channel.ts'
import type { AccountId } from '../../../src/domain/ids/account-id.ts'
import type { MessageId } from '../../../src/domain/ids/message-id.ts'
import { beginJourney, classOf, type Message, tenantOf } from '../../../src/domain/message/message.ts'
import type { TrafficClass } from '../../../src/domain/message/traffic-class.ts'
import type { DueClaim, QueueOrder } from '../../../src/ports/records/due-claim.ts'
import { BEGINNING, buildPlan } from '../../support/build-message.ts'
import { receipt, refused, taken, unclear } from '../../support/make-turn.ts'
import { allOf, claimAll, roomFor } from '../../support/take-from-queues.ts'
import { type Install, messageItem, StoreStory } from './store-story.ts'

const NOTHING = {
  messages: [],
  queued: [],
  forCarriers: [],
  earlyReceipts: [],
  left: [],
  more: false,
  isBlocked: false,
  isComplete: true,
}

export function describeClaims(install: Install): void {
  let story: StoreStory
  let client: AccountId
  beforeEach(async () => {
    story = await StoreStory.begin(install)
    client = await story.account(1e9)
  })
  afterEach(() => story.end())

  const claim = (now: number, channels: readonly Channel[] = ['sms'], limit = 100) =>
    story.store.claimDue({ now, limit, queues: roomFor(channels) })
  const claimed = async (now: number, channels?: readonly Channel[], limit?: number): Promise<MessageId[]> =>
    allOf(await claim(now, channels, limit)).map((message) => message.id)

  describe('claiming', () => {
    it('leaves alone what this node holds', async () => {
      await story.accepted(client)
      expect(await claim(BEGINNING + 1e9)).toEqual({ ...NOTHING, nextDueAt: null })
    })

    it('gives a waiting message out once, as it is stored', async () => {
      const message = await story.accepted(client, {}, { waits: true })
      expect((await claim(BEGINNING)).queued).toEqual([message])
      expect(await claimed(BEGINNING + 1e9)).toEqual([])
    })

    it('gives nothing out before its time, and says when that is', async () => {
      const message = await story.accepted(client)
      const later = await story.after(unclear(message), { held: false })
      const dueAt = later.journey.dueAt ?? 0
      expect(await claim(dueAt - 1)).toEqual({ ...NOTHING, nextDueAt: dueAt })
      expect(await claim(dueAt)).toEqual({ ...NOTHING, messages: [later], nextDueAt: null })
    })

    it('takes from the queues of the channels that it has room for, and what is due from everywhere', async () => {
      const sms = await story.accepted(client, {}, { waits: true })
      const rcs = await story.accepted(client, { plan: buildPlan('rcs', 'chatapp') }, { waits: true })
      const moved = await story.accepted(client, { plan: buildPlan('rcs', 'chatapp') })
      await story.after(refused(moved), { held: false })
      const now = BEGINNING + 10_000
      expect(await claimed(now, ['call'])).toEqual([moved.id])
      expect(await claimed(now, ['sms'])).toEqual([sms.id])
      expect(await claimed(now, ['rcs', 'sms'])).toEqual([rcs.id])
    })

    it('takes no more than it is asked for, the longest due first', async () => {
      const late = await story.after(unclear(await story.accepted(client)), { held: false })
      const early = [1, 2].map((n) => story.message(client, { createdAt: BEGINNING - n * 1_000 }))
      for (const message of early) {
        const journey = { ...message.journey, dueAt: message.createdAt + 10 }
        const item = {
          kind: 'message',
          message: { ...message, journey },
          waits: true,
          links: [],
          uniqueId: false,
        } as const
        await story.accept(client, [item], { now: BEGINNING - 9_000 })
      }
      expect(await claimed(BEGINNING, ['sms'], 2)).toEqual([early[1]?.id, early[0]?.id])
      const { nextDueAt } = await claim(BEGINNING)
      expect(nextDueAt).toBe(late.journey.dueAt)
      expect(await claimed(nextDueAt ?? 0)).toEqual([late.id])
    })

    it('has done with a message that ended', async () => {
      const message = await story.accepted(client)
      await story.after(refused(message))
      await story.reopen()
      expect(await claimed(BEGINNING + 1e9)).toEqual([])
    })

    it('returns released messages at their due time', async () => {
      const message = await story.accepted(client)
      const carried = await story.after(taken(message, ['ref-1']), { held: true })
      await story.store.release([carried.id])
      const dueAt = carried.journey.dueAt ?? 0
      expect((await claim(dueAt - 1)).nextDueAt).toBe(dueAt)
      expect((await claim(dueAt)).messages).toEqual([carried])
    })

    it('releases only held messages', async () => {
      const message = await story.accepted(client)
      await story.after(refused(message))
      await story.store.release([message.id])
      expect(await claimed(BEGINNING + 1e9)).toEqual([])
    })
  })

  describe('queues', () => {
    const enqueue = (message: Message, change: Partial<QueueOrder> = {}) =>
      story.store.enqueue([
        {
          messageId: message.id,
          version: message.journey.version,
          channel: message.plan[message.journey.step]?.channel ?? 'sms',
          ...{ carriers: ['smsc'], routing: 'now', tenant: tenantOf(message), dueAt: message.journey.deadlineAt },
          ...change,
        },
      ])
    const take = async (carriers: readonly string[], change: Partial<DueClaim> = {}) => {
      const claimed = await claimAll(story.store, { now: BEGINNING, carriers, routing: 'now', ...change })
      return claimed.queued.map(({ id }) => id)
    }
    const waiting = (account: AccountId, count: number) =>
      Promise.all(Array.from({ length: count }, () => story.accepted(account, {}, { waits: true })))

    it('of carriers are for nodes that can reach one of them', async () => {
      const message = await story.accepted(client)
      expect(await enqueue(message, { carriers: ['smsc', 'smsc 2'] })).toEqual([])
      expect(await take([])).toEqual([])
      expect(await take(['smsc3'])).toEqual([])
      const claimed = await claimAll(story.store, { now: BEGINNING, carriers: ['smsc 2'], routing: 'now' })
      expect(claimed).toMatchObject({ queued: [{ id: message.id }], forCarriers: [message.id], isBlocked: false })
      expect(await take(['smsc'])).toEqual([])
    })

    it('of carriers that cannot take anything say so', async () => {
      await enqueue(await story.accepted(client))
      const claimed = await claimAll(story.store, { now: BEGINNING, routing: 'now' })
      expect(claimed).toMatchObject({ queued: [], left: [], isBlocked: true, more: false })
    })

    it('of carriers are for everybody once routes have changed', async () => {
      const message = await story.accepted(client)
      await enqueue(message, { routing: 'before' })
      expect(await take([])).toEqual([message.id])
    })

    it('pass over what has gone on since, has ended, or is not held', async () => {
      const gone = await story.accepted(client)
      await story.after(taken(gone, ['ref-1']), { held: true })
      const ended = await story.accepted(client)
      await story.after(refused(ended))
      const [free] = (await waiting(client, 1)) as [Message]
      for (const message of [gone, ended, free]) expect(await enqueue(message)).toEqual([message.id])
      expect(await take(['smsc'])).toEqual([free.id])
    })

    it('give due messages to any node, however full its memory is', async () => {
      const message = await story.accepted(client)
      const { deadlineAt } = message.journey
      await enqueue(message)
      const claim = { limit: 10, routing: 'now', queues: [] }
      const before = await story.store.claimDue({ ...claim, now: deadlineAt - 1 })
      expect(before).toMatchObject({ messages: [], nextDueAt: deadlineAt })
      const { messages } = await story.store.claimDue({ ...claim, now: deadlineAt })
      expect(messages.map(({ id }) => id)).toEqual([message.id])
    })

    it('serve every account, however many messages of another came first', async () => {
      const other = await story.account(1_000_000)
      const batch = await waiting(client, 30)
      const few = await waiting(other, 3)
      const queues = [{ channel: 'sms', free: 20, held: [] }] as const
      const claimed = await claimAll(story.store, { now: BEGINNING, limit: 10, queues })
      const ids = claimed.queued.map(({ id }) => id)
      expect(ids).toEqual(expect.arrayContaining(few.map(({ id }) => id)))
      expect(ids.filter((id) => batch.some((message) => message.id === id)).length).toBeGreaterThanOrEqual(5)
      expect(claimed).toMatchObject({ left: [{ channel: 'sms', tenant: tenantOf(batch[0] as Message) }] })
    })

    it('give a tenant no more than its share of the memory', async () => {
      const batch = await waiting(client, 30)
      const tenant = tenantOf(batch[0] as Message)
      const claimWith = (free: number, held: number) => {
        const queues = [{ channel: 'sms', free, held: [[tenant, held]] }] as const
        return claimAll(story.store, { now: BEGINNING, queues })
      }
      expect((await claimWith(10, 0)).queued).toHaveLength(5)
      expect(await claimWith(5, 5)).toMatchObject({ queued: [], more: false, left: [{ tenant }] })
      expect((await claimWith(100, 0)).queued).toHaveLength(25)
      expect(await claimWith(100, 0)).toMatchObject({ queued: [], left: [], isComplete: true })
    })

    it('are gone through round by round where there are many tenants', async () => {
      const accounts = await Promise.all(Array.from({ length: 70 }, () => story.account(1_000_000)))
      for (const account of accounts) await waiting(account, 2)
      const served = new Set<AccountId>()
      for (let round = 0; round < 20 && served.size < 70; round += 1) {
        const { queued } = await claimAll(story.store, { now: BEGINNING, limit: 10 })
        for (const { accountId } of queued) served.add(accountId)
      }
      expect(served.size).toBe(70)
    })

    it('give codes first, however many mailings wait, and leave these their share', async () => {
      const accounts = await Promise.all(Array.from({ length: 70 }, () => story.account(1e9)))
      const send = (account: AccountId, count: number, change: Partial<Message> = {}) =>
        Promise.all(Array.from({ length: count }, () => story.accepted(account, change, { waits: true })))
      const of = (trafficClass: TrafficClass) => ({
        journey: beginJourney(buildPlan('sms'), BEGINNING, { priority: { trafficClass, by: 'request' } }),
      })
      for (const account of accounts) await send(account, 2, of('bulk'))
      const [last, first] = [accounts.at(-1) as AccountId, accounts[0] as AccountId]
      const few = [...(await send(last, 2, of('otp'))), ...(await send(client, 2, of('otp')))]
      const claim = async () => (await claimAll(story.store, { now: BEGINNING, limit: 20, lowerShare: 10 })).queued
      const early = await claim()
      expect(early.slice(0, 4).map(({ id }) => id)).toEqual(expect.arrayContaining(few.map(({ id }) => id)))
      await send(first, 50, of('otp'))
      const classes = Map.groupBy(await claim(), classOf)
      expect([classes.get('otp')?.length, classes.get('bulk')?.length]).toEqual([18, 2])
    })

    it('keep the order of a tenant', async () => {
      const batch = []
      for (let index = 0; index < 5; index += 1) {
        const createdAt = BEGINNING + index
        const message = story.message(client, { createdAt, journey: beginJourney(buildPlan('sms'), createdAt) })
        await story.accept(client, [messageItem(message, { waits: true })], { now: createdAt })
        batch.push(message.id)
      }
      expect(await take([], { limit: 3 })).toEqual(batch.slice(0, 3))
      expect(await take([], { limit: 3 })).toEqual(batch.slice(3))
    })

    it('forget a message that goes on', async () => {
      const message = await story.accepted(client, { plan: buildPlan('sms', 'rcs') })
      await enqueue(message)
      await take(['smsc'])
      const second = await story.after(refused(message), { held: true })
      await story.reopen()
      expect(await claimed(BEGINNING, ['call'])).toEqual([second.id])
    })
  })

  describe('when a node dies', () => {
    it('gives what it held to the next at once, whatever was due when', async () => {
      const fresh = await story.accepted(client)
      const carried = await story.accepted(client)
      await story.after(taken(carried, ['ref-1']), { held: true })
      const waiting = await story.accepted(client)
      await story.after(taken(waiting, ['ref-2']), { held: false })
      await story.reopen()
      expect((await claimed(BEGINNING)).sort()).toEqual([fresh.id, carried.id].sort())
      expect(await claimed(BEGINNING)).toEqual([])
    })

    it('remembers the step that was under way', async () => {
      const message = await story.accepted(client, { plan: buildPlan('rcs', 'sms') })
      const second = await story.after(refused(message), { held: true })
      await story.reopen()
      expect((await claim(BEGINNING)).messages).toEqual([second])
    })

    it('lets the next node continue where it stopped, and releases messages until the due time of the journey', async () => {
      const message = await story.accepted(client)
      const carried = await story.after(taken(message, ['ref-1']), { held: true })
      await story.reopen()
      await claim(BEGINNING)
      await story.store.release([message.id])
      expect((await claim(BEGINNING)).nextDueAt).toBe(carried.journey.dueAt)
      await story.after(receipt(carried, 'delivered'))
      expect(await story.store.verifyLedger()).toEqual([])
    })
  })
}
