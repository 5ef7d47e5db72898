/** `posthorn trace` prints the timeline of one message, sent or inbound, without texts and codes. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { toAccountId } from '../../src/domain/ids/account-id.ts'
import type { JourneyEvent } from '../../src/domain/message/journey-event.ts'
import type { Message } from '../../src/domain/message/message.ts'
import { BEGINNING, buildMessage, buildPlan } from '../support/build-message.ts'
import { CommandLine } from '../support/command-line.ts'
import { wrote } from '../support/inbound-arrival.ts'
import { walkMessage } from '../support/walk-message.ts'

let line: CommandLine

beforeEach(async () => {
  line = new CommandLine()
  await line.ask(['account', 'create', '--name', 'Shop'])
  await line.ask(['account', 'top-up', '--account', '1', '--amount', '1'])
})
afterEach(() => line.close())

/** Walks it in the store of a gateway, which the command line reads beside it; its first report is tried once. */
async function walk(message: Message, events: readonly JourneyEvent[]): Promise<void> {
  const store = await line.openStore('gateway')
  const link = { code: 'Ab3dE5', messageId: message.id, url: 'https://shop.example/1', expiresAt: BEGINNING + 1e9 }
  await walkMessage(store, message, events, [link])
  const [at, dueAt] = [BEGINNING + 9_000, BEGINNING + 14_000]
  const tried = { messageId: message.id, number: 0, at, dueAt, held: false, detail: 'answered 503' }
  await store.settleReports([{ ...tried, kind: 'later' }])
  await store.close()
}

test('events come in order of time, each with its detail', async () => {
  const message = buildMessage({ plan: buildPlan('rcs', 'sms'), clientId: '"order-1"' })
  await walk(message, [
    {
      kind: 'answered',
      at: BEGINNING + 1_000,
      step: 0,
      carrierId: 'google',
      verdicts: [{ kind: 'refused', status: 'UNDELIVERABLE', reason: 'no RCS', part: 0 }],
      anotherLeft: false,
      jitter: 0,
    },
    {
      kind: 'answered',
      at: BEGINNING + 2_000,
      step: 1,
      carrierId: 'acme',
      verdicts: [{ kind: 'taken', ref: 'a7', part: 0 }],
      anotherLeft: false,
      jitter: 0,
    },
    {
      kind: 'receipt',
      at: BEGINNING + 8_000,
      step: 1,
      part: 0,
      carrierId: 'acme',
      outcome: 'delivered',
      detail: 'stat:DELIVRD',
    },
  ])

  const trace = await line.ask(['trace', String(message.id)])
  expect(trace).toMatchObject({
    message: message.id,
    account: 1,
    id: 'order-1',
    phone: message.phone,
    status: 'DELIVERED',
    due_at: null,
    price: 0.05,
    held: 0,
    currency: 'EUR',
    steps: [
      { channel: 'rcs', status: 'UNDELIVERABLE', carrier: 'google', detail: 'no RCS', price: 0.05 },
      { channel: 'sms', status: 'DELIVERED', carrier: 'acme', detail: null },
    ],
  })
  const timeline = trace['timeline'] as readonly Record<string, string>[]
  expect(timeline.map((each) => `${each['at']} ${each['component']} ${each['event']} ${each['detail']}`)).toEqual([
    '2026-01-01T00:00:00.000Z client accepted rcs, then sms',
    '2026-01-01T00:00:00.000Z link made Ab3dE5 for https://shop.example/1, opened by 0 humans and 0 robots',
    '2026-01-01T00:00:00.000Z money hold 0.05 EUR',
    '2026-01-01T00:00:01.000Z carrier refused no RCS',
    '2026-01-01T00:00:02.000Z carrier taken as a7',
    '2026-01-01T00:00:02.000Z money charge 0.05 EUR',
    '2026-01-01T00:00:08.000Z carrier delivered stat:DELIVRD',
    '2026-01-01T00:00:08.000Z report written number 0',
    '2026-01-01T00:00:09.000Z report tried number 0: answered 503, 1 failed try',
  ])
  const { out } = await line.run(['trace', String(message.id)])
  expect(out).toMatch(/^2026-01-01T00:00:02\.000Z {2}carrier {4}taken {6}sms {6}acme {5}as a7$/m)
  expect(out).not.toContain('Your parcel is here.')
})

test('words of a carrier stay on their line', async () => {
  const message = buildMessage()
  await walk(message, [
    {
      kind: 'answered',
      at: BEGINNING + 1_000,
      step: 0,
      carrierId: 'acme',
      verdicts: [{ kind: 'refused', status: 'REJECTED', reason: 'no\n\u001b[2Jforged', part: 0 }],
      anotherLeft: false,
      jitter: 0,
    },
  ])
  const { out } = await line.run(['trace', String(message.id)])
  expect(out).toContain('no  [2Jforged')
  expect(out).not.toContain('\u001b')
})

test('an inbound message is found by its inbound_id', async () => {
  const store = await line.openStore('gateway')
  const carrier = { id: 'carrier-1', channel: 'sms', kind: 'smpp', settings: {} } as const
  await store.change({ kind: 'set carrier', carrier })
  const accountId = toAccountId(1)
  const number = {
    carrierId: 'carrier-1',
    address: '1234',
    keyword: null,
    accountId,
    hook: 'feed:',
    reply: null,
    replySender: null,
  }
  await store.change({ kind: 'set inbound number', number })
  await store.recordInbound([wrote('Yes')], [])
  const [inbound] = await store.inboundOf({ accountId, after: null, limit: 1, maxBytes: 1_000 })
  await store.close()
  const id = String(inbound?.id)
  const { out } = await line.run(['trace', id])
  expect(out).toMatch(new RegExp(`^inbound +${id}$`, 'm'))
  expect(out).toMatch(/^2026-01-01T00:00:00\.000Z {2}carrier {4}received {2}-$/m)
  expect(out).toMatch(/^2026-01-01T00:00:00\.000Z {2}report {5}written {3}number 0$/m)
  expect(out).not.toContain('Yes')
  expect(await line.ask(['inbound', 'list'])).toMatchObject({ data: [{ inbound: inbound?.id, report: 'pending' }] })
  expect((await line.run(['trace', '6400'])).err).toMatch(/^error: there is no message 6400: /)
})
