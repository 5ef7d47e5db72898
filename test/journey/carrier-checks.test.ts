/**
 * The gateway checks the receipts of a carrier: once a day a text goes by it to a number of the operator, and has to
 * come back as an inbound message.
 */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { addCarrier } from '../../src/operations/admin/carriers/carrier.ts'
import { HttpDouble } from '../../src/simulator/server/http-double.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'

const NUMBER = '491621000100'
const ANNA = '37120000100'
const TOKEN = 'a-token-of-our-own'
const HOUR = 3_600

let world: SandboxWorld
let double: HttpDouble
let texts: string[]
let status: number

beforeEach(async () => {
  world = await SandboxWorld.start()
  texts = []
  status = 200
  double = await HttpDouble.listen(({ method, body }) => {
    if (method === 'HEAD') return { status: 200, body: '' }
    if (status === 200) texts.push((JSON.parse(body) as { readonly text: string }).text)
    return { status, body: JSON.stringify({ id: `m${texts.length}` }) }
  })
})
afterEach(async () => {
  await world.stop()
  await double.goDown()
})

/** The number is one of the carrier `receiver`. */
async function addCheckedCarrier(numbers: readonly string[] = [NUMBER], receiver = 'cheap', reply = {}) {
  const calls = { auth: { kind: 'token', token: TOKEN } }
  const settings = {
    request: { address: `${double.address}/send`, json: { to: '{{phone}}', text: '{{text}}' } },
    answer: { id: { path: 'id' }, statuses: { '500': 'unclear' } },
    receipt: { ...calls, id: 'id', status: 'status', outcomes: { delivered: 'delivered', failed: 'undeliverable' } },
    inbound: { ...calls, from: 'from', to: 'to', text: 'text' },
    check: { numbers, sender: 'Check', every: HOUR, within: 600 },
  }
  await world.operate((store) =>
    addCarrier(store, () => {}, { id: 'cheap', kind: 'http', channel: 'sms', settings, route: null }),
  )
  const number = { carrier: receiver, address: NUMBER, account: 1, ...reply }
  expect((await world.askAdmin('PUT', '/inbound-numbers', { body: number })).status).toBe(200)
  await world.carriersUp()
  await world.pass(20)
}

async function call(path: string, body: object) {
  const response = await fetch(`${world.gateway.address}/carriers/cheap${path}/${TOKEN}`, {
    method: 'POST',
    body: JSON.stringify(body),
  })
  expect(response.status).toBe(200)
  await world.pass(2)
}

const comeBack = (text = texts.at(-1) ?? '') => call('/inbound', { from: 'Check', to: NUMBER, text })

async function checks() {
  const { body } = await world.askAdmin('GET', '/carriers/cheap')
  return body['checks'] as readonly Readonly<Record<string, unknown>>[]
}

async function sample(name: string) {
  const text = await (await fetch(`${world.gateway.adminAddress}/metrics`)).text()
  return text.split('\n').find((line) => line.startsWith(`posthorn_carrier_check_${name}{`)) ?? null
}

test('a text that comes back is seen, costs nothing, and the next one follows in time', async () => {
  const before = await world.balances()
  await addCheckedCarrier()
  expect(texts).toEqual([expect.stringMatching(/^Posthorn check ph\d{12}$/)])
  expect(await checks()).toMatchObject([{ country: 'DE', outcome: 'waiting', ended_at: null, detail: null }])
  expect(await sample('arrived')).toBeNull()
  await comeBack(`Forwarded: ${texts[0]?.toUpperCase()}`)
  const [check] = await checks()
  expect(check).toMatchObject({ outcome: 'arrived', message: expect.any(Number) })
  expect(await sample('arrived')).toBe('posthorn_carrier_check_arrived{carrier="cheap",country="DE"} 1')
  const trace = await world.trace(check?.['message'] as never)
  expect(trace.message).toMatchObject({
    plan: [{ lifetimeSeconds: 600 }],
    journey: { steps: [{ carrierId: 'cheap' }] },
  })
  expect(await world.balances()).toEqual(before)
  await world.passInSilence(HOUR - 120)
  expect(texts).toHaveLength(1)
  await world.pass(140)
  expect(texts).toHaveLength(2)
  expect(texts[1]).not.toBe(texts[0])
})

test('a receipt of a text that does not come back is false', async () => {
  await addCheckedCarrier()
  await call('', { id: 'm1', status: 'delivered' })
  await world.passInSilence(560)
  expect(await checks()).toMatchObject([{ outcome: 'waiting' }])
  await world.pass(40)
  expect(await checks()).toMatchObject([
    { outcome: 'false receipt', detail: 'reported as delivered, and did not come' },
  ])
  expect(await sample('false_receipt')).toMatch(/ 1$/)
  // Too late.
  await comeBack()
  expect(await checks()).toMatchObject([{ outcome: 'false receipt' }])
})

test('a text that neither comes back nor gets a receipt is missing; one that no carrier took was not sent', async () => {
  await addCheckedCarrier(['491621000100', '37120000001'])
  status = 500
  await world.passInSilence(620)
  expect(await checks()).toMatchObject([
    { country: 'DE', outcome: 'missing' },
    { country: 'LV', outcome: 'not sent', detail: expect.stringContaining('no inbound number') },
  ])
  await world.passInSilence(HOUR)
  expect(await checks()).toMatchObject([
    { country: 'DE', outcome: 'not sent', detail: expect.stringContaining('500') },
    {},
  ])
})

