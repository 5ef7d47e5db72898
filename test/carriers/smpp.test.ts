import type { PDU, Session } from 'smpp'
import { afterEach, describe, expect, test } from 'vitest'
import { createSmppCarrier } from '../../src/carriers/smpp/smpp-carrier.ts'
import type { Carrier } from '../../src/ports/carriers/carrier.ts'
import { scriptOf } from '../../src/simulator/phones/phones.ts'
import { describeCarrier } from '../conformance/carrier.ts'
import { eventually, settled, turnLoop } from '../support/eventually.ts'
import { InboxWitness } from '../support/inbox-witness.ts'
import { SilentLog } from '../support/silent-log.ts'
import { refOf, SmppBench, smsSubmission as submission } from '../support/smpp-bench.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

const bench = new SmppBench()

afterEach(() => bench.close())

describeCarrier('SMPP', async () => {
  const clock = new VirtualClock()
  const { smsc, traffic } = await bench.startSmsc(clock)
  const { carrier } = bench.createCarrier(smsc.port, clock, { binds: 2, window: 5 })
  return { carrier, clock, traffic, inbox: new InboxWitness(), sender: 'Posthorn', farSide: smsc, stop: smsc.stop }
})

describe('an SMPP carrier', () => {
  test('sends a message and records its receipt', async () => {
    const { clock, traffic, smsc, carrier, inbox } = await bench.startBoth()
    const [verdict] = await carrier.submit(submission('Hello {you} for 5€'))
    const ref = refOf(verdict)
    expect(traffic.to('37120000000')).toEqual([
      { channel: 'sms', phone: '37120000000', sender: 'Posthorn', text: 'Hello {you} for 5€', ref },
    ])
    clock.advance(600)
    await eventually('the receipt', () => inbox.receipts.length > 0)
    expect(inbox.receipts).toEqual([{ carrierId: 'sms-1', ref, outcome: 'delivered', detail: 'stat:DELIVRD err:000' }])
    await eventually('its answer', () => smsc.pending() === 0)
    expect(carrier.state()).toMatchObject({ up: true, inFlight: 0, lastError: null })
  })

  test('of two gateways on one SMSC gets the receipts of its own messages', async () => {
    const { clock, smsc, carrier, inbox } = await bench.startBoth({ window: 50 })
    const other = bench.startCarrier(smsc.port, clock, { window: 50 })
    await eventually('the second bind', () => other.carrier.state().up)
    const numbers = Array.from({ length: 10 }, (_, number) => number)
    const sent = (from: typeof carrier) =>
      Promise.all(numbers.map(async () => refOf((await from.submit(submission('Hello')))[0])))
    const [refs, otherRefs] = await Promise.all([sent(carrier), sent(other.carrier)])
    clock.advance(600)
    await eventually('the receipts', () => inbox.receipts.length + other.inbox.receipts.length === 20)
    expect(inbox.receipts.map(({ ref }) => ref).sort()).toEqual(refs.sort())
    expect(other.inbox.receipts.map(({ ref }) => ref).sort()).toEqual(otherRefs.sort())
  })

  test.each([
    ['gsm', `${'a'.repeat(152)}€${'b'.repeat(160)}`],
    ['ucs-2', `${'я'.repeat(66)}😀${'ж'.repeat(70)}`],
  ])('sends a long %s text in parts that make the whole again', async (_, text) => {
    const { traffic, carrier, clock, inbox } = await bench.startBoth()
    const verdicts = await carrier.submit(submission(text, '37120000000', { parts: [0, 1, 2] }))
    const refs = verdicts.map(refOf)
    expect(new Set(refs).size).toBe(3)
    const arrived = traffic.to('37120000000')
    expect(arrived.map((arrival) => arrival.text).join('')).toBe(text)
    expect(arrived.map((arrival) => arrival.ref)).toEqual(refs)
    clock.advance(600)
    await eventually('three receipts', () => inbox.receipts.length === 3)
    expect(inbox.receipts.map((receipt) => receipt.ref)).toEqual(refs)
  })

  test('sends only the requested parts', async () => {
    const { traffic, carrier } = await bench.startBoth()
    const text = 'a'.repeat(153) + 'b'.repeat(153) + 'c'.repeat(10)
    const verdicts = await carrier.submit(submission(text, '37120000000', { parts: [2, 1], attempt: 2 }))
    expect(verdicts.map(({ kind }) => kind)).toEqual(['taken', 'taken'])
    expect(traffic.arrivals.map((arrival) => arrival.text)).toEqual(['c'.repeat(10), 'b'.repeat(153)])
  })

  test('slows down when the carrier asks for it, and the message is taken the next time', async () => {
    const { traffic, carrier } = await bench.startBoth()
    const slow = submission('Hello', '37120000012')
    expect(await carrier.submit(slow)).toEqual([{ kind: 'slow', reason: 'ESME_RX_T_APPN (0x64)', retryAfterMs: null }])
    expect(traffic.arrivals).toEqual([])
    refOf((await carrier.submit({ ...slow, attempt: 2 }))[0])
  })

  test('returns unclear when no answer arrives', async () => {
    const { clock, traffic, carrier } = await bench.startBoth({ responseTimeoutMs: 5_000 })
    const silent = carrier.submit(submission('Hello', '37120000013'))
    expect(carrier.state().inFlight).toBe(1)
    clock.advance(5_000)
    expect(await silent).toEqual([{ kind: 'unclear', reason: 'no answer to submit_sm' }])
    expect(traffic.arrivals).toEqual([])
    expect(carrier.state()).toMatchObject({ up: true, inFlight: 0 })
  })

  test('takes a receipt that arrives before the answer', async () => {
    const { carrier, inbox } = await bench.startBoth()
    const [verdict] = await carrier.submit(submission('Hello', '37120000011'))
    await eventually('the receipt', () => inbox.receipts.length > 0)
    expect(inbox.receipts[0]?.ref).toBe(refOf(verdict))
  })

  test.each([
    ['37120000003', 'undeliverable', 'stat:UNDELIV err:001'],
    ['37120000009', 'expired', 'stat:EXPIRED err:001'],
  ])('to %s records that it is %s', async (phone, outcome, detail) => {
    const { clock, carrier, inbox } = await bench.startBoth()
    await carrier.submit(submission('Hello', phone))
    clock.advance(600)
    await eventually('the receipt', () => inbox.receipts.length > 0)
    expect(inbox.receipts).toMatchObject([{ outcome, detail }])
  })

  test('to a phone that SMS cannot reach is refused for good', async () => {
    const script = () => ({ ...scriptOf('00').sms, reachable: false })
    const { carrier, traffic } = await bench.startBoth({}, { script })
    expect(await carrier.submit(submission('Hello'))).toEqual([
      { kind: 'refused', status: 'UNDELIVERABLE', reason: 'ESME_RINVDSTADR (0x0b)' },
    ])
    expect(traffic.arrivals).toEqual([])
  })

  test('sends the lifetime, and records a receipt after it', async () => {
    const script = () => ({ ...scriptOf('00').sms, receipts: [], deliveredAfterLifetimeMs: 2_000 })
    const { carrier, clock, inbox } = await bench.startBoth({ enquireLinkMs: 3_600_000 }, { script })
    await carrier.submit(submission('Hello', '37120000000', { lifetimeSeconds: 60 }))
    clock.advance(61_900)
    await turnLoop()
    expect(inbox.receipts).toEqual([])
    clock.advance(150)
    await eventually('the receipt', () => inbox.receipts.length === 1)
  })

  test.each(['Müller@1', '37127777777', '1234'])('sends the sender %s unchanged', async (sender) => {
    const { traffic, carrier } = await bench.startBoth()
    await carrier.submit(submission('Hello', '37120000000', { sender }))
    expect(traffic.arrivals).toMatchObject([{ sender }])
  })

  test('refuses what SMS cannot carry, and sends nothing', async () => {
    const { traffic, carrier } = await bench.startBoth()
    const call = { kind: 'call', from: '37120000000', code: '0000' } as const
    for (const wrong of [
      submission('Hello', '37120000000', { content: call }),
      submission('Hello', '37120000000', { sender: 'more than eleven' }),
      submission('Hello', '37120000000', { sender: 'Почта' }),
      submission('Hello', '37120000000', { sender: '' }),
      submission('Hello', '37120000000', { parts: [1] }),
    ]) {
      expect(await carrier.submit(wrong)).toMatchObject([{ kind: 'refused', status: 'REJECTED' }])
    }
    expect(traffic.arrivals).toEqual([])
  })

  test('acknowledges a receipt only after it is on disk, and gets it again otherwise', async () => {
    const { clock, smsc, carrier, inbox, log } = await bench.startBoth()
    inbox.refusals = 1
    await carrier.submit(submission('Hello'))
    clock.advance(600)
    await eventually('the first try', () => inbox.refused === 1)
    await turnLoop()
    expect(smsc.pending()).toBe(1)
    expect(log.lines.some(({ level }) => level === 'error')).toBe(true)
    await eventually('the second try', () => inbox.receipts.length === 1, { clock })
    await eventually('its answer', () => smsc.pending() === 0)
  })

  test('records the receipts of one event-loop turn together', async () => {
    const { clock, carrier, inbox } = await bench.startBoth()
    await Promise.all(Array.from({ length: 10 }, () => carrier.submit(submission('Hello'))))
    clock.advance(600)
    await eventually('ten receipts', () => inbox.receipts.length === 10)
    expect(inbox.calls).toBeLessThan(5)
  })

  test('queues what does not fit into the window', async () => {
    const { traffic, carrier } = await bench.startBoth({ window: 2, binds: 2 })
    expect(carrier.window).toBe(4)
    const verdicts = await Promise.all(Array.from({ length: 40 }, () => carrier.submit(submission('Hello'))))
    expect(new Set(verdicts.flat().map(refOf)).size).toBe(40)
    expect(traffic.arrivals).toHaveLength(40)
  })

  test('limits the time in the queue', async () => {
    const { clock, carrier } = await bench.startBoth({ window: 1, responseTimeoutMs: 10_000 })
    const hasty = { lifetimeSeconds: 15 }
    const three = [1, 2, 3].map(() => carrier.submit(submission('Hello', '37120000013', hasty)))
    expect(carrier.state().inFlight).toBe(3)
    clock.advance(10_000)
    clock.advance(10_000)
    expect((await Promise.all(three)).flat()).toEqual([
      { kind: 'unclear', reason: 'no answer to submit_sm' },
      { kind: 'unclear', reason: 'no answer to submit_sm' },
      { kind: 'slow', reason: 'no room in the window in time', retryAfterMs: null, aboutMessage: true },
    ])
  })

  test('logs neither texts nor phones', async () => {
    const { carrier, log, smsc } = await bench.startBoth()
    await carrier.submit(submission('Hello'))
    smsc.cut()
    await eventually('the loss', () => !carrier.state().up)
    expect(JSON.stringify(log.lines)).not.toMatch(/Hello|37120000000|secret/)
  })
})

