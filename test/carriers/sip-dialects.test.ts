/** Differences between trunks: number formats, authentication, and the extensions that a peer requires. */
import { afterEach, describe, expect, it } from 'vitest'
import { answerOffer } from '../../src/carriers/sip/sdp.ts'
import { writeNumber } from '../../src/carriers/sip/write-number.ts'
import { provesCredentials } from '../../src/wire/sip/digest.ts'
import { answerTo, cseqOf, dialogTag, headerOf, headersNamed } from '../../src/wire/sip/headers.ts'
import type { SipHeader, SipRequest } from '../../src/wire/sip/message.ts'
import { listenSip, type SipPath } from '../../src/wire/sip/transport.ts'
import { eventually, turnLoop } from '../support/eventually.ts'
import { InboxWitness } from '../support/inbox-witness.ts'
import {
  begin,
  CALLER,
  closeAll,
  idle,
  open,
  PHONE,
  RING_MS,
  stage,
  submission,
  taken,
  Wire,
} from '../support/sip-stage.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

afterEach(closeAll)

type Play = (request: SipRequest, path: SipPath) => void

/** A scripted peer, and the carrier that calls it. */
async function startPeer(play: Play, settings: object = {}) {
  const clock = new VirtualClock()
  const wire = new Wire()
  const listener = await listenSip({ host: '127.0.0.1', port: 0 }, (message, path) => {
    wire.watch('in', message, path)
    if (message.kind === 'request') play(message, path)
  })
  open.push(() => listener.close())
  const inbox = new InboxWitness()
  const carrier = begin(clock, { port: listener.port, ...settings }, inbox)
  return { carrier, clock, wire, inbox }
}

const CONTACT: SipHeader = ['Contact', '<sip:phone@127.0.0.1:5099>']
const rings = (request: SipRequest, more: readonly SipHeader[] = []) =>
  answerTo(request, 180, 'Ringing', 'phone', [CONTACT, ...more])

/** Ends a cancelled call. */
function endCancelled(cancel: SipRequest, invite: SipRequest | null, path: SipPath): void {
  path.send(answerTo(cancel, 200, 'OK', 'phone'))
  if (invite !== null) path.send(answerTo(invite, 487, 'Request Terminated', 'phone'))
}

describe('numbers', () => {
  const GERMANY = { countryCode: '49', nationalPrefix: '0', internationalPrefix: '00' }

  it.each([
    ['4930123456', 'plus', '+4930123456'],
    ['4930123456', 'digits', '4930123456'],
    ['4930123456', 'national', '030123456'],
    ['447700900100', 'national', '00447700900100'],
  ] as const)('%s as %s is %s', (digits, format, written) => {
    expect(writeNumber(digits, format, GERMANY)).toBe(written)
  })

  it('have no prefix in a country without prefixes', () => {
    expect(writeNumber('39061234567', 'national', { ...GERMANY, countryCode: '39', nationalPrefix: '' })).toBe(
      '061234567',
    )
  })
})

describe('the caller', () => {
  const invite = async (settings: object) => {
    const { carrier, wire } = await stage('udp', { does: 'ring' }, {}, { domain: 'trunk.example', ...settings })
    expect(await carrier.submit(submission())).toEqual([taken])
    return (await wire.next('in INVITE')).message as SipRequest
  }

  it('and the phone are shown in the form of the trunk', async () => {
    const formats = { callerFormat: 'national', calledFormat: 'digits', countryCode: '44' }
    const message = await invite(formats)
    expect(message.uri).toBe(`sip:${PHONE}@trunk.example`)
    expect(headerOf(message, 'From')).toMatch(/^<sip:07700901234@trunk\.example>;tag=/)
    expect(headerOf(message, 'P-Asserted-Identity')).toBe('<sip:07700901234@trunk.example>')
    expect(headerOf(message, 'Contact')).toMatch(/^<sip:07700901234@127/)
  })

  it('may be named in the identity header only, with a Privacy header', async () => {
    const credentials = { username: 'acme gmbh', password: 'p' }
    const message = await invite({ fromUser: 'username', identity: 'preferred', privacy: 'none', ...credentials })
    expect(headerOf(message, 'From')).toMatch(/^<sip:acme%20gmbh@trunk\.example>;tag=/)
    expect(headerOf(message, 'P-Preferred-Identity')).toBe(`<sip:+${CALLER}@trunk.example>`)
    expect(headerOf(message, 'P-Asserted-Identity')).toBeNull()
    expect(headerOf(message, 'Privacy')).toBe('none')
    expect(headerOf(await invite({ identity: 'none' }), 'P-Asserted-Identity')).toBeNull()
  })

  it.each([
    [{ callerFormat: 'national' }, 'countryCode: is needed for national numbers'],
    [{ callerFormat: 'local' }, 'callerFormat: should be one of plus, digits, national'],
    [{ countryCode: '+49' }, 'countryCode: should be text of digits'],
    [{ fromUser: 'username' }, 'fromUser: needs a username'],
    [{ privacy: 'full' }, 'privacy: should be one of none, id'],
  ])('refuses the settings %j', async (settings, complaint) => {
    expect(() => begin(new VirtualClock(), { port: 5_060, ...settings })).toThrow(complaint)
  })
})

