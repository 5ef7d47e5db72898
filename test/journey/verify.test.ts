/** Verifications through the whole gateway: channels in order, one code to use once, one price and one report. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { MessageId } from '../../src/domain/ids/message-id.ts'
import { useOwnWorld } from '../support/own-world.ts'
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

async function start(phone: string, channels: readonly string[], fields: object = {}): Promise<MessageId> {
  const item = { type: 'verify/start', id: 'v', phone, channels, hook: world.sink.address, ...SENDERS, ...fields }
  const { data } = await world.ask([item])
  expect(data).toMatchObject([{ success: true, data: { id: 'v', channel: channels[0] } }])
  return data?.[0]?.data['verify_id'] as MessageId
}

async function check(verify_id: MessageId, ...codes: readonly string[]): Promise<readonly unknown[]> {
  const { data } = await world.ask(codes.map((code) => ({ type: 'verify/check', verify_id, code })))
  return (data ?? []).map((result) => (result.success ? result.data['status'] : result.error))
}

/** The code in what the phone got last: the digits of a text, or the end of the number that called. */
function codeAt(phone: string): string {
  const arrival = world.box.traffic.to(phone).at(-1)
  if (arrival === undefined) throw new Error(`nothing arrived at ${phone}`)
  return arrival.channel === 'call' ? arrival.text.slice(-4) : (/\d{4,8}/.exec(arrival.text)?.[0] ?? '')
}

const earned = async () => {
  const balances = await world.balances()
  return [balances.held, balances.earned - earnedBefore]
}

const wrongOf = (code: string) => String((Number(code) + 1) % 10 ** code.length).padStart(code.length, '0')

test('a call that fails before it rings is followed by an SMS at once; its code is approved once', async () => {
  const id = await start('491701300008', ['call', 'sms'])
  await world.pass(2)
  const code = codeAt('491701300008')
  expect(code).toMatch(/^\d{6}$/)
  expect(world.box.traffic.to('491701300008').at(-1)?.text).toBe(`Your code is ${code}.`)
  expect(await check(id, code, code)).toEqual(['approved', 'used'])
  expect(await check(id, code)).toEqual(['used'])
  await world.pass(1)
  expect(await world.story(id)).toEqual({
    steps: ['call UNDELIVERABLE', 'sms DELIVERED'],
    timeline: ['call refused', 'sms taken', 'sms delivered', 'sms approved'],
    revoked: [],
    money: ['hold 0.05', 'charge 0.05'],
    arrived: ['sms'],
    reports: ['approved by sms for 0.05'],
  })
  expect(await earned()).toEqual([0, 50_000])
})

test('the digits of a call are approved while it may be used, and only the call is paid for', async () => {
  const id = await start('491701300100', ['call', 'rcs', 'sms'])
  await world.pass(3)
  expect(await check(id, codeAt('491701300100'))).toEqual(['approved'])
  await world.pass(120)
  expect(await world.story(id)).toEqual({
    steps: ['call DELIVERED'],
    timeline: ['call taken', 'call unanswered', 'call approved'],
    revoked: [],
    money: ['hold 0.05', 'charge 0.02', 'release 0.03'],
    arrived: ['call'],
    reports: ['approved by call for 0.02'],
  })
})

test('a call whose code is not used in 30 seconds is followed by an SMS; either code is approved', async () => {
  const [first, second] = [await start('491701300200', ['call', 'sms']), await start('491701300300', ['call', 'sms'])]
  await world.pass(3)
  const called = codeAt('491701300200')
  await world.pass(30)
  expect(await check(first, called)).toEqual(['approved'])
  expect(await check(second, codeAt('491701300300'))).toEqual(['approved'])
  await world.pass(1)
  expect(await world.story(first)).toMatchObject({
    steps: ['call DELIVERED', 'sms DELIVERED'],
    money: ['hold 0.05', 'charge 0.05'],
    arrived: ['call', 'sms'],
    reports: ['approved by call for 0.05'],
  })
  expect(await world.story(second)).toMatchObject({
    steps: ['call EXPIRED', 'sms DELIVERED'],
    timeline: ['call taken', 'call unanswered', 'call expired', 'sms taken', 'sms delivered', 'sms approved'],
    money: ['hold 0.05', 'charge 0.05'],
    reports: ['approved by sms for 0.05'],
  })
  expect(await earned()).toEqual([0, 100_000])
})

test('a code goes by Telegram, which needs no sender, and is paid for once it is delivered', async () => {
  const id = await start('491701301900', ['telegram', 'sms'], { sms_signature: 'SMSTest' })
  await world.pass(1)
  expect(world.box.traffic.to('491701301900')).toMatchObject([{ channel: 'telegram', text: codeAt('491701301900') }])
  expect(await check(id, codeAt('491701301900'))).toEqual(['approved'])
  await world.pass(1)
  expect(await world.story(id)).toEqual({
    steps: ['telegram DELIVERED'],
    timeline: ['telegram taken', 'telegram delivered', 'telegram approved'],
    revoked: [],
    money: ['hold 0.05', 'charge 0.02', 'release 0.03'],
    arrived: ['telegram'],
    reports: ['approved by telegram for 0.02'],
  })
})

