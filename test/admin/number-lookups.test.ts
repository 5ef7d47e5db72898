/** An operator asks lookup services: to try a carrier, and about a number; nothing is charged. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LOOKUP_ENDPOINTS } from '../../src/operations/admin/lookups/lookup-endpoints.ts'
import { SANDBOX_CARRIERS } from '../../src/sandbox/set-up.ts'
import { settled } from '../support/eventually.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'

let world: SandboxWorld
beforeAll(async () => {
  world = await SandboxWorld.start()
})
afterAll(() => world.stop())

const lookUp = (body: object) => world.askAdmin('POST', '/number-lookups', { body })
const askedOf = (phone: string) => world.box.numbers?.asked.filter((each) => each === phone).length

test('the answer says what is known, by which carrier, and what it costs; no account pays', async () => {
  const cost = { carrier: SANDBOX_CARRIERS.lookup, price: 0.002 }
  expect((await world.askAdmin('PUT', '/costs', { body: cost })).status).toBe(200)
  await world.gateway.refresh()
  const before = await world.balances()
  expect(await lookUp({ phone: '+49 170 1800015' })).toMatchObject({
    status: 200,
    body: {
      ...{ carrier: SANDBOX_CARRIERS.lookup, mccmnc: '00103', operator: 'Test Ported', country: null, ported: true },
      ...{ status: 'reachable', imsi: '00103**********', cached: false, cost: 0.002, cost_currency: 'EUR' },
    },
  })
  expect(await world.balances()).toEqual(before)
})

test('the service is asked again, unless an older answer is accepted', async () => {
  const phone = '491701800100'
  expect((await lookUp({ phone, account: 1 })).body).toMatchObject({ cached: false })
  expect((await lookUp({ phone, account: 1, max_age: 60 })).body).toMatchObject({ cached: true })
  expect((await lookUp({ phone, account: 1 })).body).toMatchObject({ cached: false })
  expect(askedOf(phone)).toBe(2)
})

test('an answer to an account is not used for a question about no account', async () => {
  const phone = '491701800150'
  await lookUp({ phone, account: 1 })
  expect((await lookUp({ phone, max_age: 60 })).body).toMatchObject({ cached: false })
})

test('a phone that is erased is dropped from memory too', async () => {
  const phone = '491701800200'
  await lookUp({ phone })
  expect((await world.askAdmin('POST', '/forgotten-phones', { body: { phone } })).status).toBe(200)
  expect((await lookUp({ phone, max_age: 60 })).body).toMatchObject({ cached: false })
})

test('what cannot be asked is refused, and a silent service says so', async () => {
  expect(await lookUp({ phone: '12' })).toMatchObject({ status: 422 })
  expect(await lookUp({ phone: '491701800300', account: 7 })).toMatchObject({ status: 404 })
  const silent = await settled('the answer', lookUp({ phone: '491701800018' }), world.clock)
  expect(silent).toMatchObject({ status: 503, body: { detail: expect.stringContaining('no lookup service answered') } })
  const { status } = await world.askAdmin('DELETE', `/routes?carrier=${SANDBOX_CARRIERS.lookup}`)
  expect(status).toBe(204)
  await world.gateway.refresh()
  expect(await lookUp({ phone: '491701800300' })).toMatchObject({
    status: 422,
    body: { detail: 'no route of the channel lookup leads to a running carrier for this number' },
  })
  const route = { carrier: SANDBOX_CARRIERS.lookup, prefix: '' }
  expect((await world.askAdmin('PUT', '/routes', { body: route })).status).toBe(200)
  await world.gateway.refresh()
})

test('a command beside the gateway asks to be sent to it', async () => {
  const [endpoint] = LOOKUP_ENDPOINTS
  const asked = world.operate((store) =>
    Promise.resolve(endpoint?.run({ store, live: null } as never, { phone: '491701800300' } as never, {} as never)),
  )
  await expect(asked).rejects.toThrow(/only a running gateway asks lookup services/)
})
