/** The admin API over HTTP: permissions, errors, idempotency. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ENDPOINTS } from '../../src/operations/admin/endpoints.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'

let world: SandboxWorld
beforeAll(async () => {
  world = await SandboxWorld.start()
})
afterAll(() => world.stop())

const get = (path: string, token?: string) => world.askAdmin('GET', path, token === undefined ? {} : { token })

/** A token of a new user with that role. */
async function tokenFor(role: string, user = `${role}-${Math.abs(world.clock.now())}`): Promise<string> {
  const made = await world.askAdmin('POST', '/users', { body: { user, role } })
  if (made.status !== 200 && made.status !== 422) throw new Error(`${made.status}`)
  const issued = await world.askAdmin('POST', `/users/${user}/tokens`, { body: { label: `t-${tokens++}` } })
  return String(issued.body['token'])
}
let tokens = 0

describe('who asks', () => {
  test('is asked for a token, and learns nothing without one', async () => {
    for (const token of ['', 'x', world.key, `ph_admin_${'0'.repeat(32)}_000000`]) {
      const { status, type, body } = await get('/accounts/1', token)
      expect({ status, type }).toMatchObject({
        status: 401,
        type: expect.stringMatching(/^application\/problem\+json/),
      })
      expect(body).toMatchObject({ type: 'about:blank', status: 401 })
    }
  })

  test('may do what the role allows and gets 403 for the rest', async () => {
    const [support, finance, operator] = [
      await tokenFor('support'),
      await tokenFor('finance'),
      await tokenFor('operator'),
    ]
    expect((await get('/accounts', support)).status).toBe(200)
    expect((await get('/users', finance)).body).toMatchObject({ status: 403, detail: expect.stringContaining('owner') })
    for (const token of [support, finance]) {
      expect((await world.askAdmin('POST', '/accounts', { token, body: { name: 'N' } })).status).toBe(403)
    }
    expect((await world.askAdmin('POST', '/accounts', { token: operator, body: { name: 'By operator' } })).status).toBe(
      200,
    )
  })

  test('is shut out at once when the token is revoked or the user disabled, and when it expires', async () => {
    await world.askAdmin('POST', '/users', { body: { user: 'eve', role: 'operator' } })
    // A time without a zone would be another one on each machine.
    const unclear = { label: 'short', expires_at: '2030-01-01T00:00:00' }
    expect((await world.askAdmin('POST', '/users/sandbox/tokens', { body: unclear })).status).toBe(422)
    const body = { label: 'short', expires_at: new Date(world.clock.now() + 60_000).toISOString() }
    const short = String((await world.askAdmin('POST', '/users/eve/tokens', { body })).body['token'])
    const long = await tokenFor('operator', 'eve')
    expect((await get('/me', short)).body).toMatchObject({ user: 'eve', role: 'operator' })
    await world.pass(60)
    expect((await get('/me', short)).status).toBe(401)
    expect((await get('/me', long)).status).toBe(200)
    await world.askAdmin('PATCH', '/users/eve', { body: { state: 'disabled' } })
    expect((await get('/me', long)).status).toBe(401)
    await world.askAdmin('PATCH', '/users/eve', { body: { state: 'active' } })
    const { body: list } = await get('/users/eve/tokens')
    const label = (list['data'] as readonly { readonly label: string }[]).at(-1)?.label
    expect((await world.askAdmin('DELETE', `/users/eve/tokens/${label}`)).status).toBe(204)
    expect((await get('/me', long)).status).toBe(401)
  })

  test('cannot leave the gateway without an owner', async () => {
    const { status, body } = await world.askAdmin('PATCH', '/users/sandbox', { body: { role: 'auditor' } })
    expect({ status, body }).toMatchObject({ status: 422, body: { detail: expect.stringContaining('last owner') } })
  })
})

