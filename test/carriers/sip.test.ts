/**
 * Flash calls against the phones in the box, over real sockets with a clock that only the test turns. What was said on
 * the wire is read from the phones' side: `in INVITE`, `out 180`.
 */
import dgram from 'node:dgram'
import net from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createSipCarrier } from '../../src/carriers/sip/sip-carrier.ts'
import type { MessageId } from '../../src/domain/message-id.ts'
import type { Phone } from '../../src/domain/phone.ts'
import type { Carrier, Submission } from '../../src/ports/carrier.ts'
import type { CallScript } from '../../src/simulator/called-leg.ts'
import { type CalledPhoneOptions, startCalledPhone } from '../../src/simulator/called-phone.ts'
import { Traffic } from '../../src/simulator/traffic.ts'
import { provesCredentials } from '../../src/wire/sip/digest.ts'
import { answerTo, cseqOf, headerOf, headersOf, tagOf } from '../../src/wire/sip/headers.ts'
import { NO_BODY, type SipMessage, type SipRequest, writeSip } from '../../src/wire/sip/message.ts'
import { listenSip, type SipPath, type SipTransport } from '../../src/wire/sip/transport.ts'
import { type CarrierBench, describeCarrier } from '../conformance/carrier.ts'
import { eventually, turnLoop } from '../support/eventually.ts'
import { InboxWitness } from '../support/inbox-witness.ts'
import { LOOPBACK_CERTIFICATE, LOOPBACK_CERTIFICATE_KEY } from '../support/loopback-certificate.ts'
import { SeededRandom } from '../support/seeded-random.ts'
import { SilentLog } from '../support/silent-log.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

const RING_MS = 3_000
const SETUP_MS = 8_000
const PHONE = '447700900100' as Phone
const CALLER = '447700901234'

const random = new SeededRandom(11)

const open: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

type Watched = (direction: 'in' | 'out', message: SipMessage, path: SipPath) => void

/** The words on the wire, as the phones see them. */
class Wire {
  readonly messages: { readonly words: string; readonly message: SipMessage; readonly path: SipPath }[] = []

  readonly watch: Watched = (direction, message, path) => {
    const words = message.kind === 'request' ? message.method : String(message.status)
    this.messages.push({ words: `${direction} ${words}`, message, path })
  }

  get words(): readonly string[] {
    return this.messages.map((each) => each.words)
  }

  count(words: string): number {
    return this.words.filter((each) => each === words).length
  }

  async hears(words: string, times = 1): Promise<{ readonly message: SipMessage; readonly path: SipPath }> {
    await eventually(`${words}, ${times} times, after ${this.words}`, () => this.count(words) >= times)
    const found = this.messages.filter((each) => each.words === words)[times - 1]
    if (found === undefined) throw new Error(`${words} was not heard`)
    return found
  }
}

interface Stage {
  readonly clock: VirtualClock
  readonly carrier: Carrier
  readonly traffic: Traffic
  readonly wire: Wire
  readonly inbox: InboxWitness
}

const IDENTITY = { cert: LOOPBACK_CERTIFICATE, key: LOOPBACK_CERTIFICATE_KEY }
const identityOf = (transport: SipTransport) => (transport === 'tls' ? { identity: IDENTITY } : {})
const trustOf = (transport: SipTransport) => (transport === 'tls' ? { ca: LOOPBACK_CERTIFICATE } : {})

async function stage(
  transport: SipTransport,
  script: CallScript | null,
  phone: Partial<CalledPhoneOptions> = {},
  settings: object = {},
): Promise<Stage> {
  const clock = new VirtualClock()
  const traffic = new Traffic()
  const wire = new Wire()
  const scripted = script === null ? {} : { script: () => script }
  const around = { clock, random, traffic, watch: wire.watch, ...identityOf(transport) }
  const phones = await startCalledPhone({ ...around, ...scripted, ...phone })
  open.push(() => phones.stop())
  const inbox = new InboxWitness()
  const carrier = begin(clock, { transport, port: phones.port, ...trustOf(transport), ...settings }, inbox)
  return { clock, traffic, wire, carrier, inbox }
}

