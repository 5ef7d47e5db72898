/**
 * An operator tests a carrier: the message takes this carrier alone, costs the account nothing, and is none of the
 * client's.
 */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { MessageId } from '../../src/domain/ids/message-id.ts'
import { addCarrier } from '../../src/operations/admin/carriers/carrier.ts'
import { SANDBOX_CARRIERS } from '../../src/sandbox/set-up.ts'
import { type Smsc, startSmsc } from '../../src/simulator/smpp/smsc.ts'
import { CommandLine } from '../support/command-line.ts'
import { settled } from '../support/eventually.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'
import { SeededRandom } from '../support/seeded-random.ts'

const SENDER = 'Unapproved'
/** Longer than a carrier may not be tested again. */
const PAUSE_SECONDS = 11

let world: SandboxWorld
let smsc: Smsc
let line: CommandLine
beforeAll(async () => {
  world = await SandboxWorld.start()
  const login = { systemId: 'second', password: 'secret' }
  smsc = await startSmsc({ clock: world.clock, random: new SeededRandom(2), traffic: world.box.traffic, ...login })
  const settings = { host: '127.0.0.1', port: smsc.port, ...login }
  await world.operate((store) => addCarrier(store, () => {}, { id: 'second', kind: 'smpp', settings, route: null }))
  await world.carriersUp()
  line = new CommandLine({ clock: world.clock })
})
beforeEach(() => world.pass(PAUSE_SECONDS))
afterAll(async () => {
  line.close()
  await world.stop()
  await smsc.stop()
})

let lastPhone = 0
/** 00 gets every SMS, 09 none. */
function freshPhone(ending = '00'): string {
  lastPhone += 1
  return `49170180${10 + lastPhone}${ending}`
}

const ask = (id: string, body: object, token?: string) =>
  world.askAdmin('POST', `/carriers/${id}/test`, token === undefined ? { body } : { body, token })

async function begin(to: string): Promise<MessageId> {
  const { status, body } = await ask('second', { to, sender: SENDER, account: 1 })
  expect({ status, body }).toEqual({
    status: 200,
    body: { message: expect.any(Number), account: 1, sender: SENDER, parts: 1 },
  })
  return body['message'] as MessageId
}

test('it needs no route, no approved sender, no price and no money, and the client gets no report', async () => {
  const to = freshPhone()
  const { account } = (await world.askAdmin('POST', '/accounts', { body: { name: 'Poor', currency: 'USD' } })).body
  const { body } = await ask('second', { to, sender: SENDER, account, text: 'Hello' })
  await world.pass(5)
  const { message, postings } = await world.trace(body['message'] as MessageId)
  expect(message).toMatchObject({ accountId: account, hook: null, journey: { status: 'DELIVERED', reports: 0 } })
  expect(message.journey.steps[0]?.carrierId).toBe('second')
  expect(postings.filter(({ amountMicros }) => amountMicros !== 0)).toEqual([])
  expect(world.box.traffic.to(to)).toMatchObject([{ text: 'Hello' }])
  const { timeline } = (await world.askAdmin('GET', `/messages/${body['message']}`)).body
  expect(timeline).toMatchObject([{ component: 'operator', event: 'accepted' }, {}, {}])
  const { body: audit } = await world.askAdmin('GET', '/audit?most=1')
  expect(audit['data']).toMatchObject([{ action: 'testCarrier', after: { sent: 'sms', tested_carrier: 'second' } }])
})

test('hooks of the client get no report of it', async () => {
  const hook = { type: 'hook/create', hook: `${world.sink.address}/own` }
  expect(await world.ask([hook])).toMatchObject({ data: [{ success: true }] })
  const before = world.sink.calls.length
  const id = await begin(freshPhone())
  await world.pass(5)
  expect((await world.trace(id)).message.journey.status).toBe('DELIVERED')
  expect(world.sink.calls).toHaveLength(before)
})

test('it takes nothing of the limits of its account, and they do not stop it', async () => {
  const { body: limited } = await world.askAdmin('POST', '/accounts', { body: { name: 'Limited' } })
  const limits = { body: { velocity_limits: ['1 per phone in 3600 seconds'] } }
  expect((await world.askAdmin('PATCH', `/accounts/${limited['account']}`, limits)).status).toBe(200)
  const to = freshPhone()
  for (const text of ['first', 'second']) {
    await world.pass(PAUSE_SECONDS)
    const { body } = await ask('second', { to, sender: SENDER, account: limited['account'], text })
    expect(body).toMatchObject({ message: expect.any(Number) })
  }
  await world.pass(5)
  expect(world.box.traffic.to(to).map(({ text }) => text)).toEqual(['first', 'second'])
})

