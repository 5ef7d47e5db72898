/** `send_at`: accepted and paid for now, sent when its time comes. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Message } from '../../src/domain/message/message.ts'
import { SEND_TYPES } from '../support/all-operations.ts'
import { ASYNC_PATH, type ClientBench, SYNC_PATH, startClientBench } from '../support/client-bench.ts'
import { call, itemError, rcs, send } from '../support/operations.ts'

let bench: ClientBench
beforeEach(async () => {
  bench = await startClientBench()
})
afterEach(() => bench.stop())

const HOUR_MS = 3_600_000
/** So many hours from now, as a clock two hours ahead of UTC shows it. */
const inHours = (hours: number) => {
  const there = new Date(bench.clock.now() + (hours + 2) * HOUR_MS)
  return there.toISOString().replace('Z', '+02:00')
}
const stored = async (id: number): Promise<Message> => {
  const [message] = await bench.store.loadMessages([id as Message['id']])
  if (message === undefined) throw new Error('it was not stored')
  return message
}

test.each(SEND_TYPES)('%s waits in the store, and all its times begin with that one', async (type) => {
  const { data } = await bench.ask(send(type, { send_at: inHours(3), rcs_lifetime: 60 }))
  const at = bench.clock.now() + 3 * HOUR_MS
  const { plan, journey } = await stored(data.msg_id)
  expect(journey).toMatchObject({ status: 'QUEUED', phase: 'open', sendAt: at, dueAt: at })
  expect(journey.deadlineAt).toBe(at + (plan[0]?.lifetimeSeconds ?? 0) * 1000)
  expect(journey.steps).toMatchObject([{ status: 'QUEUED', at }])
  expect(journey.heldMicros).toBeGreaterThan(0)
  expect((await bench.store.balancesOf(bench.accountId))?.held).toBe(journey.heldMicros)
  expect(bench.outbox.taken).toEqual([])
  expect(bench.outbox.dueAts).toEqual([at])
})

test('notifies delivery of the earliest time of a request', async () => {
  await bench.post([3, 1, 2].map((hours) => rcs({ send_at: inHours(hours) })))
  expect(bench.outbox.dueAts).toEqual([bench.clock.now() + HOUR_MS])
  await bench.post([rcs({ send_at: inHours(1) }), rcs()], { path: ASYNC_PATH })
  expect(bench.outbox.taken).toHaveLength(1)
})

test('a past time is returned, and sends at once', async () => {
  const { data } = await bench.ask(rcs({ send_at: '2001-01-01T00:00:00Z' }))
  const now = bench.clock.now()
  expect(bench.outbox.taken).toMatchObject([{ id: data.msg_id, createdAt: now }])
  expect(bench.outbox.taken[0]?.journey).toMatchObject({
    sendAt: Date.UTC(2001, 0, 1),
    dueAt: now,
    deadlineAt: now + 172_800_000,
  })
})

test('short links live from that time on', async () => {
  const text = 'https://client.example/'
  const { data } = await bench.ask(rcs({ send_at: inHours(24), short_link: true, rcs_message: text }))
  const messages = await bench.store.loadMessages([data.msg_id])
  const [code = ''] = JSON.stringify(messages).match(/(?<=\/l\/)\w+/) ?? []
  const [link] = await bench.store.findLinks([code])
  expect(link?.expiresAt).toBe(bench.clock.now() + 24 * HOUR_MS + 30 * 24 * HOUR_MS)
})

describe('values that are not a time', () => {
  const FORM = 'must be a time with its offset as in RFC 3339, such as 2026-03-01T09:00:00+02:00'
  const OFFSET = 'must have its offset, such as Z or +02:00, because the account has no time zone'
  const EXISTS = 'there is no such day or time'
  test.each([
    ...(['tomorrow', 1_767_225_600, true, {}] as const).map((send_at) => [send_at, FORM] as const),
    ...['2026-01-02T09:00:00', '2026-01-02T09:00', '2026-01-02 09:00'].map((send_at) => [send_at, OFFSET] as const),
    ...['2026-02-30T09:00:00Z', '2026-02-30T09:00', '2026-01-02T25:00Z'].map((send_at) => [send_at, EXISTS] as const),
  ])('%j', async (send_at, rule) => {
    expect(await bench.ask(rcs({ send_at }))).toEqual(itemError(`send_at: ${rule}`, { id: 1 }))
  })

  test.each(['2001-01-01T00:00Z', '2001-01-01T02:00+02:00', '2001-01-01 02:00:00+0200'])(
    '%s is one',
    async (send_at) => {
      expect(await bench.ask(rcs({ send_at }))).toMatchObject({ success: true })
    },
  )

  test('35 days ahead are allowed, a second more is not', async () => {
    expect(await bench.ask(rcs({ send_at: inHours(35 * 24) }))).toMatchObject({ success: true })
    const beyond = rcs({ send_at: inHours(35 * 24 + 1 / 3600) })
    const refused = itemError('send_at: at most 35 days ahead', { id: 1 })
    expect(await bench.ask(beyond)).toEqual(refused)
    expect(await bench.ask({ ...beyond, type: 'price', send_type: 'rcs' })).toEqual(refused)
  })

  test.each(['', null])('and %j is none that was sent', async (send_at) => {
    await bench.ask(rcs({ send_at }))
    expect(bench.outbox.taken).toHaveLength(1)
    expect(bench.outbox.taken[0]?.journey).not.toHaveProperty('sendAt')
  })
})

test.each([SYNC_PATH, ASYNC_PATH])('calls and other operations know no send_at and ignore it (%s)', async (path) => {
  const others = [call(), { type: 'balance' }, { type: 'template/create', name: 'a', template: 'b' }]
  const { data } = await bench.post(
    others.map((item) => ({ ...item, send_at: 'whenever' })),
    { path },
  )
  expect(data.map((result: { success: boolean }) => result.success)).toEqual([true, true, true])
  expect(bench.outbox.taken).toHaveLength(1)
})
