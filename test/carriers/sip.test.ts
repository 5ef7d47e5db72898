/** Flash calls against the simulated phones. */
import dgram from 'node:dgram'
import net from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createSipCarrier } from '../../src/carriers/sip/sip-carrier.ts'
import type { MessageId } from '../../src/domain/ids/message-id.ts'
import type { Phone } from '../../src/domain/numbers/phone.ts'
import { PhoneTraffic } from '../../src/simulator/phones/traffic.ts'
import { startCalledPhone } from '../../src/simulator/sip/called-phone.ts'
import { cseqOf, dialogTag, headerOf } from '../../src/wire/sip/headers.ts'
import { NO_BODY, type SipRequest, writeSip } from '../../src/wire/sip/message.ts'
import type { SipTransport } from '../../src/wire/sip/transport.ts'
import { type CarrierBench, describeCarrier } from '../conformance/carrier.ts'
import { eventually, turnLoop } from '../support/eventually.ts'
import { InboxWitness } from '../support/inbox-witness.ts'
import { SilentLog } from '../support/silent-log.ts'
import {
  CALLER,
  closeAll,
  identityOf,
  idle,
  open,
  PHONE,
  RING_MS,
  random,
  SETUP_MS,
  stage,
  submission,
  taken,
  trustOf,
} from '../support/sip-stage.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

afterEach(closeAll)

