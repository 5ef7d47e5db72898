import { afterEach, describe, expect, test } from 'vitest'
import { encodeGsm } from '../../src/domain/text/gsm-alphabet.ts'
import { writeConcatenation, writeSar, writeWideConcatenation } from '../../src/wire/smpp/concatenation.ts'
import type { ShortMessage } from '../../src/wire/smpp/pdu.ts'
import { deliverSm } from '../support/deliver-sm.ts'
import { eventually } from '../support/eventually.ts'
import { SmppBench } from '../support/smpp-bench.ts'

const bench = new SmppBench()

afterEach(() => bench.close())

const ucs2 = (text: string) => Buffer.from(text, 'utf16le').swap16()

describe('an inbound message', () => {
  test.each([
    ['GSM', deliverSm(encodeGsm('Stop! {5€}')), 'Stop! {5€}'],
    ['Latin-1', deliverSm(Buffer.from('Größe', 'latin1'), { dataCoding: 3 }), 'Größe'],
    ['UCS-2', deliverSm(ucs2('Привет 😀'), { dataCoding: 8 }), 'Привет 😀'],
    ['a class and GSM', deliverSm(encodeGsm('flash@'), { dataCoding: 0xf0 }), 'flash@'],
    ['UCS-2 by the bits of GSM', deliverSm(ucs2('я'), { dataCoding: 0x18 }), 'я'],
    ['bytes', deliverSm(Uint8Array.of(1, 255), { dataCoding: 4 }), '01ff'],
    ['Shift-JIS', deliverSm(Uint8Array.of(0x92, 0xe2, 0x8e, 0x7e, 0xb1), { dataCoding: 5 }), '停止ｱ'],
    ['a keyword in Shift-JIS', deliverSm(Buffer.from('STOP'), { dataCoding: 5 }), 'STOP'],
    ['ISO-2022-JP', deliverSm(Buffer.from('\x1b$BDd;_\x1b(B 1', 'latin1'), { dataCoding: 10 }), '停止 1'],
    ['ISO-2022-JP as JIS', deliverSm(Buffer.from('\x1b$BDd;_\x1b(B', 'latin1'), { dataCoding: 5 }), '停止'],
    ['JIS X 0212, as bytes', deliverSm(Uint8Array.of(0xb0, 0xa1), { dataCoding: 13 }), 'b0a1'],
    ['pictograms, as bytes', deliverSm(Uint8Array.of(0xf8, 0x9f), { dataCoding: 9 }), 'f89f'],
    ['half a UCS-2 character', deliverSm(Uint8Array.of(0, 65, 0), { dataCoding: 8 }), 'A'],
    ['a header longer than all', deliverSm(Uint8Array.of(200, 1), { esmClass: 0x40 }), ''],
    [
      'a part of one',
      deliverSm(Buffer.concat([writeConcatenation({ reference: 1, total: 1, number: 1 }), encodeGsm('a')]), {
        esmClass: 0x40,
      }),
      'a',
    ],
  ])('in %s is recorded and then acknowledged', async (_, message, text) => {
    const { smsc, inbox, clock } = await bench.startBoth()
    const outcome = await smsc.deliver(message)
    expect(outcome).toMatchObject({ kind: 'answered', answer: { command: 'deliver_sm_resp', status: 0 } })
    const written = { carrierId: 'sms-1', sender: '37120000000', recipient: '1234', text, at: clock.now() }
    expect(inbox.arrivals).toMatchObject([{ ...written, part: null, keyUntil: clock.now() + 86_400_000 }])
  })

  test('is repeated by the carrier if it could not be recorded', async () => {
    const { smsc, inbox, log } = await bench.startBoth()
    inbox.refusals = 1
    expect(await smsc.deliver(deliverSm(encodeGsm('Stop')))).toMatchObject({ answer: { status: 0x64 } })
    expect(await smsc.deliver(deliverSm(encodeGsm('Stop')))).toMatchObject({ answer: { status: 0 } })
    expect(inbox.arrivals).toHaveLength(1)
    expect(JSON.stringify(log.lines)).not.toMatch(/Stop|3712/)
  })
})

describe('the sender of an inbound message', () => {
  test.each([
    ['in national format by its type, without trunk prefix', 2, '15230055433', '4915230055433'],
    ['in national format by its type, with it', 2, '015230055433', '4915230055433'],
    ['in national format by its form', 0, '015230055433', '4915230055433'],
    ['of another country', 1, '15230055433', '15230055433'],
    ['with a type that is wrong', 2, '4915230055433', '4915230055433'],
    ['that is a name', 5, 'Shop', 'Shop'],
  ])('%s is read', async (_, ton, digits, sender) => {
    const { smsc, inbox } = await bench.startBoth({ nationalCountry: 'DE' })
    await smsc.deliver(deliverSm(encodeGsm('STOP'), { source: { ton, npi: 1, digits } }))
    expect(inbox.arrivals.map((arrival) => arrival.sender)).toEqual([sender])
  })
})