function begin(clock: VirtualClock, settings: object, inbox = new InboxWitness()): Carrier {
  const setup = { id: 'trunk', settings: { host: '127.0.0.1', pingMs: 0, ...settings } }
  const carrier = createSipCarrier(setup, { clock, random, log: new SilentLog() })
  carrier.start(inbox)
  open.push(async () => {
    const stopped = carrier.stop()
    clock.advance(60_000)
    await stopped
  })
  return carrier
}

function submission(change: Partial<Submission> = {}): Submission {
  return {
    messageId: 640 as MessageId,
    step: 0,
    attempt: 1,
    phone: PHONE,
    sender: '',
    content: { kind: 'call', from: CALLER, code: '1234' },
    parts: [0],
    lifetimeSeconds: 60,
    ...change,
  }
}

const taken = { kind: 'taken', ref: expect.stringMatching(/^640-0-1-/) }

const idle = (carrier: Carrier) => eventually('the end of the call', () => carrier.state().inFlight === 0)

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
    await wire.hears('in ACK')
    expect(wire.words.slice(3)).toEqual(['in CANCEL', 'out 200', 'out 487', 'in ACK'])
    expect(traffic.arrivals).toEqual([
      { channel: 'call', phone: PHONE, sender: '', text: CALLER, ref: verdict?.kind === 'taken' ? verdict.ref : '' },
    ])
  })

  it('shows the number that calls, wherever a switch may look for it', async () => {
    const { carrier, wire } = await stage(transport, null, {}, { domain: 'trunk.example' })
    await carrier.submit(submission())
    const { message } = await wire.hears('in INVITE')
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
      (await wire.hears('in INVITE')).message,
      (await wire.hears('in CANCEL')).message,
      (await wire.hears('in ACK')).message,
    ]
    for (const each of [cancel, ack]) {
      expect(headerOf(each, 'Via')).toBe(headerOf(invite, 'Via'))
      expect(cseqOf(each)?.number).toBe(cseqOf(invite)?.number)
      expect(each).toMatchObject({ uri: (invite as SipRequest).uri })
    }
    expect(tagOf(cancel, 'To')).toBeNull()
    expect(tagOf(ack, 'To')).toBe(tagOf((await wire.hears('out 487')).message, 'To'))
  })

  it('counts early media as ringing', async () => {
    const { carrier } = await stage(transport, { does: 'ring', as: 183 })
    expect(await carrier.submit(submission())).toEqual([taken])
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
  ])("that ends with %i before it rings is told in the peer's words", async (status, reason, kind, says) => {
    const { carrier, traffic, wire } = await stage(transport, { does: 'refuse', status, reason })
    const refused = { status: 'UNDELIVERABLE', cause: says }
    const further = kind === 'refused' ? refused : says === 'about the number' ? { aboutMessage: true } : {}
    expect(await carrier.submit(submission())).toEqual([{ kind, reason: `${status} ${reason}`, ...further }])
    await wire.hears('in ACK')
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
  ] as const)('that %s tells so, once', async (_, script, afterMs, outcome, detail) => {
    const { carrier, clock, inbox, wire } = await stage(transport, script)
    const [verdict] = await carrier.submit(submission())
    expect(inbox.receipts).toEqual([])
    clock.advance(afterMs)
    await wire.hears('in ACK')
    await idle(carrier)
    clock.advance(60_000)
    await turnLoop()
    const ref = verdict?.kind === 'taken' ? verdict.ref : ''
    expect(inbox.receipts).toEqual([{ carrierId: 'trunk', ref, outcome, detail }])
  })

  it('that never rang tells nothing more', async () => {
    const { carrier, inbox, clock } = await stage(transport, { does: 'refuse', status: 486, reason: 'Busy Here' })
    await carrier.submit(submission())
    await idle(carrier)
    clock.advance(60_000)
    expect(inbox.receipts).toEqual([])
  })

  it('that is declined after it rang has arrived', async () => {
    const { carrier, clock, wire } = await stage(transport, {
      does: 'refuse',
      status: 603,
      reason: 'Decline',
      afterRingingMs: 1_000,
    })
    expect(await carrier.submit(submission())).toEqual([taken])
    clock.advance(1_000)
    await wire.hears('in ACK')
    await idle(carrier)
    clock.advance(RING_MS)
    await turnLoop()
    expect(wire.count('in CANCEL')).toBe(0)
  })

  it.each([
    ['while it rings', { does: 'answer', afterMs: 1_000, rings: true }],
    ['without ringing', { does: 'answer', afterMs: 0, rings: false }],
    ['in the moment of the CANCEL', { does: 'answer the cancel' }],
  ] as const)('that is answered %s is acknowledged and left at once', async (_, script) => {
    const { carrier, clock, wire } = await stage(transport, script)
    const verdicts = carrier.submit(submission())
    await wire.hears('in INVITE')
    clock.advance(script.does === 'answer' ? script.afterMs : 0)
    expect(await verdicts).toEqual([taken])
    clock.advance(script.does === 'answer' ? 0 : RING_MS)
    const { message: bye } = await wire.hears('in BYE')
    const { message: ack } = await wire.hears('in ACK')
    await idle(carrier)
    expect(wire.words.indexOf('in ACK')).toBeLessThan(wire.words.indexOf('in BYE'))
    expect(cseqOf(ack)?.number).toBe(1)
    expect(cseqOf(bye)?.number).toBe(2)
    expect(tagOf(bye, 'To')).toBe(tagOf(ack, 'To'))
    expect(headerOf(bye, 'Via')).not.toBe(headerOf(ack, 'Via'))
    expect(bye).toMatchObject({ uri: expect.stringContaining(`sip:+${PHONE}@127.0.0.1:`) })
  })

  it('that does not ring in time is cancelled, and nobody knows what became of it', async () => {
    const { carrier, clock, wire } = await stage(transport, { does: 'stay silent', after: 'trying' })
    const verdicts = carrier.submit(submission())
    await wire.hears('out 100')
    await turnLoop()
    clock.advance(SETUP_MS)
    expect(await verdicts).toEqual([{ kind: 'unclear', reason: 'did not ring within 8000 ms' }])
    await wire.hears('in CANCEL')
    await wire.hears('in ACK')
    await idle(carrier)
  })

  it('that nobody answers is a route failure, and not cancelled until it rings after all', async () => {
    const late = SETUP_MS + 1_000
    const { carrier, clock, wire } = await stage(transport, {
      does: 'stay silent',
      after: 'nothing',
      ringsAfterMs: late,
    })
    const verdicts = carrier.submit(submission())
    await wire.hears('in INVITE')
    clock.advance(SETUP_MS)
    expect(await verdicts).toMatchObject([{ kind: 'unreachable' }])
    await turnLoop()
    expect(wire.count('in CANCEL')).toBe(0)
    clock.advance(1_000)
    await wire.hears('in ACK')
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
    const [first, second] = [(await wire.hears('in INVITE')).message, (await wire.hears('in INVITE', 2)).message]
    expect(headerOf(second, 'Call-ID')).toBe(headerOf(first, 'Call-ID'))
    expect(cseqOf(second)?.number).toBe(2)
    expect(headerOf(second, 'Via')).not.toBe(headerOf(first, 'Via'))
  })

  it.each([
    ['wrong credentials', { username: 'posthorn', password: 'wrong' }, 2],
    ['none', {}, 1],
  ])('with %s is not let in, and asks no more', async (_, settings, invites) => {
    const credentials = { username: 'posthorn', password: 'right' }
    const { carrier, wire } = await stage(transport, null, { credentials }, settings)
    expect(await carrier.submit(submission())).toEqual([{ kind: 'unreachable', reason: '401 Unauthorized' }])
    await wire.hears('in ACK', invites)
    expect(wire.count('in INVITE')).toBe(invites)
  })

  it('waits for a free line, and for no longer than a call may take', async () => {
    const { carrier, clock, wire } = await stage(transport, null, {}, { window: 1 })
    expect(await carrier.submit(submission())).toEqual([taken])
    const second = carrier.submit(submission({ messageId: 704 as MessageId }))
    expect(await carrier.submit(submission())).toEqual([
      { kind: 'slow', reason: 'all lines are busy', retryAfterMs: null },
    ])
    await turnLoop()
    expect(wire.count('in INVITE')).toBe(1)
    clock.advance(RING_MS)
    expect(await second).toEqual([{ kind: 'taken', ref: expect.stringMatching(/^704-0-1-/) }])
  })

  it('is rung out before the carrier stops', async () => {
    const { carrier, clock, wire } = await stage(transport, null)
    await carrier.submit(submission())
    const stopped = carrier.stop()
    expect(await carrier.submit(submission())).toMatchObject([{ kind: 'unreachable' }])
    await turnLoop()
    expect(wire.count('in CANCEL')).toBe(0)
    clock.advance(RING_MS)
    await stopped
    await wire.hears('in ACK')
    expect(carrier.state()).toMatchObject({ up: false, inFlight: 0 })
  })

  it('answers what the peer asks in between', async () => {
    const { carrier, wire } = await stage(transport, { does: 'refuse', status: 486, reason: 'Busy Here' })
    await carrier.submit(submission())
    const { message, path } = await wire.hears('in INVITE')
    await wire.hears('in ACK')
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
  ])('%s answers as it says', async (phone, verdict) => {
    const { carrier } = await stage('udp', null)
    expect(await carrier.submit(submission({ phone: phone as Phone }))).toEqual([verdict])
  })
})

