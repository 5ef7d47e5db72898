/** RapidPro on both sides of Jasmin's API: it sends as its public source forms a request, and reads what comes back. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { decodeGsm } from '../../src/domain/text/gsm-alphabet.ts'
import { LOGIN_PASSWORD } from '../support/build-message.ts'
import type { SinkAnswer, SunkCall } from '../support/hook-sink.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'

const PHONE = '491701234500'
const CHANNEL = '/c/js/8eb23e93-5ecb-45ba-b726-3b064e0c56ab'
const ACK: SinkAnswer = { status: 200, body: Buffer.from('ACK/Jasmin') }

let world: SandboxWorld
let refuses = 0
beforeEach(async () => {
  world = await SandboxWorld.start(60, undefined, { apis: 'jasmin' })
  const body = { name: 'rapidpro', password: LOGIN_PASSWORD, sender: 'SMSTest' }
  expect(await world.askAdmin('POST', '/accounts/1/logins', { body })).toMatchObject({ status: 200 })
  refuses = 0
  world.sink.answer = (call) => {
    refuses -= 1
    return refuses >= 0 ? { status: 200, body: Buffer.from('later') } : receive(call)
  }
})
afterEach(() => world.stop())

const statuses: { id: string; status: string }[] = []
const texts: { from: string; to: string; text: string }[] = []
beforeEach(() => {
  statuses.length = 0
  texts.length = 0
})

/** Reads a call as RapidPro does, which answers everything that it cannot read with 400. */
function receive({ path, body }: SunkCall): SinkAnswer {
  const form = new Map(
    body.split('&').map((pair) => {
      const [name = '', value = ''] = pair.split('=')
      return [name, bytesOf(value)] as const
    }),
  )
  const text = (name: string) => form.get(name)?.toString() ?? ''
  if (path === `${CHANNEL}/status`) {
    const numbers = [text('dlvrd'), text('err')]
    if (text('id') === '' || !numbers.every((number) => /^\d+$/.test(number))) return { status: 400 }
    const known = ['ACCEPTD', 'UNKNOWN', 'UNDELIV', 'REJECTD', 'EXPIRED', 'DELETED', 'DELIVRD']
    const isSaid = known.includes(text('message_status')) || numbers.some((number) => Number(number) === 1)
    if (!isSaid) return { status: 400 }
    statuses.push({ id: text('id'), status: text('message_status') })
    return ACK
  }
  const content = form.get('content') ?? Buffer.alloc(0)
  if (['coding', 'from', 'to', 'id'].some((name) => text(name) === '')) return { status: 400 }
  texts.push({
    from: text('from'),
    to: text('to'),
    text: text('coding') === '0' ? decodeGsm(content) : content.toString(),
  })
  return ACK
}

function bytesOf(value: string): Buffer {
  const bytes = value
    .replaceAll('+', ' ')
    .replace(/%(..)/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1')
}

/** The values of a message as RapidPro sends them: GSM texts as they are, others in hexadecimal. */
async function send(values: Readonly<Record<string, string>>): Promise<string | undefined> {
  const query = new URLSearchParams({
    username: 'rapidpro',
    password: LOGIN_PASSWORD,
    from: 'SMSTest',
    to: PHONE,
    dlr: 'yes',
    'dlr-url': `${new URL(world.sink.address).origin}${CHANNEL}/status`,
    'dlr-level': '2',
    'dlr-method': 'POST',
    coding: '0',
    ...values,
  })
  const answer = await (await fetch(`${world.gateway.address}/send?${query}`)).text()
  return /Success "(.*)"/.exec(answer)?.[1]
}

test('RapidPro sends texts of both kinds, and learns that they were delivered', async () => {
  const first = await send({ content: 'Grüße 5 €' })
  const second = await send({ coding: '8', 'hex-content': Buffer.from('Привет ☺').toString('hex') })
  await world.pass(5)
  expect(world.box.traffic.to(PHONE).map(({ text }) => text)).toEqual(['Grüße 5 €', 'Привет ☺'])
  expect(statuses.toSorted((a, b) => Number(a.id) - Number(b.id))).toEqual([
    { id: first, status: 'DELIVRD' },
    { id: second, status: 'DELIVRD' },
  ])
})

test('a call that is not acknowledged is repeated', async () => {
  refuses = 2
  const id = await send({ content: 'Hello' })
  await world.pass(600)
  expect(world.sink.calls.length).toBe(3)
  expect(statuses).toEqual([{ id, status: 'DELIVRD' }])
})

test('RapidPro reads what a recipient writes, in both codings', async () => {
  const hook = `jasmin:${new URL(world.sink.address).origin}${CHANNEL}/receive? content=utf-8`
  const body = { carrier: 'sandbox-sms', address: '1234', account: 1, hook }
  expect(await world.askAdmin('PUT', '/inbound-numbers', { body })).toMatchObject({ status: 200 })
  for (const text of ['évènement à 5 €', 'Привет', 'plain'])
    await world.box.smsc.write({ from: PHONE, to: '1234', text })
  await world.pass(5)
  expect(texts).toEqual(['évènement à 5 €', 'Привет', 'plain'].map((text) => ({ from: PHONE, to: '1234', text })))
})