test('a mended inbound number or setting is tried at once, and the alarm of the outcome before is closed', async () => {
  await addCheckedCarrier([NUMBER, ANNA])
  const rule = { resolve_after_seconds: 0 }
  const latvian = async () => (await checks()).find(({ country }) => country === 'LV')
  const open = async () => (await world.askAdmin('GET', '/alarms?state=open')).body['data'] as readonly unknown[]
  expect((await world.askAdmin('PUT', '/alarm-rules/check_failed', { body: rule })).status).toBe(200)
  await comeBack(texts[0])
  await world.passInSilence(130)
  expect(await latvian()).toMatchObject({ outcome: 'not sent' })
  expect(await open()).toMatchObject([{ subject: 'cheap in LV' }])

  const number = { carrier: 'cheap', address: ANNA, account: 1 }
  expect((await world.askAdmin('PUT', '/inbound-numbers', { body: number })).status).toBe(200)
  await world.pass(20)
  expect(texts).toHaveLength(2)
  expect(await latvian()).toMatchObject({ outcome: 'waiting' })
  await call('/inbound', { from: 'Check', to: ANNA, text: texts[1] })
  expect(await latvian()).toMatchObject({ outcome: 'arrived' })
  await world.passInSilence(130)
  expect(await open()).toEqual([])

  const patch = { settings: { check: { text: 'Another text {{token}}' } } }
  expect((await world.askAdmin('PATCH', '/carriers/cheap/settings', { body: patch })).status).toBe(200)
  expect(await latvian()).toMatchObject({ outcome: null })
  await world.carriersUp()
  await world.pass(20)
  expect(texts.slice(2)).toEqual([expect.stringMatching(/^Another text/), expect.stringMatching(/^Another text/)])
})

test('a restart sends no second text, and the one under way is still seen', async () => {
  await addCheckedCarrier()
  await world.stopGateway()
  await world.startGateway()
  await world.carriersUp()
  await world.pass(60)
  expect(texts).toHaveLength(1)
  await comeBack()
  expect(await checks()).toMatchObject([{ outcome: 'arrived' }])
})

test('an alarm is opened once its rule is on, and a token that was never sent changes nothing', async () => {
  await addCheckedCarrier()
  await comeBack('Posthorn check ph000000000000')
  await world.passInSilence(700)
  const alarms = async () => (await world.askAdmin('GET', '/alarms')).body['data']
  expect(await alarms()).toEqual([])
  expect((await world.askAdmin('PUT', '/alarm-rules/check_failed', { body: {} })).status).toBe(200)
  await world.passInSilence(130)
  expect(await alarms()).toMatchObject([{ kind: 'check_failed', subject: 'cheap in DE', severity: 'warning' }])
})

test('the checked carrier cannot claim that a text came to a number of another carrier', async () => {
  await addCheckedCarrier([NUMBER], 'sandbox-sms')
  await comeBack()
  expect(await checks()).toMatchObject([{ outcome: 'waiting' }])
})

/** A text to a number of the carrier `sandbox-sms`. */
async function write(to: string, text = texts.at(-1) ?? '') {
  expect(await world.box.smsc.write({ from: ANNA, to, text })).toMatchObject({ answer: { status: 0 } })
  await world.pass(2)
}

test('a token that comes to another number of the trusted carrier proves nothing', async () => {
  await addCheckedCarrier([NUMBER], 'sandbox-sms')
  const other = { carrier: 'sandbox-sms', address: '491621000200', account: 1 }
  expect((await world.askAdmin('PUT', '/inbound-numbers', { body: other })).status).toBe(200)
  for (const to of [other.address, '1234', `${NUMBER}0`]) await write(to)
  expect(await checks()).toMatchObject([{ outcome: 'waiting' }])
  await write(`00${NUMBER}`)
  expect(await checks()).toMatchObject([{ outcome: 'arrived' }])
})

test('the number answers other texts by itself, and no text of a check, however late it is', async () => {
  await addCheckedCarrier([NUMBER], 'sandbox-sms', { reply: 'We answer within a day.', reply_sender: 'SMSTest' })
  const before = await world.balances()
  await write(NUMBER)
  expect(await checks()).toMatchObject([{ outcome: 'arrived' }])
  await world.passInSilence(HOUR)
  expect(texts).toHaveLength(2)
  await write(NUMBER, texts[0])
  await world.pass(5)
  expect(world.box.traffic.to(ANNA)).toEqual([])
  expect(await world.balances()).toEqual(before)
  await write(NUMBER, 'Are you open?')
  await world.pass(5)
  expect(world.box.traffic.to(ANNA)).toMatchObject([{ text: 'We answer within a day.' }])
})

test('a client at its limit is checked all the same, and a check takes nothing of the limit', async () => {
  const limits = (daily_messages: number) => world.askAdmin('PATCH', '/accounts/1', { body: { daily_messages } })
  expect((await limits(0)).status).toBe(200)
  await addCheckedCarrier()
  expect(await checks()).toMatchObject([{ outcome: 'waiting' }])
  expect(texts).toHaveLength(1)
  expect((await limits(1)).status).toBe(200)
  const sms = { type: 'sms', phone: ANNA, sms_signature: 'SMSTest', sms_message: 'Hello' }
  expect(await world.ask([sms])).toMatchObject({ data: [{ success: true }] })
  expect(await world.ask([sms])).toMatchObject({ data: [{ error: 'Daily message limit reached' }] })
})