describe('a peer that challenges the caller', () => {
  const CREDENTIALS = { username: 'u', password: 'p' }
  const proves = (request: SipRequest, header: string, realm: string, nonce: string) => {
    const asked = { realm, nonce, method: request.method, algorithm: 'MD5' as const }
    return headersNamed(request, header).some((proof) => provesCredentials(proof, CREDENTIALS, asked))
  }

  it('after its proxy did gets both proofs, in the ACK and BYE of an answered call too', async () => {
    const asks = (header: string, realm: string) => [
      [header, `Digest realm="${realm}", nonce="n", qop="auth"`] as const,
    ]
    const { carrier, wire } = await startPeer(
      (request, path) => {
        if (request.method === 'ACK') return
        const [proxy, server] = [
          proves(request, 'Proxy-Authorization', 'proxy', 'n'),
          proves(request, 'Authorization', 'server', 'n'),
        ]
        if (!proxy) path.send(answerTo(request, 407, 'Who?', 'x', asks('Proxy-Authenticate', 'proxy')))
        else if (!server) path.send(answerTo(request, 401, 'Who?', 'x', asks('WWW-Authenticate', 'server')))
        else path.send(answerTo(request, 200, 'OK', 'phone', [CONTACT]))
      },
      { ...CREDENTIALS, answerWithoutRinging: 'delivered' },
    )
    expect(await carrier.submit(submission())).toEqual([taken])
    await idle(carrier)
    expect(wire.words).toEqual([...Array(2).fill(['in INVITE', 'in ACK']).flat(), 'in INVITE', 'in ACK', 'in BYE'])
    const [invite, ack, bye] = wire.messages.slice(-3).map(({ message }) => message as SipRequest)
    if (invite === undefined || ack === undefined || bye === undefined) throw new Error('the call was not whole')
    for (const header of ['Authorization', 'Proxy-Authorization']) {
      expect(headersNamed(ack, header)).toEqual(headersNamed(invite, header))
      expect(headerOf(bye, header)).not.toBe(headerOf(invite, header))
    }
    expect(headerOf(invite, 'Proxy-Authorization')).toContain('nc=00000002')
    expect(cseqOf(ack)?.number).toBe(cseqOf(invite)?.number)
  })

  it('may call a proof stale repeatedly, up to a limit, and wrong once', async () => {
    let round = 0
    const { carrier, wire } = await startPeer((request, path) => {
      if (request.method !== 'INVITE') return
      const fresh = round === 0 || proves(request, 'Authorization', 'r', `n${round}`)
      round += 1
      const stale = round < 3 ? ', stale=true' : ''
      if (round === 4 || !fresh) path.send(rings(request))
      else
        path.send(
          answerTo(request, 401, 'Who?', 'x', [['WWW-Authenticate', `Digest realm="r", nonce="n${round}"${stale}`]]),
        )
    }, CREDENTIALS)
    // The third challenge is not stale: the password is wrong.
    expect(await carrier.submit(submission())).toEqual([{ kind: 'unreachable', reason: '401 Who?' }])
    expect(wire.count('in INVITE')).toBe(3)
  })

  it('is given up after a number of stale challenges', async () => {
    let nonce = 0
    const { carrier, wire } = await startPeer((request, path) => {
      nonce += 1
      const challenge = `Digest realm="r", nonce="n${nonce}", stale=true`
      if (request.method === 'INVITE') path.send(answerTo(request, 401, 'Who?', 'x', [['WWW-Authenticate', challenge]]))
    }, CREDENTIALS)
    expect(await carrier.submit(submission())).toEqual([{ kind: 'unreachable', reason: '401 Who?' }])
    expect(wire.count('in INVITE')).toBe(5)
  })

  it('may require SHA-512-256', async () => {
    const credentials = { ...CREDENTIALS, algorithm: 'SHA-512-256' } as const
    const { carrier } = await stage('udp', null, { credentials }, CREDENTIALS)
    expect(await carrier.submit(submission())).toEqual([taken])
  })
})

