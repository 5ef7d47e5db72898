/** What a form needs to compose a message: limits, waits by default, and the SMS templates of the account. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SandboxWorld } from '../support/sandbox-world.ts'

let world: SandboxWorld
beforeAll(async () => {
  world = await SandboxWorld.start(20)
  await world.askAdmin('PATCH', '/accounts/1', { body: { step_lifetime_seconds: 3_600 } })
})
afterAll(() => world.stop())

test('waits are those of the account in a chain, and limits those of the gateway', async () => {
  const { body } = await world.askAdmin('GET', '/accounts/1/messages/choices')
  expect(body).toEqual({
    lifetime_min_seconds: 20,
    lifetime_max_seconds: 1_209_600,
    send_ahead_seconds: 35 * 86_400,
    lifetimes: [
      { channel: 'rcs', alone_seconds: 172_800, chain_seconds: 172_800 },
      { channel: 'chatapp', alone_seconds: 172_800, chain_seconds: 3_600 },
      { channel: 'sms', alone_seconds: 172_800, chain_seconds: 3_600 },
    ],
  })
  const sms = { type: 'sms', phone: '491701800100', sms_signature: 'SMSTest', sms_message: 'Hello' }
  const chain = { ...sms, type: 'rcs+sms', rcs_signature: 'RCSTest', rcs_message: 'Hello' }
  const lifetimes = async (message: object) => {
    const sent = await world.askAdmin('POST', '/accounts/1/messages', { body: { message, test: true } })
    const trace = await world.askAdmin('GET', `/messages/${String(sent.body['message'])}`)
    return (trace.body['steps'] as readonly { readonly lifetime_seconds: number }[]).map(
      (step) => step.lifetime_seconds,
    )
  }
  expect([await lifetimes(sms), await lifetimes(chain)]).toEqual([[172_800], [172_800, 3_600]])
})

test('SMS templates are listed page by page, those of the account alone', async () => {
  const path = '/accounts/1/sms-templates'
  expect((await world.askAdmin('GET', path)).body).toEqual({ data: [], next: null })
  await world.ask([{ type: 'template/create', name: 'Code', template: 'Your code is {{code}}.' }])
  const { body } = await world.askAdmin('GET', path)
  const template_id = expect.any(Number)
  expect(body).toEqual({ data: [{ template_id, name: 'Code', template: 'Your code is {{code}}.' }], next: template_id })
  expect((await world.askAdmin('GET', `${path}?after=${String(body['next'])}`)).body).toEqual({ data: [], next: null })
  expect((await world.askAdmin('GET', '/accounts/99/sms-templates')).status).toBe(404)
})
