/** What waits for one carrier alone is discarded; what another carrier may take, or waits for its time, stays. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { MessageId } from '../../src/domain/ids/message-id.ts'
import { addCarrier } from '../../src/operations/admin/carriers/carrier.ts'
import { type Smsc, startSmsc } from '../../src/simulator/smpp/smsc.ts'
import { CommandLine } from '../support/command-line.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'
import { SeededRandom } from '../support/seeded-random.ts'
import { rcsItem } from '../support/send-items.ts'

let world: SandboxWorld
let smsc: Smsc
let line: CommandLine
beforeEach(async () => {
  world = await SandboxWorld.start()
  const login = { systemId: 'second', password: 'secret' }
  smsc = await startSmsc({ clock: world.clock, random: new SeededRandom(2), traffic: world.box.traffic, ...login })
  const settings = { host: '127.0.0.1', port: smsc.port, ...login }
  const route = { prefix: '4915', accountId: null, priority: 200 }
  await world.operate((store) => addCarrier(store, () => {}, { id: 'second', kind: 'smpp', settings, route }))
  await world.carriersUp()
  for (const id of ['sandbox-sms', 'sandbox-rcs', 'second']) await world.askAdmin('POST', `/carriers/${id}/drain`)
  line = new CommandLine({ clock: world.clock })
  line.environment = { POSTHORN_SERVER: world.gateway.adminAddress, POSTHORN_TOKEN: world.adminToken }
})
afterEach(async () => {
  line.close()
  await world.stop()
  await smsc.stop()
})

const sms = (phone: string, fields: object = {}) => ({
  ...{ type: 'sms', phone, sms_signature: 'SMSTest', sms_message: 'Hello' },
  ...fields,
})
const statusesOf = async (ids: readonly MessageId[]) =>
  Promise.all(ids.map(async (id) => (await world.trace(id)).message.journey.status))
const queueOf = async (carrier: string) => (await world.askAdmin('GET', `/carriers/${carrier}/queue`)).body['data']

test('only messages that no other carrier may take are discarded, with their money', async () => {
  const send_at = new Date(world.clock.now() + 3_600_000).toISOString()
  const alone = await world.send(...['491701272000', '491701272100'].map((phone) => sms(phone)))
  const [other, planned] = await world.send(sms('491511272000'), sms('491701272200', { send_at }))
  const ofRcs = await world.send(rcsItem('491701272300'))
  const chain = { ...rcsItem('491701272400'), ...sms('491701272400'), type: 'rcs+sms', rcs_lifetime: 600 }
  const [falls] = await world.send(chain)
  await world.rest()
  const before = await world.balances()
  expect(await queueOf('sandbox-sms')).toEqual([{ currency: 'EUR', accounts: 1, messages: 2, held: 0.1 }])
  expect(await queueOf('second')).toEqual([])
  expect(await queueOf('sandbox-rcs')).toMatchObject([{ messages: 1 }])

  const { out } = await line.run(['carrier', 'discard', '--carrier', 'sandbox-sms'])
  expect(out).toBe(
    'Messages that only sandbox-sms can take: 2, with 0.1 EUR on hold. Add --yes to cancel them; it cannot be undone.\n',
  )
  expect(await statusesOf(alone)).toEqual(['QUEUED', 'QUEUED'])
  const done = await line.run(['carrier', 'discard', '--carrier', 'sandbox-sms', '--yes'])
  expect(done.out).toContain('Cancelled: 2. Released: 0.1 EUR.')
  expect(await statusesOf(alone)).toEqual(['CANCELLED', 'CANCELLED'])
  expect((await world.balances()).available).toBe(before.available + 100_000)
  const { body: audit } = await world.askAdmin('GET', '/audit?most=1')
  expect((audit['data'] as readonly object[])[0]).toMatchObject({
    ...{ action: 'discardCarrierQueue', subject: 'the queue of account 1' },
    after: { action: 'discard', carrier: 'sandbox-sms', messages: 2, released: 0.1 },
  })
  expect((await line.run(['carrier', 'discard', '--carrier', 'sandbox-sms', '--yes'])).out).toContain(
    'Nothing to cancel',
  )
  await world.askAdmin('POST', '/carriers/sandbox-rcs/queue/discard', { body: { confirm: true } })
  expect(await statusesOf(ofRcs)).toEqual(['CANCELLED'])
  const left = [other, planned, falls].map((id) => id as MessageId)
  expect(await statusesOf(left)).toEqual(['QUEUED', 'QUEUED', 'QUEUED'])

  await world.askAdmin('POST', '/carriers/second/resume')
  await world.pass(30)
  expect(await statusesOf([other as MessageId])).toEqual(['DELIVERED'])
})

test('an unknown carrier is not found, nothing is discarded without a confirmation, and readers discard nothing', async () => {
  expect(await world.askAdmin('GET', '/carriers/nowhere/queue')).toMatchObject({ status: 404 })
  expect(await world.askAdmin('POST', '/carriers/second/queue/discard', { body: {} })).toMatchObject({ status: 400 })
  await world.askAdmin('POST', '/users', { body: { user: 'susi', role: 'support' } })
  const { token } = (await world.askAdmin('POST', '/users/susi/tokens', { body: { label: 'office' } })).body
  const asked = { body: { confirm: true }, token: String(token) }
  expect(await world.askAdmin('POST', '/carriers/second/queue/discard', asked)).toMatchObject({ status: 403 })
})
