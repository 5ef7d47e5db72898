/** Mobile operators: found, named, and their prefixes changed one by one. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { SandboxWorld } from '../support/sandbox-world.ts'

let world: SandboxWorld
// Phones of Austria are of a test network.
const TABLE = 'prefix,mccmnc,name\n49172,26202,Vodafone\n49173,26202,\n49160,26201,Telekom\n43660,00101,\n'
beforeAll(async () => {
  world = await SandboxWorld.start()
})
beforeEach(async () => {
  expect(await world.askAdmin('PUT', '/operators', { body: { csv: TABLE, confirm: true } })).toMatchObject({
    status: 200,
  })
})
afterAll(() => world.stop())

const operators = async (query = '') => (await world.askAdmin('GET', `/operators/list${query}`)).body['data']
const set = (body: object) => world.askAdmin('PUT', '/operators/prefixes', { body })
const vodafone = { mccmnc: '26202', name: 'Vodafone', countries: ['DE'], prefixes: 2 }

test('operators are listed with their countries, and found by name or by MCC and MNC', async () => {
  expect(await operators()).toEqual([
    { mccmnc: '00101', name: null, countries: ['AT'], prefixes: 1 },
    { mccmnc: '26201', name: 'Telekom', countries: ['DE'], prefixes: 1 },
    vodafone,
  ])
  expect(await operators('?search=vodaf')).toEqual([vodafone])
  expect(await operators('?search=001')).toMatchObject([{ mccmnc: '00101' }])
  expect(await operators('?most=1&after=1')).toMatchObject([{ mccmnc: '26201' }])
})

test('an operator gets a name, which statistics and trials show', async () => {
  const named = await world.askAdmin('PUT', '/operators/names', { body: { mccmnc: '00101', name: 'A1' } })
  expect(named).toMatchObject({ status: 200, body: { mccmnc: '00101', name: 'A1', prefixes: 1 } })
  const body = { account: 1, phone: '+43 660 1234567' }
  expect((await world.askAdmin('POST', '/routes/trial', { body })).body).toMatchObject({
    operator: 'A1',
    mccmnc: '00101',
  })
  await world.ask([{ type: 'sms', id: 1, phone: 436601234567, sms_signature: 'SMSTest', sms_message: 'Hi' }])
  await world.pass(20)
  const { body: statistics } = await world.askAdmin('GET', '/statistics?by=operator')
  expect(statistics['data']).toContainEqual(expect.objectContaining({ operator: '00101', operator_name: 'A1' }))
  const unknown = await world.askAdmin('PUT', '/operators/names', { body: { mccmnc: '99999', name: 'X' } })
  expect(unknown).toMatchObject({ status: 404 })
})

test('a prefix is assigned, moved and removed; the audit log says which', async () => {
  expect(await set({ prefix: '+491520', mccmnc: '26202' })).toMatchObject({
    body: { prefix: '491520', mccmnc: '26202', name: 'Vodafone' },
  })
  expect(await set({ prefix: '491520', mccmnc: '26201' })).toMatchObject({ body: { name: 'Telekom' } })
  const listed = await world.askAdmin('GET', '/operators/prefixes?mccmnc=26201')
  expect(listed.body).toMatchObject({ data: [{ prefix: '491520' }, { prefix: '49160' }], next: null })
  expect((await world.askAdmin('GET', '/operators/prefixes?prefix=4366')).body['data']).toHaveLength(1)
  const audit = JSON.stringify((await world.askAdmin('GET', '/audit?most=1')).body)
  expect(audit).toContain('491520,26201,Telekom')
  expect(await world.askAdmin('DELETE', '/operators/prefixes?prefix=491520')).toMatchObject({ status: 204 })
  expect(await world.askAdmin('DELETE', '/operators/prefixes?prefix=491520')).toMatchObject({ status: 404 })
})

test.each<[string, object, string]>([
  ['prefix', { prefix: 'x', mccmnc: '26202' }, 'must be 1 to 15 digits, country code first'],
  ['mccmnc', { prefix: '49', mccmnc: '262' }, 'must be its MCC and MNC, 5 or 6 digits such as 26201'],
  [
    'name',
    { prefix: '49', mccmnc: '26202', name: 'a\u0007' },
    'must have at most 100 characters and no control or invisible characters',
  ],
])('a wrong %s is refused', async (field, body, detail) => {
  expect(await set(body)).toMatchObject({ status: 422, body: { errors: [{ field, detail }] } })
})

test('prefixes that several operators add at one time are all kept', async () => {
  const prefixes = Array.from({ length: 6 }, (_, index) => `4367${index}`)
  const answers = await Promise.all(prefixes.map((prefix) => set({ prefix, mccmnc: '23203' })))
  expect(answers.map(({ status }) => status)).toEqual(prefixes.map(() => 200))
  expect(await operators('?search=23203')).toMatchObject([{ prefixes: 6 }])
})

test('a wrong file changes nothing: no heading, no prefixes, or a part of the table', async () => {
  const before = await operators()
  const put = async (csv: string) => (await world.askAdmin('PUT', '/operators', { body: { csv } })).body['detail']
  expect(await put('=cmd')).toMatch(/^line 1: the prefix must be/)
  expect(await put('cmd')).toMatch(/^line 1: the prefix must be/)
  expect(await put('prefix,mccmnc,name\n')).toBe('csv: must not be empty')
  expect(await put('')).toBe('csv: must not be empty')
  expect(await put('49172,26202,Vodafone\n')).toBe('confirm: required')
  expect(await operators()).toEqual(before)
  const half = { csv: '49172,26202,Vodafone\n49173,26202\n' }
  expect(await world.askAdmin('PUT', '/operators', { body: half })).toMatchObject({ status: 200 })
  const none = { csv: '', confirm: true }
  expect(await world.askAdmin('PUT', '/operators', { body: none })).toMatchObject({
    status: 200,
    body: { prefixes: 0 },
  })
})
