/** A SIP peer that cannot be reached, a network that loses packets, and invalid settings. */
import dgram from 'node:dgram'
import { afterEach, describe, expect, it } from 'vitest'
import { createSipCarrier } from '../../src/carriers/sip/sip-carrier.ts'
import { PhoneTraffic } from '../../src/simulator/phones/traffic.ts'
import { startCalledPhone } from '../../src/simulator/sip/called-phone.ts'
import { provesCredentials } from '../../src/wire/sip/digest.ts'
import { answerTo, dialogTag, headerOf, headersNamed } from '../../src/wire/sip/headers.ts'
import { NO_BODY, type SipRequest, writeSip } from '../../src/wire/sip/message.ts'
import { listenSip } from '../../src/wire/sip/transport.ts'
import { eventually, turnLoop } from '../support/eventually.ts'
import { LOOPBACK_CERTIFICATE } from '../support/loopback-certificate.ts'
import { SilentLog } from '../support/silent-log.ts'
import {
  begin,
  closeAll,
  IDENTITY,
  idle,
  open,
  RING_MS,
  random,
  SETUP_MS,
  stage,
  submission,
  taken,
  Wire,
} from '../support/sip-stage.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

afterEach(closeAll)

describe('over a network that loses packets', () => {
  it('an INVITE is retransmitted at growing intervals until it is answered', async () => {
    const { carrier, clock, wire } = await stage('udp', {
      does: 'lose',
      method: 'INVITE',
      times: 3,
      next: { does: 'ring' },
    })
    const verdicts = carrier.submit(submission())
    await wire.next('in INVITE')
    for (const [index, waitMs] of [500, 1_000, 2_000].entries()) {
      clock.advance(waitMs - 1)
      await turnLoop()
      expect(wire.count('in INVITE')).toBe(index + 1)
      clock.advance(1)
      await wire.next('in INVITE', index + 2)
    }
    expect(await verdicts).toEqual([taken])
    clock.advance(2_000)
    await turnLoop()
    expect(wire.count('in INVITE')).toBe(4)
  })

  it('a CANCEL is retransmitted until it is answered', async () => {
    const { carrier, clock, wire } = await stage('udp', {
      does: 'lose',
      method: 'CANCEL',
      times: 2,
      next: { does: 'ring' },
    })
    await carrier.submit(submission())
    clock.advance(RING_MS)
    await wire.next('in CANCEL')
    clock.advance(500)
    await wire.next('in CANCEL', 2)
    clock.advance(1_000)
    await wire.next('in ACK')
    await idle(carrier)
    clock.advance(10_000)
    await turnLoop()
    expect(wire.count('in CANCEL')).toBe(3)
  })

  it('a repeated answer gets its ACK again', async () => {
    const { carrier, clock, wire } = await stage('udp', {
      does: 'lose',
      method: 'ACK',
      times: 2,
      next: { does: 'refuse', status: 404, reason: 'Not Found' },
    })
    expect(await carrier.submit(submission())).toMatchObject([{ kind: 'refused' }])
    await wire.next('in ACK')
    clock.advance(500)
    await wire.next('in ACK', 2)
    clock.advance(1_000)
    await wire.next('in ACK', 3)
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
    await wire.next('out 180')
    clock.advance(0)
    await wire.next('in BYE')
    expect(await verdicts).toEqual([taken])
    clock.advance(500)
    await wire.next('in ACK', 2)
    await wire.next('in BYE', 2)
    await idle(carrier)
    expect(wire.count('out 200')).toBe(3)
  })

  it('a peer that never answers costs one verdict and no call slot', async () => {
    const { carrier, clock, wire } = await stage(
      'udp',
      { does: 'stay silent', after: 'nothing' },
      {},
      { window: 1, setupTimeoutMs: 1_000 },
    )
    const verdicts = carrier.submit(submission())
    await wire.next('in INVITE')
    clock.advance(1_000)
    expect(await verdicts).toEqual([{ kind: 'unreachable', reason: 'did not ring within 1000 ms' }])
    expect(carrier.state()).toMatchObject({ inFlight: 0, lastError: 'did not ring within 1000 ms' })
    await wire.next('in INVITE', 2)
    clock.advance(10_000)
    await turnLoop()
    expect(wire.count('in INVITE')).toBe(2)
  })
})

