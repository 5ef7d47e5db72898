/** What a sender is registered with in a country reaches the carriers whose settings write it. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type DoubleRequest, HttpDouble } from '../../src/simulator/server/http-double.ts'
import { eventually } from '../support/eventually.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'

let world: SandboxWorld
let double: HttpDouble
let seen: DoubleRequest[]
beforeEach(async () => {
  world = await SandboxWorld.start()
  seen = []
  double = await HttpDouble.listen((request) => {
    if (request.method !== 'HEAD') seen.push(request)
    return { status: 200, body: '{}' }
  })
  const json = {
    from: '{{sender}}',
    entity: '{{registration.entity}}',
    header: '{{registration.header}}',
    '{{if registration.campaign}}us': 'yes',
    '{{if not registration.campaign}}us': 'no',
  }
  const settings = { request: { address: `${double.address}/send`, json }, answer: { id: 'ours' } }
  const body = { kind: 'http', channel: 'sms', settings, route: null }
  expect(await world.askAdmin('PUT', '/carriers/up', { body })).toMatchObject({ status: 200 })
  const route = { carrier: 'up', account: 1 }
  expect(await world.askAdmin('PUT', '/routes', { body: route })).toMatchObject({ status: 200 })
  await eventually('the carrier to run', () => world.gateway.delivery.fleet.get('up') !== undefined, world)
})
afterEach(async () => {
  await world.stop()
  await double.goDown()
})

const approve = async (sender: object, status = 200) => {
  const answer = await world.askAdmin('POST', '/senders/approve', { body: { account: 1, channel: 'sms', ...sender } })
  expect(answer).toMatchObject({ status })
  return answer.body
}
const sentTo = async (phone: string, sender = 'Shop') => {
  const before = seen.length
  await world.sendOne({ type: 'sms', phone, sms_signature: sender, sms_message: 'Hi' })
  await world.rest()
  expect(seen.length).toBe(before + 1)
  return JSON.parse(seen.at(-1)?.body ?? '')
}

test('an HTTP carrier writes the values for the country of the recipient, and leaves out what is missing', async () => {
  await approve({ name: 'Shop', registrations: { IN: { entity: '1101', header: 'H-1' }, us: { campaign: 'C-9' } } })
  expect(await sentTo('919876543210')).toEqual({ from: 'Shop', entity: '1101', header: 'H-1', us: 'no' })
  expect(await sentTo('12025550123')).toEqual({ from: 'Shop', us: 'yes' })
  expect(await sentTo('37120000100')).toEqual({ from: 'Shop', us: 'no' })
})

test('a member of a pool has the values of its pool, and its own before them', async () => {
  await approve({ name: 'EXMPLE', countries: ['IN'], registrations: { IN: { header: 'H-2' } } })
  await approve({ name: 'Shop', members: ['EXMPLE'], registrations: { IN: { entity: '1101', header: 'H-1' } } })
  expect(await sentTo('919876543210')).toEqual({ from: 'EXMPLE', entity: '1101', header: 'H-2', us: 'no' })
})

test('values are limited, and stay when others change', async () => {
  for (const registrations of [
    { XX: { entity: '1' } },
    { india: { entity: '1' } },
    { IN: { Entity: '1' } },
    { IN: { entity: 'ü' } },
  ]) {
    expect(await approve({ name: 'Shop', registrations }, 'XX' in registrations ? 422 : 400)).toMatchObject({
      errors: [{ field: expect.stringMatching(/^registrations/) }],
    })
  }
  await approve({ name: 'Shop', registrations: { IN: { entity: '1101' } } })
  expect(await approve({ name: 'Shop', countries: ['IN'] })).toMatchObject({
    registrations: { IN: { entity: '1101' } },
  })
  const audit = await world.askAdmin('GET', '/audit')
  expect(JSON.stringify(audit.body)).toContain('"entity":"1101"')
})
