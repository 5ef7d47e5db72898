/** An operator asks where a message would go, for how much, and what would keep it from its recipient. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { TRIAL_ENDPOINTS } from '../../src/operations/admin/trials/trial-endpoints.ts'
import { SANDBOX_CARRIERS } from '../../src/sandbox/set-up.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'

let world: SandboxWorld
beforeAll(async () => {
  world = await SandboxWorld.start()
  // No SMSC listens there.
  const settings = { host: '127.0.0.1', port: 9, systemId: 'id', password: 'secret' }
  await change('PUT', '/carriers/spare', { kind: 'smpp', settings, route: { prefix: '49', priority: 5 } })
  await change('PUT', '/costs', { carrier: SANDBOX_CARRIERS.sms, price: 0.02 })
})
afterAll(() => world.stop())

interface TrialBody {
  readonly guards: readonly { readonly guard: string }[]
  readonly channels: readonly object[]
  readonly routes: readonly { readonly carrier: string }[]
}

const PHONE = '+49 (0)170 1800 100'
const DIGITS = '491701800100'

async function change(method: string, path: string, body?: object): Promise<void> {
  const { status, body: answer } = await world.askAdmin(method, path, body === undefined ? {} : { body })
  if (status >= 300) throw new Error(JSON.stringify(answer))
}

async function tryRoute(input: object, token?: string): Promise<TrialBody> {
  const body = { account: 1, phone: PHONE, ...input }
  const answer = await world.askAdmin('POST', '/routes/trial', token === undefined ? { body } : { body, token })
  expect(answer).toMatchObject({ status: 200 })
  return answer.body as unknown as TrialBody
}

async function tokenOf(role: string): Promise<string> {
  await change('POST', '/users', { user: role, role })
  const issued = await world.askAdmin('POST', `/users/${role}/tokens`, { body: { label: 'test' } })
  return String(issued.body['token'])
}

describe('a trial', () => {
  test('shows number, routes in order, the carrier, parts, price, cost and margin; nothing is sent or charged', async () => {
    const [before, arrivals] = [await world.balances(), world.box.traffic.arrivals.length]
    const trial = await tryRoute({ channels: ['sms'], sender: 'SMSTest', text: 'x'.repeat(161) })
    expect(trial).toMatchObject({
      ...{ account: 1, phone: DIGITS, country: 'DE', mccmnc: '26201', operator_by: 'prefix table', ported: null },
      ...{ currency: 'EUR', price: 0.1, guards: [] },
      channels: [
        {
          ...{ channel: 'sms', sender: 'SMSTest', carrier: SANDBOX_CARRIERS.sms, waits: false, no_carrier: null },
          ...{ refused: null, parts: 2, encoding: 'gsm7', ucs2_for: [], price: 0.1 },
        },
      ],
      routes: [
        { carrier: 'spare', state: 'disconnected', prefix: '49', priority: 5, share: 1, cost: null, margin: null },
        { carrier: SANDBOX_CARRIERS.sms, state: 'open', prefix: '', cost: 0.04, cost_currency: 'EUR', margin: 0.06 },
      ],
    })
    expect(await world.balances()).toEqual(before)
    expect(world.box.traffic.arrivals).toHaveLength(arrivals)
  })

  test('tries all channels of messages unless some are named, and calls if they are', async () => {
    expect((await tryRoute({})).channels).toMatchObject([
      { channel: 'rcs', carrier: SANDBOX_CARRIERS.rcs, price: 0.03 },
      { channel: 'chatapp', carrier: SANDBOX_CARRIERS.chatapp, price: 0.04 },
      { channel: 'sms', carrier: SANDBOX_CARRIERS.sms, price: 0.05 },
    ])
    expect((await tryRoute({ channels: ['call'] })).channels).toMatchObject([
      { channel: 'call', sender: null, carrier: SANDBOX_CARRIERS.call, parts: 1, price: 0.02, encoding: null },
    ])
  })

  test('counts a text outside of the GSM alphabet as UCS-2, and names the characters that need it', async () => {
    const { channels } = await tryRoute({ channels: ['sms'], text: `${'ж'.repeat(68)}a€é😀` })
    expect(channels).toMatchObject([{ encoding: 'ucs2', ucs2_for: ['ж', '😀'], parts: 2 }])
    const many = await tryRoute({ channels: ['rcs', 'sms'], text: 'абвгдежзийклмн' })
    expect(many.channels).toMatchObject([{ ucs2_for: null }, { ucs2_for: [...'абвгдежзий'] }])
  })

  test('says why a carrier gets nothing, and for which one the message would wait', async () => {
    await change('POST', `/carriers/${SANDBOX_CARRIERS.sms}/drain`)
    const trial = await tryRoute({ channels: ['sms'] })
    expect(trial).toMatchObject({
      channels: [{ carrier: 'spare', waits: true }],
      routes: [
        { carrier: 'spare', state: 'disconnected' },
        { carrier: SANDBOX_CARRIERS.sms, state: 'draining' },
      ],
    })
    await change('POST', `/carriers/${SANDBOX_CARRIERS.sms}/resume`)
  })

  test('shows the share of equal routes', async () => {
    await change('PUT', '/routes', { carrier: 'spare', prefix: '371', weight: 3 })
    await change('PUT', '/routes', { carrier: SANDBOX_CARRIERS.sms, prefix: '371', weight: 1 })
    const { routes } = await tryRoute({ channels: ['sms'], phone: '37120000000' })
    // The one with a cost is cheaper than the one without: only equal costs are drawn.
    expect(routes.map(({ carrier }) => carrier)).toEqual([SANDBOX_CARRIERS.sms, 'spare'])
    await change('PUT', '/costs', { carrier: 'spare', prefix: '371', price: 0.02 })
    const drawn = await tryRoute({ channels: ['sms'], phone: '37120000000' })
    expect(new Map(drawn.routes.map((route) => [route.carrier, route]))).toEqual(
      new Map([
        ['spare', expect.objectContaining({ share: 0.75 })],
        [SANDBOX_CARRIERS.sms, expect.objectContaining({ share: 0.25 })],
      ]),
    )
  })

  test('says why there is no carrier, and what a client would be refused for', async () => {
    const { channels } = await tryRoute({ channels: ['sms', 'rcs'], sender: 'Unknown', text: 'x'.repeat(9_000) })
    expect(channels).toMatchObject([
      { refused: 'Error in Alpha-name', parts: null, price: null, carrier: SANDBOX_CARRIERS.sms, has_route: true },
      { refused: 'Error in Alpha-name' },
    ])
    await change('DELETE', `/routes?carrier=${SANDBOX_CARRIERS.rcs}`)
    expect((await tryRoute({ channels: ['rcs'] })).channels).toMatchObject([
      { carrier: null, has_route: false, no_carrier: 'no route to this number', waits: false },
    ])
    await change('PUT', '/routes', { carrier: SANDBOX_CARRIERS.rcs, prefix: '' })
  })

  test('shows money to those who read prices, and the margin to fewer', async () => {
    await change('PUT', '/routes', { carrier: 'spare', prefix: '372', priority: 5 })
    await change('PUT', '/costs', { carrier: 'spare', prefix: '372', price: 0.02 })
    const asked = { channels: ['sms'], phone: '37255500000' }
    const seen = async (role: string) => tryRoute(asked, await tokenOf(role))
    expect(await seen('support')).toMatchObject({
      price: null,
      channels: [{ price: null, parts: 1 }],
      routes: [
        { cost: null, cost_currency: null, margin: null },
        { cost: null, margin: null },
      ],
    })
    expect((await seen('operator')).routes).toMatchObject([{ cost: 0.02, margin: null }, { margin: null }])
    expect((await seen('finance')).routes).toMatchObject([{ cost: 0.02, margin: 0.03 }, { margin: 0.03 }])
  })
})

describe('the guards of a trial', () => {
  const guardsOf = async (input: object = {}) => (await tryRoute({ channels: ['sms'], ...input })).guards

  test('are the opt-outs of the recipient, by sender', async () => {
    const phone = '491701800102'
    await change('POST', '/accounts/1/opt-outs', { phone, sender: 'SMSTest' })
    const optedOut = { guard: 'opt-out', effect: 'filtered', channel: 'sms', detail: 'the recipient has opted out' }
    expect(await guardsOf({ phone, sender: 'SMSTest' })).toEqual([optedOut])
    expect(await guardsOf({ phone, sender: 'Posthorn' })).toEqual([])
  })

  test('are the deny list, countries and quiet hours', async () => {
    await change('POST', '/guards/numbers', { list: 'deny', digits: '37120000001' })
    await change('PATCH', '/accounts/1', { allowed_countries: ['DE'], quiet_hours: '00:00-23:59' })
    expect(await guardsOf({ phone: '37120000001' })).toMatchObject([
      { guard: 'deny list', effect: 'filtered' },
      { guard: 'destination', effect: 'refused', detail: 'phone: this country is not allowed' },
      { guard: 'quiet hours', effect: 'postponed', detail: expect.stringMatching(/^quiet hours until 20/) },
    ])
    await change('PATCH', '/accounts/1', { quiet_hours: '00:00-23:59 refuse' })
    expect(await guardsOf()).toMatchObject([{ guard: 'quiet hours', effect: 'refused' }])
    await change('PATCH', '/accounts/1', { allowed_countries: null, quiet_hours: 'installation' })
  })

  test('are the limits, by what the account has used, and its money', async () => {
    await change('PATCH', '/accounts/1', { velocity_limits: ['1 per phone in 60 seconds'] })
    const phone = '491701800103'
    expect(await guardsOf({ phone })).toEqual([])
    await world.sendOne({ type: 'sms', phone, sms_signature: 'Posthorn', sms_message: 'one' })
    await world.pass(5)
    const reached = { guard: 'limit', effect: 'refused', detail: expect.stringContaining('too many messages to this') }
    expect(await guardsOf({ phone })).toMatchObject([reached])
    expect(await guardsOf({ phone: '491701800101' })).toEqual([])
    await change('PATCH', '/accounts/1', { velocity_limits: [] })
    const { body } = await world.askAdmin('POST', '/accounts', { body: { name: 'Without money' } })
    expect(await guardsOf({ account: body['account'] })).toMatchObject([
      { guard: 'balance', effect: 'refused', detail: 'Insufficient funds' },
    ])
    await change('PATCH', `/accounts/${body['account']}`, { state: 'suspended' })
    expect(await guardsOf({ account: body['account'] })).toMatchObject([{ guard: 'account' }, { guard: 'balance' }])
  })
})

describe('what cannot be tried', () => {
  test('is refused by field', async () => {
    const ask = (body: object) => world.askAdmin('POST', '/routes/trial', { body })
    expect(await ask({ account: 1, phone: '12' })).toMatchObject({ status: 422 })
    expect(await ask({ account: 77, phone: PHONE })).toMatchObject({ status: 404 })
    expect(await ask({ account: 1, phone: PHONE, channels: ['fax'] })).toMatchObject({ status: 400 })
    expect(await ask({ account: 1, phone: PHONE, channels: ['sms', 'sms'] })).toMatchObject({ status: 400 })
    expect(await ask({ account: 1, phone: PHONE, text: 'x'.repeat(10_001) })).toMatchObject({ status: 400 })
  })

  test('beside the gateway asks for its address', async () => {
    const [endpoint] = TRIAL_ENDPOINTS
    const asked = endpoint?.run({ live: null } as never, { account: 1, phone: PHONE } as never, {} as never)
    await expect(asked).rejects.toThrow(/only a running gateway knows its carriers/)
  })
})
