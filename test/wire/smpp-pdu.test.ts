import fc from 'fast-check'
import smpp from 'smpp'
import { describe, expect, test } from 'vitest'
import { COMMAND_IDS } from '../../src/wire/smpp/command.ts'
import { STATUS } from '../../src/wire/smpp/command-status.ts'
import { stateOfWord } from '../../src/wire/smpp/message-state.ts'
import type { Pdu, ShortMessage } from '../../src/wire/smpp/pdu.ts'
import { type Decoded, PduDecoder } from '../../src/wire/smpp/pdu-decoder.ts'
import { PduWriter } from '../../src/wire/smpp/pdu-writer.ts'
import { readReceiptText, writeReceiptText } from '../../src/wire/smpp/receipt-text.ts'
import { TAGS, textTlv } from '../../src/wire/smpp/tlv.ts'
import { readValidityPeriod, writeValidityPeriod } from '../../src/wire/smpp/validity-period.ts'

const byte = fc.integer({ min: 0, max: 255 })
const text = (maxLength: number) =>
  fc
    .array(fc.integer({ min: 1, max: 255 }), { maxLength })
    .map((units) => units.map((unit) => String.fromCharCode(unit)).join(''))
const bytes = (maxLength: number) => fc.uint8Array({ maxLength }).map((array) => Buffer.from(array))
const address = fc.record({ ton: byte, npi: byte, digits: text(20) })
const tlvs = fc.array(fc.record({ tag: fc.integer({ min: 0, max: 0xffff }), value: bytes(300) }), { maxLength: 4 })
const failure = fc.integer({ min: 1, max: 0xffff_ffff })
const sequence = fc.integer({ min: 0, max: 0xffff_ffff })

const shortMessage = (command: fc.Arbitrary<ShortMessage['command']>): fc.Arbitrary<ShortMessage> =>
  fc.record({
    command,
    serviceType: text(5),
    source: address,
    destination: address,
    esmClass: byte,
    protocolId: byte,
    priority: byte,
    scheduleTime: text(16),
    validityPeriod: text(16),
    registeredDelivery: byte,
    replaceIfPresent: byte,
    dataCoding: byte,
    defaultMessageId: byte,
    payload: bytes(254),
    tlvs,
  })

const destination = fc.oneof(
  fc.record({ kind: fc.constant('address' as const), address }),
  fc.record({ kind: fc.constant('list' as const), name: text(20) }),
)

const anyPdu: fc.Arbitrary<Pdu> = fc.oneof(
  fc
    .tuple(shortMessage(fc.constant('submit_sm' as const)), fc.array(destination, { maxLength: 254 }))
    .map(([{ destination: _one, ...message }, destinations]) => ({
      ...message,
      command: 'submit_multi' as const,
      destinations,
    })),
  fc.record({
    command: fc.constant('submit_multi_resp' as const),
    status: fc.constant(0),
    messageId: text(64),
    refused: fc.array(fc.record({ address, status: failure }), { maxLength: 254 }),
    tlvs,
  }),
  fc.record({ command: fc.constant('query_sm' as const), messageId: text(64), source: address }),
  fc.record({
    command: fc.constant('query_sm_resp' as const),
    status: fc.constant(0),
    messageId: text(64),
    finalDate: text(16),
    state: byte,
    errorCode: byte,
    tlvs,
  }),
  fc.record({
    command: fc.constant('cancel_sm' as const),
    serviceType: text(5),
    messageId: text(64),
    source: address,
    destination: address,
  }),
  fc.record({
    command: fc.constantFrom('cancel_sm_resp' as const, 'replace_sm_resp' as const),
    status: failure,
    tlvs,
  }),
  shortMessage(fc.constantFrom('submit_sm', 'deliver_sm')),
  fc.record({
    command: fc.constant('data_sm' as const),
    serviceType: text(5),
    source: address,
    destination: address,
    esmClass: byte,
    registeredDelivery: byte,
    dataCoding: byte,
    tlvs,
  }),
  fc.record({
    command: fc.constantFrom('bind_receiver' as const, 'bind_transmitter' as const, 'bind_transceiver' as const),
    systemId: text(15),
    password: text(8),
    systemType: text(12),
    interfaceVersion: byte,
    addressRange: address,
  }),
  fc.record({
    command: fc.constantFrom('bind_receiver_resp' as const, 'bind_transceiver_resp' as const),
    status: fc.constant(0),
    systemId: text(15),
    tlvs,
  }),
  fc.record({
    command: fc.constantFrom('submit_sm_resp' as const, 'deliver_sm_resp' as const, 'data_sm_resp' as const),
    status: fc.constant(0),
    messageId: text(64),
    tlvs,
  }),
  fc.record({
    command: fc.constantFrom('submit_sm_resp' as const, 'data_sm_resp' as const),
    status: failure,
    messageId: fc.constant(''),
    tlvs: fc.constant([]),
  }),
  fc.record({ command: fc.constantFrom('enquire_link' as const, 'unbind' as const) }),
  fc.record({
    command: fc.constantFrom('enquire_link_resp' as const, 'unbind_resp' as const, 'generic_nack' as const),
    status: failure,
  }),
)

