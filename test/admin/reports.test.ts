/** An operator looks at the reports of a message and sends one of them again. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { SandboxWorld } from '../support/sandbox-world.ts'

let world: SandboxWorld
beforeAll(async () => {
  world = await SandboxWorld.start()
})
beforeEach(() => {
  world.sink.answer = () => ({ status: 200 })
})
afterAll(() => world.stop())

const SMS = { type: 'sms', sms_signature: 'SMSTest', sms_message: 'Hello' }

/** Sends a message that is delivered, reported to this address of the hook. */
async function sendTo(phone: string, query = ''): Promise<number> {
  const id = await world.sendOne({ ...SMS, phone, hook: `${world.sink.address}${query}` })
  await world.pass(10)
  return id
}

async function reportsOf(id: number, token?: string) {
  const { status, body } = await world.askAdmin('GET', `/reports/${id}`, token === undefined ? {} : { token })
  expect(status).toBe(200)
  return body['data'] as readonly Readonly<Record<string, unknown>>[]
}

/** Events of the first report in the timeline of the message. */
async function eventsOfReports(id: number): Promise<readonly string[]> {
  const { body } = await world.askAdmin('GET', `/messages/${id}`)
  const events = body['timeline'] as readonly { readonly [member: string]: string }[]
  const ofFirst = events.filter(({ component, detail }) => component === 'report' && detail?.startsWith('number 0'))
  return ofFirst.map(({ event = '' }) => event)
}

const sendAgain = (id: number, number: number) => world.askAdmin('POST', `/reports/${id}/${number}/resend`)

let tokens = 0

async function tokenOf(role: string): Promise<string> {
  tokens += 1
  await world.askAdmin('POST', '/users', { body: { user: role, role } })
  return String(
    (await world.askAdmin('POST', `/users/${role}/tokens`, { body: { label: `test ${tokens}` } })).body['token'],
  )
}

test('the reports of a message are listed with state, address without its query, and payload', async () => {
  const id = await sendTo('491701800100', '?secret=1')
  const [first, ...others] = await reportsOf(id)
  const call = world.sink.calls.find(({ headers }) => headers['webhook-id'] === first?.['webhook_id'])
  expect(first).toMatchObject({
    ...{ message: id, number: 0, account: 1, type: 'message.status', address: world.sink.address },
    ...{ state: 'sent', failed_tries: 0, tried_at: expect.any(String), next_at: null, detail: expect.any(String) },
    payload: call?.body,
  })
  expect(others.every(({ state }) => state === 'sent')).toBe(true)
})

test('one that was delivered is sent again, under the same id', async () => {
  const id = await sendTo('491701800101')
  const calls = () => world.sink.calls.filter(({ headers }) => headers['webhook-id'] === `rep_${id}_0`)
  expect(calls()).toHaveLength(1)
  expect(await sendAgain(id, 0)).toMatchObject({ status: 200, body: { state: 'pending', failed_tries: 0 } })
  expect(await eventsOfReports(id)).toEqual(['written', 'sent'])
  await world.rest()
  expect(calls().map(({ body }) => body)).toEqual([calls()[0]?.body, calls()[0]?.body])
  // The earlier delivery stays in sight.
  expect((await reportsOf(id))[0]).toMatchObject({
    state: 'sent',
    last_tries: [
      { delivered: true, took_ms: null, detail: 'HTTP 200' },
      { delivered: true, took_ms: expect.any(Number), detail: 'HTTP 200' },
    ],
  })
  expect(await eventsOfReports(id)).toEqual(['written', 'sent', 'sent'])
  const { body } = await world.askAdmin('GET', '/audit?most=1')
  expect(body['data']).toMatchObject([{ action: 'resendReport', subject: `report 0 of message ${id}` }])
})

test('one that two operators send again is sent again once', async () => {
  const id = await sendTo('491701800104')
  const calls = () => world.sink.calls.filter(({ headers }) => headers['webhook-id'] === `rep_${id}_0`)
  const again = (seen: unknown) => world.askAdmin('POST', `/reports/${id}/0/resend`, { body: { tried_at: seen } })
  const seen = (await reportsOf(id))[0]?.['tried_at']
  await world.pass(1)
  expect(await again(seen)).toMatchObject({ status: 200, body: { state: 'pending' } })
  await world.rest()
  expect(await again(seen)).toMatchObject({ status: 200, body: { state: 'sent' } })
  await world.rest()
  expect(calls()).toHaveLength(2)
  expect(await again((await reportsOf(id))[0]?.['tried_at'])).toMatchObject({ body: { state: 'pending' } })
  await world.rest()
  expect(calls()).toHaveLength(3)
  expect(await again('yesterday')).toMatchObject({ status: 422 })
})