describe('the phones in the box', () => {
  it('go on whatever bytes come', async () => {
    const { carrier, wire } = await stage('udp', null, {}, {})
    await carrier.submit(submission())
    const { message, path } = await wire.hears('in INVITE')
    const whole = writeSip(message)
    const stranger = dgram.createSocket('udp4')
    open.push(async () => void stranger.close())
    const { port } = path.local
    for (let run = 0; run < 200; run += 1) {
      const bytes = Buffer.from(whole)
      for (let change = 0; change < 5; change += 1) bytes[random.below(bytes.length)] = random.below(256)
      const sent = run % 2 === 0 ? bytes : random.bytes(random.below(200))
      await new Promise((resolve) => stranger.send(sent, port, '127.0.0.1', resolve))
    }
    const tcp = net.connect(port, '127.0.0.1')
    tcp.on('error', () => {})
    tcp.write(random.bytes(20_000))
    await new Promise((resolve) => tcp.resume().on('close', resolve))
    expect(await carrier.submit(submission({ attempt: 2 }))).toMatchObject([{ kind: 'taken' }])
  })
})

describe('over a network that loses packets', () => {
  it('an INVITE is sent again, ever more slowly, until it is answered', async () => {
    const { carrier, clock, wire } = await stage('udp', {
      does: 'lose',
      method: 'INVITE',
      times: 3,
      next: { does: 'ring' },
    })
    const verdicts = carrier.submit(submission())
    await wire.hears('in INVITE')
    for (const [index, waitMs] of [500, 1_000, 2_000].entries()) {
      clock.advance(waitMs - 1)
      await turnLoop()
      expect(wire.count('in INVITE')).toBe(index + 1)
      clock.advance(1)
      await wire.hears('in INVITE', index + 2)
    }
    expect(await verdicts).toEqual([taken])
    clock.advance(2_000)
    await turnLoop()
    expect(wire.count('in INVITE')).toBe(4)
  })

  it('a CANCEL is sent again until it is answered', async () => {
    const { carrier, clock, wire } = await stage('udp', {
      does: 'lose',
      method: 'CANCEL',
      times: 2,
      next: { does: 'ring' },
    })
    await carrier.submit(submission())
    clock.advance(RING_MS)
    await wire.hears('in CANCEL')
    clock.advance(500)
    await wire.hears('in CANCEL', 2)
    clock.advance(1_000)
    await wire.hears('in ACK')
    await idle(carrier)
    clock.advance(10_000)
    await turnLoop()
    expect(wire.count('in CANCEL')).toBe(3)
  })

  it('an answer that comes again gets its ACK again', async () => {
    const { carrier, clock, wire } = await stage('udp', {
      does: 'lose',
      method: 'ACK',
      times: 2,
      next: { does: 'refuse', status: 404, reason: 'Not Found' },
    })
    expect(await carrier.submit(submission())).toMatchObject([{ kind: 'refused' }])
    await wire.hears('in ACK')
    clock.advance(500)
    await wire.hears('in ACK', 2)
    clock.advance(1_000)
    await wire.hears('in ACK', 3)
    expect(wire.count('out 404')).toBe(3)
    clock.advance(10_000)
    await turnLoop()
    expect(wire.count('out 404')).toBe(3)
  })

  it('an answered call gets its ACK and its BYE again', async () => {
    const { carrier, clock, wire } = await stage('udp', {
      does: 'lose',
      method: 'ACK',
      times: 1,
      next: { does: 'lose', method: 'BYE', times: 1, next: { does: 'answer', afterMs: 0, rings: true } },
    })
    const verdicts = carrier.submit(submission())
    await wire.hears('out 180')
    clock.advance(0)
    await wire.hears('in BYE')
    expect(await verdicts).toEqual([taken])
    clock.advance(500)
    await wire.hears('in ACK', 2)
    await wire.hears('in BYE', 2)
    await idle(carrier)
    expect(wire.count('out 200')).toBe(3)
  })

  it('a peer that never answers costs one verdict and no line', async () => {
    const { carrier, clock, wire } = await stage(
      'udp',
      { does: 'stay silent', after: 'nothing' },
      {},
      { window: 1, setupTimeoutMs: 1_000 },
    )
    const verdicts = carrier.submit(submission())
    await wire.hears('in INVITE')
    clock.advance(1_000)
    expect(await verdicts).toEqual([{ kind: 'unreachable', reason: 'did not ring within 1000 ms' }])
    expect(carrier.state()).toMatchObject({ inFlight: 0, lastError: 'did not ring within 1000 ms' })
    await wire.hears('in INVITE', 2)
    clock.advance(10_000)
    await turnLoop()
    expect(wire.count('in INVITE')).toBe(2)
  })
})

