/**
 * SMPP against other programs: the gateway's client at an SMSC by Perl's Net::SMPP, the simulated SMSC with the npm
 * package `smpp` as its client, and tshark as the decoder of every byte between gateway and simulator.
 */
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import smpp, { type PDU, type Session as SmppSession } from 'smpp'
import { afterEach, describe, expect, test } from 'vitest'
import { systemClock } from '../../src/app/system/system-clock.ts'
import { DebianProgram, findProgram } from '../support/debian-program.ts'
import { eventually, settled } from '../support/eventually.ts'
import { refOf, SMPP_ACCOUNT, SmppBench, smsSubmission } from '../support/smpp-bench.ts'
import { VirtualClock } from '../support/virtual-clock.ts'
import { WireTap } from './wire-tap.ts'

const LONG_GSM = 'The quick brown fox jumps over the lazy dog. '.repeat(8)
const LONG_UCS2 = 'Съешь ещё этих мягких французских булок. '.repeat(5)
const bench = new SmppBench()
const open: (() => Promise<void>)[] = []

afterEach(async () => {
  await bench.close()
  for (const close of open.splice(0).reverse()) await close()
})

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

const PERL = findProgram('perl', 'perl, libnet-smpp-perl', { words: ['-MNet::SMPP', '-e', '1'] })

describe.skipIf(PERL === null)("the gateway's client at an SMSC by Net::SMPP", () => {
  test('sends GSM, UCS-2 and long messages, and matches every receipt with a hexadecimal id written in decimal', async () => {
    const program = new DebianProgram()
    open.push(() => program.stop())
    const port = await freePort()
    program.start(PERL ?? '', [join(import.meta.dirname, 'net-smpp-smsc.pl'), String(port)])
    await program.listens('tcp', port)
    const receiptIds = { answer: 'hex', receipt: 'decimal' }
    const { carrier, inbox } = bench.startCarrier(port, systemClock, { receiptIds })
    await eventually('the bind', () => carrier.state().up)
    const refs: string[] = []
    for (const [text, parts] of [
      ['Hello {you}', [0]],
      ['Привет', [0]],
      [LONG_GSM, [0, 1, 2]],
    ] as const) {
      refs.push(...(await carrier.submit(smsSubmission(text, '37120000000', { parts }))).map(refOf))
    }
    await eventually('the receipts', () => inbox.receipts.length === 5)
    expect(inbox.receipts.map(({ ref, outcome }) => `${ref} ${outcome}`)).toEqual(refs.map((ref) => `${ref} delivered`))
    const hex = (text: string) => Buffer.from(text).toString('hex')
    const lines = program.said.trim().split('\n')
    expect(lines.slice(0, 2)).toEqual([
      `${hex('Posthorn')} ${hex('37120000000')} 00 00 ${hex('Hello ')}1b28${hex('you')}1b29`,
      `${hex('Posthorn')} ${hex('37120000000')} 00 08 041f04400438043204350442`,
    ])
    expect(lines.slice(2).map((line) => line.split(' ').slice(2, 4).join(' '))).toEqual(['40 00', '40 00', '40 00'])
    expect(
      lines
        .slice(2)
        .map((line) => Buffer.from(line.split(' ')[4]?.slice(12) ?? '', 'hex').toString())
        .join(''),
    ).toBe(LONG_GSM)
  })
})

const TSHARK = findProgram('tshark', 'tshark')

