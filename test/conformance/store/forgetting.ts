/** Forgetting a recipient: nothing contains the phone any more, opt-outs remain, and the ledger stays correct. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { UsageLimit } from '../../../src/domain/guards/guards.ts'
import type { AccountId } from '../../../src/domain/ids/account-id.ts'
import type { Message } from '../../../src/domain/message/message.ts'
import type { Phone } from '../../../src/domain/numbers/phone.ts'
import type { ShortLink } from '../../../src/ports/records/short-link.ts'
import { BEGINNING, buildPlan } from '../../support/build-message.ts'
import { wrote, wrotePart } from '../../support/inbound-arrival.ts'
import { receipt, refused, TEST_CARRIER, taken } from '../../support/make-turn.ts'
import { type Install, messageItem, StoreStory } from './store-story.ts'

const WHO = '4915112345678' as Phone
const OTHER = '4915100000001' as Phone

export function describeForgetting(install: Install): void {
  let story: StoreStory
  let client: AccountId
  beforeEach(async () => {
    story = await StoreStory.begin(install)
    client = await story.account(1e9)
  })
  afterEach(async () => {
    expect(await story.store.verifyLedger()).toEqual([])
    await story.end()
  })

  const forget = () => story.store.forget(WHO, BEGINNING)
  const ended = async (change: Partial<Message> = {}): Promise<Message> => {
    const message = await story.accepted(client, { phone: WHO, hook: null, ...change })
    return story.after(receipt(await story.after(taken(message, [`${WHO}-${message.id}`])), 'delivered'))
  }
  const traceOf = async ({ id }: Message) => {
    const trace = await story.store.trace(id)
    if (trace === null) throw new Error('the message is gone')
    return trace
  }

  describe('forgetting', () => {
    it('leaves of messages their walk and their money', async () => {
      const message = story.message(client, { phone: WHO, clientId: `"${WHO}"`, hook: `https://x.example/${WHO}` })
      const link: ShortLink = { code: 'abc', messageId: message.id, url: 'https://x.example', expiresAt: BEGINNING + 9 }
      await story.accept(client, [messageItem(message, { links: [link], uniqueId: true })])
      await story.after(receipt(await story.after(taken(message, [`${WHO}-1`])), 'delivered'))
      await story.store.settleReports([
        { messageId: message.id, number: 0, kind: 'sent', at: 0, dueAt: null, held: false, detail: `sent to ${WHO}` },
      ])
      const before = await traceOf(message)
      expect(await forget()).toMatchObject({ kind: 'forgotten', messages: 1, replies: 0, optOuts: 0 })
      const after = await traceOf(message)
      expect(JSON.stringify(after)).not.toContain(WHO)
      expect(after.message).toMatchObject({ phone: '', clientId: null, hook: null, plan: [{ content: { text: '' } }] })
      expect(after.message.journey).toMatchObject({ status: 'DELIVERED', phase: 'ended' })
      expect(after.timeline.map(({ kind, at }) => [kind, at])).toEqual(
        before.timeline.map(({ kind, at }) => [kind, at]),
      )
      expect(after.postings).toEqual(before.postings)
      expect(await story.store.findLinks(['abc'])).toEqual([])
      const page = { of: 'messages', accountId: null, phone: WHO, status: null, after: null, limit: 9 } as const
      expect((await story.store.page(page)).rows).toEqual([])
    })

    it.each([false, true])('frees a client id that must not repeat (of a test message: %s)', async (test) => {
      const item = () =>
        messageItem(story.message(client, { phone: WHO, clientId: '7', hook: null, test }), {
          uniqueId: true,
        })
      const first = item() as Extract<ReturnType<typeof item>, { kind: 'message' }>
      await story.accept(client, [first])
      await story.after(refused(first.message))
      expect(await story.accept(client, [item()])).toMatchObject([{ kind: 'repeated' }])
      expect(await forget()).toMatchObject({ messages: 1 })
      expect(await story.accept(client, [item()])).toMatchObject([{ kind: 'accepted' }])
    })

    it('forgets what was counted for limits to the phone', async () => {
      const limit: UsageLimit = {
        accountId: client,
        guard: 'phone',
        key: `phone/3600 ${WHO}`,
        slot: 1,
        since: 1,
        maxMessages: 1,
        maxMicros: null,
        keepUntil: BEGINNING + 9,
      }
      const send = (phone: Phone) => {
        const message = story.message(client, { phone, hook: null })
        return { message, outcome: story.accept(client, [messageItem(message, { counts: [0] })], { limits: [limit] }) }
      }
      const first = send(WHO)
      expect(await first.outcome).toMatchObject([{ kind: 'accepted' }])
      expect(await send(WHO).outcome).toMatchObject([{ kind: 'limited' }])
      await story.after(refused(first.message))
      await forget()
      expect(await send(WHO).outcome).toMatchObject([{ kind: 'accepted' }])
    })

    it('leaves others alone, however many messages there are', async () => {
      const messages = await Promise.all(Array.from({ length: 250 }, () => ended()))
      const other = await ended({ phone: OTHER })
      expect(await forget()).toMatchObject({ messages: 250 })
      const loaded = await story.store.loadMessages([...messages, other].map(({ id }) => id))
      expect(loaded.map(({ phone }) => phone)).toEqual([...messages.map(() => ''), OTHER])
      expect((await traceOf(other)).message.plan).toEqual(other.plan)
      expect(await forget()).toMatchObject({ messages: 0 })
    })

    it('changes nothing while a message is open or a report is pending', async () => {
      const done = await ended()
      const open = await story.accepted(client, { phone: WHO })
      expect(await forget()).toEqual({ kind: 'in the way', openMessages: 1, pendingReports: 0, listed: 0 })
      await story.after(refused(open))
      expect(await forget()).toEqual({ kind: 'in the way', openMessages: 0, pendingReports: 1, listed: 0 })
      expect((await traceOf(done)).message).toEqual(done)
      await story.store.settleReports([
        { messageId: open.id, number: 0, kind: 'sent', at: 0, dueAt: null, held: false, detail: '200' },
      ])
      expect(await forget()).toMatchObject({ kind: 'forgotten', messages: 2 })
    })

    it('changes nothing while the phone is on a list of numbers', async () => {
      const number = { list: 'deny', digits: WHO, whole: true } as const
      await story.store.change({ kind: 'list number', number: { ...number, note: '' } })
      await story.store.change({ kind: 'list number', number: { ...number, digits: '4915', whole: false, note: '' } })
      expect(await forget()).toEqual({ kind: 'in the way', openMessages: 0, pendingReports: 0, listed: 1 })
      await story.store.change({ kind: 'unlist number', number })
      expect(await forget()).toMatchObject({ kind: 'forgotten' })
    })

    it.each([
      ['5491133334444', '541133334444'],
      ['525512345678', '5215512345678'],
      ['2290161234567', '22961234567'],
    ])('finds %s under its form %s too', async (first, second) => {
      const [current, former] = [first as Phone, second as Phone]
      await ended({ phone: former })
      await ended({ phone: current })
      const open = await story.accepted(client, { phone: current, hook: null })
      expect(await story.store.forget(former, BEGINNING)).toMatchObject({ kind: 'in the way', openMessages: 1 })
      await story.after(refused(open))
      const optOut = { accountId: client, sender: null, phone: former, by: 'word', at: BEGINNING } as const
      await story.store.change({ kind: 'change opt-outs', changes: [{ kind: 'add', optOut }] })
      await story.store.recordInbound([wrote('Hello', { sender: `+${current}` })], [])
      expect(await story.store.forget(former, BEGINNING)).toMatchObject({ messages: 3, replies: 1, optOuts: 1 })
      for (const phone of [current, former]) {
        const page = { of: 'messages', accountId: null, phone, status: null, after: null, limit: 9 } as const
        expect((await story.store.page(page)).rows).toEqual([])
        expect(await story.store.findOptOuts([{ accountId: client, phone }])).toMatchObject([{ phone }])
      }
      await story.store.change({
        kind: 'change opt-outs',
        changes: [{ kind: 'remove', optOut: { ...optOut, phone: current } }],
      })
      expect(await story.store.findOptOuts([{ accountId: client, phone: former }])).toEqual([])
    })

    it('keeps opt-outs without the number, until the recipient revokes them', async () => {
      const optOut = { accountId: client, sender: null, phone: WHO, by: 'word', at: BEGINNING } as const
      const other = { ...optOut, phone: OTHER }
      const add = (each: typeof optOut | typeof other) => ({ kind: 'add', optOut: each }) as const
      await story.store.change({ kind: 'change opt-outs', changes: [add(optOut), add(other)] })
      expect(await forget()).toMatchObject({ optOuts: 1 })
      const { rows } = await story.store.page({ of: 'opt-outs', accountId: null, phone: null, after: null, limit: 9 })
      expect(rows.map(({ phone }) => phone)).toEqual([OTHER, expect.stringMatching(/^#[0-9a-f]{32}$/)])
      const recipients = [
        { accountId: client, phone: WHO },
        { accountId: client, phone: OTHER },
      ]
      const found = await story.store.findOptOuts(recipients)
      expect(found.toSorted((a, b) => (a.phone < b.phone ? 1 : -1))).toEqual([optOut, other])
      expect(await story.store.findOptOuts([{ accountId: client, phone: '4915100000002' as Phone }])).toEqual([])
      await story.reopen()
      expect(await story.store.findOptOuts(recipients)).toHaveLength(2)
      await story.store.change({ kind: 'change opt-outs', changes: [{ kind: 'remove', optOut }] })
      expect(await story.store.findOptOuts(recipients)).toEqual([other])
    })

    it('has one hash for a phone, for every caller and at any time', async () => {
      const first = await forget()
      await story.reopen()
      const again = await forget()
      const other = await story.store.forget(OTHER, BEGINNING)
      expect(first).toMatchObject({ phoneHash: expect.stringMatching(/^#[0-9a-f]{32}$/) })
      expect(again).toEqual(first)
      expect(other).not.toMatchObject({ phoneHash: first.kind === 'forgotten' && first.phoneHash })
    })

    it('deletes inbound messages of the recipient, in any form of the number', async () => {
      const senders = [WHO, `+${WHO}`, '+49 151 12345678', OTHER]
      await story.store.recordInbound(
        [...senders.map((sender) => wrote('Hello', { sender })), wrotePart(1, 'Long', { sender: WHO })],
        [],
      )
      expect(await forget()).toMatchObject({ replies: 3 })
      expect(await story.store.inboundMessages(9)).toMatchObject([{ sender: OTHER }])
      await story.store.recordInbound([wrotePart(2, 'a', { sender: WHO }), wrotePart(3, 'b', { sender: WHO })], [])
      expect(await story.store.inboundMessages(9)).toHaveLength(1)
    })

    it.each([false, true])('forgets calls (of a test: %s)', async (test) => {
      const from = { kind: 'call', from: '49301230001', code: '0001' } as const
      const call = () => ({
        kind: 'call' as const,
        message: story.message(client, { phone: WHO, plan: buildPlan('call'), hook: null, test }),
        waits: false,
        candidates: [from],
        codesSince: 0,
        limit: { max: 9, since: 0 },
      })
      const first = call()
      await story.accept(client, [first])
      expect(await story.accept(client, [call()])).toEqual([{ kind: 'no number free' }])
      await story.after(taken({ ...first.message, plan: buildPlan('call') }, ['c']))
      await forget()
      expect(await story.accept(client, [call()])).toMatchObject([{ kind: 'accepted' }])
      expect((await traceOf(first.message)).message.plan[0]?.content).toEqual({ kind: 'text', text: '' })
    })

    it('lets neither memory nor a late receipt restore the phone', async () => {
      const message = await ended({ hook: 'https://client.example/hook' })
      await story.store.settleReports([
        { messageId: message.id, number: 0, kind: 'sent', at: 0, dueAt: null, held: false, detail: '200' },
      ])
      const turn = receipt(message, 'read')
      await forget()
      expect(await story.record(turn)).toMatchObject({ stale: [message.id] })
      const late = { carrierId: TEST_CARRIER, ref: `${WHO}-${message.id}`, outcome: 'read', detail: '' } as const
      expect(await story.store.matchReceipts([late], BEGINNING)).toEqual([null])
      const [now] = await story.store.loadMessages([message.id])
      expect(() => receipt(now as Message, 'read')).toThrow('changes nothing')
    })
  })
}