describe('a connection that fails', () => {
  test('in flight leaves its messages unclear, and is restored', async () => {
    const { clock, smsc, carrier } = await bench.startBoth()
    const open = carrier.submit(submission('Hello', '37120000013'))
    await turnLoop()
    smsc.cut()
    expect(await open).toMatchObject([{ kind: 'unclear' }])
    await eventually('the loss', () => !carrier.state().up)
    expect(carrier.state().lastError).not.toBeNull()
    expect(await carrier.submit(submission('Hello'))).toEqual([{ kind: 'unreachable', reason: 'not bound' }])
    await eventually('the bind', () => carrier.state().up, { clock })
    refOf((await carrier.submit(submission('Hello')))[0])
  })

  test('fails queued messages at once', async () => {
    const { smsc, carrier } = await bench.startBoth({ window: 1 })
    const sent = carrier.submit(submission('Hello', '37120000013'))
    const waiting = carrier.submit(submission('Hello', '37120000013'))
    await turnLoop()
    smsc.cut()
    expect(await waiting).toEqual([{ kind: 'unreachable', reason: 'not bound' }])
    expect(await sent).toMatchObject([{ kind: 'unclear' }])
  })

  test('before a receipt was acknowledged gets the receipt again', async () => {
    const { clock, smsc, carrier, inbox } = await bench.startBoth()
    const stuck = Promise.withResolvers<void>()
    inbox.receive = () => stuck.promise
    await carrier.submit(submission('Hello'))
    clock.advance(600)
    await turnLoop()
    smsc.cut()
    await eventually('the loss', () => !carrier.state().up && smsc.bound() === 0)
    stuck.resolve()
    Reflect.deleteProperty(inbox, 'receive')
    await eventually('the receipt', () => inbox.receipts.length === 1, { clock })
    await eventually('its answer', () => smsc.pending() === 0)
  })

  test('loses no receipt: it arrives with the next bind', async () => {
    const { clock, smsc, carrier, inbox } = await bench.startBoth()
    await carrier.submit(submission('Hello'))
    smsc.cut()
    await eventually('the loss', () => !carrier.state().up && smsc.bound() === 0)
    clock.advance(600)
    await eventually('the receipt', () => inbox.receipts.length === 1, { clock })
  })

  test('with a wrong password is retried with the reason in its state', async () => {
    const clock = new VirtualClock()
    const { smsc } = await bench.startSmsc(clock)
    const { carrier, log } = bench.startCarrier(smsc.port, clock, { password: 'wrong' })
    const refusals = () => log.lines.filter(({ fields }) => fields['reason'] === 'bind refused: ESME_RINVPASWD (0x0e)')
    await eventually('three refusals', () => refusals().length === 3, { clock })
    expect(carrier.state()).toMatchObject({ up: false, lastError: 'bind refused: ESME_RINVPASWD (0x0e)' })
    const waits = refusals().map(({ fields }) => fields['waitMs'])
    for (const [index, full] of [1_000, 2_000, 4_000].entries()) {
      expect(waits[index]).toBeGreaterThan(full / 2)
      expect(waits[index]).toBeLessThanOrEqual(full)
    }
    expect(await carrier.submit(submission('Hello'))).toEqual([{ kind: 'unreachable', reason: 'not bound' }])
  })

  test('without a listener is retried until there is one', async () => {
    const clock = new VirtualClock()
    const { smsc: first } = await bench.startSmsc(clock)
    await first.stop()
    const { carrier } = bench.startCarrier(first.port, clock)
    await eventually('a refusal', () => carrier.state().lastError !== null)
    await bench.startSmsc(clock, { port: first.port })
    await eventually('the bind', () => carrier.state().up, { clock })
  })
})

