/** Lists of an installation with many accounts and carriers are searched by a part of a text. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SandboxWorld } from '../support/sandbox-world.ts'

let world: SandboxWorld
beforeAll(async () => {
  world = await SandboxWorld.start()
})
afterAll(() => world.stop())

async function found(path: string, field: string): Promise<readonly unknown[]> {
  const { status, body } = await world.askAdmin('GET', path)
  expect(status).toBe(200)
  return (body['data'] as readonly Readonly<Record<string, unknown>>[]).map((row) => row[field])
}

test('routes by carrier, sender, prefix or operator, with paging', async () => {
  await world.askAdmin('PUT', '/routes', { body: { carrier: 'sandbox-sms', prefix: '4917', operators: ['26299'] } })
  expect(await found('/routes?search=WHATSAPP', 'carrier')).toEqual(['sandbox-whatsapp'])
  expect(await found('/routes?search=26299', 'prefix')).toEqual(['4917'])
  expect(await found('/routes?search=4917', 'carrier')).toEqual(['sandbox-sms'])
  expect(await found('/routes?search=nothing', 'carrier')).toEqual([])
  const { body } = await world.askAdmin('GET', '/routes?search=sandbox&most=1')
  expect(body).toMatchObject({ data: [{}], next: 1 })
})

test('carriers by name', async () => {
  expect(await found('/carriers?search=Sandbox-S', 'carrier')).toEqual(['sandbox-sms'])
})

test('costs by carrier', async () => {
  await world.askAdmin('PUT', '/costs', { body: { carrier: 'sandbox-sms', price: 0.02 } })
  await world.askAdmin('PUT', '/costs', { body: { carrier: 'sandbox-rcs', price: 0.01 } })
  expect(await found('/costs?search=rcs', 'carrier')).toEqual(['sandbox-rcs'])
})

test('senders and users by name', async () => {
  expect(new Set(await found('/senders?search=post', 'name'))).toEqual(new Set(['Posthorn']))
  await world.askAdmin('POST', '/users', { body: { user: 'anna', role: 'support' } })
  expect(await found('/users?search=NN', 'user')).toEqual(['anna'])
})

test('a national number in the countries of accounts and of recent messages', async () => {
  const read = async (phone: string) =>
    (await world.askAdmin('POST', '/numbers/read', { body: { phone } })).body['data']
  expect(await read('+371 2000-0000')).toEqual([{ phone: '37120000000', country: 'LV' }])
  expect(await read('0170 1800-100')).toEqual([])
  await world.sendOne({ type: 'sms', phone: '491701800100', sms_signature: 'SMSTest', sms_message: 'x' })
  await world.pass(5)
  const german = [{ phone: '491701800100', country: 'DE' }]
  expect(await read('0170 1800-100')).toEqual(german)
  expect(await read('(170) 180 01 00')).toEqual(german)
  await world.askAdmin('PATCH', '/accounts/1', { body: { national_country: 'AT' } })
  expect(await read('0664 1234567')).toEqual([
    { phone: '436641234567', country: 'AT' },
    { phone: '496641234567', country: 'DE' },
  ])
})
