/** The same text twice: one message that the carrier repeats, or two that say the same. */
import { afterEach, describe, expect, test } from 'vitest'
import { encodeGsm } from '../../src/domain/text/gsm-alphabet.ts'
import type { ShortMessage } from '../../src/wire/smpp/pdu.ts'
import { TAGS, type Tlv, textTlv } from '../../src/wire/smpp/tlv.ts'
import { deliverSm } from '../support/deliver-sm.ts'
import { eventually, turnLoop } from '../support/eventually.ts'
import { SmppBench } from '../support/smpp-bench.ts'

const bench = new SmppBench()

afterEach(() => bench.close())

const yes = (change: Partial<ShortMessage> = {}) => deliverSm(encodeGsm('YES'), change)
type Started = Awaited<ReturnType<SmppBench['startRaw']>>

async function bindAgain({ carrier, clock, smsc }: Started): Promise<void> {
  const before = smsc.peers.length
  await eventually('the loss', () => !carrier.state().up, { clock })
  await eventually('the bind', () => carrier.state().up && smsc.peers.length > before, { clock })
}

describe('an SMSC that never answers enquire_link', () => {
  test.each([
    ['at once', 0],
    ['a second later', 1_000],
    ['four seconds later', 4_000],
  ])('gets an equal text with another sequence number recorded as another message, %s', async (_, waitMs) => {
    const { smsc, inbox, clock } = await bench.startRaw()
    await smsc.peer.ask(yes(), 1)
    clock.advance(waitMs)
    await smsc.peer.ask(yes(), 2)
    await smsc.peer.ask(yes(), 3)
    expect(inbox.arrivals.map(({ text }) => text)).toEqual(['YES', 'YES', 'YES'])
  })

  test('gets equal texts recorded that it sent without waiting for answers', async () => {
    const { smsc, inbox } = await bench.startRaw()
    for (const sequence of [1, 2, 3]) smsc.peer.send(yes(), sequence)
    await eventually('the texts', () => inbox.arrivals.length === 3)
  })

  test('repeats under the same sequence number', async () => {
    const { smsc, inbox } = await bench.startRaw()
    for (const sequence of [7, 7, 8]) await smsc.peer.ask(yes(), sequence)
    expect(inbox.arrivals).toHaveLength(2)
  })

  test('may use one sequence number for all: four seconds later it is a new message', async () => {
    const { smsc, inbox, clock } = await bench.startRaw()
    await smsc.peer.ask(yes(), 1)
    clock.advance(4_000)
    await smsc.peer.ask(yes(), 1)
    expect(inbox.arrivals).toHaveLength(2)
  })
})

describe('after the connection was lost, an equal text', () => {
  test('is a repeat if the answer could not arrive, and one of two stays one of two', async () => {
    const started = await bench.startRaw()
    const { smsc, inbox } = started
    for (const sequence of [1, 2]) await smsc.peer.ask(yes(), sequence)
    smsc.peer.socket.resetAndDestroy()
    await bindAgain(started)
    for (const sequence of [1, 2]) await smsc.peer.ask(yes(), sequence)
    expect(inbox.arrivals).toHaveLength(2)
    await smsc.peer.ask(yes(), 3)
    expect(inbox.arrivals).toHaveLength(3)
  })

  test('is a new one if the SMSC closed the connection four seconds after the answer', async () => {
    const started = await bench.startRaw()
    const { smsc, inbox, clock } = started
    await smsc.peer.ask(yes(), 1)
    clock.advance(4_000)
    smsc.peer.socket.end()
    await bindAgain(started)
    await smsc.peer.ask(yes(), 1)
    expect(inbox.arrivals).toHaveLength(2)
  })

  test('is a new one if the SMSC sent something else four seconds after the answer', async () => {
    const started = await bench.startRaw()
    const { smsc, inbox, clock } = started
    await smsc.peer.ask(yes(), 1)
    clock.advance(4_000)
    await smsc.peer.ask({ command: 'enquire_link' }, 2)
    smsc.peer.socket.resetAndDestroy()
    await bindAgain(started)
    await smsc.peer.ask(yes(), 1)
    expect(inbox.arrivals).toHaveLength(2)
  })

  test('is a new one if the SMSC was silent, and closed in answer to our close', async () => {
    const started = await bench.startRaw()
    const { smsc, inbox } = started
    await smsc.peer.ask(yes(), 1)
    await bindAgain(started)
    await smsc.peer.ask(yes(), 1)
    expect(inbox.arrivals).toHaveLength(2)
  })

  test('is a repeat if the network was cut', async () => {
    const started = await bench.startRaw()
    const { smsc, inbox } = started
    await smsc.peer.ask(yes(), 1)
    smsc.peer.socket.pause()
    await bindAgain(started)
    await smsc.peer.ask(yes(), 1)
    expect(inbox.arrivals).toHaveLength(1)
  })

  test('is a new one if the SMSC answered our unbind', async () => {
    const { smsc, inbox, carrier } = await bench.startRaw()
    await smsc.peer.ask(yes(), 1)
    const stopped = carrier.stop()
    await eventually('unbind', () => smsc.peer.all('unbind').length === 1)
    smsc.peer.send({ command: 'unbind_resp', status: 0 }, smsc.peer.all('unbind')[0]?.sequence ?? 0)
    await stopped
    expect(inbox.settled).toMatchObject([{ key: inbox.arrivals[0]?.key }])
  })
})

describe('what the carrier adds to a text', () => {
  const tlv = (tag: number, text: string): Tlv => ({ tag, value: Buffer.from(text) })

  test.each([
    ['an id', tlv(TAGS.userMessageReference, '01'), tlv(TAGS.userMessageReference, '02')],
    ['a time of its own', tlv(0x1501, '2611282300'), tlv(0x1501, '2611282304')],
    ['an id of the message', textTlv(TAGS.receiptedMessageId, 'a1'), textTlv(TAGS.receiptedMessageId, 'a2')],
  ])('%s distinguishes messages, also after a lost connection', async (_, first, second) => {
    const started = await bench.startRaw()
    const { smsc, inbox } = started
    await smsc.peer.ask(yes({ tlvs: [first] }), 1)
    smsc.peer.socket.resetAndDestroy()
    await bindAgain(started)
    await smsc.peer.ask(yes({ tlvs: [first] }), 1)
    await smsc.peer.ask(yes({ tlvs: [second] }), 2)
    expect(inbox.arrivals).toHaveLength(2)
  })

  test('an id of the message identifies a repeat, on any session', async () => {
    const { smsc, inbox, clock } = await bench.startRaw()
    const tlvs = [textTlv(TAGS.receiptedMessageId, 'a1')]
    for (const sequence of [1, 2]) {
      await smsc.peer.ask(yes({ tlvs }), sequence)
      clock.advance(4_000)
    }
    await turnLoop()
    expect(inbox.arrivals).toHaveLength(1)
  })
})
