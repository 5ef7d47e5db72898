/** A long SMS that goes to a carrier as one request, and comes back with an id and a status for each part. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { addCarrier } from '../../src/operations/admin/carriers/carrier.ts'
import { HttpDouble } from '../../src/simulator/server/http-double.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'
import { smsItem } from '../support/send-items.ts'

const PHONE = '491621000100'
const TOKEN = 'a-token-of-our-own'
const THREE_PARTS = 'x'.repeat(400)

let world: SandboxWorld
let double: HttpDouble
/** The carrier's answer: the statuses of its parts, or another body. */
let answer: object
let requests: number

const parts = (...statuses: number[]) => ({
  messages: statuses.map((status, index) => ({ 'message-id': `m${requests}-${index}`, status })),
})

beforeEach(async () => {
  world = await SandboxWorld.start(3_600)
  requests = 0
  double = await HttpDouble.listen(({ method }) => {
    if (method === 'HEAD') return { status: 200, body: '' }
    requests += 1
    return { status: 200, body: JSON.stringify(answer) }
  })
  const settings = {
    request: { address: `${double.address}/send`, json: { to: '{{phone}}', text: '{{text}}' } },
    answer: {
      list: 'messages',
      id: { path: 'message-id' },
      word: { path: 'status', meanings: { '0': 'taken', '1': 'slow', '6-7': 'rejected', '9': 'account' } },
    },
    receipt: {
      auth: { kind: 'token', token: TOKEN },
      id: 'id',
      status: 'status',
      outcomes: { delivered: 'delivered', failed: 'undeliverable' },
    },
  }
  const route = { prefix: '4916', operators: null, priority: 100, poolId: null }
  await world.operate((store) =>
    addCarrier(store, () => {}, { id: 'parted', kind: 'http', channel: 'sms', settings, route }),
  )
  await world.carriersUp()
  expect((await world.askAdmin('POST', '/carriers/sandbox-sms/drain')).status).toBe(200)
})
afterEach(async () => {
  await world.stop()
  await double.goDown()
})

async function send() {
  const id = await world.sendOne(smsItem(PHONE, { sms_message: THREE_PARTS, ttl: 3_600 }))
  await world.pass(3)
  return async () => (await world.story(id)).steps[0]
}

async function receive(...ids: readonly string[]) {
  for (const id of ids) {
    const status = id.startsWith('!') ? 'failed' : 'delivered'
    const body = JSON.stringify({ id: id.replace('!', ''), status })
    const response = await fetch(`${world.gateway.address}/carriers/parted/${TOKEN}`, { method: 'POST', body })
    expect(response.status).toBe(200)
  }
  await world.pass(2)
}

const charged = async () => {
  const { available, held } = await world.balances()
  return { available, held }
}

describe('as many ids as parts', () => {
  test('it is delivered once each of its parts is', async () => {
    requests = 1
    answer = parts(0, 0, 0)
    const state = await send()
    await receive('m1-2', 'm1-0')
    expect(await state()).toBe('sms ACCEPTED')
    await receive('m1-1')
    expect(await state()).toBe('sms DELIVERED')
  })

  test('it fails with one of its parts', async () => {
    requests = 1
    answer = parts(0, 0, 0)
    const state = await send()
    await receive('m1-0', '!m1-1', 'm1-2')
    expect(await state()).toBe('sms UNDELIVERABLE')
  })
})

test.each([
  ['a refused part', [0, 6, 0]],
  ['a part that should be sent more slowly', [0, 1, 0]],
  ['credit for two parts only', [0, 0, 9]],
])('%s ends it without a charge, and the taken parts are not sent again', async (_, statuses) => {
  const before = await charged()
  answer = parts(...statuses)
  const state = await send()
  await world.pass(120)
  expect(await state()).toBe('sms REJECTED')
  expect(requests).toBe(1)
  expect(await charged()).toEqual(before)
})

test('without a taken part the gravest status decides', async () => {
  answer = parts(1, 1, 1)
  const state = await send()
  expect(await state()).toBe('sms QUEUED')
  requests = 9
  answer = parts(0, 0, 0)
  await world.pass(30)
  await receive('m9-0', 'm9-1', 'm9-2')
  expect(await state()).toBe('sms DELIVERED')
})

describe('another number of ids', () => {
  test('fewer: the parts without an id follow those with one', async () => {
    requests = 1
    answer = parts(0, 0)
    const state = await send()
    await receive('m1-0')
    expect(await state()).toBe('sms ACCEPTED')
    await receive('m1-1')
    expect(await state()).toBe('sms DELIVERED')
  })

  test('more: the last part has the rest, and fails with any of them', async () => {
    requests = 1
    answer = parts(0, 0, 0, 0, 0)
    const state = await send()
    await receive('m1-0', 'm1-1', '!m1-4')
    expect(await state()).toBe('sms UNDELIVERABLE')
  })

  test('more, of which one is refused: it ends without a charge', async () => {
    const before = await charged()
    answer = parts(0, 0, 0, 0, 6)
    const state = await send()
    expect(await state()).toBe('sms REJECTED')
    expect(await charged()).toEqual(before)
  })

  test.each([
    ['no list', { error: 'busy' }],
    ['an empty list', { messages: [] }],
    ['a list of something else', { messages: ['x', null] }],
  ])('%s: the answer is not understood, and never a refusal', async (_, body) => {
    answer = body
    const state = await send()
    expect(await state()).toBe('sms QUEUED')
  })
})

describe('one id, and a receipt for each part', () => {
  beforeEach(async () => {
    const body = { settings: { receipt: { perPart: true } } }
    expect((await world.askAdmin('PATCH', '/carriers/parted/settings', { body })).status).toBe(200)
    await world.carriersUp()
    requests = 1
    answer = parts(0)
  })

  test('it is delivered with the last of them, also over a restart', async () => {
    const state = await send()
    await receive('m1-0', 'm1-0')
    expect(await state()).toBe('sms ACCEPTED')
    await world.stopGateway()
    await world.startGateway()
    await world.carriersUp()
    await receive('m1-0')
    expect(await state()).toBe('sms DELIVERED')
  })

  test('it fails with one of them', async () => {
    const state = await send()
    await receive('m1-0', '!m1-0', 'm1-0')
    expect(await state()).toBe('sms UNDELIVERABLE')
  })

  test('further ones change nothing', async () => {
    const state = await send()
    await receive('m1-0', 'm1-0', 'm1-0', 'm1-0', '!m1-0')
    expect(await state()).toBe('sms DELIVERED')
  })
})
