import { afterEach, describe, expect, test } from 'vitest'
import { readReceipt } from '../../src/carriers/smpp/read-receipt.ts'
import { sameRef } from '../../src/carriers/smpp/same-ref.ts'
import { readSmppSettings } from '../../src/carriers/smpp/settings.ts'
import type { ShortMessage } from '../../src/wire/smpp/pdu.ts'
import { byteTlv, TAGS, type Tlv, textTlv } from '../../src/wire/smpp/tlv.ts'
import { eventually } from '../support/eventually.ts'
import { refOf, SmppBench, smsSubmission } from '../support/smpp-bench.ts'

const bench = new SmppBench()

afterEach(() => bench.close())

function deliver(text: string | Buffer, tlvs: readonly Tlv[] = [], change: Partial<ShortMessage> = {}): ShortMessage {
  const address = { ton: 1, npi: 1, digits: '37120000000' }
  return {
    ...{ command: 'deliver_sm', serviceType: '', source: address, destination: address, esmClass: 4, protocolId: 0 },
    ...{ priority: 0, scheduleTime: '', validityPeriod: '', registeredDelivery: 0, replaceIfPresent: 0, dataCoding: 0 },
    ...{ defaultMessageId: 0, payload: typeof text === 'string' ? Buffer.from(text, 'latin1') : text, tlvs },
    ...change,
  }
}

const settingsOf = (settings: object) =>
  readSmppSettings({ host: 'smsc.example', port: 2775, systemId: 'a', password: 'b', ...settings })
const read = (message: ShortMessage, settings: object = {}) => readReceipt(message, 'a', settingsOf(settings))
const known = (ref: string, outcome: string, detail: string) => ({ carrierId: 'a', ref, outcome, detail })
const id = (text: string) => textTlv(TAGS.receiptedMessageId, text)
const state = (number: number) => byteTlv(TAGS.messageState, number)
const DATES = 'submit date:2601010000 done date:2601010001'