describe('a SIP peer', () => {
  it('that sends nothing at all is given up soon, and one that sends 100 is waited for', async () => {
    const silent = await stage('udp', { does: 'stay silent', after: 'nothing' })
    const unheard = silent.carrier.submit(submission())
    await silent.wire.next('in INVITE')
    silent.clock.advance(4_000)
    expect(await unheard).toEqual([{ kind: 'unreachable', reason: 'no answer within 4000 ms' }])
    const trying = await stage('udp', { does: 'stay silent', after: 'trying', ringsAfterMs: 6_000 })
    const tried = trying.carrier.submit(submission())
    await trying.wire.next('out 100')
    await turnLoop()
    trying.clock.advance(6_000)
    expect(await tried).toEqual([taken])
  })

  it.each(['udp', 'tcp'] as const)('is pinged at the start, and again after silence (%s)', async (transport) => {
    const { carrier, clock, wire } = await stage(transport, null, {}, { pingMs: 20_000 })
    expect(carrier.state().up).toBe(false)
    await eventually('the way to be open', () => carrier.state().up)
    clock.advance(20_000)
    await wire.next('out 200', 2)
    await turnLoop()
    clock.advance(10_000)
    expect(carrier.state().up).toBe(true)
    expect(wire.words).toEqual(['in OPTIONS', 'out 200', 'in OPTIONS', 'out 200'])
  })

  it('that stops answering is down, and its calls take another route until it answers', async () => {
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

  it.each(['udp', 'tcp'] as const)(
    'that cannot be reached is reported at once, and retried (%s)',
    async (transport) => {
      const clock = new VirtualClock()
      const spare = await listenSip({ host: '127.0.0.1', port: 0 }, () => {})
      await spare.close()
      const carrier = begin(clock, { transport, port: spare.port })
      expect(await carrier.submit(submission())).toMatchObject([
        { kind: 'unreachable', reason: expect.stringContaining('ECONNREFUSED') },
      ])
      expect(carrier.state().up).toBe(false)

      const wire = new Wire()
      const traffic = new PhoneTraffic()
      const phones = await startCalledPhone({ clock, random, traffic, port: spare.port, watch: wire.watch })
      open.push(() => phones.stop())
      clock.advance(1_000)
      await eventually('the way to be open', () => carrier.state().up)
      expect(await carrier.submit(submission())).toEqual([taken])
    },
  )

  it.each([
    ['without a trusted issuer', '127.0.0.1', {}, 'self-signed certificate'],
    [
      'that another name is vouched for',
      'localhost',
      { ca: LOOPBACK_CERTIFICATE },
      'altnames: Host: localhost. is not',
    ],
  ])('%s gets no request', async (_, host, trust, complaint) => {
    const clock = new VirtualClock()
    const wire = new Wire()
    const phones = await startCalledPhone({
      clock,
      random,
      traffic: new PhoneTraffic(),
      watch: wire.watch,
      identity: IDENTITY,
    })
    open.push(() => phones.stop())
    const carrier = begin(clock, { transport: 'tls', host, port: phones.port, ...trust })
    expect(await carrier.submit(submission())).toMatchObject([{ reason: expect.stringContaining(complaint) }])
    expect(carrier.state().up).toBe(false)
    expect(wire.words).toEqual([])
  })

  it('that closes its connection while the phone rings gets the CANCEL on the next one', async () => {
    const { carrier, clock, wire } = await stage('tcp', null)
    await carrier.submit(submission())
    const { path } = await wire.next('in INVITE')
    path.send({ kind: 'request', method: 'X\u00a0', uri: 'not a request', headers: [], body: NO_BODY })
    await eventually('the loss', () => !carrier.state().up)
    clock.advance(1_000)
    await eventually('the next connection', () => carrier.state().up)
    clock.advance(RING_MS)
    await wire.next('in CANCEL')
    await wire.next('out 487')
  })

  it('may answer one call with two phones, and both get a BYE', async () => {
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
    expect(await carrier.submit(submission())).toMatchObject([{ kind: 'refused' }])
    await idle(carrier)
    await wire.next('in ACK', 3)
    const left = wire.messages.filter(({ words }) => words === 'in BYE').map(({ message }) => dialogTag(message, 'To'))
    expect(left.sort()).toEqual(['one', 'two'])
  })

  it('may challenge the BYE, which is sent again along its routes', async () => {
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
    expect(await carrier.submit(submission())).toMatchObject([{ kind: 'refused' }])
    await idle(carrier)
    expect(wire.words).toEqual(['in INVITE', 'in ACK', 'in BYE', 'in BYE'])
    for (const { message } of wire.messages.slice(1)) {
      expect(message).toMatchObject({ uri: 'sip:phone@192.0.2.9:5070;x=y' })
      expect(headersNamed(message, 'Route')).toEqual(['<sip:far.example;lr>', '<sip:near.example;lr>'])
    }
    const asked = { realm: 'r', nonce: 'n', method: 'BYE', algorithm: 'MD5' as const }
    const proof = headerOf((await wire.next('in BYE', 2)).message, 'Authorization') ?? ''
    expect(provesCredentials(proof, { username: 'u', password: 'p' }, asked)).toBe(true)
  })

  it('of another address, and bytes that are not SIP, are ignored', async () => {
    const { carrier, clock, wire } = await stage('udp', { does: 'stay silent', after: 'nothing' })
    const verdicts = carrier.submit(submission())
    const { message, path } = await wire.next('in INVITE')
    const otherSocket = dgram.createSocket('udp4')
    open.push(async () => void otherSocket.close())
    const ringing = writeSip(answerTo(message as SipRequest, 180, 'Ringing', 'x'))
    await new Promise((resolve) => otherSocket.send(ringing, path.remote.port, path.remote.host, resolve))
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

  it('need only a host', () => {
    expect(create({ host: 'sbc.example' })()).toMatchObject({ channel: 'call', window: 10 })
  })
})
