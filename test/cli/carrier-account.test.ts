/** A carrier gets no other account while receipts from the present one are expected, unless the operator says so. */
import { writeFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { receiptAccounts } from '../../src/app/carriers/carrier-drivers.ts'
import type { JourneyEvent } from '../../src/domain/message/journey-event.ts'
import { DELIVERED_BY_ACME, TAKEN_BY_ACME } from '../support/acme-events.ts'
import { buildMessage, buildPlan } from '../support/build-message.ts'
import { CommandLine } from '../support/command-line.ts'
import { walkMessage } from '../support/walk-message.ts'

const ACME = { host: 'smsc.example', port: 2775, systemId: 'me', password: 'secret' }

describe('an SMPP carrier', () => {
  let line: CommandLine
  beforeEach(async () => {
    line = new CommandLine()
    await line.ask(['account', 'create', '--name', 'Shop'])
    await line.ask(['account', 'top-up', '--account', '1', '--amount', '1'])
    await add(ACME)
  })
  afterEach(() => line.close())

  const inFile = (content: object) => {
    const file = line.path('content.json')
    writeFileSync(file, JSON.stringify(content))
    return file
  }
  const add = (settings: object, ...more: readonly string[]) => {
    const words = ['--id', 'acme', '--kind', 'smpp', '--no-route', '--settings', inFile(settings)]
    return line.run(['carrier', 'add', ...words, ...more])
  }
  const set = (settings: object, ...more: readonly string[]) =>
    line.run(['carrier', 'set', '--id', 'acme', '--settings', inFile(settings), ...more])
  const apply = (settings: object, ...more: readonly string[]) => {
    const carriers = [{ id: 'acme', kind: 'smpp', channel: 'sms', settings }]
    return line.run(['config', 'apply', inFile({ carriers }), ...more])
  }
  const settings = async () => (await line.directory()).carriers[0]?.settings

  async function walk(events: readonly JourneyEvent[]): Promise<void> {
    const store = await line.openStore('gateway')
    await walkMessage(store, buildMessage({ plan: buildPlan('sms') }), events)
    await store.close()
  }

  const refusal = {
    exitCode: 1,
    err: expect.stringMatching(
      /carrier acme has taken 1 open message, whose receipts do not come to another account .*--lose-receipts/,
    ),
  }
  const done = { exitCode: 0, err: '' }
  const others = [
    { ...ACME, host: 'other.example' },
    { ...ACME, port: 2776 },
    { ...ACME, systemId: 'you' },
  ]

  test('keeps its account while messages that it has taken are open', async () => {
    await walk([TAKEN_BY_ACME])
    for (const other of others) {
      expect(await add(other)).toMatchObject(refusal)
      expect(await set(other)).toMatchObject(refusal)
      expect(await apply(other)).toMatchObject(refusal)
      expect(await apply(other, '--dry-run')).toMatchObject(refusal)
    }
    expect(await settings()).toEqual(ACME)
  })

  test('gets another account if the operator confirms it', async () => {
    await walk([TAKEN_BY_ACME])
    const [host = ACME, port = ACME, name = ACME] = others
    expect(await add(host, '--lose-receipts')).toMatchObject(done)
    expect(await settings()).toEqual(host)
    expect(await set(port, '--lose-receipts')).toMatchObject(done)
    expect(await settings()).toEqual(port)
    expect(await apply(name, '--lose-receipts')).toMatchObject(done)
    expect(await settings()).toEqual(name)
  })

  test('gets another account without a word once all messages have ended', async () => {
    await walk([TAKEN_BY_ACME, DELIVERED_BY_ACME])
    for (const other of others) expect(await set(other)).toMatchObject(done)
  })

  test('may change what does not concern receipts, and its hosts as long as one of them stays', async () => {
    await walk([TAKEN_BY_ACME])
    expect(await set({ password: 'new', throughput: 5, window: 20 })).toMatchObject(done)
    expect(await add({ ...ACME, host: 'SMSC.example', password: 'newer' })).toMatchObject(done)
    expect(await set({ backupHosts: ['b.example'], password: 'x' })).toMatchObject(done)
    expect(await apply({ ...ACME, host: 'b.example', backupHosts: ['c.example'] })).toMatchObject(done)
    expect(await add({ ...ACME, host: 'c.example' })).toMatchObject(done)
  })
})

describe('the accounts from which receipts come', () => {
  const accounts = (kind: string, settings: object) =>
    receiptAccounts({ id: 'x', channel: 'chatapp', kind, settings: { degradedAfter: { answers: 5 }, ...settings } })

  test('of an SMPP carrier are its name at each of its hosts', () => {
    const settings = { ...ACME, backupHosts: ['B.example:2776'] }
    expect(accounts('smpp', settings)).toEqual(['smsc.example 2775 me', 'b.example 2776 me'])
  })

  test('of other kinds are those of the service, whatever their secrets are', () => {
    const viber = { serviceId: 1, services: { Shop: 2 }, webhookToken: '0123456789abcdef0123' }
    expect(accounts('viber', viber)).toEqual(['1', '2'])
    const secrets = { accessToken: 'a', appSecret: 'b', verifyToken: 'c' }
    expect(accounts('whatsapp', { wabaId: '77', senders: { Shop: '2' }, ...secrets })).toEqual(['77'])
    const http = {
      request: { address: 'https://api.parrot.example/{{phone}}?k={{text}}' },
      answer: { id: { path: 'id' } },
    }
    const receipt = {
      auth: { kind: 'token', token: '0123456789abcdef0123' },
      id: 'id',
      status: 'status',
      outcomes: { OK: 'delivered' },
    }
    expect(accounts('http', { ...http, receipt })).toEqual(['https://api.parrot.example'])
    expect(accounts('http', http)).toEqual([])
  })

  test('are not known of calls, of settings that cannot be read and of kinds that do not exist', () => {
    expect([accounts('sip', { host: 'sbc.example' }), accounts('smpp', {}), accounts('fax', {})]).toEqual([[], [], []])
  })
})
