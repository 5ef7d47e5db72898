/** Sending the code of a verification again, through the whole gateway: channels, codes, money, limits and restarts. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { MessageId } from '../../src/domain/ids/message-id.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'

let world: SandboxWorld
let earnedBefore: number
beforeAll(async () => {
  world = await SandboxWorld.start()
})
beforeEach(async () => {
  earnedBefore = (await world.balances()).earned
})
afterAll(() => world.stop())

const SENDERS = { sms_signature: 'SMSTest', rcs_signature: 'RCSTest', chatapp_signature: 'ChatTest' }

async function ask(item: object): Promise<Readonly<Record<string, unknown>> | string> {
  const { data } = await world.ask([item])
  const [result] = data ?? []
  return result?.success ? result.data : String(result?.error)
}

async function start(phone: string, channels: readonly string[], fields: object = {}): Promise<MessageId> {
  const item = { type: 'verify/start', phone, channels, hook: world.sink.address, ...SENDERS, ...fields }
  const started = (await ask(item)) as { readonly verify_id: MessageId }
  return started.verify_id
}

const resend = (verify_id: MessageId) => ask({ type: 'verify/resend', verify_id })
const check = (verify_id: MessageId, code: string) => ask({ type: 'verify/check', verify_id, code })
const codesAt = (phone: string) =>
  world.box.traffic
    .to(phone)
    .map(({ channel, text }) => (channel === 'call' ? 'call' : (/\d{4,8}/.exec(text)?.[0] ?? '')))

const earned = async () => {
  const balances = await world.balances()
  return [balances.held, balances.earned - earnedBefore]
}

test('a delivered code is sent again by a new message, paid for like the first, and checked once', async () => {
  const id = await start('491701302000', ['sms'])
  await world.pass(2)
  const again = (await resend(id)) as { readonly msg_id: MessageId }
  expect(again).toMatchObject({ verify_id: id, channel: 'sms', price: 0.05 })
  expect(again.msg_id).not.toBe(id)
  await world.pass(2)
  const [first = '', second, ...others] = codesAt('491701302000')
  expect([second, others]).toEqual([first, []])
  expect(await check(again.msg_id, first)).toBe('Verification not found')
  expect(await check(id, first)).toMatchObject({ status: 'approved' })
  expect(await check(id, first)).toMatchObject({ status: 'used' })
  await world.pass(1)
  expect(await world.story(id)).toMatchObject({
    money: ['hold 0.05', 'charge 0.05'],
    reports: ['approved by sms for 0.05'],
  })
  expect(await world.story(again.msg_id)).toMatchObject({
    steps: ['sms DELIVERED'],
    money: ['hold 0.05', 'charge 0.05'],
    reports: [],
  })
  expect(await earned()).toEqual([0, 100_000])
})

test('after a call the SMS that would follow comes at once and only once, as part of the verification', async () => {
  const id = await start('491701302100', ['call', 'sms'])
  await world.pass(3)
  expect(await resend(id)).toMatchObject({ verify_id: id, msg_id: id, channel: 'sms', price: 0 })
  await world.pass(60)
  const [called, code = '', ...others] = codesAt('491701302100')
  expect([called, others]).toEqual(['call', []])
  expect(await check(id, code)).toMatchObject({ status: 'approved' })
  await world.pass(1)
  expect(await world.story(id)).toMatchObject({
    steps: ['call EXPIRED', 'sms DELIVERED'],
    timeline: ['call taken', 'call unanswered', 'call resent', 'sms taken', 'sms delivered', 'sms approved'],
    money: ['hold 0.05', 'charge 0.05'],
    reports: ['approved by sms for 0.05'],
  })
  expect(await earned()).toEqual([0, 50_000])
})

test('a delivered RCS is repeated by RCS, with the SMS behind it', async () => {
  const id = await start('491701302200', ['rcs', 'sms'])
  await world.pass(2)
  const again = (await resend(id)) as { readonly msg_id: MessageId }
  expect(again).toMatchObject({ channel: 'rcs', price: 0.05 })
  await world.pass(2)
  expect(await world.story(again.msg_id)).toMatchObject({
    steps: ['rcs DELIVERED'],
    money: ['hold 0.05', 'charge 0.03', 'release 0.02'],
  })
  expect(await check(id, codesAt('491701302200')[1] ?? '')).toMatchObject({ status: 'approved' })
})

test('a call alone is not repeated, and neither is the code of a verification that has ended', async () => {
  const [call, ended] = [await start('491701302300', ['call']), await start('491701302400', ['sms'], { lifetime: 60 })]
  await world.pass(3)
  expect(await resend(call)).toBe('verify_id: the code of a call cannot be sent again, start another verification')
  await check(ended, codesAt('491701302400')[0] ?? '')
  expect(await resend(ended)).toBe('The verification has ended, start another one')
  const expired = await start('491701302500', ['sms'], { lifetime: 60 })
  await world.pass(61)
  expect(await resend(expired)).toBe('The verification has ended, start another one')
  expect(codesAt('491701302400')).toHaveLength(1)
})

test('a text before a failed call is repeated', async () => {
  const id = await start('491701302608', ['sms', 'call'])
  await world.pass(2)
  expect(await resend(id)).toMatchObject({ channel: 'sms', price: 0.05 })
  await world.pass(2)
})

test('the fourth message is refused, over a restart', async () => {
  const id = await start('491701302700', ['sms'])
  await world.pass(2)
  for (let count = 0; count < 2; count += 1) expect(await resend(id)).toMatchObject({ price: 0.05 })
  await world.stopGateway()
  await world.startGateway()
  expect(await resend(id)).toMatchObject({ price: 0.05 })
  await world.pass(2)
  expect(await resend(id)).toBe('verify_id: this code was sent again too often, start another verification')
  expect(new Set(codesAt('491701302700')).size).toBe(1)
  expect(codesAt('491701302700')).toHaveLength(4)
  expect(await earned()).toEqual([0, 200_000])
})

test('a message that repeats a code ends with the time of the code', async () => {
  const id = await start('491701302800', ['sms'], { lifetime: 100 })
  await world.pass(40)
  const { msg_id } = (await resend(id)) as { readonly msg_id: MessageId }
  const { message } = await world.trace(id)
  const again = await world.trace(msg_id)
  expect(again.message.journey.deadlineAt).toBeLessThanOrEqual(message.journey.verification?.expiresAt ?? 0)
  expect(JSON.stringify([again.timeline, await world.askAdmin('GET', `/messages/${msg_id}`)])).not.toContain(
    codesAt('491701302800')[0],
  )
})