describe.skipIf(TSHARK === null)('every byte between gateway and simulator, as tshark reads it', () => {
  function ask(capture: string, filter: string, ...fields: readonly string[]): readonly string[][] {
    const words = ['-r', capture, '-Y', filter, '-T', 'fields', ...fields.flatMap((field) => ['-e', field])]
    const said = execFileSync(TSHARK ?? '', words, { stdio: ['ignore', 'pipe', 'ignore'] }).toString()
    return said
      .split('\n')
      .slice(0, -1)
      .map((line) => line.split('\t'))
  }

  test('in every form of bind, version and concatenation is valid, and long messages are joined', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'posthorn-capture-'))
    open.push(async () => rmSync(folder, { recursive: true }))
    const clock = new VirtualClock()
    const { smsc } = await bench.startSmsc(clock)
    const tap = new WireTap(smsc.port)
    const port = await tap.listen()
    open.push(() => tap.stop())
    const tlvs = [{ tag: '0x1400', value: '1101234567890123456' }]
    for (const [bindAs, concatenation, interfaceVersion, receipts] of [
      ['transceiver', 'udh8', '3.4', 8],
      ['transmitter and receiver', 'udh16', '3.3', 8],
      ['transceiver', 'sar', '5.0', 8],
      ['transceiver', 'payload', '3.4', 3],
    ] as const) {
      const { carrier, inbox } = bench.startCarrier(port, clock, { bindAs, concatenation, interfaceVersion, tlvs })
      await eventually('the binds', () => carrier.state().up && smsc.bound() === (bindAs === 'transceiver' ? 1 : 2))
      for (const [text, parts] of [
        ['Hello {you} for 5€', [0]],
        [LONG_GSM, [0, 1, 2]],
        [LONG_UCS2, [0, 1, 2, 3]],
      ] as const) {
        for (const verdict of await carrier.submit(smsSubmission(text, '37120000000', { parts }))) refOf(verdict)
      }
      expect(await carrier.submit(smsSubmission(`Hello by ${concatenation}`, '37120000012'))).toMatchObject([
        { kind: 'slow' },
      ])
      clock.advance(600)
      await eventually('the receipts', () => inbox.receipts.length === receipts && smsc.pending() === 0)
      clock.advance(30_000)
      await settled('the stop', carrier.stop(), clock)
      await eventually('the end', () => smsc.bound() === 0)
    }

    const capture = join(folder, 'smpp.pcap')
    tap.write(capture)
    expect(ask(capture, '_ws.malformed || _ws.expert || !smpp', 'frame.number', '_ws.expert.message')).toEqual([])
    const commands = ask(capture, 'smpp', 'smpp.command_id').flatMap(([ids = '']) => ids.split(','))
    const count = (id: number) => commands.filter((each) => Number(each) === id).length
    expect([count(0x00000004), count(0x80000004)]).toEqual([31, 31])
    expect([count(0x00000005), count(0x80000005)]).toEqual([27, 27])
    expect([count(0x00000006), count(0x80000006)]).toEqual([5, 5])
    expect(count(0x00000015)).toBeGreaterThan(0)
    const lengths = ask(capture, 'gsm_sms_ud.reassembled.length', 'gsm_sms_ud.reassembled.length').flat()
    const [gsm, ucs2] = [String(LONG_GSM.length), String(LONG_UCS2.length * 2)]
    expect(lengths).toEqual([gsm, ucs2, gsm, ucs2, gsm, ucs2])
  })
})

describe('the simulated SMSC with the npm package smpp as its client', () => {
  test('takes binds, messages of every form and unbinds, and has its receipts acknowledged', async () => {
    const clock = new VirtualClock()
    const { smsc, traffic } = await bench.startSmsc(clock)
    const client = await new Promise<SmppSession>((resolve) => {
      const session = smpp.connect({ host: '127.0.0.1', port: smsc.port }, () => resolve(session))
    })
    open.push(async () => client.close())
    const ask = (send: (answered: (answer: PDU) => void) => boolean) => new Promise<PDU>((resolve) => send(resolve))
    const login = { system_id: SMPP_ACCOUNT.systemId, password: SMPP_ACCOUNT.password }
    expect(await ask((done) => client.bind_transceiver({ ...login, password: 'wrong' }, done))).toMatchObject({
      command_status: 0x0e,
    })
    expect(await ask((done) => client.bind_transceiver(login, done))).toMatchObject({ command_status: 0 })
    const receipts: string[] = []
    client.on('deliver_sm', (pdu: PDU) => {
      receipts.push(String(pdu['receipted_message_id']))
      client.send(pdu.response())
    })
    const ids: string[] = []
    for (const fields of [
      { short_message: 'Hello' },
      { short_message: 'Привет', data_coding: 8 },
      { message_payload: 'x'.repeat(400) },
    ]) {
      const message = { source_addr: 'Npm', destination_addr: '37120000000', registered_delivery: 1, ...fields }
      const answer = await ask((done) => client.submit_sm(message, done))
      expect(answer.command_status).toBe(0)
      ids.push(String(answer['message_id']))
    }
    expect(traffic.arrivals.map(({ text }) => text)).toEqual(['Hello', 'Привет', 'x'.repeat(400)])
    clock.advance(600)
    await eventually('the receipts', () => smsc.pending() === 0)
    expect(receipts).toEqual(ids)
    expect(await ask((done) => client.unbind(done))).toMatchObject({ command: 'unbind_resp', command_status: 0 })
    await eventually('the end', () => smsc.bound() === 0)
  })
})
