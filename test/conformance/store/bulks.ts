/** Bulks: lines are stored in their order, each becomes a message once, and the totals are those of the messages. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DAY_MS } from '../../../src/domain/accounts/retention.ts'
import {
  BULKS_KEPT_DAYS,
  type Bulk,
  type BulkCommand,
  messagesByStatus,
  type NewBulk,
  waitingLines,
} from '../../../src/domain/bulk/bulk.ts'
import type { LineBlock } from '../../../src/domain/bulk/bulk-lines.ts'
import type { AccountId } from '../../../src/domain/ids/account-id.ts'
import { type BulkId, makeMessageId } from '../../../src/domain/ids/message-id.ts'
import type { Message } from '../../../src/domain/message/message.ts'
import { beginJourney } from '../../../src/domain/message/message.ts'
import { toMicros } from '../../../src/domain/money/money.ts'
import type { Phone } from '../../../src/domain/numbers/phone.ts'
import type { CheckedLine, OfBulk, SentLines } from '../../../src/ports/stores/bulk-store.ts'
import type { AcceptRequest } from '../../../src/ports/stores/intake-store.ts'
import { BEGINNING } from '../../support/build-message.ts'
import { receipt, refused, taken } from '../../support/make-turn.ts'
import { type Install, messageItem, recorded, StoreStory } from './store-story.ts'

const HOOK = 'https://client.example/bulk'
const NOW = BEGINNING + 1_000

export function describeBulks(install: Install): void {
  let story: StoreStory
  let client: AccountId
  /** Beyond those of the messages. */
  let counter = 1_000_000
  beforeEach(async () => {
    story = await StoreStory.begin(install)
    client = await story.account(10_000_000)
  })
  afterEach(() => story.end())

  async function create(change: Partial<NewBulk> = {}, maxOpen = 10): Promise<BulkId> {
    counter += 1
    const id = makeMessageId(counter, client)
    const bulk: NewBulk = {
      ...{ id, accountId: client, test: false, clientId: '"spring"', message: '{"type":"sms"}', hook: HOOK },
      ...{ currency: 'EUR', pace: 10, createdAt: BEGINNING, ...change },
    }
    return (await story.store.bulk({ kind: 'create', accountId: client, bulk, maxOpen })) ? id : (0 as BulkId)
  }
  const view = async (id: BulkId) => {
    const bulk = await story.store.findBulk(client, id)
    if (bulk === null) throw new Error('there is no such bulk')
    return bulk
  }
  /** A block of these lines; every line that a number of `wrong` names is refused. */
  const block = (first: number, last: number, wrong: readonly number[] = []): LineBlock => {
    const numbers = Array.from({ length: last - first + 1 }, (_, index) => first + index)
    const right = numbers.filter((line) => !wrong.includes(line))
    return {
      ...{ first, last, prices: right.map(() => 50) },
      lines: right.map((line) => ({
        line,
        phone: `4917000${line}`,
        id: String(line),
        values: { name: `Name ${line}` },
      })),
      errors: wrong.map((line) => ({ line, cause: { text: 'phone: wrong', field: 'phone' } })),
    }
  }
  const add = (bulkId: BulkId, lines: LineBlock) =>
    story.store.bulk({ kind: 'add lines', accountId: client, bulkId, block: lines })
  const command = (bulkId: BulkId, order: BulkCommand) =>
    story.store.bulk({ kind: 'command', accountId: client, bulkId, command: order })
  const start = (bulkId: BulkId) => command(bulkId, { kind: 'start', at: NOW, startAt: NOW })
  /** A message of the bulk, which counts in its totals. */
  const messageOf = (bulkId: BulkId, change: Partial<Message> = {}): Message => {
    const message = story.message(client, change)
    return { ...message, journey: beginJourney(message.plan, BEGINNING, { bulk: bulkId }) }
  }
  /** Sends lines as the runner does. Resolves with the messages that were made. */
  async function send(
    bulkId: BulkId,
    {
      from,
      through,
      messages,
      erased,
    }: { from: number; through: number; messages: readonly Message[]; erased?: number },
    request: Partial<AcceptRequest> = {},
    lines: readonly CheckedLine[] = messages.map((_, index) => ({ line: from + index, cause: null })),
  ): Promise<SentLines | null> {
    const items = messages.map((message) => messageItem(message))
    const asked = { accountId: client, now: NOW, idempotency: null, items, ...request }
    const range = { from, through, erased: erased ?? (await view(bulkId)).erased }
    return story.store.bulk({ kind: 'send lines', accountId: client, bulkId, ...range, lines, request: asked })
  }
  const numbersIn = (bulk: Bulk) => [bulk.lines, bulk.refused, bulk.accepted, bulk.nextLine, waitingLines(bulk)]

  describe('bulks', () => {
    it('keep their lines in blocks, sealed, and their refused lines apart', async () => {
      const id = await create()
      expect(await add(id, block(1, 5, [2, 4]))).toMatchObject({ lines: 5, refused: 2, estimateMicros: 150 })
      await add(id, block(6, 8))
      await story.reopen()
      expect(await view(id)).toMatchObject({ state: 'uploading', clientId: '"spring"', message: '{"type":"sms"}' })
      const read = await story.store.readBulkLines(id, 3)
      expect([read?.last, read?.lines.map(({ line }) => line)]).toEqual([5, [3, 5]])
      expect(read?.lines[0]).toEqual({ line: 3, phone: '49170003', id: '3', values: { name: 'Name 3' } })
      expect((await story.store.readBulkLines(id, 6))?.last).toBe(8)
      expect(await story.store.readBulkLines(id, 9)).toBeNull()
      const errors = await story.store.bulkErrors({ bulkId: id, after: 2, limit: 10 })
      expect(errors).toEqual([{ line: 4, cause: { text: 'phone: wrong', field: 'phone' } }])
    })

    it('drop phones that they have in another form, also after a restart, and count what the others cost', async () => {
      const id = await create({ skipDuplicates: true })
      const to = (first: number, ...phones: readonly string[]): LineBlock => ({
        ...block(first, first + phones.length - 1),
        lines: phones.map((phone, index) => ({ line: first + index, phone, id: null, values: {} })),
      })
      await add(id, to(1, '5491133334444', '541133334444', '5215512345678'))
      await story.reopen()
      await add(id, to(4, '525512345678', '5491133334444'))
      const after = await add(id, to(6, '49170001', '49170001', '541133334444'))
      expect(after).toMatchObject({ lines: 8, duplicates: 5, refused: 0, estimateMicros: 150 })
      expect(waitingLines(await view(id))).toBe(3)
      expect((await story.store.readBulkLines(id, 1))?.lines.map(({ line }) => line)).toEqual([1, 3])
      expect((await story.store.readBulkLines(id, 4))?.lines.map(({ line }) => line)).toEqual([6])
      const phones = ['541133334444', '525512345678', '49170002', '49170001'] as Phone[]
      const asked = await story.store.bulk({ kind: 'find new phones', accountId: client, bulkId: id, phones })
      expect(asked).toEqual(['49170002'])
      const other = await create({ skipDuplicates: true })
      expect(await add(other, to(1, '49170001'))).toMatchObject({ duplicates: 0 })
    })

    it('take no block that does not follow the last line, nor one after the start', async () => {
      const id = await create()
      expect(await add(id, block(2, 3))).toBeNull()
      await add(id, block(1, 3))
      expect(await add(id, block(1, 3))).toBeNull()
      await start(id)
      expect(await add(id, block(4, 5))).toBeNull()
      expect((await view(id)).lines).toBe(3)
    })

    it('belong to one account, which has a limited number of them', async () => {
      const [first, second] = [await create({}, 2), await create({}, 2)]
      expect(await create({}, 2)).toBe(0)
      await command(first, { kind: 'stop', at: NOW })
      const third = await create({}, 2)
      // Those of test keys are counted apart.
      const ofTest = await create({ test: true }, 1)
      expect(ofTest).not.toBe(0)
      expect(await create({ test: true }, 1)).toBe(0)
      const other = await story.account()
      expect(await story.store.findBulk(other, first)).toBeNull()
      expect(
        await story.store.bulk({
          kind: 'command',
          accountId: other,
          bulkId: second,
          command: { kind: 'stop', at: NOW },
        }),
      ).toBeNull()
      const list = (query: object) =>
        story.store.listBulks({ accountId: client, test: false, after: null, limit: 10, ...query })
      expect((await list({})).map(({ id }) => id)).toEqual([third, second, first])
      expect((await list({ after: second, limit: 1 })).map(({ id }) => id)).toEqual([first])
      expect((await list({ test: true })).map(({ id }) => id)).toEqual([ofTest])
      const foreign = makeMessageId(counter + 1, other)
      const bulk: NewBulk = { ...(await view(third)), id: foreign, accountId: other, createdAt: BEGINNING }
      await story.store.bulk({ kind: 'create', accountId: other, bulk, maxOpen: 1 })
      const all = await story.store.listBulks({ accountId: null, after: null, limit: 10 })
      expect(all.map(({ id }) => id)).toEqual([foreign, ofTest, third, second, first].sort((a, b) => b - a))
      const open = await story.store.listBulks({ accountId: null, isOpen: true, after: foreign, limit: 2 })
      expect(open.map(({ id }) => id)).toEqual([ofTest, third])
    })

    it('are due for the runner while they wait for their time or run', async () => {
      const [waiting, running, uploading] = [await create(), await create(), await create()]
      await command(waiting, { kind: 'start', at: NOW, startAt: NOW + 1_000 })
      await add(running, block(1, 1))
      await start(running)
      const due = async (now: number, after: OfBulk | null = null) =>
        (await story.store.dueBulks({ now, after, limit: 10 })).map(({ id }) => id)
      expect(await due(NOW)).toEqual([running])
      expect(await due(NOW + 1_000)).toEqual([waiting, running])
      expect(await due(NOW + 1_000, { accountId: client, bulkId: waiting })).toEqual([running])
      await command(running, { kind: 'pause', at: NOW, reason: 'client' })
      expect(await due(NOW)).toEqual([])
      expect((await view(uploading)).state).toBe('uploading')
    })

    it('begin at their time, unless they were paused or got another time before', async () => {
      const id = await create()
      await add(id, block(1, 1))
      await command(id, { kind: 'start', at: NOW, startAt: NOW + 1_000 })
      await command(id, { kind: 'start', at: NOW, startAt: NOW + 9_000 })
      expect(await command(id, { kind: 'begin', at: NOW + 1_000 })).toBeNull()
      await command(id, { kind: 'pause', at: NOW, reason: 'client' })
      expect(await command(id, { kind: 'begin', at: NOW + 9_000 })).toBeNull()
      expect(await command(id, { kind: 'start', at: NOW, startAt: NOW + 2_000 })).toMatchObject({ state: 'ready' })
      expect(await command(id, { kind: 'begin', at: NOW + 2_000 })).toMatchObject({ state: 'running', pausedAt: null })
      expect((await view(id)).startAt).toBe(NOW + 2_000)
    })

    it('make a message of each line once, although two nodes try', async () => {
      const id = await create()
      await add(id, block(1, 4))
      expect(await send(id, { from: 1, through: 2, messages: [messageOf(id)] })).toBeNull()
      await start(id)
      const messages = [messageOf(id), messageOf(id)]
      const sent = await send(id, { from: 1, through: 2, messages })
      expect(sent?.outcomes.map(({ kind }) => kind)).toEqual(['accepted', 'accepted'])
      expect(await send(id, { from: 1, through: 2, messages: [messageOf(id), messageOf(id)] })).toBeNull()
      expect(numbersIn(await view(id))).toEqual([4, 0, 2, 3, 2])
      // The rest of the block is kept, until the whole block was processed.
      expect((await story.store.readBulkLines(id, 3))?.lines.map(({ line }) => line)).toEqual([3, 4])
      await send(id, { from: 3, through: 4, messages: [messageOf(id), messageOf(id)] })
      expect(await story.store.readBulkLines(id, 1)).toBeNull()
      expect((await story.store.loadMessages(messages.map((message) => message.id))).length).toBe(2)
      expect(await story.store.counts()).toMatchObject({ open: 4 })
    })

    it('pause before the line that cannot be paid, and go on with it', async () => {
      const id = await create()
      await add(id, block(1, 4))
      await start(id)
      const poor = await story.account(0)
      await story.store.change({ kind: 'top up', accountId: poor, amountMicros: toMicros(1), at: NOW })
      const price = messageOf(id).journey.heldMicros
      const messages = Array.from({ length: 4 }, () => messageOf(id))
      const dear = messages.map((message, index) =>
        index < 2 ? message : { ...message, journey: { ...message.journey, heldMicros: toMicros(price + 10_000_000) } },
      )
      const sent = await send(id, { from: 1, through: 4, messages: dear })
      expect(sent?.outcomes.map(({ kind }) => kind)).toEqual(['accepted', 'accepted', 'unpaid'])
      const paused = await view(id)
      expect([paused.state, paused.reason]).toEqual(['paused', 'funds'])
      expect(numbersIn(paused)).toEqual([4, 0, 2, 3, 2])
      await start(id)
      await send(id, { from: 3, through: 4, messages: messages.slice(2) })
      expect(numbersIn(await view(id))).toEqual([4, 0, 4, 5, 0])
    })

    it('store the lines that are refused in their turn', async () => {
      const id = await create()
      await add(id, block(1, 3, [1]))
      await start(id)
      const cause = { text: 'phone: wrong', field: 'phone' }
      const lines = [
        { line: 2, cause },
        { line: 3, cause: null },
      ]
      await send(id, { from: 1, through: 3, messages: [messageOf(id)] }, {}, lines)
      expect(numbersIn(await view(id))).toEqual([3, 2, 1, 4, 0])
      expect((await story.store.bulkErrors({ bulkId: id, after: 0, limit: 9 })).map(({ line }) => line)).toEqual([1, 2])
    })

    it('count their messages by status, and charges, exactly', async () => {
      const id = await create()
      await add(id, block(1, 4))
      await start(id)
      const messages = Array.from({ length: 4 }, () => messageOf(id))
      await send(id, { from: 1, through: 4, messages })
      const [first, second, third] = messages as [Message, Message, Message, Message]
      const other = await story.accepted(client)
      await story.store.record([
        recorded(taken(first, ['ref-1'])),
        recorded(taken(second, ['ref-2'])),
        recorded(refused(other)),
      ])
      const once = recorded(refused(third))
      await story.store.record([once])
      await story.store.record([once])
      expect(messagesByStatus(await view(id))).toEqual({ QUEUED: 1, ACCEPTED: 2, UNDELIVERABLE: 1 })
      await story.record(receipt(taken(first, ['ref-1']).message, 'delivered'))
      const counted = await view(id)
      expect(messagesByStatus(counted)).toEqual({ QUEUED: 1, ACCEPTED: 1, DELIVERED: 1, UNDELIVERABLE: 1 })
      const charged = (await Promise.all(messages.map((message) => story.store.trace(message.id))))
        .flatMap((trace) => trace?.postings ?? [])
        .filter(({ kind }) => kind === 'charge')
      expect(counted.totals.chargedMicros).toBe(charged.reduce((sum, { amountMicros }) => sum + amountMicros, 0))
      expect(await story.store.verifyLedger()).toEqual([])
    })

    it('end with one report, once their last message has ended', async () => {
      const id = await create()
      await add(id, block(1, 1))
      await start(id)
      const message = messageOf(id)
      await send(id, { from: 1, through: 1, messages: [message] })
      expect(await command(id, { kind: 'end', at: NOW })).toBeNull()
      await story.record(refused(message))
      expect(await command(id, { kind: 'end', at: NOW })).toMatchObject({ state: 'finished', endedAt: NOW })
      expect(await command(id, { kind: 'end', at: NOW + 1 })).toBeNull()
      const { reports } = await story.store.claimReports({ now: NOW + 1_000, limit: 10 })
      const bodies = reports.filter(({ address }) => address === HOOK).map(({ body }) => JSON.parse(body))
      expect(bodies).toEqual([
        expect.objectContaining({
          ...{ type: 'bulk.finished', id: 'spring', bulk_id: id, state: 'finished', lines: 1 },
          ...{ accepted: 1, messages: { UNDELIVERABLE: 1 } },
        }),
      ])
    })

    it('lose the lines of a recipient who is erased', async () => {
      const id = await create()
      await add(id, block(1, 3))
      await add(id, block(4, 4))
      await start(id)
      const phone = '49170004' as Phone
      expect(await story.store.forget(phone, NOW)).toMatchObject({ kind: 'forgotten' })
      expect(await story.store.forget('49170002' as Phone, NOW)).toMatchObject({ kind: 'forgotten' })
      expect((await story.store.readBulkLines(id, 1))?.lines.map(({ line }) => line)).toEqual([1, 3])
      expect(await story.store.readBulkLines(id, 4)).toBeNull()
      expect((await view(id)).erased).toBe(2)
      await send(id, { from: 1, through: 3, messages: [messageOf(id), messageOf(id)] })
      await send(id, { from: 4, through: 4, messages: [] })
      expect(numbersIn(await view(id))).toEqual([4, 0, 2, 5, 0])
    })

    it('send nothing of lines that were read before a recipient was erased, and count a line once', async () => {
      const id = await create()
      await add(id, block(1, 3))
      await start(id)
      await send(id, { from: 1, through: 1, messages: [messageOf(id)] })
      // The first line had its turn; its block is still stored.
      await story.store.forget('49170001' as Phone, NOW)
      expect((await view(id)).erased).toBe(0)
      await story.store.forget('49170002' as Phone, NOW)
      const messages = [messageOf(id), messageOf(id)]
      expect(await send(id, { from: 2, through: 3, messages, erased: 0 })).toBeNull()
      expect(numbersIn(await view(id))).toEqual([3, 0, 1, 2, 1])
      await send(id, { from: 2, through: 3, messages: messages.slice(1), erased: 1 })
      expect(numbersIn(await view(id))).toEqual([3, 0, 2, 4, 0])
    })

    it('are deleted with their lines when they were paused for very long', async () => {
      const [paused, resumed] = [await create(), await create()]
      for (const id of [paused, resumed]) {
        await add(id, block(1, 3))
        await start(id)
        await command(id, { kind: 'pause', at: NOW + DAY_MS, reason: 'client' })
      }
      await start(resumed)
      await story.sweep(NOW + (BULKS_KEPT_DAYS + 0.5) * DAY_MS)
      expect((await view(paused)).state).toBe('paused')
      await story.sweep(NOW + (BULKS_KEPT_DAYS + 1) * DAY_MS)
      expect(await story.store.findBulk(client, paused)).toBeNull()
      expect(await story.store.readBulkLines(paused, 1)).toBeNull()
      expect((await story.store.readBulkLines(resumed, 1))?.last).toBe(3)
    })

    it('keep the hashes of their phones until they have ended or are deleted', async () => {
      const [stopped, idle] = [await create({ skipDuplicates: true }), await create({ skipDuplicates: true })]
      await add(stopped, block(1, 3))
      await add(idle, block(1, 3))
      const hashes = async () => (await story.dump()).split('\n').filter((row) => row.startsWith('bulk_phone:'))
      expect(await hashes()).toHaveLength(6)
      await command(stopped, { kind: 'stop', at: NOW })
      await story.sweep(NOW + 60_000)
      expect(await hashes()).toHaveLength(3)
      await story.sweep(NOW + (BULKS_KEPT_DAYS + 1) * DAY_MS)
      expect(await hashes()).toEqual([])
    })

    it('are deleted when they have been kept long enough, the lines of one that was stopped at once', async () => {
      const [stopped, idle] = [await create({ hook: null }), await create()]
      await add(stopped, block(1, 3, [2]))
      await add(idle, block(1, 3))
      await command(stopped, { kind: 'stop', at: NOW })
      await story.sweep(NOW + 60_000)
      expect(await story.store.readBulkLines(stopped, 1)).toBeNull()
      expect((await story.store.readBulkLines(idle, 1))?.last).toBe(3)
      await story.sweep(NOW + (BULKS_KEPT_DAYS + 1) * DAY_MS)
      expect(await story.store.findBulk(client, stopped)).toBeNull()
      expect(await story.store.findBulk(client, idle)).toBeNull()
      expect(await story.store.readBulkLines(idle, 1)).toBeNull()
      expect(await story.store.bulkErrors({ bulkId: stopped, after: 0, limit: 10 })).toEqual([])
    })
  })
}
