/** A program of Kannel sends, gets its callbacks, and answers what recipients write. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { approvedSender } from '../../src/domain/accounts/sender.ts'
import { changeAccount } from '../../src/operations/admin/accounts/accounts.ts'
import { HookSink, type SinkAnswer } from '../support/hook-sink.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'

const ANNA = '37120000100'
const HOUR = 3_600

let world: SandboxWorld
let program: HookSink
let password: string
beforeEach(async () => {
  world = await SandboxWorld.start(undefined, undefined, { apis: 'json,kannel' })
  program = await HookSink.open(world.clock)
  await world.operate((store) =>
    store.change({ kind: 'set sender', sender: approvedSender(world.accountId, 'sms', '1234') }),
  )
  const { body } = await world.askAdmin('POST', '/accounts/1/logins', { body: { name: 'shop' } })
  password = String(body['password'])
  await world.pass(2)
})
afterEach(async () => {
  await world.stop()
  await program.close()
})

async function sendsms(fields: Readonly<Record<string, string>>): Promise<string> {
  const query = new URLSearchParams({ username: 'shop', password, from: 'SMSTest', to: ANNA, text: 'Hello', ...fields })
  const response = await fetch(`${world.gateway.address}/cgi-bin/sendsms?${query}`)
  return `${response.status} ${await response.text()}`
}

const paths = () => program.calls.map(({ path }) => path)
const got = (phone: string) => world.box.traffic.to(phone).map(({ sender, text }) => [sender, text])

async function give(number: object): Promise<void> {
  const body = { carrier: 'sandbox-sms', address: '1234', account: 1, ...number }
  expect(await world.askAdmin('PUT', '/inbound-numbers', { body })).toMatchObject({ status: 200 })
  await world.pass(2)
}

async function writes(text: string, from = ANNA): Promise<void> {
  await world.box.smsc.write({ from, to: '1234', text })
  await world.pass(2)
}

const says = (text: string, more: Partial<SinkAnswer> = {}): SinkAnswer => {
  return { status: 200, headers: { 'content-type': 'text/plain' }, body: Buffer.from(text), ...more }
}

test('RapidPro sends, and gets what it asked for: accepted, then delivered', async () => {
  const callback = `${program.address}?uuid=8eb2&status=%d`
  const request = { to: `+${ANNA}`, 'dlr-mask': '27', 'dlr-url': callback }
  expect(await sendsms({ ...request, text: 'Привет ☺', coding: '2', charset: 'utf8' })).toBe(
    '202 0: Accepted for delivery',
  )
  await world.pass(5)
  expect(got(ANNA)).toEqual([['SMSTest', 'Привет ☺']])
  expect(paths()).toEqual(['/hook?uuid=8eb2&status=8', '/hook?uuid=8eb2&status=1'])
})

test('a callback is repeated after the receiver and the gateway were down, and has the facts of its message', async () => {
  program.answer = () => ({ status: 500 })
  await sendsms({ to: `+${ANNA}`, 'dlr-mask': '3', 'dlr-url': `${program.address}?d=%d&p=%p&P=%P&n=%n` })
  await world.pass(3)
  await world.stopGateway()
  program.answer = () => ({ status: 200 })
  await world.startGateway()
  await world.pass(30)
  expect(new Set(paths())).toEqual(new Set(['/hook?d=1&p=%2B37120000100&P=SMSTest&n=shop']))
  const trace = await world.trace(await world.lastMessageTo(ANNA))
  expect(trace.reports).toMatchObject([{ state: 'sent', detail: 'HTTP 200' }])
})

test('a program without callbacks gets none, whatever the account reports', async () => {
  await sendsms({ 'dlr-url': `${program.address}?d=%d` })
  await world.pass(5)
  expect(paths()).toEqual([])
})

test('an inbound message is got, and its answer is sent from the number for the price of a message', async () => {
  await give({ keyword: 'win', hook: `kannel:${program.address}?from=%p&to=%P&key=%k&word=%s` })
  program.answer = () => says('You take part.')
  const { available } = await world.balances()
  await writes('WIN car')
  expect(paths()).toEqual([`/hook?from=%2B${ANNA}&to=1234&key=WIN&word=car`])
  expect(got(ANNA)).toEqual([['1234', 'You take part.']])
  expect((await world.balances()).available).toBe(available - 50_000)
  await writes('win more')
  expect(got(ANNA)).toHaveLength(2)
})

test('an answer is sent once, although the program is asked again', async () => {
  await give({ hook: `kannel:${program.address}?text=%a` })
  program.answer = () => (program.calls.length === 1 ? says('First', { status: 500 }) : says('Second'))
  await writes('Hello')
  expect(got(ANNA)).toEqual([])
  await world.pass(10)
  expect(got(ANNA)).toEqual([['1234', 'Second']])
  const { body } = await world.askAdmin('GET', '/inbound-messages?most=1')
  const [{ inbound: id } = { inbound: null }] = body['data'] as { inbound: number | null }[]
  expect(await world.askAdmin('POST', `/reports/${id}/0/resend`, { body: {} })).toMatchObject({ status: 200 })
  await world.pass(5)
  expect(program.calls).toHaveLength(3)
  expect(got(ANNA)).toHaveLength(1)
})

test.each<[string, SinkAnswer]>([
  ['empty', says('')],
  ['JSON', says('{"ok":true}', { headers: { 'content-type': 'application/json' } })],
])('an answer that is %s sends nothing', async (_, answer) => {
  await give({ hook: `kannel:${program.address}?text=%a` })
  program.answer = () => answer
  await writes('Hello')
  expect(program.calls).toHaveLength(1)
  expect(got(ANNA)).toEqual([])
})

test('a recipient who writes STOP gets no answer, and two machines do not answer each other without end', async () => {
  await give({ hook: `kannel:${program.address}?text=%a` })
  program.answer = () => says('Bye')
  await writes('STOP')
  expect(got(ANNA)).toEqual([])
  const other = '37120000200'
  for (let count = 0; count < 32; count += 1) await writes(`Answer ${count}`, other)
  expect(got(other)).toHaveLength(30)
  await world.passInSilence(1.1 * HOUR)
  await writes('And now?', other)
  expect(got(other)).toHaveLength(31)
})

test('a default hook in this form gets the final states of messages of any program', async () => {
  const settings = { defaultHook: `kannel:${program.address}?d=%d` }
  await world.operate((store) => changeAccount(store, { accountId: world.accountId, settings }))
  await world.pass(2)
  await sendsms({})
  await world.pass(5)
  expect(paths()).toEqual(['/hook?d=1'])
})