describe('the request', () => {
  test('is refused with every wrong field named, and changes nothing', async () => {
    const before = await get('/accounts')
    const { status, body } = await world.askAdmin('POST', '/accounts', {
      body: { name: '', currency: 'eur', colour: 1 },
    })
    expect(status).toBe(400)
    expect(body['errors']).toEqual(
      expect.arrayContaining([
        { field: 'name', detail: 'must be a text of 1 to 100 characters' },
        { field: 'currency', detail: 'must be an ISO 4217 code of three capital letters, such as EUR' },
        { field: 'colour', detail: 'unknown field' },
      ]),
    )
    expect((await world.askAdmin('POST', '/accounts', { body: {} })).body['errors']).toEqual([
      { field: 'name', detail: 'required' },
    ])
    expect((await get('/accounts/x')).body['errors']).toEqual([
      { field: 'account', detail: 'must be a whole number, at least 1' },
    ])
    expect((await get('/audit?most=0&actr=x')).body['errors']).toMatchObject([{ field: 'actr' }, { field: 'most' }])
    expect(await get('/accounts')).toEqual(before)
  })

  test.each([
    ['a body that is no JSON', '{', {}, 400],
    ['a body that is no object', '[]', {}, 400],
    ['another content type', '{}', { 'content-type': 'text/plain' }, 415],
    ['a body that is too large', `{"name":"${'x'.repeat(2 * 1024 * 1024)}"}`, {}, 413],
    ['a prototype', '{"__proto__":{"name":"x"}}', {}, 400],
  ])('is refused as %s', async (_what, body, headers, status) => {
    const answer = await world.askAdmin('POST', '/accounts', { body, headers })
    expect(answer).toMatchObject({
      status,
      type: expect.stringMatching(/^application\/problem\+json/),
      body: { status },
    })
  })

  test('names the content type that is required', async () => {
    const { body } = await world.askAdmin('POST', '/accounts', {
      body: '{}',
      headers: { 'content-type': 'text/plain' },
    })
    expect(body['detail']).toBe('send a JSON body with Content-Type: application/json')
  })

  test('names the field whose value breaks a rule', async () => {
    const { status, body } = await world.askAdmin('PATCH', '/accounts/1', { body: { time_zone: 'Berlin' } })
    expect(status).toBe(422)
    expect(body['errors']).toEqual([
      { field: 'time_zone', detail: 'must be an IANA name such as Europe/Berlin or UTC' },
    ])
  })

  test('gets 404 for an unknown resource', async () => {
    expect((await get('/accounts/4711')).body).toMatchObject({ status: 404, detail: 'there is no account 4711' })
    expect((await get('/nothing')).body).toMatchObject({ status: 404 })
    expect((await get('/messages/640000')).status).toBe(404)
  })

  test('is done once under one Idempotency-Key, with the answer that was given', async () => {
    const ask = (name: string) =>
      world.askAdmin('POST', '/accounts', { body: { name }, headers: { 'idempotency-key': 'once' } })
    const [first, again] = [await ask('Once'), await ask('Once')]
    expect(first).toMatchObject({ status: 200, body: { hook_secret: expect.stringMatching(/^whsec_/) } })
    expect(again.body).toEqual(first.body)
    expect(await ask('Twice')).toMatchObject({ status: 409 })
    const { body } = await get('/accounts')
    expect((body['data'] as readonly { readonly name: string }[]).filter(({ name }) => name === 'Once')).toHaveLength(1)
  })

  test('is done once, and is never a broken rule, if ten equal ones come at the same time', async () => {
    const topUp = (key: string) =>
      world.askAdmin('POST', '/accounts/1/top-ups', { body: { amount: 5 }, headers: { 'idempotency-key': key } })
    const balance = async () => Number((await get('/accounts/1')).body['balance'])
    for (const key of ['ten', 'ten others']) {
      const before = await balance()
      const answers = await Promise.all(Array.from({ length: 10 }, () => topUp(key)))
      const statuses = answers.map(({ status }) => status)
      expect(statuses.filter((status) => status !== 200 && status !== 409)).toEqual([])
      expect(statuses).toContain(200)
      expect(await balance()).toBe(before + 5)
    }
    expect((await world.askAdmin('POST', '/accounts/1/top-ups', { body: { amount: 0 } })).status).not.toBe(409)
  })

  test('does not overwrite a concurrent change', async () => {
    const { etag } = await get('/accounts/1')
    const change = (ifMatch: string, body: object) =>
      world.askAdmin('PATCH', '/accounts/1', { body, headers: { 'if-match': ifMatch } })
    const mine = await change(String(etag), { report_steps: true })
    expect(mine).toMatchObject({ status: 200, body: { report_steps: true } })
    expect(await change(String(etag), { report_steps: false })).toMatchObject({ status: 412 })
    expect((await get('/accounts/1')).body).toMatchObject({ report_steps: true })
    expect(await change(String(mine.etag), { report_steps: false })).toMatchObject({ status: 200 })
    const both = await Promise.all(
      ['x', 'y'].map(async () => change(String((await get('/accounts/1')).etag), { unique_ids: true })),
    )
    expect(both.map(({ status }) => status).filter((status) => status === 200).length).toBeGreaterThanOrEqual(1)
  })

  test('does not overwrite concurrently changed secrets of a carrier, whose ETag reveals none', async () => {
    const carrier = { kind: 'smpp', settings: { host: 'smsc.example', port: 2775, systemId: 'id', password: 'one' } }
    const set = (ifMatch: string | null) =>
      world.askAdmin('PUT', '/carriers/etag', {
        body: carrier,
        ...(ifMatch === null ? {} : { headers: { 'if-match': ifMatch } }),
      })
    expect(await set(null)).toMatchObject({ status: 200 })
    const first = await get('/carriers/etag')
    expect((await get('/carriers/etag')).etag).toBe(first.etag)
    expect(await set(String(first.etag))).toMatchObject({ status: 200 })
    const second = await get('/carriers/etag')
    // Built from the visible settings only, so passwords cannot be guessed from ETags.
    expect(second.body).toEqual({ ...first.body, state: second.body['state'] })
    expect(second.etag).not.toBe(first.etag)
    expect(await set(String(first.etag))).toMatchObject({ status: 412 })
    expect(await world.askAdmin('DELETE', '/carriers/etag')).toMatchObject({ status: 204 })
  })

  test('lands in the audit log with who, what, before and after, and never with a secret', async () => {
    const { body: made } = await world.askAdmin('POST', '/accounts', { body: { name: 'Audited' } })
    const path = `/accounts/${made['account']}`
    const { body: key } = await world.askAdmin('POST', `${path}/keys`, { body: { name: 'server' } })
    await world.askAdmin('PATCH', path, { body: { state: 'suspended' } })
    const { body: log } = await get('/audit?most=10')
    const [last] = log['data'] as readonly object[]
    expect(last).toMatchObject({
      actor: 'sandbox',
      via: 'admin API',
      action: 'changeAccount',
      subject: `account ${made['account']}`,
      before: { state: 'active' },
      after: { state: 'suspended' },
    })
    const text = JSON.stringify((await get('/audit?most=1000')).body)
    expect(text).not.toContain(String(key['key']))
    expect(text).not.toContain(String(made['hook_secret']))
    expect(text).not.toContain('ph_admin_')
  })

  test('lands in the audit log with addresses of hooks, but not with what proves the caller to them', async () => {
    const hook = (name: string) => `https://anna:PASSWORD@client.example/${name}?token=SECRET#SECRET`
    const { body: made } = await world.askAdmin('POST', '/accounts', { body: { name: 'With hooks' } })
    for (const name of ['first', 'second']) {
      const answer = await world.askAdmin('PATCH', `/accounts/${made['account']}`, {
        body: { default_hook: hook(name) },
      })
      expect(answer).toMatchObject({ status: 200 })
    }
    const number = { carrier: 'sandbox-sms', address: '4321', account: made['account'], hook: hook('inbound') }
    expect(await world.askAdmin('PUT', '/inbound-numbers', { body: number })).toMatchObject({ status: 200 })
    const { body } = await get('/audit?most=3')
    expect(body['data']).toMatchObject([
      { after: { hook: 'https://client.example/inbound' } },
      {
        before: { default_hook: 'https://client.example/first' },
        after: { default_hook: 'https://client.example/second' },
      },
      { before: { default_hook: null }, after: { default_hook: 'https://client.example/first' } },
    ])
    expect(JSON.stringify((await get('/audit?most=1000')).body)).not.toMatch(/PASSWORD|SECRET/)
  })
})

describe('the document', () => {
  test('has every endpoint, each with who may ask and what goes in and out', async () => {
    const response = await fetch(`${world.gateway.adminAddress}/admin/v1/openapi.json`)
    const { openapi, paths } = (await response.json()) as {
      readonly openapi: string
      readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>
    }
    expect(openapi).toMatch(/^3\.1/)
    const ids = Object.values(paths).flatMap((path) => Object.values(path).map(({ operationId }) => operationId))
    expect(ids.toSorted()).toEqual(ENDPOINTS.map(({ name }) => name).toSorted())
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('is shown as a page whose files all come from here', async () => {
    const page = await fetch(`${world.gateway.adminAddress}/admin/v1/reference/`)
    expect(page.status).toBe(200)
    expect(page.headers.get('content-security-policy')).toContain("default-src 'self'")
    expect(await page.text()).not.toMatch(/src="https?:|href="https?:/)
    const script = await fetch(`${world.gateway.adminAddress}/admin/v1/reference/js/scalar.js`)
    expect(script.status).toBe(200)
    expect((await script.text()).length).toBeGreaterThan(1_000_000)
  })
})
