/** Operators and users of an account make bulks by the admin API: preview, lines, errors, start, pace, messages. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AdminReply } from '../support/ask-admin-api.ts'
import { ClientAccount } from '../support/client-account.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'

let world: SandboxWorld
beforeAll(async () => {
  world = await SandboxWorld.start()
})
afterAll(() => world.stop())

const MESSAGE = { type: 'sms', sms_signature: 'SMSTest', sms_message: 'Hello {{name}}' }
const CSV = 'name;phone\nAnn;491701234501\nBob;12\nCem;491701234506\n;491701234507\n'

type Ask = (method: string, path: string, body?: object) => Promise<AdminReply>
const asOwner: Ask = (method, path, body = {}) => world.askAdmin(method, path, method === 'GET' ? {} : { body })
const ask: Ask = (method, path, body) => asOwner(method, `/accounts/1/bulks${path}`, body)

async function create(fields: object = {}): Promise<number> {
  const { status, body } = await ask('POST', '', { message: MESSAGE, test: false, ...fields })
  expect([status, body]).toEqual([200, expect.objectContaining({ state: 'uploading' })])
  return Number(body['bulk'])
}

async function auditOf(bulk: number) {
  const { body } = await world.askAdmin('GET', '/audit?most=20')
  const entries = body['data'] as readonly { subject: string; after: object; actor: string }[]
  return entries.filter(({ subject }) => subject === `bulk ${bulk} of account 1`).map(({ after }) => after)
}

test('a start within the minute that a user chose is now', async () => {
  const bulk = await create()
  await ask('POST', `/${bulk}/lines`, { csv: CSV })
  const now = new Date(world.clock.now()).toISOString()
  const start_at = new Date(world.clock.now() - 59_000).toISOString()
  expect((await ask('POST', `/${bulk}/start`, { start_at })).body).toMatchObject({ state: 'running', start_at: now })
})

test('an operator sees the first lines as they would be sent, what they cost and which are refused', async () => {
  const before = await asOwner('GET', '/bulks?account=1')
  const { status, body } = await ask('POST', '/preview', { message: MESSAGE, test: false, csv: CSV })
  expect(status).toBe(200)
  expect(body).toMatchObject({ error: null, currency: 'EUR' })
  expect(body['data']).toMatchObject([
    {
      line: 1,
      phone: '491701234501',
      error: null,
      steps: [{ channel: 'sms', text: 'Hello Ann', parts: 1, price: 0.05 }],
    },
    { line: 2, error: 'Invalid phone number', field: 'phone', steps: [] },
    { line: 3, steps: [{ text: 'Hello Cem' }] },
    { line: 4, error: expect.stringContaining('name'), field: 'name' },
  ])
  const wrong = await ask('POST', '/preview', { message: MESSAGE, test: false, csv: 'phone\n491701234501' })
  expect(wrong.body).toMatchObject({ error: 'The header has no column name', data: [] })
  const unknown = { ...MESSAGE, sms_signature: 'Nowhere' }
  expect((await ask('POST', '/preview', { message: unknown, test: false, csv: CSV })).body).toMatchObject({ data: [] })
  const long = `phone,name\n${'491701234501,Ann\n'.repeat(50)}`
  const first = await ask('POST', '/preview', { message: MESSAGE, test: true, csv: long })
  expect(first.body['data']).toHaveLength(10)
  expect(JSON.stringify(first.body)).toContain('"price":0')
  expect((await asOwner('GET', '/bulks?account=1')).body).toEqual(before.body)
})

test('lines come in parts, a broken upload is repeated, and refused lines are counted by their errors', async () => {
  const bulk = await create({ pace: 7 })
  const add = (csv: string, from_line?: number) =>
    ask('POST', `/${bulk}/lines`, { csv, ...(from_line ? { from_line } : {}) })
  expect((await add(CSV)).body).toMatchObject({ lines: 4, refused: 2, skipped: 0, estimate: 0.1, currency: 'EUR' })
  expect((await add(CSV)).body).toMatchObject({ lines: 4, refused: 2, skipped: 4 })
  expect((await add('phone,name\n15,Eve\n', 5)).body).toMatchObject({ lines: 5, refused: 3 })
  const gap = await add(CSV, 9)
  expect(gap).toMatchObject({ status: 422, body: { errors: [{ field: 'csv' }] } })
  expect(await add('name\nAnn')).toMatchObject({ status: 422, body: { detail: 'The header has no column phone' } })
  expect((await ask('GET', `/${bulk}/errors?most=2`)).body).toMatchObject({
    data: [
      { line: 2, field: 'phone', error: 'Invalid phone number' },
      { line: 4, field: 'name' },
    ],
    next: 4,
  })
  expect((await ask('GET', `/${bulk}/errors?most=2&after=4`)).body).toMatchObject({ data: [{ line: 5 }], next: null })
  expect((await ask('GET', `/${bulk}/errors/count`)).body).toMatchObject({
    data: [
      { error: 'Invalid phone number', lines: 2, first: 2 },
      { field: 'name', lines: 1 },
    ],
    others: 0,
  })
  expect((await ask('GET', `/${bulk}`)).body).toMatchObject({
    created_by: 'sandbox',
    created_by_kind: 'operator',
    pace: 7,
    waiting: 2,
  })
  const plain = await create({ message: { ...MESSAGE, sms_message: 'Hello' } })
  const empty = await ask('POST', `/${plain}/lines`, { csv: 'phone\n""\n\n491701234501\n' })
  expect(empty.body).toMatchObject({ lines: 2, refused: 1 })
  await ask('POST', `/${bulk}/stop`)
  expect(await add(CSV)).toMatchObject({ status: 422, body: { detail: expect.stringContaining('takes no lines') } })
  expect(await auditOf(bulk)).toEqual([
    { action: 'stop' },
    { action: 'upload', lines: 1 },
    { action: 'upload', lines: 4 },
    { action: 'create' },
  ])
})

test('it starts at its time, changes its pace while it runs, and its messages are found by it', async () => {
  const lines = Array.from({ length: 60 }, (_, index) => `4917055${String(index).padStart(3, '0')}01,${index}`)
  const bulk = await create({ pace: 1 })
  expect(await ask('POST', `/${bulk}/start`)).toMatchObject({
    status: 422,
    body: { detail: 'The bulk has no lines that can be sent' },
  })
  await ask('POST', `/${bulk}/lines`, { csv: ['phone,name', ...lines].join('\n') })
  const past = { start_at: new Date(world.clock.now() - 61_000).toISOString() }
  expect(await ask('POST', `/${bulk}/start`, past)).toMatchObject({
    status: 422,
    body: { errors: [{ field: 'start_at', detail: 'must not be in the past; leave it out to start now' }] },
  })
  const start_at = new Date(world.clock.now() + 5_000).toISOString()
  expect((await ask('POST', `/${bulk}/start`, { start_at })).body).toMatchObject({ state: 'ready', start_at })
  await world.pass(8)
  const { body: slow } = await ask('GET', `/${bulk}`)
  expect(slow).toMatchObject({ state: 'running' })
  expect(Number(slow['accepted'])).toBeLessThan(10)
  expect(await ask('PATCH', `/${bulk}`, { pace: 0 })).toMatchObject({ status: 400 })
  expect((await ask('PATCH', `/${bulk}`, { pace: 50 })).body).toMatchObject({ state: 'running', pace: 50 })
  await world.pass(15)
  expect((await ask('GET', `/${bulk}`)).body).toMatchObject({ state: 'finished', accepted: 60, price: 3 })
  expect(await ask('PATCH', `/${bulk}`, { pace: 50 })).toMatchObject({ status: 422 })
  const [single] = await world.send({
    type: 'sms',
    phone: 491701234501,
    sms_signature: 'SMSTest',
    sms_message: 'Hello',
  })
  const found = await world.askAdmin('POST', '/messages/records', { body: { bulk, most: 1_000 } })
  const records = found.body['data'] as readonly { message: number }[]
  expect(records).toHaveLength(60)
  expect(records.map(({ message }) => message)).not.toContain(single)
  // Another bulk whose number begins with the same digits.
  const shorter = Number(String(bulk).slice(0, -1))
  expect((await world.askAdmin('POST', '/messages/records', { body: { bulk: shorter } })).body['data']).toEqual([])
  expect((await auditOf(bulk)).slice(0, 2)).toEqual([
    { action: 'set pace', pace: 50 },
    { action: 'start', start_at, ignore_balance: false },
  ])
})

test('bulks of all accounts are one list, of tests or not, and of those that have not ended', async () => {
  const other = await ClientAccount.create(world, 'other')
  const [live, trial] = [await create(), await create({ test: true })]
  const list = async (query: string) => {
    const { body } = await asOwner('GET', `/bulks?most=1000${query}`)
    return (body['data'] as readonly { bulk: number }[]).map(({ bulk }) => bulk)
  }
  expect(await list('')).toEqual(expect.arrayContaining([live, trial, other.bulk]))
  expect(await list('&account=1')).not.toContain(other.bulk)
  expect(await list('&account=1&test=true')).toEqual([trial])
  await ask('POST', `/${live}/stop`)
  expect(await list('&open=true')).not.toContain(live)
  expect(await list('&account=1')).toContain(live)
  const [first = 0, second = 0] = await list('')
  expect((await asOwner('GET', '/bulks?most=1')).body).toMatchObject({ data: [{ bulk: first }], next: first })
  expect((await asOwner('GET', `/bulks?most=1&after=${first}`)).body).toMatchObject({ data: [{ bulk: second }] })
})

test('a user of the account sends a test bulk alone, and nothing while the account is suspended', async () => {
  const ours = await ClientAccount.create(world, 'ours')
  const path = `/accounts/${ours.id}/bulks`
  const message = { type: 'sms', sms_signature: 'Posthorn', sms_message: 'Hello {{name}}' }
  expect((await ours.ask('client-reader', 'POST', path, { message, test: true })).status).toBe(403)
  const { body } = await ours.ask('client-admin', 'POST', path, { message, test: true })
  const bulk = Number(body['bulk'])
  expect(body).toMatchObject({ account: ours.id, test: true, created_by_kind: 'user' })
  expect(body['created_by']).toMatch(new RegExp(`@${ours.id}$`))
  await ours.ask('client-admin', 'POST', `${path}/${bulk}/lines`, { csv: CSV })
  expect((await ours.ask('client-reader', 'GET', `${path}/${bulk}`)).body).toMatchObject({ waiting: 2, estimate: 0 })
  await world.askAdmin('PATCH', `/accounts/${ours.id}`, { body: { state: 'suspended' } })
  expect(await ours.ask('client-admin', 'POST', `${path}/${bulk}/start`, {})).toMatchObject({ status: 422 })
  await world.askAdmin('PATCH', `/accounts/${ours.id}`, { body: { state: 'active' } })
  expect(await ours.ask('client-admin', 'POST', `${path}/${bulk}/start`, {})).toMatchObject({ status: 200 })
  await world.pass(10)
  const foreign = await world.askAdmin('POST', path, { body: { message, test: true } })
  const read = await ours.ask('client-reader', 'GET', `${path}/${foreign.body['bulk']}`)
  expect(foreign.body).toMatchObject({ created_by: 'sandbox', created_by_kind: 'operator' })
  expect(read.body).toMatchObject({ created_by: null, created_by_kind: 'operator' })
  await world.askAdmin('POST', `${path}/${foreign.body['bulk']}/stop`)
  expect((await ours.ask('client-reader', 'GET', '/bulks?open=false&most=10')).body['data']).toHaveLength(3)
  expect((await ours.ask('client-reader', 'GET', `/bulks?after=${foreign.body['bulk']}`)).body).toMatchObject({
    data: [{ bulk, state: 'finished', messages: '2 DELIVERED', price: 0 }, { bulk: ours.bulk }],
  })
})

test('a key named as an operator, and a user of the account, is shown as what it is', async () => {
  const { body } = await asOwner('POST', '/accounts/1/keys', { name: 'operator anna@1' })
  const asked = await fetch(`${world.gateway.address}/api/json.php`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ auth: body['key'], data: [{ type: 'bulk/create', message: MESSAGE }] }),
  })
  const { data } = (await asked.json()) as { data: readonly { data: { bulk_id: number } }[] }
  const made = await ask('GET', `/${data[0]?.data.bulk_id}`)
  expect(made.body).toMatchObject({ created_by: 'operator anna@1', created_by_kind: 'key' })
})
