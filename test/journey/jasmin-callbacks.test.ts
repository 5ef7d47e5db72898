/** Callbacks of Jasmin's API from the whole gateway, and what survives its restart. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { LOGIN_PASSWORD } from '../support/build-message.ts'
import { LOGIN_REQUESTS } from '../support/login-requests.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'

const PHONE = '491701234500'
/** SMS to it are undeliverable. */
const UNREACHABLE = '491701234503'

let world: SandboxWorld
beforeEach(async () => {
  world = await SandboxWorld.start(60, undefined, { apis: 'jasmin,logins' })
  const body = { name: 'foo', password: LOGIN_PASSWORD, sender: 'SMSTest' }
  expect(await world.askAdmin('POST', '/accounts/1/logins', { body })).toMatchObject({ status: 200 })
  world.sink.answer = () => ({ status: 200, body: Buffer.from(' ACK/Jasmin\n') })
})
afterEach(() => world.stop())

async function send(values: Readonly<Record<string, string>>): Promise<string | undefined> {
  const login = { username: 'foo', password: LOGIN_PASSWORD }
  const query = new URLSearchParams({ ...login, to: PHONE, content: 'Hello', 'dlr-url': world.sink.address, ...values })
  const answer = await (await fetch(`${world.gateway.address}/send?${query}`)).text()
  return /Success "(.*)"/.exec(answer)?.[1]
}

/** The parameters of the calls, in their order. */
const calls = () =>
  world.sink.calls.map(({ path, body }) => Object.fromEntries(new URLSearchParams(body || path.split('?')[1])))

test('level 3 says what the carrier answered and how it ended, with GET if it is asked for', async () => {
  const id = await send({ 'dlr-level': '3', 'dlr-method': 'GET' })
  await world.pass(10)
  expect(calls()).toMatchObject([
    { id, level: '1', message_status: 'ESME_ROK', connector: 'sms' },
    { id, level: '2', message_status: 'DELIVRD', dlvrd: '001', err: '000', id_smsc: id, sub: '001' },
  ])
  expect(world.sink.calls.map(({ body }) => body)).toEqual(['', ''])
})

test('level 1 ends with what the carrier answered, and level 2 says only how it ended', async () => {
  const first = await send({ 'dlr-level': '1' })
  await world.pass(10)
  const second = await send({ 'dlr-level': '2', to: UNREACHABLE })
  await world.pass(10)
  expect(calls()).toMatchObject([
    { id: first, level: '1', message_status: 'ESME_ROK' },
    { id: second, level: '2', message_status: 'UNDELIV', dlvrd: '000', err: '001' },
  ])
})

test('a callback outlives the gateway', async () => {
  world.sink.answer = () => ({ status: 500 })
  const id = await send({ 'dlr-level': '2' })
  await world.pass(10)
  await world.stopGateway()
  world.sink.answer = () => ({ status: 200, body: Buffer.from('ACK/Jasmin') })
  const before = world.sink.calls.length
  await world.startGateway()
  await world.pass(1_000)
  expect(calls().slice(before)).toMatchObject([{ id, message_status: 'DELIVRD' }])
})

test('a code that a login server repeats after a restart is sent once', async () => {
  const post = () =>
    fetch(`${world.gateway.address}/logins/logto/foo`, {
      method: 'POST',
      headers: { Authorization: LOGIN_PASSWORD, 'Content-Type': 'application/json' },
      body: JSON.stringify(LOGIN_REQUESTS['logto']),
    })
  expect((await post()).status).toBe(200)
  await world.stopGateway()
  await world.startGateway()
  expect((await post()).status).toBe(200)
  await world.pass(10)
  expect(world.box.traffic.to(PHONE).map(({ text }) => text)).toEqual(['Your code is 482913.'])
})

test('passwords in addresses and headers do not reach the log', async () => {
  await send({ 'dlr-level': '3' })
  await send({ password: `${LOGIN_PASSWORD} wrong` })
  const basic = Buffer.from(`foo:${LOGIN_PASSWORD}`).toString('base64')
  await fetch(`${world.gateway.address}/secure/balance`, { headers: { Authorization: `Basic ${basic}` } })
  await fetch(`${world.gateway.address}/logins/logto/foo`, {
    method: 'POST',
    headers: { Authorization: LOGIN_PASSWORD },
  })
  await world.pass(10)
  const logged = JSON.stringify(world.log.lines)
  expect(
    [LOGIN_PASSWORD, encodeURIComponent(LOGIN_PASSWORD), basic].filter((secret) => logged.includes(secret)),
  ).toEqual([])
})