describe('a receipt in the form of', () => {
  test.each([
    [
      'the book',
      deliver(`id:12-a sub:001 dlvrd:001 ${DATES} stat:DELIVRD err:000 text:Hi`),
      'delivered',
      'stat:DELIVRD err:000',
    ],
    [
      'capitals',
      deliver('ID:12-a SUB:001 DLVRD:001 STAT:DELIVRD ERR:000 TEXT:HI'),
      'delivered',
      'stat:DELIVRD err:000',
    ],
    ['mixed letters, whole words', deliver('Id:12-a Stat:Delivered Err:0 Text:'), 'delivered', 'stat:Delivered err:0'],
    ['few fields', deliver('id:12-a stat:UNDELIV'), 'undeliverable', 'stat:UNDELIV'],
    ['another order', deliver('stat:REJECTD err:1 id:12-a'), 'rejected', 'stat:REJECTD err:1'],
    ['blanks behind colons', deliver('id: 12-a stat: EXPIRED err: 27'), 'expired', 'stat:EXPIRED err:27'],
    ['semicolons', deliver('id:12-a;stat:DELIVRD;err:000'), 'delivered', 'stat:DELIVRD err:000'],
    ['line ends', deliver('id:12-a\r\nstat:DELIVRD\r\nerr:000\r\n'), 'delivered', 'stat:DELIVRD err:000'],
    [
      'a long text',
      deliver(`id:12-a stat:DELIVRD err:000 text:${'stat:UNDELIV id:no '.repeat(10)}`),
      'delivered',
      'stat:DELIVRD err:000',
    ],
    ['a word of its own', deliver('id:12-a stat:FAILED err:5'), 'undeliverable', 'stat:FAILED err:5'],
    ['an unknown status word', deliver('id:12-a stat:PENDING'), 'accepted', 'stat:PENDING'],
    ['parameters alone', deliver('', [id('12-a'), state(2)]), 'delivered', 'stat:DELIVRD'],
    ['a state alone beside an id in the text', deliver('id:12-a', [state(5)]), 'undeliverable', 'stat:UNDELIV'],
    ['an id alone beside a state in the text', deliver('stat:DELIVRD', [id('12-a')]), 'delivered', 'stat:DELIVRD'],
    ['an empty id beside one in the text', deliver('id:12-a stat:DELIVRD', [id('')]), 'delivered', 'stat:DELIVRD'],
    ['no class, but parameters', deliver('', [id('12-a'), state(2)], { esmClass: 0 }), 'delivered', 'stat:DELIVRD'],
    [
      'a network error',
      deliver('', [id('12-a'), state(5), { tag: 0x423, value: Uint8Array.of(3, 0, 27) }]),
      'undeliverable',
      'stat:UNDELIV err:3/27',
    ],
    [
      'UCS-2',
      deliver(Buffer.from('id:12-a stat:DELIVRD', 'utf16le').swap16(), [], { dataCoding: 8 }),
      'delivered',
      'stat:DELIVRD',
    ],
    [
      'a message_payload',
      deliver('', [{ tag: 0x424, value: Buffer.from('id:12-a stat:DELIVRD') }]),
      'delivered',
      'stat:DELIVRD',
    ],
    [
      'an intermediate notification',
      deliver('id:12-a stat:ENROUTE', [], { esmClass: 0x20 }),
      'accepted',
      'stat:ENROUTE',
    ],
    ['equals signs', deliver('ID=12-a;STAT=Undeliv;ERR=27'), 'undeliverable', 'stat:Undeliv err:27'],
    ['the number of a state', deliver('id:12-a stat:8 err:3'), 'rejected', 'stat:8 err:3'],
    ['BLOCKED', deliver('id:12-a stat:BLOCKED'), 'rejected', 'stat:BLOCKED'],
    ['SENT', deliver('id:12-a stat:sent'), 'accepted', 'stat:sent'],
    [
      'the book, without a class',
      deliver(`id:12-a sub:001 dlvrd:001 ${DATES} stat:DELIVRD err:000 text:Hi`, [], { esmClass: 0 }),
      'delivered',
      'stat:DELIVRD err:000',
    ],
    [
      'few fields without a class',
      deliver('ID=12-a;STAT=DELIVRD;ERR=0', [], { esmClass: 0 }),
      'delivered',
      'stat:DELIVRD err:0',
    ],
    ['status', deliver('id:12-a sub:001 status:DELIVRD err:000'), 'delivered', 'stat:DELIVRD err:000'],
    ['state', deliver('ID=12-a;STATE=UNDELIV;ERR=27'), 'undeliverable', 'stat:UNDELIV err:27'],
    ['a padded id', deliver('id:12-a      stat:EXPIRED', [id('12-a      ')]), 'expired', 'stat:EXPIRED'],
    ['a padded id alone', deliver('', [id('  12-a\0\0'), state(2)]), 'delivered', 'stat:DELIVRD'],
    ['a state 0 beside a final word', deliver('id:12-a stat:DELIVRD', [state(0)]), 'delivered', 'stat:DELIVRD'],
    ['a state 1 beside a final word', deliver('id:12-a stat:UNDELIV', [state(1)]), 'undeliverable', 'stat:UNDELIV'],
    ['a final state beside another word', deliver('id:12-a stat:ENROUTE', [state(2)]), 'delivered', 'stat:ENROUTE'],
    ['SMPP 5.0', deliver('', [id('12-a'), state(9)]), 'undeliverable', 'stat:SKIPPED'],
  ])('%s is understood', (_, message, outcome, detail) => {
    expect(read(message)).toEqual(known('12-a', outcome, detail))
  })

  test.each(['12:34:56', '1:2', '0:a'])('with colons in its id %s is understood', (ref) => {
    const written = deliver(`id:${ref} sub:001 dlvrd:001 ${DATES} stat:DELIVRD err:000 text:Hi`, [], { esmClass: 0 })
    expect(read(written)).toMatchObject({ ref, outcome: 'delivered' })
  })

  test('an inbound message may have an id too', () => {
    expect(read(deliver('STOP', [id('77')], { esmClass: 0 }))).toBe('not a receipt')
    expect(read(deliver('my state: happy', [], { esmClass: 0 }))).toBe('not a receipt')
  })

  test.each([
    'id:1 stat:DELIVRD',
    'My id:12-a sub:001 stat:DELIVRD err:000',
    'What does id:12 stat:DELIVRD err:000 mean?',
    'STOP',
  ])('without a message type, %s is an inbound message', (text) => {
    expect(read(deliver(text, [], { esmClass: 0 }))).toBe('not a receipt')
  })

  test.each([
    [{ receiptStates: { Blocked: 'undeliverable' } }, 'stat:BLOCKED err:0', 'undeliverable'],
    [{ receiptStates: { PENDING: 'accepted', RETRY: 'accepted' } }, 'stat:retry', 'accepted'],
    [{ receiptStates: { DELIVRD: 'accepted' } }, 'stat:DELIVRD', 'accepted'],
    [{ receiptStates: { '8': 'undeliverable' } }, 'stat:8', 'undeliverable'],
    [{ receiptErrors: { '027': 'expired' } }, 'stat:UNDELIV err:027', 'expired'],
    [{ receiptErrors: { '27A': 'rejected' } }, 'stat:UNDELIV err:27a', 'rejected'],
    [{ receiptErrors: { '000': 'rejected' } }, 'stat:DELIVRD err:000', 'delivered'],
    [{ receiptStates: { X: 'undeliverable' }, receiptErrors: { '1': 'unknown' } }, 'stat:X err:1', 'unknown'],
  ])('by %j, %s is %s', (settings, words, outcome) => {
    expect(read(deliver(`id:12-a ${words}`), settings)).toMatchObject({ ref: '12-a', outcome })
  })

  test.each([
    ['nothing', deliver('')],
    ['an id and no state', deliver('id:12-a')],
    ['a state and no id', deliver('stat:DELIVRD')],
    ['noise', deliver('\0\xff'.repeat(50))],
  ])('%s is unreadable', (_, message) => {
    expect(read(message)).toBe('unreadable')
  })
})

