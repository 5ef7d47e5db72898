/**
 * An operator's first day on a fresh installation, walked twice: by the command line alone and by the admin API alone.
 * Account, key, sender, tariff, carrier, route, first message, top-up, statement, key rotation, suspension; at the end
 * the book is right and the audit log records every step.
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Gateway, startGateway } from '../../src/app/gateway.ts'
import { readConfig } from '../../src/app/settings/config.ts'
import { PhoneTraffic } from '../../src/simulator/phones/traffic.ts'
import { type Smsc, startSmsc } from '../../src/simulator/smpp/smsc.ts'
import { askAdminApi } from '../support/ask-admin-api.ts'
import { CommandLine } from '../support/command-line.ts'
import { eventually, settled } from '../support/eventually.ts'
import { SeededRandom } from '../support/seeded-random.ts'
import { SilentLog } from '../support/silent-log.ts'

const SMPP = { systemId: 'posthorn', password: 'secret77' }
const PHONE = '4917012345699'

let line: CommandLine
let gateway: Gateway
let smsc: Smsc
let traffic: PhoneTraffic

beforeEach(async () => {
  line = new CommandLine()
  const tools = { clock: line.clock, random: new SeededRandom() }
  traffic = new PhoneTraffic()
  smsc = await startSmsc({ ...tools, ...SMPP, traffic })
  const config = readConfig({ port: '0', 'admin-port': '0', 'data-dir': line.dataDir }, {})
  await line.init()
  gateway = await startGateway({ config, ...tools, log: new SilentLog() })
})
afterEach(async () => {
  await settled('the gateway to stop', gateway.stop(), line.clock)
  await smsc.stop()
  line.close()
})

type Facts = Readonly<Record<string, unknown>>

/** What an operator can do, whichever way. */
interface Hand {
  account(name: string): Promise<unknown>
  issueKey(name: string): Promise<string>
  rotateKey(name: string): Promise<string>
  approveSender(name: string): Promise<unknown>
  setPrice(price: number): Promise<unknown>
  addCarrier(id: string, settings: object): Promise<unknown>
  topUp(amount: number): Promise<Facts>
  statement(month: string): Promise<Facts>
  faults(): Promise<unknown>
  setState(state: string): Promise<unknown>
  audit(): Promise<Facts>
}

function byCommands(): Hand {
  const ask = async (...words: readonly string[]) => {
    const answer = await line.ask(words)
    await gateway.refresh()
    return answer
  }
  return {
    account: (name) => ask('account', 'create', '--name', name),
    issueKey: async (name) => String((await ask('key', 'issue', '--account', '1', '--name', name))['key']),
    rotateKey: async (name) =>
      String((await ask('key', 'rotate', '--account', '1', '--name', name, '--overlap-seconds', '60'))['key']),
    approveSender: (name) => ask('sender', 'approve', '--account', '1', '--channel', 'sms', '--name', name),
    setPrice: (price) => ask('price', 'set', '--channel', 'sms', '--currency', 'EUR', '--price', String(price)),
    addCarrier: (id, settings) =>
      ask(
        ...['carrier', 'add', '--id', id, '--kind', 'smpp', '--prefix', '49'],
        ...Object.entries(settings).flatMap(([name, value]) => ['--set', `${name}=${value}`]),
      ),
    topUp: (amount) => ask('account', 'top-up', '--account', '1', '--amount', String(amount)),
    statement: (month) => ask('account', 'statement', '--account', '1', '--month', month),
    faults: async () => (await ask('ledger', 'verify'))['faults'],
    setState: (state) => ask('account', 'set', '--account', '1', '--state', state),
    audit: () => ask('audit', 'list', '--most', '1000'),
  }
}

