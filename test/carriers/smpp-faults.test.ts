import fc from 'fast-check'
import type { PDU } from 'smpp'
import { afterEach, describe, expect, test } from 'vitest'
import { encodeGsm } from '../../src/domain/text/gsm-alphabet.ts'
import type { ShortMessage } from '../../src/wire/smpp/pdu.ts'
import { PduWriter } from '../../src/wire/smpp/pdu-writer.ts'
import { deliverSm } from '../support/deliver-sm.ts'
import { eventually, settled, turnLoop } from '../support/eventually.ts'
import { LOOPBACK_CERTIFICATE, LOOPBACK_CERTIFICATE_KEY } from '../support/loopback-certificate.ts'
import { refOf, SmppBench, smsSubmission } from '../support/smpp-bench.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

const bench = new SmppBench()

afterEach(() => bench.close())

function withByteTooMany(message: ShortMessage, sequence: number): Buffer {
  const writer = new PduWriter()
  writer.write(message, sequence)
  const bytes = Buffer.concat([writer.take(), Buffer.of(0)])
  bytes.writeUInt32BE(bytes.length, 0)
  return bytes
}

describe.each(['silent', 'half-open'] as const)('an SMSC that becomes %s', (kind) => {
  test('during a session is detected, and bound again once it has recovered', async () => {
    const { clock, carrier, smsc } = await bench.startBoth()
    smsc.inject({ kind })
    const verdict = settled('the verdict', carrier.submit(smsSubmission('Hello')), clock)
    expect(await verdict).toMatchObject([{ kind: 'unclear' }])
    await eventually('the loss', () => !carrier.state().up, { clock })
    expect(carrier.state().lastError).toBe('the peer does not answer')
    smsc.inject({ kind: 'none' })
    await eventually('the bind', () => carrier.state().up, { clock })
    refOf((await carrier.submit(smsSubmission('Hello')))[0])
  })

  test('before the bind is retried', async () => {
    const clock = new VirtualClock()
    const { smsc } = await bench.startSmsc(clock)
    smsc.inject({ kind })
    const { carrier } = bench.startCarrier(smsc.port, clock)
    await eventually('a first failure', () => carrier.state().lastError !== null, { clock })
    expect(carrier.state()).toMatchObject({ up: false, lastError: 'no answer to bind_transceiver' })
    smsc.inject({ kind: 'none' })
    await eventually('the bind', () => carrier.state().up, { clock })
  })
})

describe('an SMSC that is slow', () => {
  test('gets its late answers recorded, each once', async () => {
    const { clock, carrier, smsc, inbox } = await bench.startBoth({ responseTimeoutMs: 5_000 })
    smsc.inject({ kind: 'slow', answersAfterMs: 7_000 })
    const submission = smsSubmission('Hello')
    const pending = carrier.submit(submission)
    await turnLoop()
    clock.advance(5_000)
    expect(await pending).toEqual([{ kind: 'unclear', reason: 'no answer to submit_sm' }])
    clock.advance(2_000)
    await eventually('the late answer', () => inbox.lateAnswers.length > 0)
    const { messageId, step } = submission
    expect(inbox.lateAnswers).toEqual([{ carrierId: 'sms-1', messageId, step, parts: [0], ref: expect.any(String) }])
    await eventually('the receipt', () => inbox.receipts.length > 0, { clock })
    expect(inbox.receipts[0]?.ref).toBe(inbox.lateAnswers[0]?.ref)
  })

  test('is waited for half a minute, because a message that is given up is sent again', async () => {
    const { clock, carrier, smsc, traffic } = await bench.startBoth({ enquireLinkMs: 3_600_000 })
    smsc.inject({ kind: 'slow', answersAfterMs: 29_000 })
    const pending = carrier.submit(smsSubmission('Hello'))
    await eventually('it to arrive', () => traffic.arrivals.length === 1)
    clock.advance(29_000)
    refOf((await pending)[0])
  })

  test('with one part is judged by its late answer before the others are answered', async () => {
    const submits: PDU[] = []
    const started = await bench.startNpmSmpp(
      (session, pdu) => {
        submits.push(pdu)
        if (submits.length === 2) for (const each of submits) session.send(each.response({ message_id: 'late' }))
      },
      { window: 1, responseTimeoutMs: 10_000 },
    )
    const { carrier, clock, inbox } = started
    const pending = carrier.submit(smsSubmission('a'.repeat(200), '37120000000', { parts: [0, 1] }))
    await eventually('the first part', () => submits.length === 1)
    clock.advance(10_000)
    expect((await pending).map(refOf)).toEqual(['late', 'late'])
    expect(inbox.lateAnswers).toEqual([])
  })
})

