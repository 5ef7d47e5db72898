import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readSmppSettings } from '../../src/carriers/smpp/settings.ts'
import { type Submit, writeSubmits } from '../../src/carriers/smpp/write-submits.ts'
import { splitText } from '../../src/domain/text/text-parts.ts'
import type { Submission } from '../../src/ports/carriers/carrier.ts'
import { readUserData, UDH_INDICATOR } from '../../src/wire/smpp/concatenation.ts'
import { readMessageText } from '../../src/wire/smpp/message-text.ts'
import { findTlv, latin1 } from '../../src/wire/smpp/tlv.ts'
import { LOOPBACK_CERTIFICATE } from '../support/loopback-certificate.ts'
import { smsSubmission } from '../support/smpp-bench.ts'

const login = { host: 'smsc.example', port: 2775, systemId: 'a', password: 'b' }

function write(text: string, settings: object = {}, changes: Partial<Submission> = {}): readonly Submit[] {
  const parts = splitText(text).parts.map((_, index) => index)
  const submission = smsSubmission(text, '37120000000', { parts, ...changes })
  const submits = writeSubmits(submission, readSmppSettings({ ...login, ...settings }))
  if (typeof submits === 'string') throw new Error(submits)
  return submits
}

function first(...args: Parameters<typeof write>) {
  const [submit] = write(...args)
  if (submit === undefined) throw new Error('nothing was written')
  return submit.pdu
}

const textOf = (submits: readonly Submit[]) => submits.map(({ pdu }) => readMessageText(pdu)).join('')

const LATIN = 'Ünïcödé wïth Æ'
const GSM = 'Hello {you} for 5€'

describe('the coding of a text', () => {
  test.each([
    ['gsm', GSM, 0],
    ['gsm', 'Привет', 8],
    ['latin1', 'Größe', 3],
    ['latin1', GSM, 0],
    ['latin1', LATIN, 8],
    ['ucs2', 'Hello', 8],
    ['ucs2', 'a'.repeat(71), 8],
  ])('with %s the text %s has the data_coding %i', (encoding, text, dataCoding) => {
    const submits = write(text, { encoding })
    expect(submits.map(({ pdu }) => pdu.dataCoding)).toEqual([dataCoding])
    expect(textOf(submits)).toBe(text)
  })

  test('is the same for all parts', () => {
    expect(write(`${'a'.repeat(80)}я`).map(({ pdu }) => pdu.dataCoding)).toEqual([8, 8])
    expect(write(`${'a'.repeat(200)}€`, { encoding: 'latin1' }).map(({ pdu }) => pdu.dataCoding)).toEqual([0, 0])
  })
})

describe('a long text', () => {
  const anyLongText = fc.oneof(
    fc.string({ unit: fc.constantFrom('a', '€', 'é', ' '), minLength: 161, maxLength: 900 }),
    fc.string({ unit: fc.constantFrom('a', 'я', '😀'), minLength: 71, maxLength: 400 }),
  )

  test.each(['udh8', 'udh16', 'sar', 'payload'])(
    'joined by %s fits, is whole, and counts as it was counted',
    (concatenation) => {
      fc.assert(
        fc.property(anyLongText, fc.constantFrom('gsm', 'latin1', 'ucs2'), (text, encoding) => {
          const submits = write(text, { concatenation, encoding })
          const parts = splitText(text).parts.map((_, index) => index)
          expect(textOf(submits)).toBe(text)
          expect(submits.flatMap((submit) => submit.parts)).toEqual(parts)
          for (const [index, { pdu }] of submits.entries()) {
            const { joined, body } = readUserData(pdu)
            if (submits.length === 1) continue
            expect(joined).toMatchObject({ total: parts.length, number: index + 1 })
            const most = pdu.dataCoding === 8 ? 140 : 160
            const header = pdu.payload.length - body.length
            expect(
              pdu.dataCoding === 8 ? pdu.payload.length : body.length + Math.ceil((header * 8) / 7),
            ).toBeLessThanOrEqual(most)
          }
        }),
        { numRuns: 60 },
      )
    },
  )

  test('has a reference of 16 bits only if the number of parts stays the same', () => {
    const roomy = write('a'.repeat(200), { concatenation: 'udh16' })
    const full = write('a'.repeat(306), { concatenation: 'udh16' })
    expect(roomy.map(({ pdu }) => Buffer.from(pdu.payload.subarray(0, 3)).toString('hex'))).toEqual([
      '060804',
      '060804',
    ])
    expect(full.map(({ pdu }) => Buffer.from(pdu.payload.subarray(0, 3)).toString('hex'))).toEqual(['050003', '050003'])
  })

  test('in one message_payload is one PDU for all parts, and separate PDUs if only some parts are requested', () => {
    const text = 'a'.repeat(400)
    const [whole, ...others] = write(text, { concatenation: 'payload' })
    expect(others).toEqual([])
    expect(whole).toMatchObject({ parts: [0, 1, 2], pdu: { esmClass: 0, payload: new Uint8Array() } })
    expect(findTlv(whole?.pdu.tlvs ?? [], 0x0424)).toHaveLength(400)
    const rest = write(text, { concatenation: 'payload' }, { parts: [1, 2] })
    expect(rest.map(({ parts, pdu }) => [parts, pdu.esmClass])).toEqual([
      [[1], UDH_INDICATOR],
      [[2], UDH_INDICATOR],
    ])
    for (const encoding of ['ucs2', 'gsm']) expect(textOf(write(text, { encoding }, { parts: [0] }))).toHaveLength(153)
  })
})