describe('a peer that requires', () => {
  it('reliable ringing gets one PRACK for each answer, and a lost answer does not start a second call', async () => {
    let invite: SipRequest | null = null
    const { carrier, clock, wire } = await startPeer(
      (request, path) => {
        if (request.method === 'CANCEL') return endCancelled(request, invite, path)
        if (request.method === 'PRACK') return void path.send(answerTo(request, 200, 'OK', null))
        if (request.method !== 'INVITE') return
        invite = request
        const supports = headersNamed(request, 'Supported').join().includes('100rel')
        // The network loses the first ringing: only 100 arrives.
        path.send(supports ? answerTo(request, 100, 'Trying', null) : answerTo(request, 421, 'Extension Required', 'x'))
      },
      { transport: 'tcp' },
    )
    const verdicts = carrier.submit(submission())
    const { message, path } = await wire.next('in INVITE')
    await turnLoop()
    const reliable = rings(message as SipRequest, [
      ['Require', '100rel'],
      ['RSeq', '7'],
    ])
    path.send(reliable)
    expect(await verdicts).toEqual([taken])
    path.send(reliable)
    path.send(reliable)
    const { message: prack } = await wire.next('in PRACK')
    expect(headerOf(prack, 'RAck')).toBe('7 1 INVITE')
    expect(cseqOf(prack)).toEqual({ number: 2, method: 'PRACK' })
    expect(dialogTag(prack, 'To')).toBe('phone')
    expect(prack).toMatchObject({ uri: 'sip:phone@127.0.0.1:5099' })
    clock.advance(RING_MS)
    await wire.next('in ACK')
    await idle(carrier)
    expect([wire.count('in INVITE'), wire.count('in PRACK')]).toEqual([1, 1])
    expect(cseqOf((await wire.next('in CANCEL')).message)?.number).toBe(1)
  })

  it('no reliable ringing is not offered any', async () => {
    const { carrier, wire } = await stage('udp', null, {}, { prack: false })
    expect(await carrier.submit(submission())).toEqual([taken])
    expect(headersNamed((await wire.next('in INVITE')).message, 'Supported')).toEqual(['timer'])
  })

  it('a session timer gets the requested one', async () => {
    const { carrier, wire } = await startPeer((request, path) => {
      if (request.method !== 'INVITE') return
      const interval = Number(headerOf(request, 'Session-Expires') ?? 0)
      const small = answerTo(request, 422, 'Session Interval Too Small', 'x', [['Min-SE', '600']])
      path.send(interval < 600 ? small : rings(request))
    })
    expect(await carrier.submit(submission())).toEqual([taken])
    const { message } = await wire.next('in INVITE', 2)
    expect([headerOf(message, 'Session-Expires'), headerOf(message, 'Min-SE')]).toEqual(['600', '600'])
    expect(headersNamed(message, 'Supported')).toEqual(['100rel, timer'])
  })

  it('ever longer sessions is given up', async () => {
    const { carrier, wire } = await startPeer((request, path) => {
      if (request.method === 'INVITE') path.send(answerTo(request, 422, 'Too Small', 'x', [['Min-SE', '900']]))
    })
    expect(await carrier.submit(submission())).toMatchObject([{ kind: 'unreachable', reason: '422 Too Small' }])
    expect(wire.count('in INVITE')).toBe(2)
  })
})