describe('an SMSC that unbinds with submits open', () => {
  test('and answers them later has taken each once, and gets no further ones', async () => {
    const { smsc, carrier } = await bench.startRaw()
    const pending = Array.from({ length: 10 }, () => carrier.submit(smsSubmission('Hello')))
    await eventually('the submits', () => smsc.peer.all('submit_sm').length === 10)
    smsc.peer.send({ command: 'unbind' }, 1)
    await eventually('the end of submits', () => !carrier.state().up)
    expect(await carrier.submit(smsSubmission('Hello'))).toMatchObject([{ kind: 'unreachable' }])
    for (const { sequence } of smsc.peer.all('submit_sm')) {
      smsc.peer.send({ command: 'submit_sm_resp', status: 0, messageId: `id-${sequence}`, tlvs: [] }, sequence)
    }
    expect(new Set((await Promise.all(pending)).flat().map(refOf)).size).toBe(10)
    await eventually('the answer to unbind', () => smsc.peer.all('unbind_resp').length === 1)
  })
})

describe('an SMSC that sends invalid PDUs', () => {
  test('gets an error and is logged without message text, and the next message goes through', async () => {
    const { carrier, smsc, log } = await bench.startBoth()
    // A deliver_sm whose body ends too early, followed by a text.
    const secret = Buffer.from('my secret')
    const head = Buffer.from('0000001900000005000000000000004d', 'hex')
    smsc.inject({ kind: 'garbage', bytes: Buffer.concat([head, secret]) })
    const line = await eventually('the line', () => log.lines.find(({ fields }) => 'head' in fields))
    expect(line.fields).toMatchObject({ head: head.toString('hex'), reason: 'deliver_sm: a string does not end' })
    expect(JSON.stringify(log.lines)).not.toContain(secret.toString('hex'))
    expect(carrier.state().links).toMatchObject([{ protocolErrors: 1 }])
    refOf((await carrier.submit(smsSubmission('Hello')))[0])
  })

  test('without end loses the bind', async () => {
    const { carrier, smsc, clock } = await bench.startBoth()
    const head = Buffer.from('00000010000000050000000000000001', 'hex')
    smsc.inject({ kind: 'garbage', bytes: Buffer.concat(Array.from({ length: 100 }, () => head)) })
    await eventually('the loss', () => carrier.state().lastError === 'the peer makes no sense')
    await eventually('the bind', () => carrier.state().up, { clock })
  })

  test('with a byte too many gets its receipts and texts processed, and one line in the log', async () => {
    const { carrier, smsc, log, inbox } = await bench.startBoth()
    const receipt = Buffer.from('id:12-a stat:DELIVRD')
    for (let sequence = 1; sequence <= 150; sequence += 1) {
      const each = sequence % 2 === 0 ? deliverSm(receipt, { esmClass: 4 }) : deliverSm(encodeGsm(`text ${sequence}`))
      smsc.inject({ kind: 'garbage', bytes: withByteTooMany(each, sequence) })
    }
    await eventually('the texts', () => inbox.arrivals.length === 75)
    await eventually('the receipts', () => inbox.of('12-a').length === 75)
    expect(inbox.arrivals[0]?.text).toBe('text 1')
    expect(carrier.state()).toMatchObject({ up: true, links: [{ protocolErrors: 150 }] })
    const lines = log.lines.filter(({ fields }) => 'head' in fields)
    expect(lines.map(({ fields }) => fields['reason'])).toEqual(['deliver_sm: an optional parameter is cut off'])
  })

  test('for phones that come into reach, or of a command of its own, keeps the bind', async () => {
    const { carrier, smsc, log } = await bench.startBoth()
    for (const command of ['00000102', '0000000b', '00010200']) {
      const pdu = Buffer.from(`00000010${command}0000000000000001`, 'hex')
      smsc.inject({ kind: 'garbage', bytes: Buffer.concat(Array.from({ length: 150 }, () => pdu)) })
    }
    refOf((await carrier.submit(smsSubmission('Hello')))[0])
    expect(carrier.state()).toMatchObject({ up: true, links: [{ protocolErrors: 0 }] })
    const reasons = log.lines.flatMap(({ fields }) => fields['reason'] ?? [])
    expect(reasons).toEqual(['command 0x10200 is not known'])
  })

  test('of any bytes never blocks the carrier', async () => {
    const { carrier, smsc, clock } = await bench.startBoth()
    const pdu = fc
      .record({
        command: fc.constantFrom(4, 5, 6, 0x15, 0x103, 0x80000000, 0x80000004, 0x80000015),
        body: fc.uint8Array({ maxLength: 80 }),
      })
      .map(({ command, body }) => {
        const head = Buffer.alloc(16)
        head.writeUInt32BE(16 + body.length, 0)
        head.writeUInt32BE(command, 4)
        head.writeUInt32BE(1, 12)
        return Buffer.concat([head, body])
      })
    const bytes = fc.oneof({ weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }) }, { weight: 3, arbitrary: pdu })
    await fc.assert(
      fc.asyncProperty(bytes, async (noise) => {
        smsc.inject({ kind: 'garbage', bytes: noise })
        await turnLoop(10)
        smsc.inject({ kind: 'none' })
        await eventually('the bind', () => carrier.state().up, { clock })
        const verdicts = await settled('the verdict', carrier.submit(smsSubmission('Hello')), clock)
        expect(verdicts).toHaveLength(1)
      }),
      { numRuns: 40 },
    )
    smsc.cut()
    await eventually('the loss', () => !carrier.state().up)
    await eventually('the bind', () => carrier.state().up, { clock })
    refOf((await carrier.submit(smsSubmission('Hello')))[0])
  })
})

