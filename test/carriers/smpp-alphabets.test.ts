/** What data_coding 0 means at a carrier, and the national tables of the GSM alphabet, in both directions. */
import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { sameRef } from '../../src/carriers/smpp/same-ref.ts'
import { readSmppSettings } from '../../src/carriers/smpp/settings.ts'
import { writeSubmits } from '../../src/carriers/smpp/write-submits.ts'
import { countParts } from '../../src/domain/text/text-parts.ts'
import { type DefaultAlphabet, readMessageText } from '../../src/wire/smpp/message-text.ts'
import { payloadOf, type ShortMessage } from '../../src/wire/smpp/pdu.ts'
import { deliverSm } from '../support/deliver-sm.ts'
import { SmppBench, smsSubmission } from '../support/smpp-bench.ts'

const bench = new SmppBench()

afterEach(() => bench.close())

const login = { host: 'smsc.example', port: 2775, systemId: 'a', password: 'b' }

function write(text: string, settings: object, requested?: readonly number[]) {
  const parts = requested ?? Array.from({ length: countParts(text) }, (_, index) => index)
  const submits = writeSubmits(
    smsSubmission(text, '37120000000', { parts }),
    readSmppSettings({ ...login, ...settings }),
  )
  if (typeof submits === 'string') throw new Error(submits)
  return submits
}

const MIXED = 'a@b_c [x] $5 é'

describe('data_coding 0', () => {
  test.each([
    ['gsm7', MIXED, 0],
    ['latin1', MIXED, 0],
    ['latin1', '5€', 8],
    ['ascii', 'a@b_c [x] $5', 0],
    ['ascii', MIXED, 8],
    ['utf8', `${MIXED} 5€`, 0],
    ['utf8', 'Привет', 8],
  ] as const)('of a carrier with %s sends %s with the data_coding %i', (defaultAlphabet, text, dataCoding) => {
    const [submit] = write(text, { defaultAlphabet })
    expect(submit?.pdu.dataCoding).toBe(dataCoding)
    expect(submit && readMessageText(submit.pdu, defaultAlphabet)).toBe(text)
  })

  test.each([
    ['latin1', Buffer.from(MIXED, 'latin1')],
    ['ascii', Buffer.from(MIXED, 'latin1')],
    ['utf8', Buffer.from(MIXED, 'utf8')],
  ] as const)('of a carrier with %s is read in inbound texts', async (defaultAlphabet, bytes) => {
    const { smsc, inbox } = await bench.startBoth({ defaultAlphabet })
    await smsc.deliver(deliverSm(bytes))
    await smsc.deliver(deliverSm(Buffer.from([0, 0x40]), { dataCoding: 8 }))
    expect(inbox.arrivals.map(({ text }) => text)).toEqual([MIXED, '@'])
  })

  test('with any alphabet carries any text whole, in the parts that were counted', () => {
    const anyText = fc.string({ unit: fc.constantFrom('a', 'é', '€', '[', 'Δ', 'я'), minLength: 1, maxLength: 500 })
    const alphabets = fc.constantFrom<DefaultAlphabet>('gsm7', 'latin1', 'ascii', 'utf8')
    const forms = fc.constantFrom('udh8', 'udh16', 'sar', 'payload')
    fc.assert(
      fc.property(anyText, alphabets, forms, (text, defaultAlphabet, concatenation) => {
        const submits = write(text, { defaultAlphabet, concatenation })
        expect(submits.map(({ pdu }) => readMessageText(pdu, defaultAlphabet)).join('')).toBe(text)
        expect(submits.flatMap(({ parts }) => parts)).toHaveLength(countParts(text))
        for (const { pdu } of submits) expect(pdu.payload.length).toBeLessThanOrEqual(254)
      }),
    )
  })
})

/** A text in septets, one per byte, behind a header with these elements. */
const shifted = (header: readonly number[], septets: readonly number[]): ShortMessage =>
  deliverSm(Uint8Array.of(header.length, ...header, ...septets), { esmClass: 0x40 })

