/**
 * A carrier begins to lose half of its messages: messages move to the other carrier, a trickle tests it, and it gets
 * them back, without anyone acting.
 */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { MessageId } from '../../src/domain/ids/message-id.ts'
import { addCarrier } from '../../src/operations/admin/carriers/carrier.ts'
import { HttpDouble } from '../../src/simulator/server/http-double.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'

// An hour of stories on PostgreSQL takes longer than other tests may.
vi.setConfig({ testTimeout: 120_000 })

const TOKEN = 'a-token-of-our-own'
const RULE = { mode: 'on', within_seconds: 10, window_minutes: 10, min_messages: 20 }

interface Taken {
  readonly carrier: string
  readonly id: string
}

let world: SandboxWorld
let double: HttpDouble
let taken: Taken[]
let lastPhone: number

beforeEach(async () => {
  world = await SandboxWorld.start()
  taken = []
  lastPhone = 0
  double = await HttpDouble.listen(({ method, path }) => {
    if (method === 'HEAD') return { status: 200, body: '' }
    const message = { carrier: path.split('/')[1] ?? '', id: `m${taken.length}` }
    taken.push(message)
    return { status: 200, body: JSON.stringify({ id: message.id }) }
  })
  await addHttpCarrier('acme', 1)
  await addHttpCarrier('other', 2)
  await world.carriersUp()
})
afterEach(async () => {
  await world.stop()
  await double.goDown()
})

async function addHttpCarrier(id: string, priority: number) {
  const settings = {
    request: { address: `${double.address}/${id}`, json: { to: '{{phone}}', text: '{{text}}' } },
    answer: { id: { path: 'id' }, statuses: { '500': 'unclear' } },
    receipt: {
      ...{ auth: { kind: 'token', token: TOKEN }, id: 'id', status: 'status' },
      outcomes: { delivered: 'delivered', failed: 'undeliverable' },
    },
  }
  const route = { prefix: '4917', operators: null, accountId: null, sender: null, priority, weight: 1, poolId: null }
  await world.operate((store) => addCarrier(store, () => {}, { id, kind: 'http', channel: 'sms', settings, route }))
}

async function setRule(rule: object) {
  expect((await world.askAdmin('PUT', '/quality/rules', { body: rule })).status).toBe(200)
  await world.pass(2)
}

/** Sends messages; acme delivers this part of its own after so many seconds, and the other carrier all at once. */
async function send(count: number, share = 1, seconds = 0) {
  const from = taken.length
  const items = Array.from({ length: count }, () => {
    lastPhone += 1
    return {
      type: 'sms',
      id: lastPhone,
      phone: `49170${1_000_000 + lastPhone}`,
      sms_signature: 'SMSTest',
      sms_message: 'Hi',
    }
  })
  const ids: MessageId[] = []
  for (let at = 0; at < items.length; at += 50) ids.push(...(await world.send(...items.slice(at, at + 50))))
  await world.rest()
  const mine = taken.slice(from)
  const isOfAcme = ({ carrier }: Taken) => carrier === 'acme'
  for (const { carrier, id } of mine.filter((each) => !isOfAcme(each))) await report(carrier, id)
  if (seconds > 0) await world.passInSilence(seconds)
  let acme = 0
  for (const { carrier, id } of mine.filter(isOfAcme)) {
    acme += 1
    if (Math.floor(acme * share) > Math.floor((acme - 1) * share)) await report(carrier, id)
  }
  return { ids, acme, other: mine.length - acme }
}

async function report(carrier: string, id: string) {
  const address = `${world.gateway.address}/carriers/${carrier}/${TOKEN}`
  expect((await fetch(address, { method: 'POST', body: JSON.stringify({ id, status: 'delivered' }) })).status).toBe(200)
}

async function quality() {
  const { body } = await world.askAdmin('GET', '/quality?carrier=acme')
  return body['data'] as readonly Readonly<Record<string, unknown>>[]
}

/** A few phones have another operator. */
function isJudged({ state }: Readonly<Record<string, unknown>>): boolean {
  return state !== 'few messages'
}

/** Lets time pass until it is so: judging takes some turns of the event loop, which the clock does not wait for. */
async function passUntil(isSo: () => Promise<boolean>) {
  for (let tries = 0; tries < 20 && !(await isSo()); tries += 1) await world.passInSilence(10)
}

async function judged(state: string) {
  await world.passInSilence(JUDGED_S)
  const find = async () => (await quality()).find(isJudged)
  await passUntil(async () => (await find())?.['state'] === state)
  return await find()
}

async function history() {
  const { body } = await world.askAdmin('GET', '/quality/demotions')
  return body['data'] as readonly Readonly<Record<string, unknown>>[]
}

/** Until counts are stored, old enough and judged. */
const JUDGED_S = 260

