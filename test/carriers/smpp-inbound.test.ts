import { afterEach, describe, expect, test } from 'vitest'
import { KEPT_MS, LongMessages } from '../../src/carriers/smpp/long-messages.ts'
import { encodeGsm } from '../../src/domain/gsm-alphabet.ts'
import { writeConcatenation, writeSar, writeWideConcatenation } from '../../src/wire/smpp/concatenation.ts'
import type { ShortMessage } from '../../src/wire/smpp/pdu.ts'
import { eventually, settled } from '../support/eventually.ts'
import { SmppBench } from '../support/smpp-bench.ts'

const bench = new SmppBench()

afterEach(() => bench.close())

function inbound(payload: Uint8Array, change: Partial<ShortMessage> = {}): ShortMessage {
  return {
    ...{ command: 'deliver_sm', serviceType: '', source: { ton: 1, npi: 1, digits: '37120000000' } },
    ...{ destination: { ton: 3, npi: 0, digits: '1234' }, esmClass: 0, protocolId: 0, priority: 0, scheduleTime: '' },
    ...{ validityPeriod: '', registeredDelivery: 0, replaceIfPresent: 0, dataCoding: 0, defaultMessageId: 0 },
    ...{ payload, tlvs: [] },
    ...change,
  }
}

const ucs2 = (text: string) => Buffer.from(text, 'utf16le').swap16()

describe('what a phone wrote', () => {
  test.each([
    ['GSM', inbound(encodeGsm('Stop! {5€}')), 'Stop! {5€}'],
    ['Latin-1', inbound(Buffer.from('Größe', 'latin1'), { dataCoding: 3 }), 'Größe'],
    ['UCS-2', inbound(ucs2('Привет 😀'), { dataCoding: 8 }), 'Привет 😀'],
    ['a class and GSM', inbound(encodeGsm('flash@'), { dataCoding: 0xf0 }), 'flash@'],
    ['UCS-2 by the bits of GSM', inbound(ucs2('я'), { dataCoding: 0x18 }), 'я'],
    ['bytes', inbound(Uint8Array.of(1, 255), { dataCoding: 4 }), '01ff'],
    ['half a UCS-2 character', inbound(Uint8Array.of(0, 65, 0), { dataCoding: 8 }), 'A'],
    ['a header longer than all', inbound(Uint8Array.of(200, 1), { esmClass: 0x40 }), ''],
    [
      'a part of one',
      inbound(Buffer.concat([writeConcatenation({ reference: 1, total: 1, number: 1 }), encodeGsm('a')]), {
        esmClass: 0x40,
      }),
      'a',
    ],
  ])('in %s is recorded and then answered', async (_, message, text) => {
    const { smsc, inbox, clock } = await bench.startBoth()
    const outcome = await smsc.deliver(message)
    expect(outcome).toMatchObject({ kind: 'answered', answer: { command: 'deliver_sm_resp', status: 0 } })
    expect(inbox.heard).toEqual([
      { carrierId: 'sms-1', sender: '37120000000', recipient: '1234', text, at: clock.now() },
    ])
  })

  test('is sent again when it could not be recorded', async () => {
    const { smsc, inbox, log } = await bench.startBoth()
    inbox.refusals = 1
    expect(await smsc.deliver(inbound(encodeGsm('Stop')))).toMatchObject({ answer: { status: 0x64 } })
    expect(await smsc.deliver(inbound(encodeGsm('Stop')))).toMatchObject({ answer: { status: 0 } })
    expect(inbox.heard).toHaveLength(1)
    expect(JSON.stringify(log.lines)).not.toMatch(/Stop|3712/)
  })
})

describe('a long message', () => {
  const join = (number: number, reference = 700) => ({ reference, total: 3, number })
  const forms: Readonly<Record<string, (number: number) => ShortMessage>> = {
    'a reference of 8 bits': (number) =>
      inbound(Buffer.concat([writeConcatenation(join(number)), encodeGsm(`part ${number} `)]), { esmClass: 0x40 }),
    'a reference of 16 bits': (number) =>
      inbound(Buffer.concat([writeWideConcatenation(join(number)), encodeGsm(`part ${number} `)]), { esmClass: 0x40 }),
    'sar parameters': (number) => inbound(encodeGsm(`part ${number} `), { tlvs: writeSar(join(number)) }),
  }

  test.each(Object.entries(forms))('joined by %s is recorded whole, in whatever order it comes', async (_, part) => {
    const { smsc, inbox } = await bench.startBoth()
    for (const number of [3, 1, 1, 2]) {
      expect(await smsc.deliver(part(number))).toMatchObject({ answer: { status: 0 } })
    }
    expect(inbox.heard.map(({ text }) => text)).toEqual(['part 1 part 2 part 3 '])
  })

  test('whose last part could not be recorded is whole when that comes again', async () => {
    const { smsc, inbox } = await bench.startBoth()
    const part = forms['sar parameters'] as (number: number) => ShortMessage
    await smsc.deliver(part(1))
    await smsc.deliver(part(2))
    inbox.refusals = 1
    expect(await smsc.deliver(part(3))).toMatchObject({ answer: { status: 0x64 } })
    expect(await smsc.deliver(part(3))).toMatchObject({ answer: { status: 0 } })
    expect(inbox.heard.map(({ text }) => text)).toEqual(['part 1 part 2 part 3 '])
  })

  test('that never becomes whole is recorded with a mark, in the end or when the carrier stops', async () => {
    const { smsc, inbox, clock, carrier } = await bench.startBoth({ enquireLinkMs: 3_600_000 })
    const part = forms['a reference of 8 bits'] as (number: number) => ShortMessage
    await smsc.deliver(part(2))
    clock.advance(KEPT_MS + 60_000)
    await eventually('the rest', () => inbox.heard.length === 1)
    await smsc.deliver(part(1))
    await settled('the stop', carrier.stop(), clock)
    expect(inbox.heard.map(({ text }) => text)).toEqual(['[…]part 2 […]', 'part 1 […][…]'])
  })

  test('of which there are too many leaves memory, the oldest first', () => {
    const long = new LongMessages()
    let passedOn = 0
    for (let count = 0; count < 100_000; count += 1) {
      const message = { carrierId: 'a', sender: String(count), recipient: '1234', text: 'x', at: 0 }
      long.add(message, join(1, count % 65_536))
      for (const { message: oldest } of long.overdue(0)) {
        expect(oldest.sender).toBe(String(passedOn))
        passedOn += 1
      }
    }
    expect(passedOn).toBeGreaterThan(50_000)
    expect(passedOn).toBeLessThan(100_000)
  })
})
