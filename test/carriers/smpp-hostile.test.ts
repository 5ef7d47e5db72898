/**
 * An SMSC that does everything wrong. The carrier stays within its limits, loses nothing that was recorded, and works
 * again once the SMSC does.
 */
import { afterEach, expect, test } from 'vitest'
import { encodeGsm } from '../../src/domain/text/gsm-alphabet.ts'
import { PduWriter } from '../../src/wire/smpp/pdu-writer.ts'
import { deliverSm } from '../support/deliver-sm.ts'
import { eventually, settled } from '../support/eventually.ts'
import { refOf, SmppBench, smsSubmission } from '../support/smpp-bench.ts'

const bench = new SmppBench()

afterEach(() => bench.close())

function bytesOf(text: string, sequence: number): Buffer {
  const writer = new PduWriter()
  writer.write(deliverSm(encodeGsm(text)), sequence)
  return Buffer.from(writer.take())
}

const head = (length: number, command: number, sequence: number) => {
  const bytes = Buffer.alloc(16)
  bytes.writeUInt32BE(length, 0)
  bytes.writeUInt32BE(command, 4)
  bytes.writeUInt32BE(sequence, 12)
  return bytes
}

/** Each may cost the session, and nothing else. */
const ATTACKS: Readonly<Record<string, readonly Buffer[]>> = {
  'half a PDU, then the end': [bytesOf('half', 1).subarray(0, 20)],
  'a PDU in single bytes': [...bytesOf('slow', 1)].map((byte) => Buffer.of(byte)),
  'only zero bytes': [Buffer.alloc(4_096)],
  'a length of 15': [head(15, 5, 1)],
  'a length of four gigabytes': [head(0xffff_ffff, 5, 1)],
  'the longest PDU of noise': [Buffer.concat([head(65_536, 5, 1), Buffer.alloc(65_520, 0xff)])],
  'lengths that are one too short': [
    bytesOf('short', 1).fill(bytesOf('short', 1).length - 1, 3, 4),
    bytesOf('next', 2),
  ],
  'answers to nothing': Array.from({ length: 500 }, (_, index) => head(16, 0x8000_0004, index)),
  'unknown commands': Array.from({ length: 500 }, (_, index) => head(16, 0x0001_0200 + index, index)),
  binds: Array.from({ length: 200 }, (_, index) => Buffer.concat([head(23, 9, index), Buffer.alloc(7)])),
  enquiries: Array.from({ length: 2_000 }, (_, index) => head(16, 0x15, index)),
  'an unbind with the wrong answer': [head(16, 6, 1), head(16, 0x8000_0006, 77)],
}

test.each(Object.entries(ATTACKS))('%s costs at most the session', async (_, attack) => {
  const { smsc, carrier, clock, inbox, log } = await bench.startRaw({ enquireLinkMs: 3_600_000 })
  smsc.accepted = (peer) => {
    peer.react = ({ pdu, sequence }) => {
      if (pdu.command !== 'submit_sm') return
      peer.send({ command: 'submit_sm_resp', status: 0, messageId: `id-${sequence}`, tlvs: [] }, sequence)
    }
  }
  for (const bytes of attack) smsc.peer.write(bytes)
  smsc.peer.socket.end()
  await eventually('the loss', () => !carrier.state().up, { clock })
  await eventually('the bind', () => carrier.state().up && smsc.peers.length > 1, { clock })
  refOf((await settled('the verdict', carrier.submit(smsSubmission('Hello')), clock))[0])
  await smsc.peer.ask(deliverSm(encodeGsm('still here')), 1)
  expect(inbox.arrivals.at(-1)?.text).toBe('still here')
  expect(log.lines.filter(({ fields }) => 'head' in fields).length).toBeLessThanOrEqual(100)
})

test('a flood of texts is recorded once each, and reading pauses while they are written', async () => {
  const { smsc, inbox, carrier } = await bench.startRaw()
  const texts = 5_000
  for (let sequence = 1; sequence <= texts; sequence += 1)
    smsc.peer.write(bytesOf(`text ${sequence % 1_000}`, sequence))
  await eventually('the texts', () => inbox.arrivals.length === texts)
  await eventually('the answers', () => smsc.peer.all('deliver_sm_resp').length === texts)
  expect(carrier.state().up).toBe(true)
})