describe('a peer that changes the call while it rings', () => {
  const OFFER =
    'v=0\r\no=- 1 2 IN IP4 192.0.2.1\r\ns=-\r\nc=IN IP4 192.0.2.1\r\nt=0 0\r\nm=video 4000 RTP/AVP 96\r\nm=audio 4002 RTP/AVP 18 0 101\r\n'

  async function ring() {
    const { carrier, wire } = await stage('udp', null)
    await carrier.submit(submission())
    const { message, path } = await wire.next('in INVITE')
    const ask = async (headers: readonly SipHeader[], body = '', callId = headerOf(message, 'Call-ID') ?? '') => {
      const before = wire.messages.length
      path.send({
        kind: 'request',
        method: 'UPDATE',
        uri: `sip:+${CALLER}@127.0.0.1`,
        headers: [
          ['Via', 'SIP/2.0/UDP 127.0.0.1:5060;branch=z9hG4bKupdate'],
          ['From', headerOf(message, 'To') ?? ''],
          ['To', headerOf(message, 'From') ?? ''],
          ['Call-ID', callId],
          ['CSeq', '1 UPDATE'],
          ...headers,
        ],
        body: Buffer.from(body),
      })
      await eventually('the answer', () => wire.messages.length > before)
      const answer = wire.messages[before]?.message
      if (answer?.kind !== 'response') throw new Error('this is no answer')
      return answer
    }
    return { ask }
  }

  it('is answered: the timer is kept, the Contact is sent', async () => {
    const { ask } = await ring()
    const answer = await ask([
      ['Session-Expires', '1800'],
      ['Require', 'timer'],
    ])
    expect(answer.status).toBe(200)
    expect(headerOf(answer, 'Session-Expires')).toBe('1800;refresher=uac')
    expect(headerOf(answer, 'Require')).toBe('timer')
    expect(headerOf(answer, 'Contact')).toContain(CALLER)
    expect(headerOf(await ask([['Session-Expires', '90;refresher=uas']]), 'Session-Expires')).toBe('90;refresher=uas')
  })

  it('gets an answer for each stream, and a refusal if none can be accepted', async () => {
    const { ask } = await ring()
    const answer = await ask([['Content-Type', 'application/sdp']], OFFER)
    const lines = Buffer.from(answer.body).toString().split('\r\n')
    expect(lines.filter((line) => line.startsWith('m='))).toEqual(['m=video 0 RTP/AVP 96', 'm=audio 9 RTP/AVP 0'])
    expect((await ask([['Content-Type', 'application/sdp']], OFFER.replace('18 0 101', '18 101'))).status).toBe(488)
  })

  it('gets the name of an unknown extension, and a refusal for an unknown call', async () => {
    const { ask } = await ring()
    const refused = await ask([['Require', '100rel, precondition']])
    expect([refused.status, headerOf(refused, 'Unsupported')]).toEqual([420, 'precondition'])
    expect((await ask([], '', 'another')).status).toBe(481)
  })

  it('reads no more of an offer than 256 lines', () => {
    expect(answerOffer(Buffer.from(`${'a=x\n'.repeat(256)}m=audio 1 RTP/AVP 0\n`), '127.0.0.1')).toBeNull()
  })
})

describe('a call that rang', () => {
  it('and lost its connection is reported as unanswered, with the reason', async () => {
    const clock = new VirtualClock()
    const wire = new Wire()
    let lost = false
    const listener = await listenSip({ host: '127.0.0.1', port: 0 }, (message, path) => {
      wire.watch('in', message, path)
      if (message.kind === 'request' && message.method === 'INVITE') path.send(rings(message))
    })
    open.push(async () => void (lost || (await listener.close())))
    const inbox = new InboxWitness()
    const carrier = begin(clock, { port: listener.port, transport: 'tcp' }, inbox)
    const [verdict] = await carrier.submit(submission())
    lost = true
    await listener.close()
    await eventually('the loss', () => !carrier.state().up)
    clock.advance(RING_MS)
    await turnLoop()
    expect(inbox.receipts).toEqual([])
    clock.advance(32_000)
    await idle(carrier)
    const ref = verdict?.kind === 'taken' ? verdict.ref : ''
    const detail = 'no final answer: the connection was closed'
    expect(inbox.receipts).toEqual([{ carrierId: 'trunk', ref, outcome: 'unanswered', detail }])
  })

  it('without an answer to its CANCEL is reported as unanswered', async () => {
    const { carrier, clock, inbox } = await startPeer((request, path) => {
      if (request.method === 'INVITE') path.send(rings(request))
    })
    await carrier.submit(submission())
    clock.advance(RING_MS)
    await turnLoop()
    clock.advance(32_000)
    await idle(carrier)
    expect(inbox.receipts).toMatchObject([{ outcome: 'unanswered', detail: 'no final answer' }])
  })
})