function encode(...pdus: readonly (readonly [Pdu, number])[]): Buffer {
  const writer = new PduWriter()
  for (const [pdu, number] of pdus) writer.write(pdu, number)
  return writer.take()
}

/** Feeds the bytes in chunks of the given sizes, repeatedly. */
function decode(stream: Buffer, sizes: readonly number[] = [stream.length]): Decoded[] {
  const decoder = new PduDecoder()
  const all: Decoded[] = []
  for (let at = 0, turn = 0; at < stream.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1
    decoder.read(stream.subarray(at, at + size), (decoded) => all.push(decoded))
    at += size
  }
  return all
}

function decodeOne(stream: Buffer): Decoded | undefined {
  return decode(stream)[0]
}

/** A PDU written by hand. */
function raw(commandId: number, body: readonly number[], length = 16 + body.length): Buffer {
  const head = Buffer.alloc(16)
  head.writeUInt32BE(length, 0)
  head.writeUInt32BE(commandId, 4)
  head.writeUInt32BE(77, 12)
  return Buffer.concat([head, Buffer.from(body)])
}

const hello: ShortMessage = {
  command: 'submit_sm',
  serviceType: '',
  source: { ton: 5, npi: 0, digits: 'Posthorn' },
  destination: { ton: 1, npi: 1, digits: '37120000000' },
  esmClass: 0,
  protocolId: 0,
  priority: 0,
  scheduleTime: '',
  validityPeriod: '000000010000000R',
  registeredDelivery: 1,
  replaceIfPresent: 0,
  dataCoding: 0,
  defaultMessageId: 0,
  payload: Buffer.from('hello'),
  tlvs: [],
}

describe('a PDU', () => {
  test('is read as it was written, however the stream is split', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(fc.array(fc.tuple(anyPdu, sequence), { minLength: 1, maxLength: 6 }), sizes, (pdus, pieces) => {
        const expected = pdus.map(([pdu, number]) => ({ kind: 'pdu', sequence: number, pdu }))
        expect(decode(encode(...pdus), pieces)).toEqual(expected)
      }),
    )
  })

  test('keeps memory unchanged that was taken before', () => {
    const writer = new PduWriter()
    const taken: Buffer[] = []
    for (let number = 1; number <= 2_000; number += 1) {
      writer.write(hello, number)
      if (number % 7 === 0) taken.push(writer.take())
    }
    taken.push(writer.take())
    const read = decode(Buffer.concat(taken))
    expect(read.map((decoded) => decoded.kind === 'pdu' && decoded.sequence)).toEqual(
      Array.from({ length: 2_000 }, (_, index) => index + 1),
    )
  })

  test('that is too long is refused before anything is written', () => {
    const writer = new PduWriter()
    expect(() => writer.write({ ...hello, payload: Buffer.alloc(255) }, 1)).toThrow(RangeError)
    const tlv = { tag: TAGS.messagePayload, value: Buffer.alloc(65_000) }
    expect(() => writer.write({ ...hello, tlvs: [tlv, tlv] }, 1)).toThrow(RangeError)
    expect(writer.length).toBe(0)
  })
})

