/** `event/list`: what it takes and refuses, and what stands in its answers. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { EVENT_FEED } from '../../src/domain/reports/event-feed.ts'
import { MAX_LIST_BYTES } from '../../src/domain/structures/answer-size.ts'
import { messageItem } from '../conformance/store/store-story.ts'
import { buildMessage } from '../support/build-message.ts'
import { type ClientBench, startClientBench } from '../support/client-bench.ts'
import { refused } from '../support/make-turn.ts'
import { itemError } from '../support/operations.ts'

let bench: ClientBench
beforeEach(async () => {
  bench = await startClientBench()
})
afterEach(() => bench.stop())

const list = (fields: object = {}) => ({ type: 'event/list', ...fields })
const ok = (data: object) => ({ success: true, data })

/** Messages with an event each; the body of each event is at least this long. */
async function addEvents(count: number, bodyBytes = 0): Promise<void> {
  const { accountId, store } = bench
  const first = await store.reserveIds(count)
  for (let counter = first; counter < first + count; counter += 1) {
    const message = buildMessage({ counter, accountId, hook: EVENT_FEED })
    const items = [messageItem(message)]
    await store.accept({ accountId, now: bench.clock.now(), idempotency: null, items })
    const turn = refused(message)
    const reports = turn.reports.map((report) => ({
      ...report,
      body: `{"text":"${'x'.repeat(bodyBytes)}",${report.body.slice(1)}`,
    }))
    await store.record([{ turn: { ...turn, reports }, held: false, reportsHeld: false, clickedCode: null }])
  }
}

const cursorsOf = (result: { data: { events: readonly { cursor: string }[] } }) =>
  result.data.events.map(({ cursor }) => cursor)

test('an account without events has an empty list, whose cursor can be passed', async () => {
  const empty = ok({ events: [], next: '0', more: false, missed: 0 })
  expect(await bench.ask(list())).toEqual(empty)
  expect(await bench.ask(list({ after: '0' }))).toEqual(empty)
})

test('without a cursor the list begins after the last acknowledged event', async () => {
  await addEvents(5)
  const first = await bench.ask(list({ limit: 2 }))
  expect(first.data).toMatchObject({ next: '2', more: true, missed: 0 })
  expect(first.data.events[0]).toMatchObject({
    event_id: expect.stringMatching(/^rep_\d+_0$/),
    cursor: '1',
    type: 'message.status',
  })
  expect(await bench.ask(list({ limit: 2 }))).toEqual(first)
  expect(cursorsOf(await bench.ask(list({ after: '2' })))).toEqual(['3', '4', '5'])
  expect(cursorsOf(await bench.ask(list({ after: 2 })))).toEqual(['3', '4', '5'])
  expect(cursorsOf(await bench.ask(list()))).toEqual(['3', '4', '5'])
  expect(cursorsOf(await bench.ask(list({ after: '4' })))).toEqual(['5'])
  expect(cursorsOf(await bench.ask(list({ after: '0' })))).toEqual(['1', '2', '3', '4', '5'])
  expect(await bench.store.counts()).toMatchObject({ unreadEvents: 1 })
})

test('several lists of a request are executed in their order', async () => {
  await addEvents(3)
  const { data } = await bench.post([list({ limit: 1 }), list({ after: '1', limit: 1 }), list()])
  expect(data.map(cursorsOf)).toEqual([['1'], ['2'], ['2', '3']])
})

test('a list ends before it is too long, and says that there is more', async () => {
  await addEvents(3, MAX_LIST_BYTES / 2)
  const { data } = await bench.ask(list())
  expect([data.events.length, data.next, data.more]).toEqual([1, '1', true])
})

test('events that are no longer kept are counted', async () => {
  await addEvents(3)
  await bench.ask(list({ after: '2' }))
  const later = bench.clock.now() + 40 * 86_400_000
  await bench.store.sweep(later, { settledKeptDays: 30, inboundKeptDays: 90 })
  expect((await bench.ask(list({ after: '0' }))).data).toMatchObject({
    events: [{ cursor: '3' }],
    next: '3',
    missed: 2,
  })
  await bench.ask(list({ after: '3' }))
  await bench.store.sweep(later, { settledKeptDays: 30, inboundKeptDays: 90 })
  expect((await bench.ask(list({ after: '1' }))).data).toEqual({ events: [], next: '3', more: false, missed: 2 })
})

test.each<[object, string]>([
  [{ after: 1.5 }, 'after: must be next or a cursor of an earlier answer to this account'],
  [{ after: '-1' }, 'after: must be next or a cursor of an earlier answer to this account'],
  [{ after: '99999999999999999' }, 'after: must be next or a cursor of an earlier answer to this account'],
  [{ after: '4' }, 'after: must be next or a cursor of an earlier answer to this account'],
  [{ limit: 0 }, 'limit: must be a whole number from 1 to 1000'],
  [{ limit: 1_001 }, 'limit: must be a whole number from 1 to 1000'],
  [{ limit: 1.5 }, 'limit: must be a whole number from 1 to 1000'],
  [{ limit: 'all' }, 'limit: must be a whole number from 1 to 1000'],
])('refuses %j and acknowledges nothing', async (fields, error) => {
  await addEvents(3)
  expect(await bench.ask(list(fields))).toEqual(itemError(error))
  expect(await bench.store.counts()).toMatchObject({ unreadEvents: 3 })
})

test('a repeat under an idempotency key gets the same events', async () => {
  await addEvents(2)
  const headers = { 'Idempotency-Key': 'events-1' }
  const first = await bench.post([list({ limit: 1 })], { headers })
  await bench.ask(list({ after: '2' }))
  expect(await bench.post([list({ limit: 1 })], { headers })).toEqual(first)
})

test('a send names the feed as its hook, and no other address without a host', async () => {
  const sms = { type: 'sms', phone: 491701234500, sms_signature: 'SMSTest', sms_message: 'Hello' }
  expect(await bench.ask({ ...sms, hook: 'feed:' })).toMatchObject({ success: true })
  expect(bench.outbox.taken.map(({ hook }) => hook)).toEqual(['feed:'])
  expect(await bench.ask({ ...sms, hook: 'feed:x' })).toMatchObject({ success: false, field: 'hook' })
})