test('a phone without Telegram gets an SMS, and only that is paid for', async () => {
  const id = await start('491701301202', ['telegram', 'sms'])
  await world.pass(2)
  expect(await check(id, codeAt('491701301202'))).toEqual(['approved'])
  await world.pass(1)
  expect(await world.story(id)).toMatchObject({
    steps: ['telegram UNDELIVERABLE', 'sms DELIVERED'],
    money: ['hold 0.05', 'charge 0.05'],
    arrived: ['sms'],
  })
})

test('a code that Telegram does not deliver in time is revoked and follows by SMS; Telegram costs nothing', async () => {
  const id = await start('491701301305', ['telegram', 'sms'])
  await world.pass(65)
  expect(await check(id, codeAt('491701301305'))).toEqual(['approved'])
  await world.pass(1)
  expect(await world.story(id)).toMatchObject({
    steps: ['telegram EXPIRED', 'sms DELIVERED'],
    money: ['hold 0.05', 'charge 0.05'],
  })
})

test('a call as the second channel comes from its own number', async () => {
  const id = await start('491701300801', ['rcs', 'call'])
  await world.pass(3)
  expect(await check(id, codeAt('491701300801'))).toEqual(['approved'])
  await world.pass(1)
  expect(await world.story(id)).toMatchObject({
    steps: ['rcs UNDELIVERABLE', 'call DELIVERED'],
    money: ['hold 0.03', 'charge 0.02', 'release 0.01'],
    arrived: ['call'],
    reports: ['approved by call for 0.02'],
  })
})

test('of concurrent checks of the right code exactly one is approved, and wrong ones are all counted', async () => {
  const [right, wrong] = [await start('491701301100', ['sms']), await start('491701301200', ['sms'])]
  await world.pass(2)
  const [code, other] = [codeAt('491701301100'), wrongOf(codeAt('491701301200'))]
  const ten = Array.from({ length: 10 })
  const checks = [...ten.map(() => check(right, code)), ...ten.map(() => check(wrong, other))]
  const results = (await Promise.all(checks)).flat()
  expect(results.slice(0, 10).toSorted()).toEqual(['approved', ...Array(9).fill('used')])
  expect(results.slice(10).toSorted()).toEqual([...Array(6).fill('too_many'), ...Array(4).fill('wrong')])
  expect((await world.trace(wrong)).timeline.filter(({ kind }) => kind === 'wrong code').length).toBe(5)
})

test('a delivered RCS is not followed by another channel, and expires without a right code', async () => {
  const id = await start('491701300400', ['rcs', 'sms'], { lifetime: 120 })
  await world.pass(2)
  const code = codeAt('491701300400')
  expect(await check(id, wrongOf(code))).toEqual(['wrong'])
  await world.pass(120)
  expect(await check(id, code)).toEqual(['expired'])
  expect(await world.story(id)).toEqual({
    steps: ['rcs DELIVERED'],
    timeline: ['rcs taken', 'rcs delivered', 'rcs wrong code', 'rcs expired'],
    revoked: [],
    money: ['hold 0.05', 'charge 0.03', 'release 0.02'],
    arrived: ['rcs'],
    reports: ['expired by rcs for 0.03'],
  })
})

test('the fifth wrong code ends it: the right one is refused then', async () => {
  const id = await start('491701300500', ['sms'], { length: 8, text: 'Shop: {code} (do not share {code})' })
  await world.pass(2)
  const code = codeAt('491701300500')
  expect(world.box.traffic.to('491701300500').at(-1)?.text).toBe(`Shop: ${code} (do not share ${code})`)
  const wrong = wrongOf(code)
  const { data } = await world.ask([{ type: 'verify/check', id: 7, verify_id: id, code: wrong }])
  expect(data).toEqual([{ success: true, data: { id: 7, verify_id: id, status: 'wrong', attempts_left: 4 } }])
  expect(await check(id, wrong, wrong, wrong)).toEqual(['wrong', 'wrong', 'wrong'])
  expect(await check(id, wrong, code)).toEqual(['too_many', 'too_many'])
  await world.pass(1)
  expect(await world.story(id)).toMatchObject({ steps: ['sms DELIVERED'], reports: ['too_many by sms for 0.05'] })
})