describe('a SIP peer', () => {
  it.each(['udp', 'tcp'] as const)('is asked whether it is there, and again after silence (%s)', async (transport) => {
    const { carrier, clock, wire } = await stage(transport, null, {}, { pingMs: 20_000 })
    expect(carrier.state().up).toBe(false)
    await eventually('the way to be open', () => carrier.state().up)
    clock.advance(20_000)
    await wire.hears('out 200', 2)
    await turnLoop()
    clock.advance(10_000)
    expect(carrier.state().up).toBe(true)
    expect(wire.words).toEqual(['in OPTIONS', 'out 200', 'in OPTIONS', 'out 200'])
  })

  it('that answers no more is down, and its calls go another way until it does', async () => {
    const clock = new VirtualClock()
    let deaf = false
    let asked = 0
    const listener = await listenSip({ host: '127.0.0.1', port: 0 }, (message, path) => {
      asked += 1
      if (!deaf && message.kind === 'request') path.send(answerTo(message, 200, 'OK', 'tag'))
    })
    open.push(() => listener.close())
    const carrier = begin(clock, { port: listener.port, pingMs: 20_000 })
    await eventually('the way to be open', () => carrier.state().up)
    deaf = true
    clock.advance(20_000)
    await eventually('the question', () => asked === 2)
    clock.advance(5_000)
    expect(carrier.state()).toMatchObject({ up: false, lastError: 'the peer does not answer' })
    expect(await carrier.submit(submission())).toEqual([{ kind: 'unreachable', reason: 'the peer does not answer' }])
    deaf = false
    clock.advance(1_000)
    await eventually('the way to be open again', () => carrier.state().up)
  })

  it.each(['udp', 'tcp'] as const)('that is not there is told at once, and tried again (%s)', async (transport) => {
    const clock = new VirtualClock()
    const spare = await listenSip({ host: '127.0.0.1', port: 0 }, () => {})
    await spare.close()
    const carrier = begin(clock, { transport, port: spare.port })
    expect(await carrier.submit(submission())).toMatchObject([
      { kind: 'unreachable', reason: expect.stringContaining('ECONNREFUSED') },
    ])
    expect(carrier.state().up).toBe(false)

    const wire = new Wire()
    const traffic = new Traffic()
    const phones = await startCalledPhone({ clock, random, traffic, port: spare.port, watch: wire.watch })
    open.push(() => phones.stop())
    clock.advance(1_000)
    await eventually('the way to be open', () => carrier.state().up)
    expect(await carrier.submit(submission())).toEqual([taken])
  })

  it.each([
    ['that nobody we trust vouches for', '127.0.0.1', {}, 'self-signed certificate'],
    [
      'that another name is vouched for',
      'localhost',
      { ca: LOOPBACK_CERTIFICATE },
      'altnames: Host: localhost. is not',
    ],
  ])('%s is not told anything', async (_, host, trust, complaint) => {
    const clock = new VirtualClock()
    const wire = new Wire()
    const phones = await startCalledPhone({
      clock,
      random,
      traffic: new Traffic(),
      watch: wire.watch,
      identity: IDENTITY,
    })
    open.push(() => phones.stop())
    const carrier = begin(clock, { transport: 'tls', host, port: phones.port, ...trust })
    expect(await carrier.submit(submission())).toMatchObject([{ reason: expect.stringContaining(complaint) }])
    expect(carrier.state().up).toBe(false)
    expect(wire.words).toEqual([])
  })

  it('that closes its connection while the phone rings is cancelled on the next one', async () => {
    const { carrier, clock, wire } = await stage('tcp', null)
    await carrier.submit(submission())
    const { path } = await wire.hears('in INVITE')
    path.send({ kind: 'request', method: 'X\u00a0', uri: 'not a request', headers: [], body: NO_BODY })
    await eventually('the loss', () => !carrier.state().up)
    clock.advance(1_000)
    await eventually('the next connection', () => carrier.state().up)
    clock.advance(RING_MS)
    await wire.hears('in CANCEL')
    await wire.hears('out 487')
  })

  it('may answer one call with two phones, and both are left', async () => {
    const clock = new VirtualClock()
    const wire = new Wire()
    const listener = await listenSip({ host: '127.0.0.1', port: 0 }, (message, path) => {
      wire.watch('in', message, path)
      if (message.kind === 'response' || message.method === 'ACK') return
      const tags = message.method === 'INVITE' ? ['one', 'two', 'one'] : [null]
      for (const tag of tags) path.send(answerTo(message, 200, 'OK', tag))
    })
    open.push(() => listener.close())
    const carrier = begin(clock, { port: listener.port })
    expect(await carrier.submit(submission())).toEqual([taken])
    await idle(carrier)
    await wire.hears('in ACK', 3)
    const left = wire.messages.filter(({ words }) => words === 'in BYE').map(({ message }) => tagOf(message, 'To'))
    expect(left.sort()).toEqual(['one', 'two'])
  })

  it('may ask who we are before it lets us leave, and is left along its routes', async () => {
    const clock = new VirtualClock()
    const wire = new Wire()
    const routes = [['Record-Route', '<sip:near.example;lr>, <sip:far.example;lr>'] as const]
    const contact = ['Contact', '"A, B" <sip:phone@192.0.2.9:5070;x=y>;q=1'] as const
    const challenge = ['WWW-Authenticate', 'Digest realm="r", nonce="n", qop="auth"'] as const
    const listener = await listenSip({ host: '127.0.0.1', port: 0 }, (message, path) => {
      wire.watch('in', message, path)
      if (message.kind === 'response' || message.method === 'ACK') return
      const asks = message.method === 'BYE' && headerOf(message, 'Authorization') === null
      path.send(
        asks
          ? answerTo(message, 401, 'Who?', null, [challenge])
          : answerTo(message, 200, 'OK', 'tag', [contact, ...routes]),
      )
    })
    open.push(() => listener.close())
    const carrier = begin(clock, { port: listener.port, username: 'u', password: 'p' })
    expect(await carrier.submit(submission())).toEqual([taken])
    await idle(carrier)
    expect(wire.words).toEqual(['in INVITE', 'in ACK', 'in BYE', 'in BYE'])
    for (const { message } of wire.messages.slice(1)) {
      expect(message).toMatchObject({ uri: 'sip:phone@192.0.2.9:5070;x=y' })
      expect(headersOf(message, 'Route')).toEqual(['<sip:far.example;lr>', '<sip:near.example;lr>'])
    }
    const asked = { realm: 'r', nonce: 'n', method: 'BYE', algorithm: 'MD5' as const }
    const proof = headerOf((await wire.hears('in BYE', 2)).message, 'Authorization') ?? ''
    expect(provesCredentials(proof, { username: 'u', password: 'p' }, asked)).toBe(true)
  })

  it('of another name, and bytes that are not SIP, are not heard', async () => {
    const { carrier, clock, wire } = await stage('udp', { does: 'stay silent', after: 'nothing' })
    const verdicts = carrier.submit(submission())
    const { message, path } = await wire.hears('in INVITE')
    const stranger = dgram.createSocket('udp4')
    open.push(async () => void stranger.close())
    const ringing = writeSip(answerTo(message as SipRequest, 180, 'Ringing', 'x'))
    await new Promise((resolve) => stranger.send(ringing, path.remote.port, path.remote.host, resolve))
    path.send(answerTo({ ...(message as SipRequest), headers: [] }, 180, 'Ringing', 'x'))
    const [via, ...others] = (message as SipRequest).headers
    const otherBranch = [[via?.[0] ?? '', `${via?.[1].replace(/branch=\w+/, 'branch=other')}`] as const, ...others]
    path.send(answerTo({ ...(message as SipRequest), headers: otherBranch }, 180, 'Ringing', 'x'))
    await turnLoop(300)
    clock.advance(SETUP_MS)
    expect(await verdicts).toMatchObject([{ kind: 'unreachable' }])
  })
})

