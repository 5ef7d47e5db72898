/** A carrier whose settings need what the gateway does not have is shown with the reason, and messages go elsewhere. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { checkCarrierSettings } from '../../src/app/carriers/carrier-drivers.ts'
import type { Route } from '../../src/domain/routing/route.ts'
import { addCarrier } from '../../src/operations/admin/carriers/carrier.ts'
import { eventually } from '../support/eventually.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'
import { smsItem } from '../support/send-items.ts'

const PREFIX = '4916'

let world: SandboxWorld
beforeEach(async () => {
  world = await SandboxWorld.start()
})
afterEach(() => world.stop())

const TOKEN = { kind: 'token', token: 'a-token-of-our-own' }
const RECEIPT = { auth: TOKEN, id: 'id', status: 's', outcomes: { ok: 'delivered' } }
const INBOUND = { auth: TOKEN, from: 'from', to: 'to', text: 'text' }

const carrier = (json: object, others: object) => {
  const request = { address: 'https://a.example/send', json }
  return { kind: 'http', channel: 'sms', settings: { request, answer: { id: 'ours' }, ...others } } as const
}

/** As by a command on the store, which does not know what the gateway has. */
async function add(json: object, others: object, route: Partial<Route> | null) {
  const wanted = { id: 'up', ...carrier(json, others), route }
  await world.operate((store) => addCarrier(store, checkCarrierSettings, wanted))
}

async function stateOf(id: string) {
  const { body } = await world.askAdmin('GET', `/carriers/${id}`)
  return body['state'] as Readonly<Record<string, unknown>> | null
}

test.each<[string, object, object]>([
  ['{{callback}}', { url: '{{callback}}' }, { receipt: RECEIPT }],
  ['{{inboundCallback}}', { url: ['{{inboundCallback}}?from=%p'] }, { inbound: INBOUND }],
])('%s without a public address', async (placeholder, json, others) => {
  const refused = await world.askAdmin('PUT', '/carriers/up', { body: { ...carrier(json, others), route: null } })
  expect(refused).toMatchObject({
    status: 422,
    body: { errors: [{ field: 'settings.request', detail: expect.stringContaining(`${placeholder} needs POSTHORN`) }] },
  })

  await add(json, others, { prefix: PREFIX, priority: 100 })
  const state = await eventually('the reason', () => stateOf('up'), { clock: world.clock })
  const reason = `not started: request: ${placeholder} needs POSTHORN_PUBLIC_URL, the public address of the gateway`
  expect(state).toMatchObject({ up: false, last_error: reason, links: [] })

  const absent = await world.askAdmin('POST', '/carriers/up/register')
  expect(absent).toMatchObject({ status: 422, body: { detail: 'carrier up has no setting register' } })

  const ids = await world.send(smsItem(`${PREFIX}21100001`))
  await world.pass(5)
  const taken = await Promise.all(ids.map(async (id) => (await world.trace(id)).message.journey.steps[0]?.carrierId))
  expect(taken).toEqual(['sandbox-sms'])
  const open = async () => (await world.askAdmin('GET', '/alarms?state=open')).body['data']
  const alarm = await eventually(
    'the alarm',
    async () => {
      await world.pass(10)
      return ((await open()) as readonly { readonly subject: string }[]).find(({ subject }) => subject === 'up')
    },
    { clock: world.clock },
  )
  expect(alarm).toMatchObject({ kind: 'carrier_down', detail: expect.stringContaining(`not connected: ${reason}`) })

  await add({ text: '{{text}}' }, {}, null)
  await eventually('the carrier to run', async () => (await stateOf('up'))?.['last_error'] !== reason, {
    clock: world.clock,
  })
})

test.each([
  ['balance', { request: { address: 'https://a.example/balance' }, amount: { path: 'a' } }],
  ['register', { requests: [{ address: 'https://a.example/hooks', json: { url: '{{callback}}' } }] }],
])('asked to %s, it says why it does not run', async (action, settings) => {
  await add({ url: '{{callback}}' }, { receipt: RECEIPT, [action]: settings }, null)
  await eventually('the carrier', () => stateOf('up'), { clock: world.clock })
  expect(await world.askAdmin('POST', `/carriers/up/${action}`)).toMatchObject({
    status: 422,
    body: {
      detail: expect.stringMatching(/^carrier up does not run in this gateway: not started: .* needs POSTHORN_P/),
    },
  })
})