describe('an inbound text', () => {
  test.each([
    ['Turkish, single', [0x24, 1, 1], [0x1b, 0x47, 0x1b, 0x73, 0x1b, 0x65, 0x1b, 0x41], 'Ğş€A'],
    ['Turkish, locking', [0x25, 1, 1], [0x04, 0x07, 0x0b, 0x1d, 0x40, 0x60], '€ıĞşİç'],
    ['Turkish, both', [0x24, 1, 1, 0x25, 1, 1], [0x0c, 0x1b, 0x49, 0x1b, 0x3c], 'ğİ['],
    ['Spanish, single', [0x24, 1, 2], [0x1b, 0x61, 0x1b, 0x09, 0x1b, 0x75], 'áçú'],
    ['Spanish, which has no locking table', [0x25, 1, 2], [0x00, 0x41], '@A'],
    ['Portuguese, single', [0x24, 1, 3], [0x1b, 0x7b, 0x1b, 0x5c, 0x1b, 0x14, 0x1b, 0x17], 'ãÕ^Ψ'],
    ['Portuguese, locking', [0x25, 1, 3], [0x04, 0x0b, 0x1f, 0x5b, 0x60, 0x7c], 'êÔÉÃ~õ'],
    ['a language without tables here', [0x24, 1, 9, 0x25, 1, 9], [0x1b, 0x65, 0x00], '€@'],
    ['a part', [0x00, 3, 7, 2, 1, 0x24, 1, 1], [0x1b, 0x73], 'ş'],
    ['a part, the other way round', [0x24, 1, 1, 0x00, 3, 7, 2, 1], [0x1b, 0x73], 'ş'],
  ])('in %s is read', async (_, header, septets, text) => {
    const { smsc, inbox } = await bench.startBoth()
    await smsc.deliver(shifted(header, septets))
    expect(inbox.arrivals.map((arrival) => arrival.text)).toEqual([text])
    expect(inbox.arrivals[0]?.part?.total).toBe(header.includes(7) ? 2 : undefined)
  })
})

describe('an inbound keyword', () => {
  test.each([
    ['octets that are a text', 4, Buffer.from('STOP\r\n'), 'STOP\r\n'],
    ['octets, by the other number', 2, Buffer.from('STOP'), 'STOP'],
    ['octets with a class', 0xf5, Buffer.from('STOP'), 'STOP'],
    ['octets that are no text', 4, Buffer.from([1, 2, 0xff]), '0102ff'],
    ['Cyrillic', 6, Buffer.from([0xc1, 0xc2, 0xbe, 0xbf]), 'СТОП'],
    ['Hebrew', 7, Buffer.from([0xe4, 0xf1, 0xf8]), 'הסר'],
    ['Korean', 14, Buffer.from([0xc1, 0xdf, 0xc1, 0xf6]), '중지'],
  ])('in %s is read', async (_, dataCoding, bytes, text) => {
    const { smsc, inbox } = await bench.startBoth()
    await smsc.deliver(deliverSm(bytes, { dataCoding }))
    expect(inbox.arrivals.map((arrival) => arrival.text)).toEqual([text])
  })
})

describe('an outbound text', () => {
  test.each([
    ['turkish', 'Şifreniz: 1234 ığüşöç', 1],
    ['spanish', 'Su código está aquí', 2],
    ['portuguese', 'Código não válido', 3],
  ])('in %s goes with its single shift table', (nationalTable, text, language) => {
    const [submit] = write(text, { nationalTable })
    expect(submit?.pdu).toMatchObject({ dataCoding: 0, esmClass: 0x40 })
    expect([...(submit?.pdu.payload.subarray(0, 4) ?? [])]).toEqual([3, 0x24, 1, language])
    expect(submit && readMessageText(submit.pdu)).toBe(text)
  })

  test('carries the parts that were counted, in fewer PDUs, and the same ones when some are sent again', () => {
    const anyText = fc.string({ unit: fc.constantFrom('a', 'ş', '€', 'é'), minLength: 71, maxLength: 900 })
    fc.assert(
      fc.property(anyText, fc.constantFrom('udh8', 'udh16', 'sar'), (text, concatenation) => {
        fc.pre(text.includes('ş'))
        const settings = { nationalTable: 'turkish', concatenation }
        const submits = write(text, settings)
        expect(submits.map(({ pdu }) => readMessageText(pdu)).join('')).toBe(text)
        expect(submits.flatMap(({ parts }) => parts)).toEqual(Array.from({ length: countParts(text) }, (_, i) => i))
        for (const { pdu, parts } of submits) {
          const header = (pdu.payload[0] ?? 0) + 1
          expect(pdu.payload.length - header + Math.ceil((header * 8) / 7)).toBeLessThanOrEqual(160)
          expect(write(text, settings, parts).map((again) => payloadOf(again.pdu).toString())).toHaveLength(1)
        }
      }),
    )
  })

  test('in other letters, or without the setting, goes in UCS-2', () => {
    expect(write('Привет ş', { nationalTable: 'turkish' })[0]?.pdu.dataCoding).toBe(8)
    expect(write('ş', {})[0]?.pdu.dataCoding).toBe(8)
    expect(write('Hello', { nationalTable: 'turkish' })[0]?.pdu).toMatchObject({ dataCoding: 0, esmClass: 0 })
  })

  test('has no table of a language beside another alphabet', () => {
    expect(() => write('ş', { nationalTable: 'turkish', defaultAlphabet: 'latin1' })).toThrow(
      'nationalTable: requires the defaultAlphabet gsm7',
    )
  })
})

test.each([
  ['ABCdef-1', 'abcDEF-1'],
  ['0A', '0a'],
])('the ids %s and %s are one in any case', (answered, received) => {
  expect(sameRef(answered, 'any-case')).toBe(sameRef(received, 'any-case'))
})