describe('TLS', () => {
  const tls = { key: LOOPBACK_CERTIFICATE_KEY, cert: LOOPBACK_CERTIFICATE }

  test('to an SMSC whose certificate is trusted carries messages and receipts', async () => {
    const { carrier, inbox, clock } = await bench.startBoth({ tls: { ca: LOOPBACK_CERTIFICATE } }, { tls })
    const ref = refOf((await carrier.submit(smsSubmission('Hello')))[0])
    clock.advance(600)
    await eventually('the receipt', () => inbox.of(ref).length === 1)
  })

  test.each([
    ['its issuer is not trusted', {}, /self-signed certificate/],
    ['it is made out to another', { ca: LOOPBACK_CERTIFICATE, servername: 'smsc.example' }, /altnames/],
  ])('is refused when %s', async (_, settings, reason) => {
    const clock = new VirtualClock()
    const { smsc } = await bench.startSmsc(clock, { tls })
    const { carrier } = bench.startCarrier(smsc.port, clock, { tls: settings })
    await eventually('the refusal', () => carrier.state().lastError !== null)
    expect(carrier.state()).toMatchObject({ up: false, lastError: expect.stringMatching(reason) })
    expect(smsc.bound()).toBe(0)
  })
})

test('a transmitter and a receiver together work like a transceiver', async () => {
  const { carrier, inbox, clock, smsc } = await bench.startBoth({ bindAs: 'transmitter and receiver', binds: 2 })
  await eventually('four binds', () => smsc.bound() === 4)
  expect(carrier.window).toBe(20)
  const ref = refOf((await carrier.submit(smsSubmission('Hello')))[0])
  clock.advance(600)
  await eventually('the receipt', () => inbox.of(ref).length === 1)
  smsc.cut()
  await eventually('the loss', () => smsc.bound() === 0)
  await eventually('four binds', () => smsc.bound() === 4, { clock })
})