async function byAdminApi(): Promise<Hand> {
  await line.ask(['user', 'add', '--user', 'anna', '--role', 'owner'])
  const { token } = await line.ask(['token', 'issue', '--user', 'anna', '--label', 'first day'])
  await gateway.refresh()
  const ask = async (method: string, path: string, body?: object): Promise<Facts> => {
    const headers = { authorization: `Bearer ${token}` }
    const answer = await askAdminApi(`${gateway.adminAddress}/admin/v1${path}`, method, body, headers)
    if (answer.status > 204) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  return {
    account: (name) => ask('POST', '/accounts', { name }),
    issueKey: async (name) => String((await ask('POST', '/accounts/1/keys', { name }))['key']),
    rotateKey: async (name) =>
      String((await ask('POST', `/accounts/1/keys/${name}/rotation`, { overlap_seconds: 60 }))['key']),
    approveSender: (name) => ask('POST', '/senders/approve', { account: 1, channel: 'sms', name }),
    setPrice: (price) => ask('PUT', '/prices', { channel: 'sms', currency: 'EUR', price }),
    addCarrier: (id, settings) => ask('PUT', `/carriers/${id}`, { kind: 'smpp', settings, route: { prefix: '49' } }),
    topUp: (amount) => ask('POST', '/accounts/1/top-ups', { amount, note: 'invoice 1' }),
    statement: (month) => ask('GET', `/accounts/1/statements/${month}`),
    faults: async () => (await ask('GET', '/ledger/faults'))['data'],
    setState: (state) => ask('PATCH', '/accounts/1', { state }),
    audit: () => ask('GET', '/audit?most=1000'),
  }
}

interface Sent {
  readonly success: boolean
  readonly error?: string
  readonly data?: readonly { readonly success: boolean; readonly error?: string; readonly data: Facts }[]
}

async function send(key: string): Promise<Sent> {
  const item = { type: 'sms', id: 1, phone: PHONE, sms_signature: 'Shop', sms_message: 'Your parcel is here.' }
  const response = await fetch(`${gateway.address}/api/json.php`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ auth: key, data: [item] }),
  })
  return (await response.json()) as Sent
}

async function walk(hand: Hand): Promise<void> {
  await hand.account('Example Shop')
  const key = await hand.issueKey('server')
  await hand.approveSender('Shop')
  await hand.setPrice(0.05)
  await hand.addCarrier('acme', { host: '127.0.0.1', port: smsc.port, ...SMPP })
  expect((await send(key)).data).toMatchObject([{ success: false, error: 'Insufficient funds' }])
  expect(await hand.topUp(10)).toMatchObject({ available: 10 })

  const sent = await send(key)
  expect(sent.data).toMatchObject([{ success: true, data: { parts: 1 } }])
  await eventually(
    'the message to be delivered',
    async () => {
      const [message] = await gateway.store.loadMessages([sent.data?.[0]?.data['msg_id'] as never])
      return message?.journey.status === 'DELIVERED'
    },
    { clock: line.clock },
  )

  const month = new Date(line.clock.now()).toISOString().slice(0, 7)
  expect(await hand.statement(month)).toMatchObject({
    ...{ currency: 'EUR', opening: 0, top_ups: 10, corrections: 0, charges: 0.05, closing: 9.95 },
    lines: [{ channel: 'sms', messages: 1, parts: 1, amount: 0.05 }],
  })
  expect(await hand.faults()).toEqual([])

  const next = await hand.rotateKey('server')
  for (const each of [key, next]) expect((await send(each)).success).toBe(true)
  line.clock.turnTo(line.clock.now() + 61_000)
  expect(await send(key)).toMatchObject({ success: false, error: 'Access denied' })
  expect((await send(next)).success).toBe(true)
  await hand.setState('suspended')
  expect(await send(next)).toMatchObject({ success: false, error: 'Access denied' })

  const entries = (await hand.audit())['data'] as readonly { readonly action: string }[]
  expect(new Set(entries.map(({ action }) => action))).toEqual(
    new Set([...entries.map(({ action }) => action), ...ACTIONS]),
  )
  expect(await gateway.store.verifyLedger()).toEqual([])
}

const ACTIONS = [
  'createAccount',
  'issueKey',
  'approveSender',
  'setPrice',
  'setCarrier',
  'topUp',
  'rotateKey',
  'changeAccount',
]

describe('the first day', () => {
  test('by the command line alone', () => walk(byCommands()))
  test('by the admin API alone', async () => walk(await byAdminApi()))
})