test('a verification that no channel can carry fails at once and costs nothing', async () => {
  const id = await start('491701300601', ['rcs'])
  await world.pass(2)
  expect(await check(id, '123456')).toEqual(['failed'])
  expect(await world.story(id)).toMatchObject({
    steps: ['rcs UNDELIVERABLE'],
    money: ['hold 0.03', 'release 0.03'],
    reports: ['failed by rcs for 0'],
  })
  expect(await earned()).toEqual([0, 0])
})

test('a call that rang waits for its code although the channel after it failed, and is paid for at the end', async () => {
  const id = await start('491701300702', ['call', 'rcs'], { lifetime: 60 })
  await world.pass(3)
  const code = codeAt('491701300702')
  await world.pass(30)
  expect((await world.trace(id)).message.journey).toMatchObject({ phase: 'carried', status: 'ACCEPTED' })
  await world.pass(30)
  expect(await check(id, code)).toEqual(['expired'])
  expect(await world.story(id)).toMatchObject({
    steps: ['call EXPIRED', 'rcs UNDELIVERABLE'],
    money: ['hold 0.03', 'charge 0.02', 'release 0.01'],
    reports: ['expired by rcs for 0.02'],
  })
})

test('a gateway that starts again between two channels goes on, and knows the codes and the wrong ones', async () => {
  await useOwnWorld(world, (used) => {
    world = used
  })
  earnedBefore = (await world.balances()).earned
  const id = await start('491701300900', ['call', 'sms'])
  await world.pass(3)
  expect(await check(id, wrongOf(codeAt('491701300900')))).toEqual(['wrong'])
  await world.stopGateway()
  await world.startGateway()
  await world.pass(32)
  const code = codeAt('491701300900')
  await world.stopGateway()
  await world.startGateway()
  expect(await check(id, code, code)).toEqual(['approved', 'used'])
  await world.pass(1)
  expect(await world.story(id)).toMatchObject({
    arrived: ['call', 'sms'],
    money: ['hold 0.05', 'charge 0.05'],
    reports: ['approved by sms for 0.05'],
  })
  expect(await earned()).toEqual([0, 50_000])
  expect(await world.gateway.store.counts()).toMatchObject({ open: 0, pendingReports: 0 })
})

test('no code is in the timeline, the trace, the log or a report', async () => {
  const id = await start('491701301000', ['sms'], { length: 8 })
  await world.pass(2)
  const code = codeAt('491701301000')
  await check(id, wrongOf(code), code)
  await world.pass(1)
  const { message, ...trace } = await world.trace(id)
  const { body } = await world.askAdmin('GET', `/messages/${id}`)
  const seen = JSON.stringify([trace, message.journey, body, world.log.lines, world.reports])
  expect(seen).toContain('wrong code')
  expect(seen).toMatch(/sms, a verification until 2026-01-01T/)
  expect(seen).not.toContain(code)
  expect(seen).not.toContain(wrongOf(code))
})

test('each is counted once, by how it ended, for the carrier and the operator of its last channel', async () => {
  const linesOf = async () => {
    const { body } = await world.askAdmin('GET', '/verifications/statistics')
    const { data } = body as { readonly data: readonly Readonly<Record<string, unknown>>[] }
    return new Map(data.map((line) => [line['carrier'], line]))
  }
  const before = await linesOf()
  const added = async (carrier: string, name: string) =>
    Number((await linesOf()).get(carrier)?.[name] ?? 0) - Number(before.get(carrier)?.[name] ?? 0)
  const [approved, unused, failed] = [
    await start('491701301308', ['call', 'sms']),
    await start('491701301400', ['sms'], { lifetime: 60 }),
    await start('491701301501', ['rcs']),
  ]
  await world.pass(2)
  await check(approved, codeAt('491701301308'))
  await world.pass(60)
  expect(await check(approved, codeAt('491701301308'))).toEqual(['used'])
  expect(await check(unused, '000000')).toEqual(['expired'])
  expect(await check(failed, '000000')).toEqual(['failed'])
  expect([await added('sandbox-sms', 'started'), await added('sandbox-sms', 'approved')]).toEqual([2, 1])
  expect([await added('sandbox-sms', 'expired'), await added('sandbox-rcs', 'failed')]).toEqual([1, 1])
  const { body } = await world.askAdmin('GET', '/calls/statistics')
  expect(
    (body as { readonly data: readonly { readonly carrier: string }[] }).data.map(({ carrier }) => carrier),
  ).toEqual(['sandbox-voice'])
})

test('its report can be read from the event feed', async () => {
  const id = await start('491701301600', ['sms'], { hook: 'feed:' })
  await world.pass(2)
  await check(id, codeAt('491701301600'))
  await world.pass(1)
  const { data } = await world.ask([{ type: 'event/list' }])
  const events = data?.[0]?.data['events'] as readonly object[]
  expect(events.filter((event) => 'verify_id' in event)).toMatchObject([
    { type: 'verify.status', verify_id: id, status: 'approved' },
  ])
})
