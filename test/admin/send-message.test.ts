/** Operators and users of an account send a message as it, and see before what it would do. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { MessageId } from '../../src/domain/ids/message-id.ts'
import { SANDBOX_CARRIERS } from '../../src/sandbox/set-up.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'

let world: SandboxWorld
beforeAll(async () => {
  world = await SandboxWorld.start()
})
afterAll(() => world.stop())

const PHONE = '491701800100'
const CHAIN = {
  type: 'rcs+chatapp+sms',
  phone: PHONE,
  ...{ rcs_signature: 'RCSTest', rcs_message: 'Hello' },
  ...{ chatapp_signature: 'ChatTest', chatapp_type: 'text', chatapp_message: 'Hello' },
  ...{ sms_signature: 'SMSTest', sms_message: 'x'.repeat(161) },
}
const SMS = { type: 'sms', phone: PHONE, sms_signature: 'SMSTest', sms_message: 'Hello' }

const ask = (path: string, body: object, token?: string) =>
  world.askAdmin('POST', path, token === undefined ? { body } : { body, token })
const send = (message: object, test = false) => ask('/accounts/1/messages', { message, test })
const preview = (message: object, test = false) => ask('/accounts/1/messages/preview', { message, test })

async function lastAudit() {
  const { body } = await world.askAdmin('GET', '/audit?most=1')
  return (body['data'] as readonly object[])[0]
}

describe('a message of an operator', () => {
  test('takes the way of a request: hold, carriers, reports; the audit log says who sent it', async () => {
    const before = await world.balances()
    const { status, body } = await send(CHAIN)
    expect({ status, body }).toEqual({ status: 200, body: { message: expect.any(Number), parts: 2, warnings: [] } })
    const id = body['message'] as MessageId
    expect(await lastAudit()).toMatchObject({
      ...{ actor: 'sandbox', action: 'sendMessage', subject: `message ${id} of account 1` },
      after: { sent: 'rcs+chatapp+sms', test: false },
    })
    await world.pass(30)
    const { message, postings } = await world.trace(id)
    expect(message).toMatchObject({ accountId: 1, test: false, journey: { status: 'DELIVERED' } })
    expect(postings.map(({ kind }) => kind)).toContain('hold')
    expect((await world.balances()).available).toBeLessThan(before.available)
  })

  test('has an id between those of the requests before and after it', async () => {
    const [before = 0] = await world.send(SMS)
    const { body } = await send(SMS)
    const [after] = await world.send(SMS)
    expect([body['message'], after]).toEqual([before + 64, before + 128])
    await world.pass(30)
  })

  test('is free and reaches simulated phones only, as with a test key, if that is asked', async () => {
    const before = await world.balances()
    const { body } = await send(SMS, true)
    await world.pass(30)
    expect((await world.trace(body['message'] as MessageId)).message.test).toBe(true)
    expect(await world.balances()).toEqual(before)
    expect(await lastAudit()).toMatchObject({ after: { sent: 'sms', test: true } })
  })

  test('says which fields are not used', async () => {
    expect((await send({ ...SMS, rcs_message: 'unused' })).body).toMatchObject({
      warnings: [expect.stringContaining('rcs_message')],
    })
  })

  test('is sent once under an Idempotency-Key', async () => {
    const options = { body: { message: SMS, test: false }, headers: { 'idempotency-key': 'twice' } }
    const first = await world.askAdmin('POST', '/accounts/1/messages', options)
    expect(await world.askAdmin('POST', '/accounts/1/messages', options)).toEqual(first)
    const other = { ...options, body: { message: SMS, test: true } }
    expect((await world.askAdmin('POST', '/accounts/1/messages', other)).status).toBe(409)
  })

  test('is refused like a request, and nothing is recorded', async () => {
    const before = await lastAudit()
    const refused = async (message: object, detail: string) =>
      expect(await send(message)).toMatchObject({ status: 422, body: { errors: [{ field: 'message', detail }] } })
    await refused({ ...SMS, phone: '12' }, 'Invalid phone number')
    await refused({ ...SMS, sms_signature: 'Unknown' }, 'Error in Alpha-name')
    await refused({ ...SMS, sms_message: undefined }, 'sms_message: required')
    expect(await send({ type: 'balance' })).toMatchObject({ status: 422 })
    expect(await send({ type: 'call/otp', phone: PHONE })).toMatchObject({ status: 422 })
    expect(await ask('/accounts/77/messages', { message: SMS, test: false })).toMatchObject({ status: 404 })
    expect(await ask('/accounts/1/messages', { message: SMS })).toMatchObject({ status: 400 })
    expect(await lastAudit()).toEqual(before)
  })

  test('needs the money of its account, and an active account', async () => {
    const { body } = await ask('/accounts', { name: 'Without money' })
    const path = `/accounts/${body['account']}`
    const sender = { account: body['account'], channel: 'sms', name: 'Poor' }
    expect((await ask('/senders/approve', sender)).status).toBe(200)
    const message = { ...SMS, sms_signature: 'Poor' }
    expect(await ask(`${path}/messages`, { message, test: false })).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'message', detail: 'Insufficient funds' }] },
    })
    await world.askAdmin('PATCH', path, { body: { state: 'suspended' } })
    expect(await ask(`${path}/messages`, { message, test: true })).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'account', detail: 'is suspended' }] },
    })
  })

  test('is for operators and owners', async () => {
    for (const [role, status] of [
      ['support', 403],
      ['finance', 403],
      ['operator', 200],
    ] as const) {
      await ask('/users', { user: role, role })
      const { body } = await ask(`/users/${role}/tokens`, { label: 'test' })
      const answer = await ask('/accounts/1/messages', { message: SMS, test: true }, String(body['token']))
      expect([role, answer.status]).toEqual([role, status])
    }
  })
})

describe('a preview', () => {
  test('shows each step with its carrier, parts and price, and sends nothing', async () => {
    const before = await world.balances()
    const arrived = world.box.traffic.arrivals.length
    const { body } = await preview(CHAIN)
    expect(body).toMatchObject({
      ...{ error: null, field: null, warnings: [] },
      trial: {
        ...{ phone: PHONE, price: 0.1, guards: [] },
        channels: [
          { channel: 'rcs', sender: 'RCSTest', carrier: SANDBOX_CARRIERS.rcs, parts: 1, price: 0.03, encoding: null },
          { channel: 'chatapp', carrier: SANDBOX_CARRIERS.chatapp, price: 0.04 },
          { channel: 'sms', carrier: SANDBOX_CARRIERS.sms, parts: 2, price: 0.1, encoding: 'gsm7' },
        ],
      },
    })
    await world.rest()
    expect(world.box.traffic.arrivals).toHaveLength(arrived)
    expect(await world.balances()).toEqual(before)
  })

  test('of a test message is free and goes to the simulated carriers', async () => {
    expect((await preview(SMS, true)).body).toMatchObject({
      trial: { price: 0, guards: [], channels: [{ carrier: '@test-sms', price: 0 }], routes: [] },
    })
  })

  test('says what the client API would answer', async () => {
    expect((await preview({ ...SMS, sms_message: undefined, extra: 1 })).body).toEqual({
      ...{ error: 'sms_message: required', field: 'sms_message', trial: null },
      warnings: [expect.stringContaining('extra')],
    })
    expect((await preview({ type: 'balance' })).body).toMatchObject({ field: 'type', trial: null })
  })

  test('shows the guards that only the store knows', async () => {
    const phone = '491701800190'
    await ask('/accounts/1/opt-outs', { phone })
    expect((await preview({ ...SMS, phone })).body).toMatchObject({
      trial: { guards: [{ guard: 'opt-out', effect: 'filtered', channel: 'sms' }] },
    })
  })
})

describe('a client-admin', () => {
  let token: string
  beforeAll(async () => {
    await ask('/users', { user: 'ada', role: 'client-admin', account: 1 })
    const { body } = await ask('/users/ada@1/tokens', { label: 'test' })
    token = String(body['token'])
  })

  test('sees parts, price and what would stop the message, and nothing of how it goes', async () => {
    const phone = '491701800191'
    await ask('/accounts/1/opt-outs', { phone })
    const body = { message: { ...SMS, phone, sms_message: '–'.repeat(71) }, test: false }
    const step = { channel: 'sms', sender: 'SMSTest', from: null, warning: null, refused: null }
    expect((await ask('/accounts/1/messages/preview', body, token)).body).toEqual({
      ...{ error: null, field: null, warnings: [] },
      trial: {
        ...{ account: 1, phone, country: 'DE', mccmnc: '26201', operator: 'T-Mobile' },
        ...{ currency: 'EUR', price: 0.1 },
        guards: [{ guard: 'opt-out', effect: 'filtered', channel: 'sms', detail: 'the recipient has opted out' }],
        channels: [{ ...step, has_route: true, waits: false, parts: 2, encoding: 'ucs2', ucs2_for: ['–'], price: 0.1 }],
      },
    })
  })

  test('sends a test for nothing and a real message for money, each with an entry in the audit log', async () => {
    const before = await world.balances()
    const tested = await ask('/accounts/1/messages', { message: SMS, test: true }, token)
    await world.pass(30)
    expect([tested.status, await world.balances()]).toEqual([200, before])
    const sent = await ask('/accounts/1/messages', { message: SMS, test: false }, token)
    expect(await lastAudit()).toMatchObject({
      ...{ actor: 'ada@1', action: 'sendMessage', subject: `message ${sent.body['message']} of account 1` },
      after: { sent: 'sms', test: false },
    })
    await world.pass(30)
    expect((await world.balances()).available).toBeLessThan(before.available)
  })

  test('sends nothing that the account may not send', async () => {
    const refused = await ask(
      '/accounts/1/messages',
      { message: { ...SMS, sms_signature: 'Rival' }, test: false },
      token,
    )
    expect(refused).toMatchObject({ status: 422, body: { errors: [{ detail: 'Error in Alpha-name' }] } })
  })
})