test('it waits for its carrier, over a restart, and takes no other one that has a route', async () => {
  await smsc.goDown()
  const to = freshPhone()
  const id = await begin(to)
  await world.pass(30)
  await world.stopGateway()
  await smsc.comeBack()
  await world.startGateway()
  await world.pass(30)
  const { journey } = (await world.trace(id)).message
  expect(journey).toMatchObject({ status: 'DELIVERED', steps: [{ carrierId: 'second' }] })
  expect(world.box.traffic.to(to)).toHaveLength(1)
})

test('it ends after five minutes in which its carrier does not take it', async () => {
  await smsc.goDown()
  const id = await begin(freshPhone())
  await world.passInSilence(290)
  expect((await world.trace(id)).message.journey.phase).toBe('open')
  await world.passInSilence(20)
  expect((await world.trace(id)).message.journey).toMatchObject({ phase: 'ended', status: 'EXPIRED' })
  await smsc.comeBack()
  await world.carriersUp()
})

test('it does not reach a phone that has opted out, and does not wait for the end of quiet hours', async () => {
  const [optedOut, other] = [freshPhone(), freshPhone()]
  await world.askAdmin('POST', '/accounts/1/opt-outs', { body: { phone: optedOut } })
  const filtered = await begin(optedOut)
  await world.pass(PAUSE_SECONDS)
  expect(await world.askAdmin('PATCH', '/guards', { body: { quiet_hours: '00:00-23:59' } })).toMatchObject({
    status: 200,
  })
  const sent = await begin(other)
  await world.pass(5)
  await world.askAdmin('PATCH', '/guards', { body: { quiet_hours: null } })
  expect((await world.trace(filtered)).message.journey.status).toBe('FILTERED')
  expect((await world.trace(sent)).message.journey.status).toBe('DELIVERED')
})

test('it is refused with the field that is wrong, and a carrier is tested once in ten seconds', async () => {
  const [to, account, sender] = [freshPhone(), 1, SENDER]
  await world.askAdmin('POST', '/accounts', { body: { name: 'Other' } })
  const wrong = (field: string, detail: string) => ({ status: 422, body: { errors: [{ field, detail }] } })
  expect(await ask('second', { to: '12', account, sender })).toMatchObject(wrong('to', 'Invalid phone number'))
  expect(await ask('second', { to, sender })).toMatchObject(wrong('account', 'required: there are several'))
  expect(await ask('second', { to, account, sender, text: 'x'.repeat(1_001) })).toMatchObject({ status: 400 })
  expect(await ask('second', { to, account })).toMatchObject(wrong('sender', 'required'))
  expect(await ask('unknown', { to, account, sender })).toMatchObject({ status: 404 })
  expect(await ask(SANDBOX_CARRIERS.call, { to, account, sender })).toMatchObject({
    status: 422,
    body: {
      detail: `carrier ${SANDBOX_CARRIERS.call} serves call: only carriers of rcs, chatapp, sms are tested by a message`,
    },
  })
  await world.askAdmin('POST', '/carriers/second/drain')
  expect(await ask('second', { to, account, sender })).toMatchObject({
    body: { detail: expect.stringContaining('draining') },
  })
  await world.askAdmin('POST', '/carriers/second/resume')
  expect(await ask('second', { to, account, sender })).toMatchObject({ status: 200 })
  expect(await ask('second', { to, account, sender })).toMatchObject({
    status: 429,
    body: { detail: 'carrier second was tested just now: wait 10 seconds' },
  })
  await world.askAdmin('POST', '/users', { body: { user: 'finn', role: 'finance' } })
  const { token } = (await world.askAdmin('POST', '/users/finn/tokens', { body: { label: 'test' } })).body
  expect(await ask('second', { to, account, sender }, String(token))).toMatchObject({ status: 403 })
})

test('the command prints the timeline as it grows, and fails unless the message was delivered', async () => {
  line.environment = { POSTHORN_SERVER: world.gateway.adminAddress, POSTHORN_TOKEN: world.adminToken }
  const run = (to: string) =>
    settled(
      'the test to end',
      line.run(`carrier test --id second --account 1 --sender ${SENDER} --to ${to}`.split(' ')),
      world.clock,
    )
  const good = await run(freshPhone())
  expect(good).toMatchObject({ exitCode: 0, err: '' })
  expect(good.out).toMatch(
    /^Message \d+\n\S+Z {2}accepted .*\n(.*\n)*\S+Z {2}taken .*\n\S+Z {2}delivered .*\nDELIVERED\n$/,
  )
  await world.pass(PAUSE_SECONDS)
  const bad = await run(freshPhone('09'))
  expect(bad).toMatchObject({
    exitCode: 1,
    err: expect.stringMatching(/^error: the test ended \w+: posthorn trace \d+ shows why\n$/),
  })
})
