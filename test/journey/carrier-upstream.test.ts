/** The account at an HTTP carrier, end to end: its balance is shown and raises an alarm, webhooks are registered. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type DoubleAnswer, type DoubleRequest, HttpDouble } from '../../src/simulator/server/http-double.ts'
import { eventually } from '../support/eventually.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'

const PUBLIC_URL = 'https://sms.example.com'
const TOKEN = 'a-token-of-our-own'

let world: SandboxWorld
let double: HttpDouble
let seen: DoubleRequest[]
let answer: (request: DoubleRequest) => DoubleAnswer

beforeEach(async () => {
  world = await SandboxWorld.start(undefined, undefined, { 'public-url': PUBLIC_URL })
  seen = []
  answer = () => ({ status: 200, body: '{}' })
  double = await HttpDouble.listen((request) => {
    if (request.method !== 'HEAD') seen.push(request)
    return answer(request)
  })
})
afterEach(async () => {
  await world.stop()
  await double.goDown()
})

async function add(others: object, id = 'up') {
  const settings = {
    request: { address: `${double.address}/send`, json: { text: '{{text}}' } },
    answer: { id: 'ours' },
    ...others,
  }
  const added = await world.askAdmin('PUT', `/carriers/${id}`, {
    body: { kind: 'http', channel: 'sms', route: null, settings },
  })
  expect(added.status).toBe(200)
  await eventually('the carrier to run', async () => (await show(id))['state'] !== null, { clock: world.clock })
}

async function show(id = 'up') {
  return (await world.askAdmin('GET', `/carriers/${id}`)).body as Readonly<Record<string, unknown>>
}

test('a low balance is shown, measured, and opens an alarm until it is paid', async () => {
  answer = () => ({ status: 200, body: '{"credits":"4.20"}' })
  const request = { method: 'GET', address: `${double.address}/balance?key=secret77` }
  await add({ balance: { request, amount: { path: 'credits' }, low: 5, every: 60 } })
  const shown = await eventually('the balance', async () => {
    const { state } = (await show()) as { readonly state: { readonly balance: { readonly amount: string | null } } }
    return state.balance.amount === null ? null : state.balance
  })
  expect(shown).toEqual({ amount: '4.20', currency: null, at: expect.any(String), low: 5, error: null })
  expect(JSON.stringify(await show())).not.toContain('secret77')
  const metrics = await (await fetch(`${world.gateway.adminAddress}/metrics`)).text()
  expect(metrics).toContain('posthorn_carrier_balance{carrier="up",channel="sms"} 4.2')

  const alarms = async (state: string) => (await world.askAdmin('GET', `/alarms?state=${state}`)).body['data']
  const until = (what: string, state: string) =>
    eventually(
      what,
      async () => {
        await world.pass(10)
        const found = (await alarms(state)) as readonly { readonly subject: string }[]
        return found.find(({ subject }) => subject === 'carrier up')
      },
      { clock: world.clock },
    )
  expect(await until('the alarm', 'open')).toMatchObject({
    kind: 'balance_low',
    severity: 'critical',
    detail: '4.20 are left at the carrier, less than 5',
  })
  answer = () => ({ status: 200, body: '{"credits":"104.20"}' })
  await until('its end', 'resolved')
})

describe('webhooks', () => {
  const RECEIPT = { auth: { kind: 'token', token: TOKEN }, id: 'id', status: 's', outcomes: { ok: 'delivered' } }
  const URL_OF_RECEIPTS = `${PUBLIC_URL}/carriers/up/${TOKEN}`
  const hook = (event: string) => ({
    address: `${double.address}/webhooks`,
    auth: { kind: 'basic', user: 'u', password: 'secret77' },
    json: { id: '{{uuid}}', event, url: '{{callback}}' },
  })
  const register = (id = 'up') => world.askAdmin('POST', `/carriers/${id}/register`)
  const known = () => ({ method: 'GET', address: `${double.address}/webhooks` })

  test('are registered when an operator asks, with the same ids each time', async () => {
    answer = () => ({ status: 201, body: '{}' })
    await add({ receipt: RECEIPT, register: { requests: [hook('sent'), hook('delivered')] } })
    expect(seen).toEqual([])
    const done = {
      status: 200,
      body: {
        data: [0, 1].map((at) =>
          expect.objectContaining({ request: `requests.${at}`, done: true, detail: 'HTTP 201' }),
        ),
      },
    }
    expect(await register()).toMatchObject(done)
    answer = () => ({ status: 409, body: 'exists' })
    expect(await register()).toMatchObject({ body: { data: [{ done: true }, { done: true }] } })
    const bodies = seen.map(({ body }) => JSON.parse(body))
    expect(bodies.slice(0, 2)).toMatchObject([
      { event: 'sent', url: URL_OF_RECEIPTS },
      { event: 'delivered', url: URL_OF_RECEIPTS },
    ])
    expect(bodies[0].id).not.toBe(bodies[1].id)
    expect(bodies.slice(2)).toEqual(bodies.slice(0, 2))
  })

  test('that the carrier knows are not registered again', async () => {
    await add({ receipt: RECEIPT, register: { known: known(), requests: [hook('sent')] } })
    answer = ({ method }) => ({ status: 200, body: method === 'GET' ? '[]' : '{}' })
    expect(await register()).toMatchObject({ body: { data: [{ request: 'requests.0', done: true }] } })
    answer = () => ({ status: 200, body: JSON.stringify([{ url: URL_OF_RECEIPTS }]).replaceAll('/', '\\/') })
    expect(await register()).toMatchObject({ body: { data: [{ request: 'known', done: true }] } })
    expect(seen.map(({ method }) => method)).toEqual(['GET', 'POST', 'GET'])
  })

  test('that the carrier refuses are reported with its words, without the token', async () => {
    answer = ({ method, body }) =>
      method === 'POST' && body.includes('delivered')
        ? { status: 422, body: `{"error":"bad url ${URL_OF_RECEIPTS}\\u0000"}` }
        : { status: 201, body: '' }
    await add({ receipt: RECEIPT, register: { requests: [hook('delivered'), hook('sent')] } })
    const { body } = await register()
    expect(body).toEqual({
      data: [
        { request: 'requests.0', done: false, detail: 'HTTP 422: {"error":"bad url {{callback}}\\u0000"}' },
        { request: 'requests.1', done: true, detail: 'HTTP 201' },
      ],
    })
    expect(JSON.stringify(await show())).not.toContain('secret77')
  })

  test('are not sent on after a request without an answer, nor if the carrier does not say what it knows', async () => {
    await add({ receipt: RECEIPT, register: { known: known(), requests: [hook('sent'), hook('delivered')] } })
    answer = () => ({ status: 500, body: '' })
    expect((await register()).body).toEqual({ data: [{ request: 'known', done: false, detail: 'HTTP 500' }] })
    await double.goDown()
    expect((await register()).body).toMatchObject({
      data: [{ done: false, detail: expect.stringContaining('no answer') }],
    })
  })

  test('need settings, and a carrier', async () => {
    await add({}, 'plain')
    const detail = 'carrier plain has no setting register'
    expect(await register('plain')).toMatchObject({ status: 422, body: { detail } })
    expect((await register('none')).status).toBe(404)
  })
})