describe('a backlog of inbound messages', () => {
  test('is recorded a hundred at a time, and only what was not recorded is refused', async () => {
    const { smsc, inbox } = await bench.startBoth({ window: 10 })
    inbox.refusals = 1
    const texts = Array.from({ length: 450 }, (_, index) => `text ${index}`)
    const outcomes = await Promise.all(texts.map((text) => smsc.deliver(deliverSm(encodeGsm(text)))))
    const refused = outcomes.filter((outcome) => outcome.kind === 'answered' && outcome.answer.status === 0x64)
    expect(refused.length).toBeGreaterThan(0)
    expect(refused.length).toBeLessThanOrEqual(100)
    expect(inbox.arrivals).toHaveLength(texts.length - refused.length)
  })
})

describe('a long message', () => {
  const join = (number: number, reference = 700) => ({ reference, total: 3, number })
  const forms: Readonly<Record<string, (number: number) => ShortMessage>> = {
    'a reference of 8 bits': (number) =>
      deliverSm(Buffer.concat([writeConcatenation(join(number, 188)), encodeGsm(`part ${number}`)]), {
        esmClass: 0x40,
      }),
    'a reference of 16 bits': (number) =>
      deliverSm(Buffer.concat([writeWideConcatenation(join(number)), encodeGsm(`part ${number}`)]), { esmClass: 0x40 }),
    'sar parameters': (number) => deliverSm(encodeGsm(`part ${number}`), { tlvs: writeSar(join(number)) }),
  }

  test.each(Object.entries(forms))('joined by %s is recorded part by part as it arrives', async (form, part) => {
    const { smsc, inbox } = await bench.startBoth()
    for (const number of [3, 1]) expect(await smsc.deliver(part(number))).toMatchObject({ answer: { status: 0 } })
    const reference = form.includes('8 bits') ? 188 : 700
    expect(inbox.arrivals.map(({ text, part: place }) => [text, place])).toEqual([
      ['part 3', join(3, reference)],
      ['part 1', join(1, reference)],
    ])
    expect(new Set(inbox.arrivals.map(({ key }) => key)).size).toBe(2)
  })
})

describe('the answer to an inbound message', () => {
  const keysOf = ({ arrivals }: { readonly arrivals: readonly { readonly key: string }[] }) =>
    arrivals.map(({ key }) => key)

  test('counts as read once a later request is answered: an equal message is a new one then', async () => {
    const { smsc, inbox } = await bench.startBoth()
    for (const _time of ['first', 'second']) {
      expect(await smsc.deliver(deliverSm(encodeGsm('Yes')))).toMatchObject({ answer: { status: 0 } })
      await eventually('the proof', () => inbox.settled.length === inbox.arrivals.length)
    }
    expect(inbox.arrivals.map(({ text }) => text)).toEqual(['Yes', 'Yes'])
    const at = expect.any(Number)
    expect(inbox.settled).toEqual(keysOf(inbox).map((key) => ({ carrierId: 'sms-1', key, at })))
  })

  test('does not count as read if the connection is lost: an equal message is a repeat', async () => {
    const { smsc, inbox, clock, carrier } = await bench.startBoth()
    const first = smsc.deliver(deliverSm(encodeGsm('Yes')))
    smsc.inject({ kind: 'half-open' })
    await eventually('it to be recorded', () => inbox.arrivals.length === 1)
    smsc.cut()
    expect(await first).toMatchObject({ kind: 'failed' })
    smsc.inject({ kind: 'none' })
    await eventually('the loss', () => !carrier.state().up)
    await eventually('the bind', () => smsc.bound() === 1, { clock })
    expect(await smsc.deliver(deliverSm(encodeGsm('Yes')))).toMatchObject({ answer: { status: 0 } })
    expect(inbox.arrivals).toHaveLength(1)
    await eventually('the proof', () => inbox.settled.length === 1)
    expect(await smsc.deliver(deliverSm(encodeGsm('No')))).toMatchObject({ answer: { status: 0 } })
    expect(await smsc.deliver(deliverSm(encodeGsm('Yes')))).toMatchObject({ answer: { status: 0 } })
    expect(inbox.arrivals.map(({ text }) => text)).toEqual(['Yes', 'No', 'Yes'])
  })

  test('proves nothing for an hour if it took long: the carrier may have given up', async () => {
    const { smsc, inbox, clock, carrier } = await bench.startBoth({ enquireLinkMs: 3_600_000 })
    const receive = inbox.receiveInbound.bind(inbox)
    inbox.receiveInbound = async (arrivals) => {
      clock.advance(3_000)
      await receive(arrivals)
    }
    await smsc.deliver(deliverSm(encodeGsm('Yes')))
    inbox.receiveInbound = receive
    await eventually('the proof', () => inbox.settled.length === 1)
    await smsc.deliver(deliverSm(encodeGsm('Yes')))
    expect(inbox.arrivals).toHaveLength(1)
    clock.advance(3_600_000)
    await eventually('the bind', () => carrier.state().up, { clock })
    await smsc.deliver(deliverSm(encodeGsm('Yes')))
    expect(inbox.arrivals).toHaveLength(2)
  })
})
