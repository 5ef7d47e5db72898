/**
 * The SMPP server with programs that are not ours as its clients: Kannel, Perl's Net::SMPP and the npm package `smpp`.
 * They run in real time; the clock of the gateway is advanced from one of its timers to the next.
 */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import smpp, { type PDU } from 'smpp'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { makeSecrets } from '../../src/operations/request/logins.ts'
import { buildLogin } from '../support/build-message.ts'
import { findProgram } from '../support/debian-program.ts'
import { eventually } from '../support/eventually.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'
import { SeededRandom } from '../support/seeded-random.ts'
import { HAS_KANNEL, KannelBoxes } from './kannel-boxes.ts'

const PERL = findProgram('perl', 'perl, libnet-smpp-perl', { words: ['-MNet::SMPP', '-e', '1'] })
const SENDER = 'SMSTest'
/** Kannel sends no more than the eight characters of the standard. */
const PASSWORD = 'secret12'

let world: SandboxWorld
let port: number
beforeEach(async () => {
  world = await SandboxWorld.start(undefined, undefined, { apis: 'json,smpp', 'smpp-port': '0' })
  const secrets = makeSecrets(PASSWORD, null, new SeededRandom())
  const login = buildLogin({ accountId: world.accountId, name: 'program', secrets })
  await world.gateway.store.change({ kind: 'set client login', login })
  await world.gateway.refresh()
  port = world.gateway.smppPort ?? 0
})
afterEach(() => world.stop())

const soon = <T>(what: string, look: () => T | Promise<T>) => eventually(what, look, { clock: world.clock })
const arrivedAt = (phone: string) =>
  world.box.traffic
    .to(phone)
    .map(({ text }) => text)
    .join('')

describe.skipIf(!HAS_KANNEL)('Kannel', () => {
  const [TAKEN, DELIVERED, FAILED, REFUSED] = ['8', '1', '2', '16'] as const
  let boxes: KannelBoxes
  beforeEach(async () => {
    boxes = new KannelBoxes()
    await boxes.start({ smscPort: port, systemId: 'program', password: PASSWORD })
    const isBound = () => world.log.lines.some(({ line }) => line === 'an SMPP client is bound')
    await soon('Kannel to bind', isBound)
  })
  afterEach(() => boxes.stop())

  test.each([
    ['GSM', '37120000100', 'Hello {you} for 5€', {}],
    ['UCS-2', '37120000200', 'Привет 😀', { coding: '2' }],
    ['long GSM', '37120000300', 'The quick brown fox jumps over the lazy dog. '.repeat(8).trim(), {}],
    ['long UCS-2', '37120000400', 'Съешь ещё этих мягких французских булок. '.repeat(5).trim(), { coding: '2' }],
  ])('sends %s, and gets its delivery report', async (_, phone, text, coding) => {
    expect(await boxes.send(phone, text, { from: SENDER, ...coding })).toMatch(/^[03]: /)
    await soon('the receipts', () => boxes.states.get(phone)?.includes(DELIVERED))
    expect(boxes.states.get(phone)).toContain(TAKEN)
    expect(arrivedAt(phone)).toBe(text)
  })

  test('gets the reports of messages that were refused, and could not be delivered', async () => {
    await boxes.send('37120000503', 'Hello', { from: SENDER })
    await boxes.send('37120000600', 'Hello', { from: 'Other' })
    await soon('the receipt', () => boxes.states.get('37120000503')?.includes(FAILED))
    await soon('the refusal', () => boxes.states.get('37120000600')?.includes(REFUSED))
  })
})

describe.skipIf(PERL === null)('Net::SMPP', () => {
  test('submits, and gets its receipts', async () => {
    const script = join(import.meta.dirname, 'net-smpp-client.pl')
    const phone = '37120000700'
    const running = promisify(execFile)(PERL ?? '', [script, String(port), 'program', PASSWORD, SENDER, phone])
    let output = ''
    void running.then(({ stdout }) => {
      output = stdout
    })
    await soon('the end of the client', () => output !== '')
    const ids = [...output.matchAll(/^submitted 0 (\d+)$/gm)].map(([, id]) => id)
    expect(ids).toHaveLength(2)
    const receipts = [...output.matchAll(/^receipt id:(\d+) .* stat:DELIVRD /gm)].map(([, id]) => id)
    expect(receipts.toSorted()).toEqual(ids.toSorted())
    expect(
      world.box.traffic
        .to(phone)
        .map(({ text }) => text)
        .toSorted(),
    ).toEqual(['And again', 'Hello from Perl'])
  })
})

describe('the npm package smpp', () => {
  test('submits a long text in message_payload, and gets its receipt', async () => {
    const receipts: PDU[] = []
    const ids: unknown[] = []
    const session = smpp.connect({ host: '127.0.0.1', port }, () => {
      session.bind_transceiver({ system_id: 'program', password: PASSWORD }, (bound) => {
        expect(bound.command_status).toBe(0)
        const addresses = { source_addr: SENDER, source_addr_ton: 5, destination_addr: '37120000800' }
        session.submit_sm({ ...addresses, registered_delivery: 1, message_payload: 'Hello '.repeat(60) }, (answer) => {
          ids.push(answer['message_id'])
        })
      })
    })
    session.on('deliver_sm', (pdu: PDU) => {
      receipts.push(pdu)
      session.send(pdu.response())
    })
    await soon('the receipt', () => receipts.length > 0)
    expect(receipts.map((receipt) => receipt['receipted_message_id'])).toEqual(ids)
    expect(arrivedAt('37120000800')).toBe('Hello '.repeat(60))
    session.close()
  })
})