describe.each(['udp', 'tcp', 'tls'] as const)('a flash call over %s', (transport) => {
  it('rings, is hung up on and leaves nothing behind', async () => {
    const { carrier, clock, traffic, wire } = await stage(transport, null)
    const [verdict] = await carrier.submit(submission())
    expect(verdict).toEqual(taken)
    expect(carrier.state()).toMatchObject({ up: true, inFlight: 1 })
    expect(wire.words).toEqual(['in INVITE', 'out 100', 'out 180'])

    clock.advance(RING_MS - 1)
    await turnLoop()
    expect(wire.count('in CANCEL')).toBe(0)
    clock.advance(1)
    await idle(carrier)
    await wire.next('in ACK')
    expect(wire.words.slice(3)).toEqual(['in CANCEL', 'out 200', 'out 487', 'in ACK'])
    expect(traffic.arrivals).toEqual([
      { channel: 'call', phone: PHONE, sender: '', text: CALLER, ref: verdict?.kind === 'taken' ? verdict.ref : '' },
    ])
  })

  it('shows the calling number in every header that a switch may read', async () => {
    const { carrier, wire } = await stage(transport, null, {}, { domain: 'trunk.example' })
    await carrier.submit(submission())
    const { message } = await wire.next('in INVITE')
    expect(message).toMatchObject({ uri: `sip:+${PHONE}@trunk.example` })
    expect(headerOf(message, 'From')).toMatch(/^<sip:\+447700901234@trunk.example>;tag=/)
    expect(headerOf(message, 'To')).toBe(`<sip:+${PHONE}@trunk.example>`)
    expect(headerOf(message, 'P-Asserted-Identity')).toBe(`<sip:+${CALLER}@trunk.example>`)
    expect(headerOf(message, 'Contact')).toMatch(/^<sip:\+447700901234@127\.0\.0\.1:\d+/)
    expect(Buffer.from(message.body).toString()).toContain('m=audio')
  })

  it('cancels and acknowledges inside the transaction of its INVITE', async () => {
    const { carrier, clock, wire } = await stage(transport, null)
    await carrier.submit(submission())
    clock.advance(RING_MS)
    const [invite, cancel, ack] = [
      (await wire.next('in INVITE')).message,
      (await wire.next('in CANCEL')).message,
      (await wire.next('in ACK')).message,
    ]
    for (const each of [cancel, ack]) {
      expect(headerOf(each, 'Via')).toBe(headerOf(invite, 'Via'))
      expect(cseqOf(each)?.number).toBe(cseqOf(invite)?.number)
      expect(each).toMatchObject({ uri: (invite as SipRequest).uri })
    }
    expect(dialogTag(cancel, 'To')).toBeNull()
    expect(dialogTag(ack, 'To')).toBe(dialogTag((await wire.next('out 487')).message, 'To'))
  })

  it('with early media and no ringing is given up, unless the setting says that early media is ringing', async () => {
    const { carrier, clock, wire } = await stage(transport, { does: 'ring', as: 183 })
    const verdicts = carrier.submit(submission())
    await wire.next('out 183')
    await turnLoop()
    clock.advance(SETUP_MS)
    const reason = 'did not ring within 8000 ms, though early media came (183)'
    expect(await verdicts).toEqual([{ kind: 'unclear', reason }])
    await wire.next('in CANCEL')
    const other = await stage(transport, { does: 'ring', as: 183 }, {}, { earlyMedia: 'ringing' })
    expect(await other.carrier.submit(submission())).toEqual([taken])
  })

  it('that is announced as wrong by early media and then refused did not ring', async () => {
    const script = { does: 'refuse', status: 404, reason: 'Not Found', afterRingingMs: 2_000, as: 183 } as const
    const { carrier, clock, wire } = await stage(transport, script)
    const verdicts = carrier.submit(submission())
    await wire.next('out 183')
    await turnLoop()
    clock.advance(2_000)
    const cause = 'wrong number'
    expect(await verdicts).toEqual([{ kind: 'refused', status: 'UNDELIVERABLE', reason: '404 Not Found', cause }])
  })

  it.each([
    ['by default', {}, { kind: 'refused', status: 'UNDELIVERABLE', reason: 'answered without ringing', cause: 'off' }],
    ['with the setting', { answerWithoutRinging: 'delivered' }, taken],
  ])('that is answered without ringing is hung up on at once (verdict %s)', async (_, settings, verdict) => {
    const { carrier, clock, wire, inbox } = await stage(
      transport,
      { does: 'answer', afterMs: 0, rings: false },
      {},
      settings,
    )
    const verdicts = carrier.submit(submission())
    await wire.next('in INVITE')
    clock.advance(0)
    expect(await verdicts).toEqual([verdict])
    await wire.next('in BYE')
    await idle(carrier)
    expect(inbox.receipts).toHaveLength(verdict === taken ? 1 : 0)
  })

  it.each([
    [404, 'Not Found', 'refused', 'wrong number'],
    [484, 'Address Incomplete', 'refused', 'wrong number'],
    [604, 'Does Not Exist Anywhere', 'refused', 'wrong number'],
    [486, 'Busy Here', 'refused', 'busy'],
    [480, 'Temporarily Unavailable', 'refused', 'off'],
    [600, 'Busy Everywhere', 'refused', 'busy'],
    [603, 'Decline', 'refused', 'declined'],
    [403, 'Forbidden', 'unreachable', 'about the number'],
    [488, 'Not Acceptable Here', 'unreachable', 'about the number'],
    [500, 'Server Internal Error', 'unreachable', 'about the number'],
    [302, 'Moved Temporarily', 'unreachable', 'about the number'],
    [401, 'Unauthorized', 'unreachable', 'out of order'],
    [407, 'Proxy Authentication Required', 'unreachable', 'out of order'],
    [408, 'Request Timeout', 'unreachable', 'out of order'],
    [503, 'Service Unavailable', 'unreachable', 'out of order'],
    [504, 'Server Time-out', 'unreachable', 'out of order'],
  ])("that ends with %i before it rings is reported with the peer's reason", async (status, reason, kind, says) => {
    const { carrier, traffic, wire } = await stage(transport, { does: 'refuse', status, reason })
    const refused = { status: 'UNDELIVERABLE', cause: says }
    const further = kind === 'refused' ? refused : says === 'about the number' ? { aboutMessage: true } : {}
    expect(await carrier.submit(submission())).toEqual([{ kind, reason: `${status} ${reason}`, ...further }])
    await wire.next('in ACK')
    await idle(carrier)
    expect(traffic.arrivals).toEqual([])
  })

  it.each([
    ['rings to the end', { does: 'ring' }, RING_MS, 'unanswered', '487 Request Terminated'],
    [
      'is declined',
      { does: 'refuse', status: 603, reason: 'Decline', afterRingingMs: 900 },
      900,
      'unanswered',
      '603 Decline',
    ],
    ['is answered', { does: 'answer', afterMs: 900, rings: true }, 900, 'answered', '200 OK'],
    ['is answered as we hang up', { does: 'answer the cancel' }, RING_MS, 'answered', '200 OK'],
  ] as const)('that %s gives one receipt', async (_, script, afterMs, outcome, detail) => {
    const { carrier, clock, inbox, wire } = await stage(transport, script)
    const [verdict] = await carrier.submit(submission())
    expect(inbox.receipts).toEqual([])
    clock.advance(afterMs)
    await wire.next('in ACK')
    await idle(carrier)
    clock.advance(60_000)
    await turnLoop()
    const ref = verdict?.kind === 'taken' ? verdict.ref : ''
    expect(inbox.receipts).toEqual([{ carrierId: 'trunk', ref, outcome, detail }])
  })

  it('that never rang sends no receipt', async () => {
    const { carrier, inbox, clock } = await stage(transport, { does: 'refuse', status: 486, reason: 'Busy Here' })
    await carrier.submit(submission())
    await idle(carrier)
    clock.advance(60_000)
    expect(inbox.receipts).toEqual([])
  })

  it('that is declined after it rang was delivered', async () => {
    const { carrier, clock, wire } = await stage(transport, {
      does: 'refuse',
      status: 603,
      reason: 'Decline',
      afterRingingMs: 1_000,
    })
    expect(await carrier.submit(submission())).toEqual([taken])
    clock.advance(1_000)
    await wire.next('in ACK')
    await idle(carrier)
    clock.advance(RING_MS)
    await turnLoop()
    expect(wire.count('in CANCEL')).toBe(0)
  })

  it.each([
    ['while it rings', { does: 'answer', afterMs: 1_000, rings: true }],
    ['in the moment of the CANCEL', { does: 'answer the cancel' }],
  ] as const)('that is answered %s is acknowledged and left at once', async (_, script) => {
    const { carrier, clock, wire } = await stage(transport, script)
    const verdicts = carrier.submit(submission())
    await wire.next('in INVITE')
    clock.advance(script.does === 'answer' ? script.afterMs : 0)
    expect(await verdicts).toEqual([taken])
    clock.advance(script.does === 'answer' ? 0 : RING_MS)
    const { message: bye } = await wire.next('in BYE')
    const { message: ack } = await wire.next('in ACK')
    await idle(carrier)
    expect(wire.words.indexOf('in ACK')).toBeLessThan(wire.words.indexOf('in BYE'))
    expect(cseqOf(ack)?.number).toBe(1)
    expect(cseqOf(bye)?.number).toBe(2)
    expect(dialogTag(bye, 'To')).toBe(dialogTag(ack, 'To'))
    expect(headerOf(bye, 'Via')).not.toBe(headerOf(ack, 'Via'))
    expect(bye).toMatchObject({ uri: expect.stringContaining(`sip:+${PHONE}@127.0.0.1:`) })
  })

  it('that does not ring in time is cancelled, and its verdict is unclear', async () => {
    const { carrier, clock, wire } = await stage(transport, { does: 'stay silent', after: 'trying' })
    const verdicts = carrier.submit(submission())
    await wire.next('out 100')
    await turnLoop()
    clock.advance(SETUP_MS)
    expect(await verdicts).toEqual([{ kind: 'unclear', reason: 'did not ring within 8000 ms' }])
    await wire.next('in CANCEL')
    await wire.next('in ACK')
    await idle(carrier)
  })

  it('without any answer is a route failure, and is cancelled only if it rings after all', async () => {
    const late = SETUP_MS + 1_000
    const { carrier, clock, wire } = await stage(transport, {
      does: 'stay silent',
      after: 'nothing',
      ringsAfterMs: late,
    })
    const verdicts = carrier.submit(submission())
    await wire.next('in INVITE')
    clock.advance(SETUP_MS)
    expect(await verdicts).toMatchObject([{ kind: 'unreachable' }])
    await turnLoop()
    expect(wire.count('in CANCEL')).toBe(0)
    clock.advance(1_000)
    await wire.next('in ACK')
    expect(wire.words.slice(-5)).toEqual(['out 180', 'in CANCEL', 'out 200', 'out 487', 'in ACK'])
  })

  it.each([
    [401, 'MD5'],
    [407, 'MD5'],
    [401, 'SHA-256'],
  ] as const)('proves who is calling when it is asked with %i and %s', async (status, algorithm) => {
    const credentials = { username: 'posthorn', password: 'pa"ss', status, algorithm }
    const { carrier, wire } = await stage(
      transport,
      null,
      { credentials },
      {
        username: 'posthorn',
        password: 'pa"ss',
      },
    )
    expect(await carrier.submit(submission())).toEqual([taken])
    expect(wire.words).toEqual(['in INVITE', `out ${status}`, 'in ACK', 'in INVITE', 'out 100', 'out 180'])
    const [first, second] = [(await wire.next('in INVITE')).message, (await wire.next('in INVITE', 2)).message]
    expect(headerOf(second, 'Call-ID')).toBe(headerOf(first, 'Call-ID'))
    expect(cseqOf(second)?.number).toBe(2)
    expect(headerOf(second, 'Via')).not.toBe(headerOf(first, 'Via'))
  })

  it.each([
    ['wrong credentials', { username: 'posthorn', password: 'wrong' }, 2],
    ['none', {}, 1],
  ])('with %s is refused, and sends no further INVITE', async (_, settings, invites) => {
    const credentials = { username: 'posthorn', password: 'right' }
    const { carrier, wire } = await stage(transport, null, { credentials }, settings)
    expect(await carrier.submit(submission())).toEqual([{ kind: 'unreachable', reason: '401 Unauthorized' }])
    await wire.next('in ACK', invites)
    expect(wire.count('in INVITE')).toBe(invites)
  })

  it('that a trunk refuses concerns its number, until different numbers in a row are refused', async () => {
    const { carrier } = await stage(transport, { does: 'refuse', status: 403, reason: 'Forbidden' })
    const call = (last: number) => carrier.submit(submission({ phone: `44770090010${last}` as Phone }))
    const blocked = { kind: 'unreachable', reason: '403 Forbidden', aboutMessage: true }
    for (const last of [0, 1, 2, 3, 3, 3]) expect(await call(last)).toEqual([blocked])
    for (const last of [4, 5, 0]) expect(await call(last)).toEqual([{ kind: 'unreachable', reason: '403 Forbidden' }])
  })

  it('that rings shows that only single numbers are blocked', async () => {
    const FORBIDDEN = { does: 'refuse', status: 403, reason: 'Forbidden' } as const
    const script = (phone: string) => (phone.endsWith('9') ? ({ does: 'ring' } as const) : FORBIDDEN)
    const { carrier } = await stage(transport, null, { script })
    const call = (last: number) => carrier.submit(submission({ phone: `44770090010${last}` as Phone }))
    for (const last of [0, 1, 2, 3]) expect(await call(last)).toMatchObject([{ aboutMessage: true }])
    expect(await call(9)).toEqual([taken])
    for (const last of [4, 5, 6, 7]) expect(await call(last)).toMatchObject([{ aboutMessage: true }])
  })

  it('waits for a free slot, and for no longer than a call may take', async () => {
    const { carrier, clock, wire } = await stage(transport, null, {}, { window: 1 })
    expect(await carrier.submit(submission())).toEqual([taken])
    const second = carrier.submit(submission({ messageId: 704 as MessageId }))
    expect(await carrier.submit(submission())).toEqual([
      { kind: 'slow', reason: 'all lines are busy', retryAfterMs: null, aboutMessage: true },
    ])
    await turnLoop()
    expect(wire.count('in INVITE')).toBe(1)
    clock.advance(RING_MS)
    expect(await second).toEqual([{ kind: 'taken', ref: expect.stringMatching(/^704-0-1-/) }])
  })

  it('ends before the carrier stops', async () => {
    const { carrier, clock, wire } = await stage(transport, null)
    await carrier.submit(submission())
    const stopped = carrier.stop()
    expect(await carrier.submit(submission())).toMatchObject([{ kind: 'unreachable' }])
    await turnLoop()
    expect(wire.count('in CANCEL')).toBe(0)
    clock.advance(RING_MS)
    await stopped
    await wire.next('in ACK')
    expect(carrier.state()).toMatchObject({ up: false, inFlight: 0 })
  })

  it("answers the peer's requests during the call", async () => {
    const { carrier, wire } = await stage(transport, { does: 'refuse', status: 486, reason: 'Busy Here' })
    await carrier.submit(submission())
    const { message, path } = await wire.next('in INVITE')
    await wire.next('in ACK')
    const ask = (method: string, callId: string, to = '<sip:a@b>;tag=x') => {
      const headers: SipRequest['headers'] = [
        ['Via', `SIP/2.0/UDP 127.0.0.1:5060;branch=z9hG4bK${method}${callId}`],
        ['From', '<sip:c@d>;tag=y'],
        ['To', to],
        ['Call-ID', callId],
        ['CSeq', `1 ${method}`],
      ]
      path.send({ kind: 'request', method, uri: 'sip:a@b', headers, body: NO_BODY })
    }
    const callId = headerOf(message, 'Call-ID') ?? ''
    const answers = () => wire.messages.filter(({ words }) => /^in \d/.test(words)).map(({ words }) => words)
    const asked = ['in 200', 'in 481', 'in 481', 'in 501', 'in 200']
    ask('BYE', callId)
    ask('BYE', 'unknown')
    ask('INFO', callId)
    ask('INVITE', 'new', '<sip:a@b>')
    ask('ACK', 'new')
    ask('OPTIONS', 'ping', '<sip:a@b>')
    await eventually('the answers', () => answers().length === asked.length)
    expect(answers().sort()).toEqual(asked.sort())
  })
})