describe('an id', () => {
  test.each([
    ['0AbC', 'hex', '2748'],
    ['00012', 'decimal', '12'],
    ['ffffffffffffffffffff', 'hex', '1208925819614629174706175'],
    ['12-a', 'hex', '12-a'],
    ['0012', 'as-is', '0012'],
    ['', 'decimal', ''],
  ] as const)('%s, which is %s, becomes %s', (given, form, ref) => {
    expect(sameRef(given, form)).toBe(ref)
  })

  test('that is hexadecimal in the answer and decimal in the receipt is one ref', async () => {
    const receiptIds = { answer: 'hex', receipt: 'decimal' }
    const { carrier, inbox } = await bench.startNpmSmpp(
      (session, pdu) => {
        session.send(pdu.response({ message_id: '0000ABCD' }))
        const short_message = Buffer.from(`id:${0xabcd} stat:DELIVRD`)
        session.deliver_sm({ esm_class: 4, data_coding: 0, short_message }, () => {})
      },
      { receiptIds },
    )
    const ref = refOf((await carrier.submit(smsSubmission('Hello')))[0])
    await eventually('the receipt', () => inbox.of(ref).length === 1)
  })
})

describe('an SMSC that writes its receipts in another form', () => {
  test.each([
    ['in text alone', { form: 'text' }],
    ['in parameters alone', { form: 'parameters' }],
    ['in capitals', { form: 'text', text: (book: string) => book.toUpperCase() }],
    ['with zeros in front', { form: 'text', id: (ref: string) => `000${BigInt(`0x${ref}`)}` }],
  ] as const)('%s is understood', async (_, receipts) => {
    const receiptIds = 'id' in receipts ? { answer: 'hex', receipt: 'decimal' } : { receipt: 'as-is' }
    const settings = { receiptIds }
    const { carrier, inbox, clock } = await bench.startBoth(settings, { receipts })
    const ref = refOf((await carrier.submit(smsSubmission('Hello')))[0])
    clock.advance(600)
    await eventually('the receipt', () => inbox.receipts.length > 0)
    const received =
      'text' in receipts ? [inbox.receipts[0]?.ref.toLowerCase()] : inbox.receipts.map((receipt) => receipt.ref)
    expect(received).toEqual([ref])
    expect(inbox.receipts[0]?.outcome).toBe('delivered')
  })

  test('twice gets both acknowledged; not at all has none', async () => {
    const twice = await bench.startBoth({}, { receipts: { form: 'text', copies: 2 } })
    const never = await bench.startBoth({}, { receipts: { form: 'text', copies: 0 } })
    for (const { carrier, clock } of [twice, never]) {
      await carrier.submit(smsSubmission('Hello'))
      clock.advance(600)
    }
    await eventually('two receipts', () => twice.inbox.receipts.length === 2)
    await eventually('their answers', () => twice.smsc.pending() === 0)
    expect(never.inbox.receipts).toEqual([])
  })
})
