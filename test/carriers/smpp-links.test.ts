/**
 * The state of each bind of an SMPP carrier: its name, whether it is up and since when, its requests in flight, and its
 * last error.
 */
import type { PDU, Session } from 'smpp'
import { afterEach, expect, test } from 'vitest'
import { eventually, settled, turnLoop } from '../support/eventually.ts'
import { SmppBench, smsSubmission } from '../support/smpp-bench.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

const RECEIPT = { esm_class: 4, data_coding: 0, short_message: Buffer.from('id:1 stat:DELIVRD') }
const bench = new SmppBench()

afterEach(() => bench.close())

test('one of two binds is lost: it is reported down, the other continues, and it is reported up again', async () => {
  const submits: { readonly session: Session; readonly pdu: PDU }[] = []
  const take = (session: Session, pdu: PDU) => void submits.push({ session, pdu })
  const { carrier, clock, sessions } = await bench.startNpmSmpp(take, { binds: 2, window: 3 })
  const state = () => carrier.state()
  await eventually('both binds', () => state().links.every((link) => link.state === 'up'))
  const since = clock.now()
  const none = { lastError: null, lastErrorAt: null, nextTryAt: null }
  const up = { state: 'up', since, inFlight: 0, window: 3, ...none, protocolErrors: 0 }
  expect(state().links).toEqual([
    { name: 'transceiver 1', ...up },
    { name: 'transceiver 2', ...up },
  ])

  const verdicts = Promise.all([1, 2, 3, 4].map(() => carrier.submit(smsSubmission('Hello'))))
  await eventually('four on the wire', () => submits.length === 4)
  expect(state().links.map(({ inFlight }) => inFlight)).toEqual([2, 2])
  clock.advance(1_500)
  const [lost, other] = sessions
  lost?.close()
  await eventually('the loss', () => state().links.some((link) => link.state !== 'up'))
  const lostAt = clock.now()
  expect(state()).toMatchObject({ up: true, since, inFlight: 2, lastError: expect.any(String) })
  expect(state().links.filter((link) => link.state === 'up')).toMatchObject([{ since, inFlight: 2, lastError: null }])
  expect(state().links.filter((link) => link.state !== 'up')).toMatchObject([
    { since: lostAt, inFlight: 0, lastError: expect.any(String) },
  ])
  for (const { session, pdu } of submits) if (session === other) session.send(pdu.response({ message_id: 'x' }))
  const kinds = (await settled('the verdicts', verdicts)).flat().map(({ kind }) => kind)
  expect(kinds.sort()).toEqual(['taken', 'taken', 'unclear', 'unclear'])

  await eventually('the bind', () => state().links.every((link) => link.state === 'up'), { clock })
  const back = state().links.find((link) => link.since !== since)
  expect(back).toMatchObject({ since: clock.now(), lastError: expect.any(String) })
})

test('a lost bind says when it connects again, and does so at once if an operator wants it', async () => {
  const { carrier, clock, sessions } = await bench.startNpmSmpp(() => {})
  const link = () => carrier.state().links[0]
  await eventually('the bind', () => link()?.state === 'up')
  sessions.at(-1)?.close()
  await eventually('the loss', () => link()?.state === 'down')
  const lostAt = clock.now()
  expect(link()).toMatchObject({ lastErrorAt: lostAt })
  expect(link()?.nextTryAt).toBeGreaterThan(lostAt)
  carrier.connectNow?.()
  await eventually('the bind again', () => link()?.state === 'up')
  expect(clock.now()).toBe(lostAt)
  expect(link()).toMatchObject({ lastErrorAt: lostAt, nextTryAt: null })
})

test('the waits grow for a carrier that binds and closes at once', async () => {
  const { carrier, clock, sessions, log } = await bench.startNpmSmpp(() => {})
  for (let lost = 1; lost <= 7; lost += 1) {
    sessions.at(-1)?.close()
    await eventually('the loss', () => !carrier.state().up)
    await eventually('the bind', () => carrier.state().up, { clock })
  }
  const waits = log.lines.flatMap(({ fields }) => (fields['waitMs'] === undefined ? [] : Number(fields['waitMs'])))
  expect(waits).toHaveLength(7)
  expect(waits).toEqual(waits.toSorted((a, b) => a - b))
  expect(waits.at(-1)).toBeGreaterThan(30_000)
})