test('messages move away from a carrier that loses half of them, and back', async () => {
  await setRule(RULE)
  expect(await send(80)).toMatchObject({ acme: 80, other: 0 })
  await world.passInSilence(900)
  await send(60, 0.5)
  expect(await judged('demoted')).toMatchObject({
    state: 'demoted',
    reason: expect.stringMatching(/^(49|5\d) % of \d+ messages .* usually 100 %$/),
  })

  const during = await send(40, 0.5)
  expect(during.other).toBeGreaterThan(during.acme * 2)
  const details = await Promise.all(
    during.ids.map(async (id) => (await world.trace(id)).timeline.find(({ kind }) => kind === 'taken')),
  )
  for (const { carrierId, detail } of details.flatMap((each) => each ?? [])) {
    expect(detail).toMatch(
      carrierId === 'acme'
        ? /; tests acme, demoted for DE/
        : /; instead of acme, demoted for DE .* since .*: (49|5\d) % of \d+ /,
    )
  }
  // A restart remembers.
  await world.stopGateway()
  await world.startGateway()
  await world.carriersUp()
  const { body } = await world.askAdmin('POST', '/routes/trial', {
    body: { account: 1, phone: '491701000000', channels: ['sms'], sender: 'SMSTest' },
  })
  expect(body['routes']).toMatchObject([
    { carrier: 'other', demotion: null },
    { carrier: 'sandbox-sms' },
    { carrier: 'acme', demotion: expect.stringMatching(/^since .*: (49|5\d) % of \d+ /) },
  ])

  // It delivers again: the trickle shows it.
  for (let round = 0; round < 6 && (await history())[0]?.['ended_at'] === null; round += 1) {
    await send(100)
    await world.passInSilence(JUDGED_S)
  }
  expect(await history()).toMatchObject([
    {
      carrier: 'acme',
      kind: 'demoted',
      measure: 'delivery',
      user: null,
      end_reason: expect.stringMatching(/^100 % of \d+ messages/),
    },
  ])
  expect(await send(20)).toMatchObject({ acme: 20, other: 0 })
})

test('messages move away from a carrier that becomes slow, until its country has a rule of its own', async () => {
  await setRule({ ...RULE, within_seconds: 120 })
  await send(80)
  await world.passInSilence(900)
  await send(60, 1, 45)
  await world.passInSilence(120)
  const { state, delivered, reason } = (await judged('demoted')) ?? {}
  expect({ state, delivered }).toEqual({ state: 'demoted', delivered: 1 })
  expect(reason).toMatch(/^\d+ % of \d+ deliveries within 30 s, usually 100 % within 10 s$/)
  const [id = 0 as MessageId] = (await send(40)).ids
  expect((await world.trace(id)).timeline.find(({ kind }) => kind === 'taken')?.detail).toContain(` ${reason}`)
  expect(await history()).toMatchObject([{ carrier: 'acme', measure: 'speed', ended_at: null }])

  await setRule({ carrier: 'acme', country: 'de', slow_percent: 100, mode: 'off' })
  await passUntil(async () => (await history())[0]?.['ended_at'] !== null)
  expect(await history()).toMatchObject([{ end_reason: 'routing by quality was set to off' }])
  expect(await send(20)).toMatchObject({ acme: 20, other: 0 })
  const { body } = await world.askAdmin('GET', '/quality/rules')
  const country = { carrier: 'acme', country: 'DE', within_seconds: 120, set: ['mode', 'slow_percent'] }
  expect(body['data']).toMatchObject([{ carrier: null, country: null, slow_percent: 30 }, country])
  const odd = await world.askAdmin('PUT', '/quality/rules', { body: { country: 'XX', floor_percent: 80 } })
  expect(odd.body).toMatchObject({ detail: 'country: must be a country such as DE' })
})

test('while observing, the same is noted and no message moves', async () => {
  await setRule({ ...RULE, mode: 'observe' })
  await send(80)
  await world.passInSilence(900)
  await send(60, 0.5)
  expect(await judged('observed')).toMatchObject({ state: 'observed' })
  expect(await send(20, 0.5)).toMatchObject({ acme: 20, other: 0 })
})

test('an operator demotes a carrier, keeps it, and lets gateways decide again', async () => {
  const place = { carrier: 'acme', country: 'de' }
  const act = async (verb: string, body: object) => {
    const reply = await world.askAdmin('POST', `/quality/${verb}`, { body })
    await world.pass(2)
    return reply
  }
  expect((await act('release', place)).status).toBe(404)
  expect((await act('demote', { ...place, country: 'XX' })).status).toBe(422)
  expect((await act('demote', { ...place, reason: 'they work on it', hours: 1 })).body).toMatchObject({
    country: 'DE',
    user: expect.any(String),
  })
  expect(await send(20)).toMatchObject({ acme: 0, other: 20 })
  await act('keep', place)
  expect(await send(20)).toMatchObject({ acme: 20, other: 0 })
  await act('demote', { ...place, hours: 1 })
  await world.passInSilence(3_600)
  await passUntil(async () => (await history())[0]?.['ended_at'] !== null)
  expect(await send(20)).toMatchObject({ acme: 20, other: 0 })
  expect(await history()).toMatchObject([
    { kind: 'demoted', end_reason: 'its time is over' },
    { kind: 'kept', end_reason: 'decided otherwise' },
    { kind: 'demoted', reason: 'they work on it', end_reason: 'decided otherwise' },
  ])
})