test('one that failed waits for its next try, and is sent at once if that is asked', async () => {
  world.sink.answer = () => ({ status: 500 })
  const id = await sendTo('491701800102')
  await world.pass(60)
  const [waiting] = await reportsOf(id)
  expect(waiting).toMatchObject({
    state: 'pending',
    next_at: expect.any(String),
    detail: expect.stringContaining('500'),
  })
  expect(waiting).toMatchObject({ waits_for: 'retry', failed_tries: 2 })
  expect(waiting?.['last_tries']).toMatchObject([
    { at: expect.any(String), took_ms: expect.any(Number), detail: expect.stringContaining('500') },
    { detail: expect.stringContaining('500') },
  ])
  world.sink.answer = () => ({ status: 200 })
  expect(await sendAgain(id, 0)).toMatchObject({ status: 200, body: { waits_for: 'retry', failed_tries: 0 } })
  await world.rest()
  const [sent] = await reportsOf(id)
  expect(sent).toMatchObject({ state: 'sent', waits_for: null, next_at: null })
  expect(sent?.['last_tries']).toHaveLength(3)
  expect(await eventsOfReports(id)).toEqual(['written', 'tried', 'tried', 'sent'])
})

test('the text of an inbound message is shown to operators and hidden from others', async () => {
  await world.box.smsc.write({ from: '37120000000', to: 'SMSTest', text: 'My secret' })
  await world.rest()
  const [inbound] = (await world.gateway.store.page({ of: 'inbound', accountId: null, after: null, limit: 1 })).rows
  const id = inbound?.owned?.id ?? 0
  expect(await reportsOf(id)).toMatchObject([
    {
      type: 'message.inbound',
      address: 'feed:',
      state: 'pending',
      next_at: null,
      payload: expect.stringContaining('My secret'),
    },
  ])
  expect(await reportsOf(id, await tokenOf('support'))).toMatchObject([{ type: 'message.inbound', payload: null }])
  expect(await sendAgain(id, 0)).toMatchObject({ status: 422, body: { detail: expect.stringContaining('event feed') } })
})

test('what cannot be sent says why', async () => {
  world.sink.answer = () => ({ status: 410 })
  const id = await sendTo('491701800104', '/ended')
  expect(await sendAgain(id, 0)).toMatchObject({ status: 422, body: { detail: expect.stringContaining('stopped') } })
  expect(await sendAgain(id, 99)).toMatchObject({ status: 404 })
  expect(await world.askAdmin('GET', '/reports/6400064')).toMatchObject({ status: 404 })
  const auditor = { token: await tokenOf('auditor') }
  expect((await world.askAdmin('POST', `/reports/${id}/0/resend`, auditor)).status).toBe(403)
})

test('the hooks of an account are listed with what waits and has failed, those with most first', async () => {
  await using other = await SandboxWorld.start()
  await other.askAdmin('PATCH', '/accounts/1', { body: { default_hook: 'https://client.example/default?key=secret' } })
  other.sink.answer = ({ path }) => ({ status: path.startsWith('/failing') ? 500 : 410 })
  const failing = other.sink.address.replace('/hook', '/failing')
  await other.sendOne({ ...SMS, phone: '491701800104' })
  for (const [phone, query] of [
    ['491701800105', '?id=1'],
    ['491701800106', '?id=2'],
  ]) {
    await other.sendOne({ ...SMS, phone, hook: `${failing}${query}` })
  }
  await other.pass(10)
  const { status, body } = await other.askAdmin('GET', '/accounts/1/hooks')
  const error = expect.stringContaining('500')
  expect({ status, data: body['data'] }).toMatchObject({
    status: 200,
    data: [
      { address: failing, default: false, stopped: false, waiting: 2, failed: 0, last_error: error },
      { address: other.sink.address, stopped: true, waiting: 0, failed: 1, last_error: 'HTTP 410' },
      {
        ...{ address: 'https://client.example/default', default: true, client_hook: null, stopped: false },
        ...{ waiting: 0, failed: 0, tried_at: null, last_error: null },
      },
    ],
  })
})

