/** A recipient asks for erasure: the steps of the operator, and what the gateway still knows afterwards. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { approvedSender } from '../../src/domain/accounts/sender.ts'
import { CommandLine } from '../support/command-line.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'
import { KEEPS_FILES } from '../support/store-of-run.ts'

const ANNA = '37120000100'
const BORIS = '37120000200'

let world: SandboxWorld
let line: CommandLine
beforeEach(async () => {
  world = await SandboxWorld.start()
  await world.operate((store) =>
    store.change({ kind: 'set sender', sender: approvedSender(world.accountId, 'sms', '1234') }),
  )
  line = new CommandLine()
  line.environment = { POSTHORN_SERVER: world.gateway.adminAddress, POSTHORN_TOKEN: world.adminToken }
})
afterEach(async () => {
  line.close()
  await world.stop()
})

const sms = (phone: string) => ({ type: 'sms', phone, sms_signature: '1234', sms_message: 'Sale!', id: `to-${phone}` })

async function writes(from: string, text: string): Promise<void> {
  expect(await world.box.smsc.write({ from, to: '1234', text })).toMatchObject({ answer: { status: 0 } })
}

async function stepsOf(item: object) {
  const id = await world.sendOne(item)
  await world.pass(5)
  return (await world.story(id)).steps
}

const statusOf = async (msg_id: number) => (await world.ask([{ type: 'status', msg_id }])).data?.[0]

test('nothing contains the phone any more, and opt-outs of the recipient still apply', async () => {
  const delivered = await world.sendOne(sms(ANNA))
  await world.pass(5)
  await writes(ANNA, 'STOP')
  const money = await world.balances()
  const before = await statusOf(delivered)

  // From standard input, so that no process list shows it.
  const ran = await line.run(['forget', '-', '--yes'], `+371 2000-0100\n`)
  expect(ran).toMatchObject({ exitCode: 0, err: '' })
  expect(ran.out).toMatch(/^Forgotten: 1 message, 1 reply\. Opt-outs that stay in force without the number: 1\.\n/)
  const [hash = ''] = /#[0-9a-f]{32}/.exec(ran.out) ?? []

  const after = await statusOf(delivered)
  expect(after?.data).toMatchObject({ msg_id: delivered, phone: null, status: 'DELIVERED' })
  // Its reports held the phone, and are gone with it.
  const { id, phone, reports } = before?.data ?? {}
  expect(after?.data).toMatchObject({ reports: { sent: 0, pending: 0, failed: 0 } })
  expect({ ...after?.data, id, phone, reports }).toEqual(before?.data)
  expect(await world.balances()).toEqual(money)
  const results = await Promise.all(
    [`/messages/${delivered}`, '/messages', '/inbound-messages', '/opt-outs', '/audit'].map((path) =>
      world.askAdmin('GET', path),
    ),
  )
  expect(results.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  expect(JSON.stringify([results, world.log.lines])).not.toContain(ANNA)
  expect(results.at(-1)?.body).toMatchObject({
    data: [{ action: 'forgetPhone', subject: `phone ${hash}`, after: { forgotten: { messages: 1, opt_outs: 1 } } }],
  })
  const found = (await world.askAdmin('POST', '/messages/find', { body: { phone: ANNA } })).body
  expect(found).toMatchObject({ data: [] })
  expect((await world.askAdmin('POST', '/opt-outs/find', { body: { phone: ANNA } })).body).toMatchObject({
    data: [{ phone: hash, by: 'word' }],
  })

  await world.stopGateway()
  await world.startGateway()
  expect(await stepsOf(sms(ANNA))).toEqual(['sms FILTERED'])
  expect(await stepsOf(sms(BORIS))).toEqual(['sms DELIVERED'])
  await writes(ANNA, 'START')
  expect(await stepsOf(sms(ANNA))).toEqual(['sms DELIVERED'])
})

test('messages under way end first, and until then nothing is erased', async () => {
  const sendAt = new Date(world.clock.now() + 60_000).toISOString()
  const waits = await world.sendOne({ ...sms(ANNA), send_at: sendAt })
  const before = await statusOf(waits)
  expect(await line.run(['forget', ANNA, '--yes'])).toMatchObject({
    exitCode: 1,
    err: 'error: the phone cannot be erased yet: 1 message to it has not ended\n',
  })
  expect(await statusOf(waits)).toEqual(before)
  await world.pass(70)
  expect(await line.ask(['forget', ANNA, '--yes'])).toMatchObject({ messages: 1 })
})

test('a later receipt changes nothing and does not restore the phone', async () => {
  const phone = '37120000106'
  const id = await world.sendOne({ type: 'rcs', phone, rcs_signature: 'RCSTest', rcs_message: 'Hello' })
  for (let looks = 0; (await world.trace(id)).message.journey.status !== 'DELIVERED'; looks += 1) {
    expect(looks).toBeLessThan(50)
    await world.pass(0.1)
  }
  expect(await line.ask(['forget', phone, '--yes'])).toMatchObject({ messages: 1 })
  const after = await world.trace(id)
  await world.pass(30)
  expect(await world.trace(id)).toEqual(after)
  expect(after.timeline.map(({ kind }) => kind)).toEqual(['taken', 'delivered'])
})

test('without --yes the command says what it would erase, and erases nothing', async () => {
  const id = await world.sendOne(sms(ANNA))
  await world.pass(5)
  const before = await statusOf(id)
  expect(await line.run(['forget', ANNA])).toMatchObject({
    exitCode: 1,
    err: expect.stringMatching(/^error: nothing was erased yet.* of 1 message, .* Add --yes/),
  })
  expect(await statusOf(id)).toEqual(before)
})

test('a wrong number, and a user without the right, get an error', async () => {
  expect((await line.run(['forget', 'Anna'])).err).toBe(
    'error: <phone>: must be a possible phone number with its country code, such as 37120000000, or a user id, such as US.13491208655302741918\n',
  )
  await world.askAdmin('POST', '/users', { body: { user: 'sam', role: 'support' } })
  const { body } = await world.askAdmin('POST', '/users/sam/tokens', { body: { label: 'support' } })
  const refused = await world.askAdmin('POST', '/forgotten-phones', {
    body: { phone: ANNA },
    token: String(body['token']),
  })
  expect(refused).toMatchObject({ status: 403, body: { detail: expect.stringContaining('owner and operator may') } })
})

test.runIf(KEEPS_FILES)(
  'while the gateway is stopped the command does the same on the data folder, and leaves no byte',
  async () => {
    const delivered = await world.sendOne(sms(ANNA))
    await world.pass(5)
    await world.stopGateway()
    line.environment = { POSTHORN_DATA_DIR: world.dataDir }
    expect(await line.ask(['forget', ANNA, '--yes'])).toMatchObject({ messages: 1, leftovers: 'none' })
    await world.startGateway()
    expect((await statusOf(delivered))?.data).toMatchObject({ phone: null, status: 'DELIVERED' })
  },
)