describe('a carrier that stops', () => {
  test('waits for submits in flight and accepts no more', async () => {
    const { clock, carrier, traffic, smsc } = await bench.startBoth()
    const last = carrier.submit(submission('Hello'))
    const stopped = carrier.stop()
    expect(await carrier.submit(submission('Hello'))).toMatchObject([{ kind: 'unreachable' }])
    refOf((await last)[0])
    await settled('the stop', stopped, clock)
    expect(traffic.arrivals).toHaveLength(1)
    await eventually('the end of the session', () => smsc.bound() === 0)
  })
})

describe('the settings', () => {
  const create = (settings: unknown): Carrier =>
    createSmppCarrier({ id: 'a', settings }, { clock: new VirtualClock(), random: bench.random, log: new SilentLog() })
  const good = { host: 'smsc.example', port: 2775, systemId: 'a', password: 'b' }

  test('have defaults', () => {
    expect(create(good).window).toBe(10)
    expect(create({ ...good, binds: 3, window: 50 }).window).toBe(150)
  })

  test.each([
    [null, 'settings'],
    [{}, 'host'],
    [{ ...good, port: '2775' }, 'port'],
    [{ ...good, port: 0 }, 'port'],
    [{ ...good, password: 'x'.repeat(65) }, 'password'],
    [{ ...good, systemId: 'пост' }, 'systemId'],
    [{ ...good, sourceTon: 256 }, 'sourceTon'],
    [{ ...good, windw: 5 }, 'windw'],
  ])('%j are refused by name', (settings, name) => {
    expect(() => create(settings)).toThrow(new RegExp(`^${name}: `))
  })
})

