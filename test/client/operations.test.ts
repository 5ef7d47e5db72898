/**
 * The built client against the whole sandbox: every operation, alone and mixed, with the results that its types
 * promise.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Operation, Posthorn } from '../../client/src/posthorn-client.ts'
import { BuiltClient, type ClientModule } from '../support/built-client.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'

let world: SandboxWorld
let built: BuiltClient
let client: ClientModule
let posthorn: Posthorn
beforeAll(async () => {
  built = new BuiltClient()
  client = await built.load()
  world = await SandboxWorld.start()
  posthorn = new client.Posthorn({ baseUrl: world.gateway.address, apiKey: world.key })
})
afterAll(async () => {
  built.remove()
  await world.stop()
})

const RCS = { rcs_signature: 'RCSTest', rcs_message: 'Your parcel is here.' } as const
const CHATAPP = {
  chatapp_type: 'text',
  chatapp_signature: 'ChatTest',
  chatapp_message: 'Your parcel is here.',
} as const
const SMS = { sms_signature: 'SMSTest', sms_message: 'Your parcel is here.' } as const

const rcsTo = (phone: string, id?: number | bigint | string): Operation<'rcs'> => ({ type: 'rcs', phone, id, ...RCS })

describe('a batch', () => {
  test('of different operations answers each with its own result, in order', async () => {
    await world.rest()
    const { available } = await world.balances()
    const [balance, call, chain, template, templates] = await posthorn.batch([
      { type: 'balance' },
      { type: 'call/otp', phone: '+49 170 1234 100' },
      { type: 'rcs+chatapp+sms', id: 7, phone: 491701234101, ...RCS, ...CHATAPP, ...SMS },
      { type: 'template/create', name: 'parcel', template: 'TEMPLATE' },
      { type: 'template/chatapp/list' },
    ])
    // Each of these lines compiles only while the place in the tuple knows its operation.
    expect(balance.success && [balance.data.amount, balance.data.currency]).toEqual([available / 1_000_000, 'EUR'])
    expect(call.success && [call.data.code.length, call.data.price]).toEqual([4, 0.02])
    expect(chain.success && chain.data).toEqual({ id: 7, msg_id: expect.any(Number), data: 1, parts: 1 })
    expect(template.success && [template.data.name, template.data.count]).toEqual(['parcel', '8 / 1'])
    expect(templates.success && templates.data.map(({ status }) => status)).toEqual(['approved', 'approved'])
    await world.pass(5)
    expect(world.box.traffic.to('491701234101').map(({ channel }) => channel)).toEqual(['chatapp'])
  })

  test('holds failures as values, and the others go on', async () => {
    const results = await posthorn.batch([
      rcsTo('491701234102', 1),
      { ...rcsTo('12', 2), type: 'rcs' },
      { ...rcsTo('491701234103', 3), rcs_signature: 'Unknown' },
      { ...rcsTo('491701234104'), rcs_button: 'Open' },
    ])
    expect(results.map(({ success }) => success)).toEqual([true, false, false, false])
    const errors = results.flatMap((result) => (result.success ? [] : [result.error]))
    expect(errors.every((error) => error instanceof client.ItemError && error instanceof client.PosthornError)).toBe(
      true,
    )
    expect(errors.map(({ message, code, field, id, type }) => [message, code, field, id, type])).toEqual([
      ['Invalid phone number', 'invalid_phone', 'phone', 2, 'rcs'],
      ['Error in Alpha-name', 'sender_not_approved', 'rcs_signature', 3, 'rcs'],
      ['rcs_button: needs rcs_link', 'invalid_field', 'rcs_button', undefined, 'rcs'],
    ])
  })

  test('lists ignored fields, in results and in failures', async () => {
    const [sent, failed, plain] = await posthorn.batch([
      { ...rcsTo('491701234105'), ...{ rcs_lifetme: 60 } },
      { ...rcsTo('491701234105'), rcs_message: '', ...{ rcs_mesage: 'Hello' } },
      rcsTo('491701234105'),
    ])
    expect(sent?.success && sent.warnings).toEqual(['rcs_lifetme: ignored'])
    expect(failed?.success === false && failed.error.warnings).toEqual(['rcs_mesage: ignored'])
    expect(plain).not.toHaveProperty('warnings')
  })

  test('of a length that is known only at run time', async () => {
    const operations = Array.from({ length: 200 }, (_, index) => rcsTo(`49170123${5_000 + index}`, index))
    const results = await posthorn.batch(operations)
    expect(results.map((result) => (result.success ? result.data.id : result.error))).toEqual(
      operations.map(({ id }) => id),
    )
  })

  test('of nothing has no results', async () => {
    expect(await posthorn.batch([])).toEqual([])
  })
})

test('a send waits for its time, a Date or a text', async () => {
  const later = new Date(world.clock.now() + 60_000)
  const sent = await posthorn.batch([
    { ...rcsTo('491701234120'), send_at: later },
    { ...rcsTo('491701234121'), send_at: later.toISOString().replace('Z', '+00:00') },
    { ...rcsTo('491701234122'), send_at: new Date(world.clock.now() + 36 * 86_400_000) },
  ])
  expect(sent.map((result) => result.success || result.error.field)).toEqual([true, true, 'send_at'])
  const phones = ['491701234120', '491701234121']
  await world.pass(58)
  expect(phones.flatMap((phone) => world.box.traffic.to(phone))).toEqual([])
  await world.pass(3)
  expect(phones.flatMap((phone) => world.box.traffic.to(phone))).toHaveLength(2)
  await expect(posthorn.send({ ...rcsTo('491701234123'), send_at: new Date('soon') })).rejects.toThrow(/^send_at: /)
})

test('ids of any type and length are returned unchanged', async () => {
  const ids = [
    1,
    -1,
    0,
    1.5,
    9_223_372_036_854_775_807n,
    10n ** 30n,
    5n,
    '5',
    'ab"c',
    '9223372036854775807',
    'n1',
  ] as const
  const results = await posthorn.batch(ids.map((id) => rcsTo('491701234105', id)))
  expect(results.map((result) => result.success && result.data.id)).toEqual(ids)
  const failures = await posthorn.batch(ids.map((id) => rcsTo('12', id)))
  expect(failures.map((result) => !result.success && result.error.id)).toEqual(ids)
  const spoiled = posthorn.send(rcsTo('491701234105', 2 ** 60))
  await expect(spoiled).rejects.toThrow(/^id: .* give a bigint or a string$/)
})

describe('the asynchronous path', () => {
  test('names the request and does not wait for a call to ring', async () => {
    const { requestId, results } = await posthorn.enqueue([{ type: 'call/otp', phone: 491701234106 }, rcsTo('12', 9n)])
    expect(requestId).toMatch(/^[0-9a-f]{32}$/)
    const [call, rcs] = results
    expect(call.success && call.data.code).toMatch(/^\d{4}$/)
    expect(!rcs.success && rcs.error.id).toBe(9n)
  })

  test('may be at another address', async () => {
    const { Posthorn } = client
    const elsewhere = new Posthorn({
      baseUrl: 'http://127.0.0.1:1/',
      asyncUrl: `${world.gateway.address}/`,
      apiKey: world.key,
    })
    expect((await elsewhere.enqueue([{ type: 'balance' }])).results).toMatchObject([{ success: true }])
  })
})

test.each(['/api/json.php', '/v1/json/', '//'])('the address of the gateway may end in %s', async (ending) => {
  const elsewhere = new client.Posthorn({ baseUrl: world.gateway.address + ending, apiKey: world.key })
  expect(await elsewhere.balance()).toMatchObject({ currency: 'EUR' })
})

describe('one operation', () => {
  test('has a method of its own, which answers with the result alone', async () => {
    expect(await posthorn.balance()).toEqual({ amount: expect.any(Number), currency: 'EUR' })
    expect(await posthorn.send({ type: 'chatapp', phone: 491701234107, chatapp_lifetime: 60, ...CHATAPP })).toEqual({
      msg_id: expect.any(Number),
      data: 1,
      parts: 1,
    })
    expect((await posthorn.call({ phone: 491701234108 + 1 })).code).toMatch(/^\d{4}$/)
    expect(await posthorn.createTemplate({ name: 'order', template: 'Your order' })).toMatchObject({ count: '10 / 1' })
    const template = await posthorn.createTemplate({ name: 'gone', template: 'Gone' })
    expect(await posthorn.templates({ after: template.id - 1 })).toEqual([template])
    expect(await posthorn.deleteTemplate({ id: String(template.id) })).toEqual(template)
    expect(await posthorn.chatTemplates()).toHaveLength(2)
    expect(await posthorn.execute({ type: 'balance' })).toMatchObject({ currency: 'EUR' })
    const chain = { id: 10n ** 20n, phone: 491701234107, sms_lifetime: 60, ...RCS, ...SMS } as const
    expect(await posthorn.price({ ...chain, send_type: 'sms+rcs' })).toEqual({
      id: 10n ** 20n,
      price: 0.05,
      currency: 'EUR',
      steps: [
        { channel: 'sms', parts: 1, price: 0.05 },
        { channel: 'rcs', parts: 1, price: 0.03 },
      ],
    })
  })

  test('the chat app by its other name, and so are its answers', async () => {
    const viber = { viber_type: 'text', viber_signature: 'ChatTest', viber_message: 'Your parcel is here.' } as const
    const { msg_id } = await posthorn.send({ type: 'viber+sms', phone: 491701234131, ...viber, ...SMS })
    await world.pass(2)
    expect(await posthorn.status({ msg_id })).toMatchObject({
      type: 'viber',
      channel: 'viber',
      status: 'DELIVERED',
    })
    expect(await posthorn.execute({ type: 'template/viber/list' })).toEqual(await posthorn.chatTemplates())
  })

  test('returns the status of a message, by either of its ids', async () => {
    const { msg_id } = await posthorn.send(rcsTo('491701234130', 10n ** 19n))
    await world.pass(2)
    const status = await posthorn.status({ msg_id })
    expect(status).toMatchObject({ id: 10n ** 19n, msg_id, status: 'DELIVERED', channel: 'rcs', price: 0.03 })
    expect(await posthorn.status({ id: 10n ** 19n })).toEqual(status)
    await expect(posthorn.status({ msg_id: 63 })).rejects.toMatchObject({ code: 'no_such_message', type: 'status' })
  })

  test('throws what a batch would hold', async () => {
    await posthorn.createTemplate({ name: 'taken', template: 'Your order' })
    const failed = posthorn.createTemplate({ name: 'taken', template: 'Your order' })
    await expect(failed).rejects.toBeInstanceOf(client.ItemError)
    await expect(failed).rejects.toMatchObject({ code: 'name_taken', field: 'name', type: 'template/create' })
    await expect(posthorn.call({ phone: 491701234108 })).rejects.toMatchObject({ code: 'call_failed' })
  })
})

describe('a request that is refused as a whole', () => {
  test('throws, and executes nothing', async () => {
    const before = await world.balances()
    const refused = posthorn.batch([rcsTo('491701234110'), { type: 'call/otp', phone: 491701234107 }])
    await expect(refused).rejects.toBeInstanceOf(client.RequestError)
    await expect(refused).rejects.toMatchObject({ code: 'operator_not_supported', tries: 1 })
    const most = Array.from({ length: 1_001 }, () => ({ type: 'balance' }) as const)
    await expect(posthorn.batch(most)).rejects.toMatchObject({ code: 'too_many_operations', idempotencyKey: null })
    expect(await world.balances()).toEqual(before)
  })

  test('never discloses the key', async () => {
    const unknownClient = new client.Posthorn({ baseUrl: world.gateway.address, apiKey: 'ph_live_secret' })
    const error: unknown = await unknownClient.balance().catch((cause: unknown) => cause)
    expect(error).toMatchObject({ code: 'access_denied', message: 'Access denied' })
    const { inspect } = await import('node:util')
    expect(inspect([unknownClient, error], { depth: 9, showHidden: true })).not.toContain('ph_live_secret')
  })
})

test('an empty key is refused with what to do', () => {
  const make = () => new client.Posthorn({ baseUrl: 'https://gateway.example', apiKey: '' })
  expect(make).toThrow('apiKey: is empty; is its environment variable set, such as POSTHORN_KEY?')
})

test.each([
  ['baseUrl', { baseUrl: 'gateway.example' }],
  ['baseUrl', { baseUrl: 'ftp://gateway.example' }],
  ['baseUrl', { baseUrl: 'https://user:ph_live_secret@gateway.example' }],
  ['baseUrl', { baseUrl: 'https://gateway.example/?key=ph_live_secret' }],
  ['asyncUrl', { asyncUrl: 'gateway.example' }],
  ['apiKey', { apiKey: '' }],
  ['apiKey', { apiKey: undefined as never }],
  ['baseUrl', { baseUrl: undefined as never }],
  ['apiKey', { apiKey: 'ph_live_secret\n' }],
  ['timeoutMs', { timeoutMs: 0 }],
  ['timeoutMs', { timeoutMs: 2 ** 31 }],
  ['retry.tries', { retry: { tries: 0 } }],
  ['retry.firstDelayMs', { retry: { firstDelayMs: -1 } }],
  ['retry.maxDelayMs', { retry: { maxDelayMs: Number.NaN } }],
  ['retry', { retry: null as never }],
  ['onRetry', { onRetry: 'log' as never }],
  ['fetch', { fetch: {} as never }],
])('the option %s of %j is refused', (name, change) => {
  const make = () => new client.Posthorn({ baseUrl: 'https://gateway.example', apiKey: 'key', ...change })
  expect(make).toThrow(TypeError)
  expect(make).toThrow(new RegExp(`^${name}: (?!.*ph_live_secret)`))
})

const HOOK_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

test.each([
  ['options', () => new client.Posthorn(undefined as never)],
  ['operations', () => posthorn.batch({ type: 'balance' } as never)],
  ['operations[1]', () => posthorn.batch([{ type: 'balance' }, null] as never)],
  ['idempotencyKey', () => posthorn.batch([{ type: 'balance' }], { idempotencyKey: 17 as never })],
  ['bulkId', () => posthorn.uploadBulk(undefined as never, [])],
  ['fromLine', () => posthorn.uploadBulk(64, [], { fromLine: 0 })],
  ['lines', () => posthorn.uploadBulk(64, { phone: 1 } as never)],
  ['lines', () => posthorn.uploadBulk(64, ['491701234500'] as never)],
  ['intervalMs', () => posthorn.events({ intervalMs: Number.NaN }).next()],
  ['toleranceSeconds', () => new client.ReportVerifier({ secrets: HOOK_SECRET, toleranceSeconds: '300' as never })],
  ['secrets', () => new client.ReportVerifier({ secrets: 17 as never })],
])('the argument %s is refused with its name and the rule', async (name, call) => {
  const refused = (async () => call())()
  await expect(refused).rejects.toThrow(TypeError)
  await expect(refused).rejects.toThrow(`${name}: `)
})

describe('a bulk', () => {
  const message = { type: 'sms', sms_signature: 'SMSTest', sms_message: 'Hello {{name}}' } as const

  async function* recipients(count: number) {
    for (let line = 1; line <= count; line += 1) {
      yield { phone: `4917055${String(line).padStart(5, '0')}`, id: line, name: `Name ${line}` }
    }
  }

  test('is uploaded in several requests, again without harm, and stopped', async () => {
    const { bulk_id: id } = await posthorn.execute({ type: 'bulk/create', message, pace: 1_000 })
    const uploaded = await posthorn.uploadBulk(id, recipients(5_100))
    expect(uploaded).toMatchObject({ lines: 5_100, refused: 0, estimate: 255, currency: 'EUR' })
    expect(await posthorn.uploadBulk(id, recipients(5_101))).toMatchObject({ lines: 5_101 })
    expect(await posthorn.uploadBulk(id, [])).toBeNull()
    expect(await posthorn.uploadBulk(id, recipients(2), { fromLine: 5_102 })).toMatchObject({ lines: 5_103 })
    await expect(posthorn.uploadBulk(id, recipients(1), { fromLine: 5_105 })).rejects.toThrow(/^from_line: /)
    await posthorn.execute({ type: 'bulk/stop', bulk_id: id })
    expect(await posthorn.waitForBulk(id)).toMatchObject({ state: 'stopped', lines: 5_103, waiting: 5_103 })
    await expect(posthorn.uploadBulk(id, recipients(1))).rejects.toMatchObject({ name: 'RequestError', tries: 1 })
  })
})