describe('the phones of the table', () => {
  it.each([
    ['447700900107', { kind: 'unreachable', reason: '403 Forbidden', aboutMessage: true }],
    ['447700900108', { kind: 'refused', status: 'UNDELIVERABLE', reason: '404 Not Found', cause: 'wrong number' }],
    ['447700900109', taken],
  ])('%s answers as its script says', async (phone, verdict) => {
    const { carrier } = await stage('udp', null)
    expect(await carrier.submit(submission({ phone: phone as Phone }))).toEqual([verdict])
  })
})

describe('the simulated phones', () => {
  it('survive any bytes', async () => {
    const { carrier, wire } = await stage('udp', null, {}, {})
    await carrier.submit(submission())
    const { message, path } = await wire.next('in INVITE')
    const whole = writeSip(message)
    const otherSocket = dgram.createSocket('udp4')
    open.push(async () => void otherSocket.close())
    const { port } = path.local
    for (let run = 0; run < 200; run += 1) {
      const bytes = Buffer.from(whole)
      for (let change = 0; change < 5; change += 1) bytes[random.below(bytes.length)] = random.below(256)
      const sent = run % 2 === 0 ? bytes : random.bytes(random.below(200))
      await new Promise((resolve) => otherSocket.send(sent, port, '127.0.0.1', resolve))
    }
    const tcp = net.connect(port, '127.0.0.1')
    tcp.on('error', () => {})
    tcp.write(random.bytes(20_000))
    await new Promise((resolve) => tcp.resume().on('close', resolve))
    expect(await carrier.submit(submission({ attempt: 2 }))).toMatchObject([{ kind: 'taken' }])
  })
})

describe.each(['udp', 'tcp', 'tls'] as const)('%s', (transport) => describeCarrier('SIP', () => buildBench(transport)))

async function buildBench(transport: SipTransport): Promise<CarrierBench> {
  const clock = new VirtualClock()
  const traffic = new PhoneTraffic()
  const start = (port: number) => startCalledPhone({ clock, random, traffic, port, ...identityOf(transport) })
  let phones = await start(0)
  const settings = { host: '127.0.0.1', port: phones.port, transport, ...trustOf(transport) }
  return {
    carrier: createSipCarrier({ id: 'trunk', settings }, { clock, random, log: new SilentLog() }),
    clock,
    traffic,
    inbox: new InboxWitness(),
    sender: '',
    farSide: {
      goDown: () => phones.stop(),
      comeBack: async () => {
        phones = await start(phones.port)
      },
    },
    stop: () => phones.stop(),
  }
}
