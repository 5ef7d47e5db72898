/** A carrier says that our account there can send nothing: no storm, no charge, and a trial shows when it can again. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { addCarrier } from '../../src/operations/admin/carriers/carrier.ts'
import { HttpDouble } from '../../src/simulator/server/http-double.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'
import { smsItem } from '../support/send-items.ts'

const PREFIX = '4916'
const LONG = 7_200

let world: SandboxWorld
let double: HttpDouble
/** The sandbox's SMSC serves all numbers: without it, messages have no other route. */
async function leaveNoOtherRoute() {
  expect((await world.askAdmin('POST', '/carriers/sandbox-sms/drain')).status).toBe(200)
}

/** What the carrier answers now, and how many messages it was sent. */
let answer: { status: number; body: string }
let asked: number

const NO_CREDIT = { status: 402, body: '{"error":"no credit"}' }
const TAKEN = { status: 200, body: '{"id":"x"}' }

beforeEach(async () => {
  world = await SandboxWorld.start(LONG)
  answer = NO_CREDIT
  asked = 0
  double = await HttpDouble.listen(({ method }) => {
    if (method === 'HEAD') return { status: 200, body: '' }
    asked += 1
    return answer
  })
  const settings = {
    request: { address: `${double.address}/send`, json: { to: '{{phone}}', text: '{{text}}' } },
    answer: {
      statuses: { '401': 'account', '402': 'account', '404': 'undeliverable' },
      id: { path: 'id' },
      reason: { path: 'error' },
    },
    window: 2,
  }
  const route = { prefix: PREFIX, operators: null, priority: 100, poolId: null }
  await world.operate((store) =>
    addCarrier(store, () => {}, { id: 'poor', kind: 'http', channel: 'sms', settings, route }),
  )
  await world.carriersUp()
})
afterEach(async () => {
  await world.stop()
  await double.goDown()
})

let lastPhone = 0

function send(count: number) {
  const items = Array.from({ length: count }, () => {
    lastPhone += 1
    return smsItem(`${PREFIX}21${100_000 + lastPhone}`, { ttl: LONG })
  })
  return world.send(...items)
}

async function view() {
  const { body } = await world.askAdmin('GET', '/carriers')
  const { data } = body as { readonly data: readonly { readonly carrier: string; readonly state: unknown }[] }
  return data.find(({ carrier }) => carrier === 'poor')?.state
}

test('messages with another route take it at once, and the carrier is down with the reason', async () => {
  const ids = await send(20)
  await world.pass(5)
  const carriers = await Promise.all(ids.map(async (id) => (await world.trace(id)).message.journey.steps[0]?.carrierId))
  expect(new Set(carriers)).toEqual(new Set(['sandbox-sms']))
  expect(asked).toBeLessThanOrEqual(2)
  expect(await view()).toMatchObject({ up: false, breaker: 'open', last_error: 'HTTP 402: no credit' })
  await world.passInSilence(180)
  const alarms = (await world.askAdmin('GET', '/alarms')).body as { readonly data: readonly object[] }
  expect(alarms.data).toContainEqual(
    expect.objectContaining({
      kind: 'carrier_down',
      subject: 'poor',
      detail: expect.stringMatching(/our account there can send nothing: HTTP 402: no credit$/),
    }),
  )
})

test('messages without another route wait without charge, and one of them tries the account from time to time', async () => {
  await leaveNoOtherRoute()
  const ids = await send(20)
  await world.pass(5)
  const { available, held } = await world.balances()
  // The window was on the wire when the first answer came.
  const before = asked
  expect(before).toBeLessThanOrEqual(2)
  await world.passInSilence(65)
  expect(asked).toBe(before + 1)
  await world.passInSilence(80)
  expect(asked).toBe(before + 1)
  expect(await view()).toMatchObject({ up: false })
  answer = TAKEN
  await world.passInSilence(60)
  expect(asked).toBe(before + 1 + ids.length)
  expect(await view()).toMatchObject({ up: true, breaker: 'closed', degraded: null })
  const after = await world.balances()
  expect([held > 0, after.held, after.available]).toEqual([true, 0, available])
})

test('an operator ends the wait, and a refusal of one message shows that the account works', async () => {
  await leaveNoOtherRoute()
  await send(3)
  await world.pass(10)
  const before = asked
  answer = { status: 404, body: '' }
  expect((await world.askAdmin('POST', '/carriers/poor/connect')).status).toBe(200)
  await world.pass(10)
  expect(asked).toBe(before + 3)
  expect(await view()).toMatchObject({ up: true })
})

test('a trial that gets no clear answer leaves the carrier down, with the reason of the account', async () => {
  await leaveNoOtherRoute()
  await send(1)
  await world.pass(10)
  answer = { status: 503, body: '' }
  await world.pass(60)
  expect(asked).toBe(2)
  expect(await view()).toMatchObject({ up: false, last_error: 'HTTP 402: no credit' })
})