describe('bytes that are not a PDU', () => {
  test('never make the decoder throw, and it reports the loss of the stream once', () => {
    const mangled = fc
      .tuple(fc.array(fc.tuple(anyPdu, sequence), { maxLength: 4 }), fc.array(fc.tuple(fc.nat(), byte)))
      .map(([pdus, changes]) => {
        const stream = Buffer.from(encode(...pdus))
        for (const [at, value] of changes) if (stream.length > 0) stream[at % stream.length] = value
        return stream
      })
    fc.assert(
      fc.property(fc.oneof(bytes(400), mangled), fc.integer({ min: 1, max: 100 }), (stream, size) => {
        const read = decode(stream, [size])
        expect(read.findIndex(({ kind }) => kind === 'lost')).toBeOneOf([-1, read.length - 1])
        expect(read).toEqual(decode(stream))
      }),
    )
  })

  test.each([0, 15, 65_537, 0xffff_ffff])('a length of %i loses the stream', (length) => {
    const [first, ...others] = decode(Buffer.concat([raw(COMMAND_IDS.enquire_link, [], length), raw(0x15, [])]))
    expect(first).toMatchObject({ kind: 'lost', reason: `a PDU of ${length} bytes` })
    expect(others).toEqual([])
  })

  test.each([
    ['a message without a body', raw(COMMAND_IDS.submit_sm, []), STATUS.badCommandLength],
    ['a string without an end', raw(COMMAND_IDS.bind_receiver, [65, 66]), STATUS.badCommandLength],
    ['a payload cut off', Buffer.from(encode([hello, 77]).subarray(0, -2)), STATUS.badMessageLength],
  ])('%s is reported and skipped', (_, stream, status) => {
    stream.writeUInt32BE(stream.length, 0)
    const read = decode(Buffer.concat([stream, encode([{ command: 'enquire_link' }, 78])]))
    expect(read).toEqual([
      expect.objectContaining({ kind: 'unreadable', sequence: 77, status }),
      { kind: 'pdu', sequence: 78, pdu: { command: 'enquire_link' } },
    ])
  })

  test('an unknown command is reported and skipped', () => {
    const status = STATUS.badCommandId
    expect(decode(raw(0x0000_0111, []))).toMatchObject([{ kind: 'unknown', sequence: 77, status }])
  })

  const messageState = [4, 39, 0, 1, 2]
  test.each([
    ['a zero byte', [0], []],
    ['a zero byte in front of a TLV', [0, ...messageState], [TAGS.messageState]],
    ['half a TLV', [0, 30, 0], []],
    ['a TLV that is too long, behind a whole one', [...messageState, 0, 30, 0, 9, 1], [TAGS.messageState]],
    ['noise', [255, 255, 255, 255, 255], []],
  ])('%s behind the mandatory fields is reported and ignored', (_, tail, tags) => {
    for (const pdu of [hello, { ...hello, command: 'deliver_sm' } as const]) {
      const stream = Buffer.concat([encode([pdu, 77]), Buffer.from(tail)])
      stream.writeUInt32BE(stream.length, 0)
      const [read, next] = decode(Buffer.concat([stream, encode([{ command: 'enquire_link' }, 78])]))
      const head = stream.toString('hex', 0, 16)
      const flaw = { reason: `${pdu.command}: an optional parameter is cut off`, head }
      expect(read).toMatchObject({ kind: 'pdu', sequence: 77, pdu: { ...pdu, tlvs: expect.any(Array) }, flaw })
      expect(read?.kind === 'pdu' && 'tlvs' in read.pdu && read.pdu.tlvs.map(({ tag }) => tag)).toEqual(tags)
      expect(next).toMatchObject({ kind: 'pdu', sequence: 78 })
    }
  })

  test('a message_payload that is cut off keeps the text that there is', () => {
    const stream = encode([{ ...hello, payload: Buffer.alloc(0), tlvs: [textTlv(TAGS.messagePayload, 'STOP it')] }, 77])
    const cut = stream.subarray(0, -4)
    cut.writeUInt32BE(cut.length, 0)
    const value = Buffer.from('STOP')
    expect(decodeOne(cut)).toMatchObject({ kind: 'pdu', pdu: { tlvs: [{ tag: TAGS.messagePayload, value }] } })
  })

  test('an answer is read for its id even if the rest is invalid', () => {
    const withoutEnd = raw(COMMAND_IDS.submit_sm_resp, [0x41, 0x42])
    const withNoise = raw(COMMAND_IDS.submit_sm_resp, [0x41, 0x42, 0, 9, 9])
    for (const stream of [withoutEnd, withNoise]) {
      expect(decodeOne(stream)).toMatchObject({ kind: 'pdu', pdu: { status: 0, messageId: 'AB', tlvs: [] } })
    }
  })
})