test('a failing hook is listed with what waits for it, and is tried when an operator wants it', async () => {
  const failing = world.sink.address.replace('/hook', '/refusing')
  world.sink.answer = ({ path }) => ({ status: path.startsWith('/refusing') ? 503 : 200 })
  for (const phone of ['491701800111', '491701800112']) await world.sendOne({ ...SMS, phone, hook: `${failing}?k=1` })
  await world.pass(60)
  const list = async (path = '/failing-hooks?account=1') => (await world.askAdmin('GET', path)).body['data']
  const found = (await list()) as readonly { readonly address: string }[]
  expect(found.filter(({ address }) => address === failing)).toMatchObject([
    {
      ...{ account: 1, waiting: 2, last_error: expect.stringContaining('503'), next_at: expect.any(String) },
      ...{ oldest_at: expect.any(String), failing_since: expect.any(String), tried_at: expect.any(String) },
    },
  ])
  const waiting = `/waiting-reports?account=1&address=${encodeURIComponent(failing)}`
  expect(await list(waiting)).toMatchObject([
    { number: 0, type: 'message.status', address: failing, failed_tries: 2, waits_for: 'retry' },
    { number: 0, last_tries: [{ detail: 'HTTP 503' }, { detail: 'HTTP 503' }] },
  ])

  const ask = (body: object, token?: string) =>
    world.askAdmin('POST', '/failing-hooks/try', { body, ...(token === undefined ? {} : { token }) })
  const hook = { account: 1, address: failing }
  expect((await ask(hook, await tokenOf('auditor'))).status).toBe(403)
  expect(await ask({ ...hook, address: `${failing}/other` })).toMatchObject({ status: 422 })
  world.sink.answer = () => ({ status: 200 })
  expect(await ask(hook)).toMatchObject({ status: 200, body: { ...hook, waiting: 2 } })
  await world.rest()
  expect(await list(waiting)).toEqual([])
  const { body } = await world.askAdmin('GET', '/audit?most=1')
  expect(body['data']).toMatchObject([{ action: 'tryHook', subject: 'hook of account 1', after: { tried: failing } }])
})

test('the reports of an account are counted by hook: accepted, refused, given up, and how fast', async () => {
  const hook = world.sink.address.replace('/hook', '/counted/T0123456789abcdefXYZ')
  world.sink.answer = ({ path }) => ({ status: path.startsWith('/counted') ? 503 : 200 })
  await world.sendOne({ ...SMS, phone: '491701800120', hook: `${hook}?k=1` })
  await world.pass(10)
  world.sink.answer = () => ({ status: 200 })
  await world.pass(600)
  const { status, body } = await world.askAdmin('GET', '/accounts/1/hook-statistics?resolution=hour')
  const lines = body['data'] as readonly { readonly address: string }[]
  expect(status).toBe(200)
  expect(lines.filter(({ address }) => address === world.sink.address.replace('/hook', '/counted/…'))).toMatchObject([
    { time: '2026-01-01T00', sent: 1, failed_tries: 2, given_up: 0, p50_ms: expect.any(Number) },
  ])
  expect((await world.askAdmin('GET', '/accounts/99/hook-statistics')).status).toBe(404)
})

test('a stopped hook is resumed together with its failed reports', async () => {
  const gone = world.sink.address.replace('/hook', '/resumed')
  world.sink.answer = ({ path }) => ({ status: path.startsWith('/resumed') ? 410 : 200 })
  const id = await world.sendOne({ ...SMS, phone: '491701800113', hook: `${gone}?k=1` })
  await world.pass(10)
  const hook = { account: 1, address: gone }
  expect(await world.askAdmin('POST', '/failing-hooks/try', { body: hook })).toMatchObject({
    ...{ status: 422, body: { detail: expect.stringContaining('resume it first') } },
  })
  world.sink.answer = () => ({ status: 200 })
  const resumed = await world.askAdmin('POST', '/stopped-hooks/resume', { body: { ...hook, resend: true } })
  expect(resumed).toMatchObject({ status: 200, body: { stopped: false, resent: 1 } })
  await world.rest()
  expect(await reportsOf(id)).toMatchObject([{ state: 'sent' }])
})

test('secrets in addresses are shown to roles that resume hooks and send reports again, and to no others', async () => {
  world.sink.answer = () => ({ status: 410 })
  const stopped = world.sink.address.replace('//', '//user:s3cret@').replace('/hook', '/gone')
  const hook = `${stopped}?key=s3cret`
  const id = await world.sendOne({ ...SMS, phone: '491701800107', hook })
  await world.pass(10)
  const paths = [`/messages/${id}`, '/failed-reports', '/stopped-hooks', '/accounts/1/hooks']
  const read = async (token?: string) => {
    const asked = paths.map((path) => world.askAdmin('GET', path, token === undefined ? {} : { token }))
    return (await Promise.all(asked)).map(({ body }) => JSON.stringify(body))
  }
  const shown = world.sink.address.replace('/hook', '/gone')
  for (const role of ['auditor', 'finance']) {
    for (const text of await read(await tokenOf(role))) {
      expect(text).toContain(shown)
      expect(text).not.toContain('s3cret')
    }
  }
  const [trace, failed, stops, states] = await read(await tokenOf('operator'))
  expect([trace, failed]).toEqual([expect.stringContaining(hook), expect.stringContaining(hook)])
  expect([stops, states]).toEqual([expect.stringContaining(`"${stopped}"`), expect.stringContaining(`"${stopped}"`)])
  const resumed = await world.askAdmin('POST', '/stopped-hooks/resume', { body: { account: 1, address: stopped } })
  expect(resumed.status).toBe(200)
})