describe('the settings of a SIP carrier', () => {
  const create = (settings: unknown) => () =>
    createSipCarrier({ id: 'trunk', settings }, { clock: new VirtualClock(), random, log: new SilentLog() })

  it.each([
    [null, 'settings: should be an object'],
    [{}, 'host: should be text'],
    [{ host: 'a b' }, 'host: should be a host name or an IP address'],
    [{ host: 'a', port: '5060' }, 'port: should be a whole number'],
    [{ host: 'a', transport: 'sctp' }, 'transport: should be one of udp, tcp, tls'],
    [{ host: 'a', transport: 'tls', ca: 'me' }, 'ca: should be certificates in PEM'],
    [{ host: 'a', transport: 'tcp', ca: LOOPBACK_CERTIFICATE }, 'ca: needs transport tls'],
    [{ host: 'a', username: 'u' }, 'password: should be text'],
    [{ host: 'a', username: 'u\r\nX: y', password: 'p' }, 'username: should be'],
    [{ host: 'a', window: 0 }, 'window: should be'],
    [{ host: 'a', ringms: 1 }, 'ringms: is not a setting'],
  ])('%j are refused: %s', (settings, complaint) => {
    expect(create(settings)).toThrow(complaint)
  })

  it('need nothing but a host', () => {
    expect(create({ host: 'sbc.example' })()).toMatchObject({ channel: 'call', window: 10 })
  })
})

describe.each(['udp', 'tcp', 'tls'] as const)('%s', (transport) => describeCarrier('SIP', () => buildBench(transport)))

async function buildBench(transport: SipTransport): Promise<CarrierBench> {
  const clock = new VirtualClock()
  const traffic = new Traffic()
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