describe('another implementation', () => {
  test('reads what Posthorn writes', () => {
    const pdu = new smpp.PDU(encode([{ ...hello, tlvs: [textTlv(TAGS.receiptedMessageId, 'abc')] }, 5]))
    expect(pdu).toMatchObject({
      command: 'submit_sm',
      sequence_number: 5,
      source_addr_ton: 5,
      source_addr: 'Posthorn',
      dest_addr_ton: 1,
      dest_addr_npi: 1,
      destination_addr: '37120000000',
      registered_delivery: 1,
      data_coding: 0,
      receipted_message_id: 'abc',
    })
    expect(pdu['short_message']).toMatchObject({ message: 'hello' })
    const bind = {
      command: 'bind_transceiver',
      systemId: 'me',
      password: 'secret',
      systemType: 'vma',
      interfaceVersion: 0x34,
      addressRange: { ton: 0, npi: 0, digits: '' },
    } as const
    expect(new smpp.PDU(encode([bind, 1]))).toMatchObject({ system_id: 'me', password: 'secret', system_type: 'vma' })
    const refusal = { command: 'submit_sm_resp', status: STATUS.throttled, messageId: '', tlvs: [] } as const
    expect(new smpp.PDU(encode([refusal, 9]))).toMatchObject({ command: 'submit_sm_resp', command_status: 0x58 })
  })

  test('is read by Posthorn', () => {
    const deliver = new smpp.PDU('deliver_sm', {
      sequence_number: 3,
      source_addr: '37120000000',
      destination_addr: 'Posthorn',
      esm_class: 4,
      data_coding: 0,
      short_message: Buffer.from('id:7 stat:DELIVRD'),
      message_state: 2,
    })
    expect(decodeOne(deliver.toBuffer())).toMatchObject({
      kind: 'pdu',
      sequence: 3,
      pdu: {
        command: 'deliver_sm',
        esmClass: 4,
        source: { digits: '37120000000' },
        payload: Buffer.from('id:7 stat:DELIVRD'),
        tlvs: [{ tag: TAGS.messageState, value: Buffer.from([2]) }],
      },
    })
    const taken = new smpp.PDU('submit_sm_resp', { sequence_number: 4, message_id: '7f' })
    expect(decodeOne(taken.toBuffer())).toMatchObject({ sequence: 4, pdu: { status: 0, messageId: '7f' } })
    const refused = new smpp.PDU('submit_sm_resp', { sequence_number: 4, command_status: 0x58 })
    expect(decodeOne(refused.toBuffer())).toMatchObject({ sequence: 4, pdu: { status: 0x58, messageId: '' } })
  })
})

describe('the text of a receipt', () => {
  test('is read as it was written', () => {
    const written = writeReceiptText({
      id: 'a1b2',
      stat: 'UNDELIV',
      err: '001',
      submittedAt: Date.UTC(2026, 0, 2, 3, 4),
      doneAt: Date.UTC(2026, 0, 2, 3, 5),
      delivered: false,
      text: 'id:9 stat:DELIVRD, he said to everyone',
    })
    expect(written).toBe(
      'id:a1b2 sub:001 dlvrd:000 submit date:2601020304 done date:2601020305 stat:UNDELIV err:001 text:id:9 stat:DELIVRD, h',
    )
    expect(readReceiptText(written)).toEqual({ id: 'a1b2', stat: 'UNDELIV', err: '001' })
  })

  test.each([
    ['ID:77 Stat:delivered Err:000', { id: '77', stat: 'delivered', err: '000' }],
    ['stat:EXPIRED id: 0042', { id: '0042', stat: 'EXPIRED', err: '' }],
    ['id:7_a-b@c stat:REJECTD err:4F text:x', { id: '7_a-b@c', stat: 'REJECTD', err: '4F' }],
    ['id: sub:001 stat:DELIVRD', { id: '', stat: 'DELIVRD', err: '' }],
    ['hello', null],
    ['', null],
  ])('%j is understood', (text, expected) => {
    expect(readReceiptText(text)).toEqual(expected)
  })

  test.each([
    ['DELIVRD', 'delivered'],
    ['delivered', 'delivered'],
    ['EXPIRED', 'expired'],
    ['DELETED', 'undeliverable'],
    ['UNDELIVERABLE', 'undeliverable'],
    ['ACCEPTD', 'accepted'],
    ['UNKNOWN', 'unknown'],
    ['Rejected', 'rejected'],
    ['ENROUTE', 'accepted'],
  ])('%s means %s', (word, outcome) => {
    expect(stateOfWord(word)?.outcome).toBe(outcome)
  })

  test('never throws for any text', () => {
    fc.assert(fc.property(fc.string({ maxLength: 2_000 }), (noise) => (readReceiptText(noise)?.id.length ?? 0) <= 65))
  })
})

test('a lifetime is written as a relative time', () => {
  expect(writeValidityPeriod(1)).toBe('000000000001000R')
  expect(writeValidityPeriod(172_800)).toBe('000002000000000R')
  expect(writeValidityPeriod(90_061)).toBe('000001010101000R')
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 99 * 31_536_000 }), (seconds) => {
      expect(readValidityPeriod(writeValidityPeriod(seconds))).toBe(seconds)
    }),
  )
})
