/** Operators see the bulks of an account, and pause and stop them. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SandboxWorld } from '../support/sandbox-world.ts'

let world: SandboxWorld
beforeAll(async () => {
  world = await SandboxWorld.start()
})
afterAll(() => world.stop())

const message = { type: 'sms', sms_signature: 'SMSTest', sms_message: 'Hello' }
const create = async () => {
  const { data = [] } = await world.ask([{ type: 'bulk/create', message }])
  return Number(data[0]?.data['bulk_id'])
}
const ask = (method: string, path: string) => world.askAdmin(method, `/accounts/1/bulks${path}`)

test('an operator pauses a bulk that waits, and stops it; both are audited', async () => {
  const id = await create()
  expect(await ask('GET', `/${id}`)).toMatchObject({ status: 200, body: { bulk: id, state: 'uploading', waiting: 0 } })
  expect(await ask('POST', `/${id}/pause`)).toMatchObject({ status: 422, body: { detail: 'the bulk is uploading' } })
  const upload = await fetch(`${world.gateway.address}/api/bulk/${id}/lines`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${world.key}`, 'Content-Type': 'text/csv' },
    body: 'phone\n491701234501\n',
  })
  expect(await upload.json()).toMatchObject({ success: true })
  const startAt = new Date(world.clock.now() + 60_000).toISOString()
  await world.ask([{ type: 'bulk/start', bulk_id: id, start_at: startAt }])
  expect(await ask('POST', `/${id}/pause`)).toMatchObject({ body: { state: 'paused', reason: 'operator', waiting: 1 } })
  const { data = [] } = await world.ask([{ type: 'bulk/status', bulk_id: id }])
  expect(data[0]?.data).toMatchObject({ state: 'paused', reason: 'operator' })
  expect(await ask('POST', `/${id}/stop`)).toMatchObject({ body: { state: 'stopped' } })
  const { body } = await world.askAdmin('GET', '/audit?most=2')
  expect(JSON.stringify(body)).toContain(`bulk ${id} of account 1`)
})

test('bulks are listed a page at a time', async () => {
  const [first, second] = [await create(), await create()]
  const shown = { channels: ['sms'], senders: ['SMSTest'], text: 'Hello' }
  const page = await ask('GET', '?most=1')
  expect(page.body).toMatchObject({ data: [{ bulk: second, account: 1, ...shown }], next: second })
  expect((await ask('GET', `?most=1&after=${second}`)).body).toMatchObject({ data: [{ bulk: first }] })
  expect(await ask('GET', '/7')).toMatchObject({ status: 422, body: { detail: 'account 1 has no bulk 7' } })
})
