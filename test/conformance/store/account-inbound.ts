/** Inbound messages to a number of an account: it gets one report of each, and a list of them. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DAY_MS } from '../../../src/domain/accounts/retention.ts'
import type { AccountId } from '../../../src/domain/ids/account-id.ts'
import { type MessageId, makeMessageId } from '../../../src/domain/ids/message-id.ts'
import type { AccountInbound } from '../../../src/domain/inbound/inbound-message.ts'
import type { InboundNumber } from '../../../src/domain/inbound/inbound-number.ts'
import { ANSWERED_WITHIN_MS } from '../../../src/domain/message/answered-message.ts'
import type { Message } from '../../../src/domain/message/message.ts'
import { toMicros } from '../../../src/domain/money/money.ts'
import type { Phone } from '../../../src/domain/numbers/phone.ts'
import { INBOUND_PARTS_KEPT_MS, type InboundArrival } from '../../../src/ports/carriers/carrier.ts'
import type { PendingReport } from '../../../src/ports/records/pending-report.ts'
import { BEGINNING, buildStep } from '../../support/build-message.ts'
import { wrote, wrotePart } from '../../support/inbound-arrival.ts'
import { refused, taken } from '../../support/make-turn.ts'
import { type Install, messageItem, StoreStory } from './store-story.ts'

const HOOK = 'https://client.example/account'
const NO_REPLY = { reply: null, replySender: null }
const WHO = '37120000000'

export function describeAccountInbound(install: Install): void {
  let story: StoreStory
  let client: AccountId
  let other: AccountId

  beforeEach(async () => {
    story = await StoreStory.begin(install)
    client = await story.account(0, { defaultHook: HOOK })
    other = await story.account(0)
    for (const id of ['carrier-1', 'carrier-2']) {
      await story.store.change({ kind: 'set carrier', carrier: { id, channel: 'sms', kind: 'smpp', settings: {} } })
    }
  })
  afterEach(() => story.end())

  const give = (change: Partial<InboundNumber> = {}) => {
    const number = {
      carrierId: 'carrier-1',
      address: '1234',
      keyword: null,
      accountId: client,
      hook: null,
      ...NO_REPLY,
      ...change,
    }
    return story.store.change({ kind: 'set inbound number', number })
  }
  /** Those that were not claimed before. */
  const reports = async (): Promise<readonly PendingReport[]> =>
    (await story.store.claimReports({ now: BEGINNING + DAY_MS, limit: 500 })).reports
  const bodies = async () => (await reports()).map(({ body }) => JSON.parse(body))
  const list = (accountId = client, after: number | null = null, limit = 500, maxBytes = 1_000_000) =>
    story.store.inboundOf({ accountId, after, limit, maxBytes })
  const texts = async (...query: Parameters<typeof list>) => (await list(...query)).map(({ text }) => text)

  describe('an inbound message to a number of an account', () => {
    it('is reported to the default hook once, however often its carrier repeats it', async () => {
      await give()
      const arrival = wrote('Yes, "please"')
      await story.store.recordInbound([arrival, arrival], [])
      await story.reopen()
      await story.store.recordInbound([arrival], [])
      const [report, ...others] = await reports()
      expect(others).toEqual([])
      expect(report).toMatchObject({ accountId: client, number: 0, address: HOOK, tries: 0, createdAt: BEGINNING })
      const [inbound] = await list()
      expect(report?.messageId).toBe(inbound?.id)
      expect(report?.body).toBe(
        `{"type":"message.inbound","timestamp":"${new Date(BEGINNING).toISOString()}","inbound_id":${inbound?.id},` +
          `"phone":${WHO},"from":"${WHO}","to":"1234","channel":"sms","text":"Yes, \\"please\\"","keyword":null,` +
          '"content":null,"in_reply_to":null}',
      )
      expect(await story.store.inboundMessages(10)).toMatchObject([{ text: 'Yes, "please"' }])
    })

    it('is listed for its account alone, a page at a time, the newest first', async () => {
      await give()
      await give({ accountId: other, address: '4321' })
      for (const text of ['one', 'two', 'three']) {
        await story.store.recordInbound([wrote(text), wrote(`not ${text}`, { recipient: '4321' })], [])
      }
      const query = { of: 'inbound', accountId: client, limit: 2 } as const
      const first = await story.store.page({ ...query, after: null })
      expect(first.rows.map(({ text }) => text)).toEqual(['three', 'two'])
      expect(first.next).toBe((await list()).find(({ text }) => text === 'two')?.id)
      const second = await story.store.page({ ...query, after: first.next })
      expect(second.rows.map(({ text }) => text)).toEqual(['one'])
    })

    it('is reported to the hook of the number, if it has one', async () => {
      await give({ accountId: other, hook: 'https://other.example/sms' })
      await story.store.recordInbound([wrote('Yes')], [])
      expect(await reports()).toMatchObject([{ accountId: other, address: 'https://other.example/sms' }])
    })

    it('is only in the list without a hook, and not there for a number of another carrier', async () => {
      await give({ accountId: other })
      await story.store.recordInbound([wrote('Yes'), wrote('No', { carrierId: 'carrier-2' })], [])
      expect(await reports()).toEqual([])
      expect(await texts(other)).toEqual(['Yes'])
      expect(await story.store.inboundMessages(10)).toHaveLength(2)
    })

    it.each([
      ['00491579234567', ['491579234567', '+491579234567', '00491579234567']],
      ['491579234567', ['00491579234567', '+49 1579 234567']],
    ])('is of the number %s, however its carrier writes it', async (address, written) => {
      await give({ address })
      const arrivals = written.map((recipient) => wrote(recipient, { recipient }))
      await story.store.recordInbound([...arrivals, wrote('No', { recipient: '0001579234567' })], [])
      expect(await texts()).toEqual(written)
      expect(await reports()).toHaveLength(written.length)
    })

    it('belongs to the account of its first word, and otherwise to the one without a keyword', async () => {
      await give()
      await give({ keyword: 'win', accountId: other })
      const [yes, shop, win] = [wrote('yes'), wrote('Winter shop'), wrote('  "WIN!" a car', { recipient: '+12 34' })]
      await story.store.recordInbound([yes, shop, win], [])
      expect(await texts()).toEqual(['yes', 'Winter shop'])
      expect(await list(other)).toMatchObject([{ text: '  "WIN!" a car', keyword: 'win', recipient: '+12 34' }])
    })

    it('belongs to no account before the number was given to one, and after it was taken away', async () => {
      await story.store.recordInbound([wrote('early')], [])
      await give()
      await story.store.recordInbound([wrote('Yes')], [])
      const number = { carrierId: 'carrier-1', address: '1234', keyword: null }
      await story.store.change({ kind: 'remove inbound number', number })
      await expect(story.store.change({ kind: 'remove inbound number', number })).rejects.toThrow(/no such/)
      await story.store.recordInbound([wrote('late')], [])
      expect(await texts()).toEqual(['Yes'])
      expect((await bodies()).map(({ text }) => text)).toEqual(['Yes'])
    })

    it('has a location, a file or a tapped suggestion beside its text', async () => {
      await give()
      const file = { kind: 'file', link: null, mediaId: '7', mimeType: 'image/png', name: null } as const
      const contents = [{ kind: 'location', latitude: 52.52, longitude: 13.405 } as const, file]
      await story.store.recordInbound(
        [...contents.map((content) => wrote('x', { content })), wrote('Yes', { payload: 'yes-1' })],
        [],
      )
      expect((await bodies()).map(({ content }) => content)).toEqual([
        { type: 'location', latitude: 52.52, longitude: 13.405 },
        { type: 'file', link: null, media_id: '7', mime_type: 'image/png', name: null },
        { type: 'suggestion', payload: 'yes-1' },
      ])
      expect((await list()).map(({ content }) => content)).toEqual([
        ...contents,
        { kind: 'suggestion', payload: 'yes-1' },
      ])
    })

    it('may name its writer in any way', async () => {
      await give()
      const senders = ['+371 2000 0000', 'Bank', 'DE.1234567890']
      await story.store.recordInbound(
        senders.map((sender) => wrote('Yes', { sender })),
        [],
      )
      expect(await bodies()).toMatchObject([
        { phone: Number(WHO), from: '+371 2000 0000' },
        { phone: null, from: 'Bank' },
        { phone: null, from: 'DE.1234567890' },
      ])
    })

    it('of several parts is reported when it is whole, or a day later', async () => {
      await give({ keyword: 'one' })
      await story.store.recordInbound([wrotePart(1, 'one, '), wrotePart(3, 'three')], [])
      const sender = '37120000001'
      await story.store.recordInbound([wrotePart(1, 'one again', { sender })], [])
      expect(await reports()).toEqual([])
      await story.store.recordInbound([wrotePart(2, 'two, ')], [])
      expect((await bodies()).map(({ text }) => text)).toEqual(['one, two, three'])
      const [joined] = await list()
      expect(joined).toMatchObject({ text: 'one, two, three', parts: 3 })
      expect(await story.store.traceInbound(joined?.id as MessageId)).toMatchObject({
        inbound: joined,
        carrierId: 'carrier-1',
        reports: [{ state: 'pending', address: HOOK }],
      })
      expect(await story.store.traceInbound(makeMessageId(9_999, client))).toBe(null)
      await story.sweep(BEGINNING + INBOUND_PARTS_KEPT_MS)
      expect(await bodies()).toMatchObject([{ text: 'one again[…][…]', keyword: 'one', phone: Number(sender) }])
    })
  })

  describe('the inbound messages of an account from one sender', () => {
    it('are read page by page, the newest first, without those of others', async () => {
      await give()
      await give({ address: '5678', accountId: other })
      const write = (text: string, change: Parameters<typeof wrote>[1] = {}) =>
        story.store.recordInbound([wrote(text, change)], [])
      for (const text of ['one', 'two', 'three']) await write(text)
      await write('plus', { sender: `+${WHO}` })
      await write('of another', { sender: '37120000001' })
      await write('to another', { recipient: '5678' })
      const read = async (after: number | null, limit: number) =>
        story.store.page({ of: 'inbound', accountId: client, sender: WHO as Phone, after, limit })
      const first = await read(null, 2)
      expect(first.rows.map(({ text, owned }) => [text, owned?.accountId])).toEqual([
        ['plus', client],
        ['three', client],
      ])
      expect((await read(first.next, 9)).rows.map(({ text }) => text)).toEqual(['two', 'one'])
      expect((await read(null, 9)).next).toBeNull()
    })
  })

  describe('the automatic reply to an inbound message', () => {
    it('is still to be sent until its result is written, and null for a button and without a reply', async () => {
      await give({ reply: 'Thanks' })
      await give({ keyword: 'no' })
      await story.store.recordInbound([wrote('Yes'), wrote('no'), wrote('STOP', { consent: 'stop' })], [])
      const pending = await story.store.pendingReplies({ after: null, limit: 10 })
      const [yes] = await list()
      expect(pending).toEqual([{ inbound: yes, carrierId: 'carrier-1' }])
      const settle = () => story.store.settleReplies([{ inbound: yes as AccountInbound, reply: '6400' }])
      await settle()
      await story.reopen()
      await settle()
      expect(await story.store.pendingReplies({ after: null, limit: 10 })).toEqual([])
      const { rows } = await story.store.page({ of: 'inbound', accountId: null, after: null, limit: 10 })
      expect(rows.map(({ reply }) => reply)).toEqual([null, null, '6400'])
      expect(await story.store.traceInbound(yes?.id as MessageId)).toMatchObject({ reply: '6400' })
    })

    it('is found account by account, the oldest first', async () => {
      await give({ reply: 'Thanks' })
      await give({ address: '5678', accountId: other, reply: 'Thanks' })
      const write = (text: string, recipient: string) => story.store.recordInbound([wrote(text, { recipient })], [])
      for (const text of ['1', '2', '3']) await write(text, '1234')
      await write('4', '5678')
      const pending = async (after: AccountId | null) =>
        (await story.store.pendingReplies({ after, limit: 2 })).map(({ inbound }) => [inbound.accountId, inbound.text])
      expect(await pending(null)).toEqual([
        [client, '1'],
        [client, '2'],
      ])
      expect(await pending(client)).toEqual([[other, '4']])
      expect(await pending(other)).toEqual([])
      await story.store.settleReplies(
        (await story.store.pendingReplies({ after: null, limit: 2 })).map(({ inbound }) => ({ inbound, reply: 'no' })),
      )
      expect(await pending(null)).toEqual([[client, '3']])
    })
  })

  describe('the message that an inbound message answers', () => {
    const WROTE = { sender: WHO, recipient: '1234' }
    const accepted = (change: Partial<Message> = {}, sender = '1234') =>
      story.accepted(client, { phone: WHO as Phone, hook: null, plan: [buildStep('sms', { sender })], ...change })
    const sent = async (...how: Parameters<typeof accepted>) => {
      const message = await accepted(...how)
      return story.after(taken(message, [`ref ${message.id}`]))
    }
    const answers = async (...arrivals: readonly InboundArrival[]) => {
      await story.store.recordInbound(arrivals, [])
      return (await list()).map(({ inReplyTo }) => inReplyTo?.messageId ?? null)
    }

    beforeEach(async () => {
      await story.store.change({
        ...{ kind: 'top up', accountId: client, amountMicros: toMicros(9_000_000), at: BEGINNING },
      })
      await give()
    })

    it('is the newest one from its number to its writer, for three days', async () => {
      await sent()
      const newest = await sent({ clientId: '"order-1"' })
      await sent({}, '5678')
      await sent({ phone: '37120000009' as Phone })
      await sent({ test: true })
      await story.after(refused(await accepted()))
      await accepted()
      const [inTime, late] = [ANSWERED_WITHIN_MS - 1, ANSWERED_WITHIN_MS].map((after) =>
        wrote('Yes', { ...WROTE, at: BEGINNING + after }),
      )
      expect(await answers(...([inTime, late] as InboundArrival[]))).toEqual([newest.id, null])
      expect((await list())[0]?.inReplyTo).toEqual({ messageId: newest.id, clientId: '"order-1"' })
    })

    it('is found although the other ids of three days were dropped, a block each ten minutes', async () => {
      const answered = await sent()
      const blocks = ANSWERED_WITHIN_MS / 600_000
      const id = makeMessageId(blocks * 16_384, client)
      await sent({ id, phone: '37120000009' as Phone })
      const at = BEGINNING + ANSWERED_WITHIN_MS - 1
      expect(await answers(wrote('Yes', { ...WROTE, at }))).toEqual([answered.id])
    })

    it("is exactly the one that it quotes, and none in place of one that is not the account's", async () => {
      const older = await sent({ clientId: '"order-1"' })
      await sent()
      const quoting = (quotes: string, change: Partial<InboundArrival> = {}) =>
        wrote('Yes', { ...WROTE, at: BEGINNING + 2 * ANSWERED_WITHIN_MS, quotes, ...change })
      expect(
        await answers(
          quoting(`ref ${older.id}`, { sender: 'Bank' }),
          quoting('unknown \0 \ud800'),
          quoting(`ref ${older.id}`, { carrierId: 'carrier-2' }),
        ),
      ).toEqual([older.id, null])
      await give({ accountId: other })
      await story.store.recordInbound([quoting(`ref ${older.id}`)], [])
      expect((await list(other))[0]?.inReplyTo).toBe(null)
      expect((await list())[0]?.inReplyTo).toEqual({ messageId: older.id, clientId: '"order-1"' })
    })

    it('is null for a writer without a number, and for messages of another account', async () => {
      const plan = [buildStep('sms', { sender: '1234' })]
      const foreign = story.message(other, { phone: WHO as Phone, plan, hook: null, test: true })
      await story.accept(other, [messageItem(foreign)])
      expect(await answers(wrote('Yes', WROTE), wrote('Yes', { ...WROTE, sender: 'Bank' }))).toEqual([null, null])
    })
  })

  describe('the list of an account', () => {
    it('continues after an id, the oldest first, and is limited by rows and by bytes', async () => {
      await give()
      const all = Array.from({ length: 5 }, (_, n) => `${n}`)
      for (const text of all) await story.store.recordInbound([wrote(text, { at: BEGINNING - Number(text) })], [])
      expect(await texts()).toEqual(all)
      const [first, second] = await list(client, null, 2)
      expect([first?.text, second?.text]).toEqual(['0', '1'])
      expect(await texts(client, second?.id)).toEqual(['2', '3', '4'])
      expect(await texts(client, null, 500, 1)).toEqual(['0'])
      expect(await texts(other)).toEqual([])
    })

    it('shows ids in the order in which they can be read when several carriers bring messages', async () => {
      await give()
      await give({ carrierId: 'carrier-2' })
      await Promise.all(
        Array.from({ length: 40 }, (_, n) =>
          story.store.recordInbound([wrote(`${n}`, { carrierId: `carrier-${1 + (n % 2)}` })], []),
        ),
      )
      const ids = (await list()).map(({ id }) => id)
      expect(ids).toHaveLength(40)
      expect(ids).toEqual(ids.toSorted((a, b) => a - b))
      expect(new Set(ids).size).toBe(40)
      expect(await reports()).toHaveLength(40)
    })
  })

  describe('the inbound messages of an account', () => {
    it('are deleted with their reports after the days of the installation', async () => {
      await give()
      await story.store.recordInbound([wrote('old'), wrote('new', { at: BEGINNING + 2 * DAY_MS })], [])
      await story.sweep(BEGINNING + DAY_MS, { inboundKeptDays: 1 })
      expect(await texts()).toEqual(['new'])
      expect(await story.store.counts()).toMatchObject({ pendingReports: 1 })
    })

    it('are erased with their writer, once they are reported', async () => {
      await give()
      await story.store.recordInbound([wrote('Yes', { sender: `+${WHO}` }), wrote('No', { sender: '4917000000' })], [])
      const forget = () => story.store.forget(WHO as Phone, BEGINNING)
      expect(await forget()).toMatchObject({ kind: 'in the way', pendingReports: 1 })
      const results = (await reports()).map(({ messageId, number }) => {
        return { messageId, number, kind: 'sent', at: BEGINNING, dueAt: null, held: false, detail: '200' } as const
      })
      await story.store.settleReports(results)
      expect(await forget()).toMatchObject({ kind: 'forgotten', replies: 1 })
      expect(await texts()).toEqual(['No'])
    })

    it('stay with the account when the carrier is removed', async () => {
      await give()
      await story.store.recordInbound([wrote('Yes')], [])
      await story.store.change({ kind: 'remove carrier', carrierId: 'carrier-1' })
      expect((await story.store.loadDirectory()).inboundNumbers).toEqual([])
      expect(await texts()).toEqual(['Yes'])
    })
  })
}