describe('another implementation as the carrier', () => {
  test('takes a message and sends a receipt with text only', async () => {
    const submits: PDU[] = []
    const { carrier, inbox } = await bench.startNpmSmpp((session, pdu) => {
      submits.push(pdu)
      session.send(pdu.response({ message_id: 'abc-1' }))
      const short_message = Buffer.from('id:abc-1 sub:001 dlvrd:001 stat:Delivrd err:000 text:Hi')
      session.deliver_sm({ esm_class: 4, data_coding: 0, short_message }, () => {})
    })
    expect(await carrier.submit(submission('Hello', '37120000000', { sender: '1234' }))).toEqual([
      { kind: 'taken', ref: 'abc-1' },
    ])
    expect(submits[0]).toMatchObject({
      source_addr_ton: 3,
      source_addr_npi: 0,
      source_addr: '1234',
      destination_addr: '37120000000',
      registered_delivery: 1,
      data_coding: 0,
    })
    await eventually('the receipt', () => inbox.receipts.length === 1)
    expect(inbox.receipts).toEqual([
      { carrierId: 'sms-1', ref: 'abc-1', outcome: 'delivered', detail: 'stat:Delivrd err:000' },
    ])
  })

  test('gets the same reference in all parts of a message, and again on a second attempt', async () => {
    const headers: string[] = []
    const { carrier } = await bench.startNpmSmpp((session, pdu) => {
      const { udh, message } = pdu['short_message'] as { udh: Buffer[]; message: string }
      headers.push(`${Buffer.concat(udh).toString('hex')} ${message.slice(0, 1)}`)
      session.send(pdu.response({ message_id: String(headers.length) }))
    })
    const long = submission('я'.repeat(67) + 'ж'.repeat(10), '37120000000', { parts: [0, 1] })
    await carrier.submit(long)
    await carrier.submit({ ...long, parts: [1], attempt: 2 })
    const reference = ((long.messageId / 64) % 256).toString(16).padStart(2, '0')
    expect(headers).toEqual([`0003${reference}0201 я`, `0003${reference}0202 ж`, `0003${reference}0202 ж`])
  })

  test.each([
    [0x0a, { kind: 'refused', status: 'REJECTED', reason: 'ESME_RINVSRCADR (0x0a)' }],
    [0x0b, { kind: 'refused', status: 'UNDELIVERABLE', reason: 'ESME_RINVDSTADR (0x0b)' }],
    [0x45, { kind: 'refused', status: 'REJECTED', reason: 'ESME_RSUBMITFAIL (0x45)' }],
    [0x08, { kind: 'slow', reason: 'ESME_RSYSERR (0x08)', retryAfterMs: null }],
    [0x64, { kind: 'slow', reason: 'ESME_RX_T_APPN (0x64)', retryAfterMs: null }],
    [0xff, { kind: 'unclear', reason: 'ESME_RUNKNOWNERR (0xff)' }],
    [0x04, { kind: 'unreachable', reason: 'ESME_RINVBNDSTS (0x04)' }],
    [0x451, { kind: 'unclear', reason: 'status 0x451', aboutMessage: true }],
  ])('answers 0x%s and is understood', async (command_status, verdict) => {
    const { carrier } = await bench.startNpmSmpp((session, pdu) => void session.send(pdu.response({ command_status })))
    expect(await carrier.submit(submission('Hello'))).toEqual([verdict])
  })

  test.each([
    [0x451, 'slow', { kind: 'slow', reason: 'status 0x451', retryAfterMs: null }],
    [0x58, 'rejected', { kind: 'refused', status: 'REJECTED', reason: 'ESME_RTHROTTLED (0x58)' }],
    [0x45, 'undeliverable', { kind: 'refused', status: 'UNDELIVERABLE', reason: 'ESME_RSUBMITFAIL (0x45)' }],
    [0x452, 'account', { kind: 'unreachable', reason: 'status 0x452', account: true }],
    [0x08, 'down', { kind: 'unreachable', reason: 'ESME_RSYSERR (0x08)' }],
    [0x0b, 'unclear', { kind: 'unclear', reason: 'ESME_RINVDSTADR (0x0b)' }],
    [0xff, 'unclear message', { kind: 'unclear', reason: 'ESME_RUNKNOWNERR (0xff)', aboutMessage: true }],
  ])('answers 0x%s, which the settings call %s', async (command_status, meaning, verdict) => {
    const take = (session: Session, pdu: PDU) => void session.send(pdu.response({ command_status }))
    const { carrier } = await bench.startNpmSmpp(take, { statuses: { [`0x${command_status.toString(16)}`]: meaning } })
    expect(await carrier.submit(submission('Hello'))).toEqual([verdict])
  })

  test('sends an inbound message, which is recorded, acknowledged and not taken for a receipt', async () => {
    const answers: number[] = []
    const { carrier, inbox, clock } = await bench.startNpmSmpp((session, pdu) => {
      session.send(pdu.response({ message_id: '1' }))
      const short_message = Buffer.from('id:1 stat:DELIVRD')
      const addresses = { source_addr: '37120000000', destination_addr: '1234' }
      session.deliver_sm({ ...addresses, data_coding: 0, short_message }, ({ command_status }) =>
        answers.push(command_status),
      )
    })
    await carrier.submit(submission('Hello'))
    await eventually('the answer', () => answers.length === 1)
    expect(answers).toEqual([0])
    expect(inbox.receipts).toEqual([])
    expect(inbox.arrivals).toMatchObject([
      { carrierId: 'sms-1', sender: '37120000000', recipient: '1234', text: 'id:1 stat:DELIVRD', at: clock.now() },
    ])
  })
})