test.each([
  ['an accepted submit', (sessions: readonly Session[]) => void sessions, 'submit'],
  ['a receipt', (sessions: readonly Session[]) => void sessions.at(-1)?.deliver_sm(RECEIPT, () => {}), 'receipt'],
])('a connection that carried %s is restored soon, however short it was', async (_, carry, what) => {
  const take = (session: Session, pdu: PDU) => void session.send(pdu.response({ message_id: 'x' }))
  const { carrier, clock, sessions, log, inbox } = await bench.startNpmSmpp(take)
  for (let lost = 1; lost <= 7; lost += 1) {
    carry(sessions)
    if (what === 'submit') await carrier.submit(smsSubmission('Hello'))
    else await eventually('the receipt', () => inbox.receipts.length === lost)
    sessions.at(-1)?.close()
    await eventually('the loss', () => !carrier.state().up)
    await eventually('the bind', () => carrier.state().up, { clock })
  }
  const waits = log.lines.flatMap(({ fields }) => (fields['waitMs'] === undefined ? [] : Number(fields['waitMs'])))
  expect(waits).toHaveLength(7)
  expect(Math.max(...waits)).toBeLessThanOrEqual(1_000)
})

test('the waits grow for a carrier that refuses every submit and closes', async () => {
  const take = (session: Session, pdu: PDU) => void session.send(pdu.response({ command_status: 0x08 }))
  const { carrier, clock, sessions, log } = await bench.startNpmSmpp(take)
  for (let lost = 1; lost <= 7; lost += 1) {
    await carrier.submit(smsSubmission('Hello'))
    sessions.at(-1)?.close()
    await eventually('the loss', () => !carrier.state().up)
    await eventually('the bind', () => carrier.state().up, { clock })
  }
  const waits = log.lines.flatMap(({ fields }) => (fields['waitMs'] === undefined ? [] : Number(fields['waitMs'])))
  expect(waits.at(-1)).toBeGreaterThan(30_000)
})

test('a transmitter and its receiver are two links, and a receiver has no window', async () => {
  const settings = { bindAs: 'transmitter and receiver', binds: 2, throughput: 7 }
  const { carrier, smsc } = await bench.startBoth(settings)
  await eventually('four binds', () => smsc.bound() === 4)
  expect(carrier.state().throughput).toBe(7)
  expect(carrier.state().links.map(({ name, window }) => [name, window])).toEqual([
    ['transmitter 1', 10],
    ['receiver 1', 0],
    ['transmitter 2', 10],
    ['receiver 2', 0],
  ])
})

test('a bind without an answer is connecting, not up, and the log names it', async () => {
  const clock = new VirtualClock()
  const { smsc } = await bench.startSmsc(clock)
  smsc.inject({ kind: 'silent' })
  const { carrier, log } = bench.startCarrier(smsc.port, clock)
  const startedAt = clock.now()
  await turnLoop()
  expect(carrier.state().links).toMatchObject([{ state: 'connecting', since: startedAt, lastError: null }])
  await eventually('the end of patience', () => carrier.state().links[0]?.state === 'down', { clock })
  expect(carrier.state().links).toMatchObject([{ since: startedAt, lastError: 'no answer to bind_transceiver' }])
  expect(log.lines.at(-1)).toMatchObject({
    level: 'warn',
    fields: { carrier: 'sms-1', bind: 'transceiver 1', reason: 'no answer to bind_transceiver' },
  })
  smsc.inject({ kind: 'none' })
  await eventually('the bind', () => carrier.state().up, { clock })
  expect(carrier.state().links).toMatchObject([{ since: clock.now(), lastError: 'no answer to bind_transceiver' }])
})