describe('the settings of a message', () => {
  test('are written to its PDU', () => {
    const settings = {
      ...{ sourceTon: 2, sourceNpi: 8, destinationTon: 0, destinationNpi: 6, serviceType: 'OTP' },
      ...{ priority: 3, registeredDelivery: 17, validityPeriod: false },
    }
    expect(first('Hello', settings)).toMatchObject({
      source: { ton: 2, npi: 8, digits: 'Posthorn' },
      destination: { ton: 0, npi: 6, digits: '37120000000' },
      ...{ serviceType: 'OTP', priority: 3, registeredDelivery: 17, validityPeriod: '' },
    })
  })

  test('of a sender take precedence over those of the carrier', () => {
    const settings = {
      sourceTon: 5,
      tlvs: [
        { tag: '0x1400', value: 'entity' },
        { tag: '0x1401', hex: '31 32 00' },
      ],
      senders: { Bank: { sourceNpi: 9, tlvs: [{ tag: '0x1401', value: '{sender}:{phone}' }] } },
    }
    const tlvs = (sender: string) =>
      first('Hello', settings, { sender }).tlvs.map(({ tag, value }) => [tag.toString(16), latin1(value)])
    expect(tlvs('Posthorn')).toEqual([
      ['1400', 'entity'],
      ['1401', '12\0'],
    ])
    expect(tlvs('Bank')).toEqual([
      ['1400', 'entity'],
      ['1401', 'Bank:37120000000'],
    ])
    expect(first('Hello', settings, { sender: 'Bank' }).source).toEqual({ ton: 5, npi: 9, digits: 'Bank' })
  })

  describe('of templates that are registered for a sender', () => {
    const id = (value: string) => ({ tlvs: [{ tag: '0x1401', value }] })
    const templates = [
      { text: '{#var#} is your code for {#var#}. Example', ...id('any code') },
      { text: 'Dear {#var#}, {#var#} is your code for {#var#}. Example', ...id('dear code') },
      { text: 'Your order {{order}} of {{order}} is on its way.\nTrack: {#url#} Example', ...id('order') },
      { text: 'आपका कोड {#var#} है। Example', ...id('hindi') },
    ]
    const settings = {
      tlvs: [{ tag: '0x1400', value: 'entity' }],
      senders: { EXMPLE: { tlvs: [{ tag: '0x1402', value: 'chain' }], templates } },
    }
    const change = { sender: 'EXMPLE' }
    const ids = (submits: readonly Submit[]) =>
      submits.map(({ pdu }) =>
        [0x1400, 0x1402, 0x1401].map((tag) => latin1(findTlv(pdu.tlvs, tag) ?? Buffer.from('-'))),
      )

    test.each([
      ['4321 is your code for login. Example', 'any code'],
      ['Dear Asha, 4321 is your code for login. Example', 'dear code'],
      ['Your order 77 of 77 is on its way.\r\nTrack: https://x.example/a Example', 'order'],
      ['आपका कोड 4321 है। Example', 'hindi'],
    ])('%j carries the id of its template', (text, value) => {
      expect(ids(write(text, settings, change))).toEqual([['entity', 'chain', value]])
    })

    test('are on every part of a long text', () => {
      const text = `4321 is your code for ${'a'.repeat(200)}. Example`
      expect(ids(write(text, settings, change))).toEqual([1, 2].map(() => ['entity', 'chain', 'any code']))
    })

    test.each([
      '4321 is your code for login. Example!',
      'is your code for login. Example',
      'Your order 77 of 78 is on its way.\nTrack: https://x.example/a Example',
      'आपका कोड  है। Example',
      '',
    ])('%j fits none of them and is refused, or sent without id if the settings allow it', (text) => {
      expect(() => write(text, settings, change)).toThrow('fits none of the templates')
      const lenient = { ...settings, senders: { EXMPLE: { ...settings.senders.EXMPLE, unmatched: 'send' } } }
      expect(ids(write(text, lenient, change))).toEqual([['entity', 'chain', '-']])
    })

    test('are not used for other senders', () => {
      expect(ids(write('Hello', settings))).toEqual([['entity', '-', '-']])
    })
  })

  test.each([
    [{ senders: { Bank: { templates: [{ tlvs: [] }] } } }, 'senders.Bank.templates.0.text: should be text'],
    [{ senders: { Bank: { templates: [{ text: 'a', id: 'b' }] } } }, 'senders.Bank.templates.0.id: is not a setting'],
    [{ senders: { Bank: { unmatched: 'drop' } } }, 'senders.Bank.unmatched: should be one of refuse, send'],
    [{ tlvs: {} }, 'tlvs: should be a list'],
    [{ tlvs: [{ tag: '1400', value: 'a' }] }, 'tlvs.0.tag: '],
    [{ tlvs: [{ tag: '0x1400', hex: '123' }] }, 'tlvs.0.hex: '],
    [{ tlvs: [{ tag: '0x1400', value: '{template}' }] }, 'tlvs.0.value: {template} is none of'],
    [{ tlvs: [{ tag: '0x1400', value: 'a', hex: '00' }] }, 'tlvs.0.value: should not stand beside hex'],
    [{ tlvs: Array(17).fill({ tag: '0x1400', value: 'a' }) }, 'tlvs: should be a list of at most 16 parameters'],
    [{ senders: { Bank: { sourceTon: -1 } } }, 'senders.Bank.sourceTon: '],
    [{ encoding: 'utf8' }, 'encoding: should be one of gsm, latin1, ucs2'],
    [{ validityPeriod: 'yes' }, 'validityPeriod: should be true or false'],
    [{ interfaceVersion: '3.5' }, 'interfaceVersion: should be one of'],
    [{ throughput: -1 }, 'throughput: should be a whole number'],
    [{ tls: { ca: 'no' } }, 'tls.ca: should be certificates in PEM'],
    [{ tls: { cert: 'no' } }, 'tls.cert: is not a setting'],
    [{ statuses: { '0x451': 'later' } }, 'statuses.0x451: should be one of slow, rejected'],
    [{ statuses: { throttled: 'slow' } }, 'statuses.throttled: should be a status'],
    [{ statuses: { '0x0': 'slow' } }, 'statuses.0x0: should be a status'],
    [{ receiptIds: { apartBy: 'time' } }, 'receiptIds.apartBy: should be one of id, recipient, reference'],
    [{ receiptStates: { SENT: 'gone' } }, 'receiptStates.SENT: should be one of accepted, delivered'],
    [{ backupHosts: 'b.example' }, 'backupHosts: should be a list of at most 8 hosts'],
    [{ backupHosts: ['b.example:0'] }, 'backupHosts.0: should be a host'],
    [{ backupHosts: ['b.example', 5] }, 'backupHosts.1: should be a host'],
    [{ tls: { key: 'x' } }, 'tls.certificate: should be text'],
    [{ tls: { certificate: LOOPBACK_CERTIFICATE, key: 'x' } }, 'tls.key: should be the private key of the certificate'],
    [{ receiptIds: { answer: 'octal' } }, 'receiptIds.answer: should be one of'],
  ])('%j are refused by name', (settings, complaint) => {
    expect(() => readSmppSettings({ ...login, ...settings })).toThrow(complaint)
  })
})
