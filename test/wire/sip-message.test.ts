/**
 * The SIP codec: written messages are read back, every spelling gives the same message, and arbitrary bytes do no harm.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  answerTo,
  branchOf,
  callIdOf,
  cseqOf,
  dialogTag,
  headerOf,
  headersNamed,
  paramOf,
  uriOf,
  userOf,
} from '../../src/wire/sip/headers.ts'
import {
  MAX_HEAD_BYTES,
  MAX_MESSAGE_BYTES,
  NO_BODY,
  parseSip,
  type SipMessage,
  type SipRequest,
  writeSip,
} from '../../src/wire/sip/message.ts'
import { SipStream } from '../../src/wire/sip/stream.ts'

const INVITE: SipRequest = {
  kind: 'request',
  method: 'INVITE',
  uri: 'sip:+447700900001@sbc.example',
  headers: [
    ['Via', 'SIP/2.0/UDP 192.0.2.1:5060;branch=z9hG4bKone;rport'],
    ['Via', 'SIP/2.0/TCP [2001:db8::1]:5061;branch=z9hG4bKtwo'],
    ['Max-Forwards', '70'],
    ['From', '"Jo, \\"the <b>\\" Smith" <sip:+447700900123@sbc.example;user=phone>;tag=abc'],
    ['To', '<sip:+447700900001@sbc.example>'],
    ['Call-ID', '640-0-1-00ff'],
    ['CSeq', '7 INVITE'],
    ['Contact', '<sip:+447700900123@192.0.2.1:5060>'],
  ],
  body: Buffer.from('v=0\r\n'),
}

function bytesOf(...lines: string[]): Buffer {
  return Buffer.from(lines.join('\r\n'))
}

describe('a SIP message', () => {
  it('is read as it was written', () => {
    expect(parseSip(writeSip(INVITE))).toEqual({ ...INVITE, body: new Uint8Array(INVITE.body) })
  })

  it('has method, headers and transaction', () => {
    expect(callIdOf(INVITE)).toBe('640-0-1-00ff')
    expect(cseqOf(INVITE)).toEqual({ number: 7, method: 'INVITE' })
    expect(branchOf(INVITE)).toBe('z9hG4bKone')
    expect(dialogTag(INVITE, 'From')).toBe('abc')
    expect(dialogTag(INVITE, 'To')).toBeNull()
    expect(userOf(uriOf(headerOf(INVITE, 'from') ?? '') ?? '')).toBe('+447700900123')
    expect(paramOf(headerOf(INVITE, 'Via') ?? '', 'rport')).toBe('')
    expect(uriOf('sip:a@b;tag=1')).toBe('sip:a@b')
  })

  it('is the same in compact form, folded, with lists in one line and unusual white space', () => {
    const read = parseSip(
      bytesOf(
        'INVITE sip:+447700900001@sbc.example SIP/2.0',
        'v: SIP/2.0/UDP 192.0.2.1:5060;branch=z9hG4bKone;rport,SIP/2.0/TCP [2001:db8::1]:5061;branch=z9hG4bKtwo',
        'MAX-FORWARDS:70',
        'f : "Jo, \\"the <b>\\" Smith"',
        '  <sip:+447700900123@sbc.example;user=phone>;tag=abc',
        't:<sip:+447700900001@sbc.example>',
        'i:640-0-1-00ff',
        'cseq: 7 INVITE',
        'm: <sip:+447700900123@192.0.2.1:5060>',
        'l: 5',
        '',
        'v=0\r\n',
      ),
    )
    expect(read?.headers.map(([name, value]) => [name.toLowerCase(), value])).toEqual(
      INVITE.headers.map(([name, value]) => [name.toLowerCase(), value]),
    )
    expect(read?.body).toEqual(new Uint8Array(INVITE.body))
  })

  it('ends where Content-Length says, and is incomplete when it is cut short', () => {
    const text = 'SIP/2.0 180 \r\nContent-Length: 2\r\n\r\n'
    expect(parseSip(Buffer.from(`${text}abcd`))?.body).toEqual(Uint8Array.from([97, 98]))
    expect(parseSip(Buffer.from(`${text}a`))).toBeNull()
  })

  it.each([
    ['no empty line', bytesOf('SIP/2.0 200 OK', 'Via: x', '')],
    ['another version', bytesOf('SIP/3.0 200 OK', '', '')],
    ['a status that is none', bytesOf('SIP/2.0 999 OK', '', '')],
    ['a header without a name', bytesOf('SIP/2.0 200 OK', ': x', '', '')],
    ['a bare line feed', bytesOf('SIP/2.0 200 OK', 'Via: x\nVia: y', '', '')],
    ['a zero byte', bytesOf('SIP/2.0 200 OK', 'Via: x\0', '', '')],
    ['two lengths', bytesOf('SIP/2.0 200 OK', 'Content-Length: 0', 'l: 1', '', 'a')],
    ['a length below zero', bytesOf('SIP/2.0 200 OK', 'Content-Length: -1', '', '')],
    ['a head beyond the bound', bytesOf('SIP/2.0 200 OK', `Via: ${'x'.repeat(MAX_HEAD_BYTES)}`, '', '')],
    ['too many headers', bytesOf('SIP/2.0 200 OK', ...Array<string>(200).fill('A: b'), '', '')],
  ])('is invalid with %s', (_, bytes) => {
    expect(parseSip(bytes)).toBeNull()
  })

  it('is never written with a line break in a header', () => {
    expect(() => writeSip({ ...INVITE, headers: [['From', 'a\r\nVia: b']] })).toThrow(RangeError)
  })

  it('is answered with the same Via set, and one tag', () => {
    const answer = answerTo(INVITE, 180, 'Ringing', 'tag-1')
    expect(headersNamed(answer, 'Via')).toEqual(headersNamed(INVITE, 'Via'))
    expect(dialogTag(answer, 'To')).toBe('tag-1')
    const inDialog = { ...INVITE, headers: answer.headers }
    expect(dialogTag(answerTo(inDialog, 200, 'OK', 'tag-2'), 'To')).toBe('tag-1')
  })

  it('from arbitrary bytes is a message that can be answered, or null', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => void survive(bytes)),
      { numRuns: 300 },
    )
  })

  it('with a few bytes changed is a message that can be answered, or null', () => {
    const whole = writeSip(INVITE)
    const change = fc.record({ at: fc.nat(whole.length - 1), byte: fc.nat(255), drop: fc.nat(3) })
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 6 }), (changes) => {
        let bytes = Buffer.from(whole)
        for (const { at, byte, drop } of changes) {
          bytes = Buffer.concat([bytes.subarray(0, at), Buffer.of(byte), bytes.subarray(at + drop)])
        }
        survive(bytes)
      }),
      { numRuns: 500 },
    )
  })
})

/** Everything that the gateway does with untrusted messages. */
function survive(bytes: Uint8Array): void {
  const message = parseSip(bytes)
  if (message === null) return
  for (const read of [callIdOf, cseqOf, branchOf]) read(message)
  for (const [, value] of message.headers) userOf(uriOf(value) ?? '')
  dialogTag(message, 'To')
  if (message.kind === 'request') expect(parseSip(writeSip(answerTo(message, 481, 'No', 'tag')))).not.toBeNull()
  const again = parseSip(writeSip(message))
  expect(again).toEqual(message)
}

describe('a stream of SIP messages', () => {
  const RINGING: SipMessage = {
    kind: 'response',
    status: 180,
    reason: 'Ringing',
    headers: [['Call-ID', 'a']],
    body: NO_BODY,
  }
  const flow = Buffer.concat([Buffer.from('\r\n\r\n'), writeSip(INVITE), writeSip(RINGING), writeSip(INVITE)])

  it('gives the same messages however its bytes are split', () => {
    const cuts = fc.array(fc.nat(flow.length), { maxLength: 12 })
    fc.assert(
      fc.property(cuts, (places) => {
        const stream = new SipStream()
        const ends = [...places.sort((a, b) => a - b), flow.length]
        const messages = ends.flatMap((end, index) => stream.push(flow.subarray(ends[index - 1] ?? 0, end)))
        expect(stream.broken).toBeNull()
        expect(messages.map((message) => callIdOf(message))).toEqual(['640-0-1-00ff', 'a', '640-0-1-00ff'])
        expect(messages[2]?.body).toEqual(new Uint8Array(INVITE.body))
      }),
      { numRuns: 100 },
    )
  })

  it('is read byte by byte too', () => {
    const stream = new SipStream()
    expect([...flow].flatMap((byte) => stream.push(Uint8Array.of(byte)))).toHaveLength(3)
  })

  it.each([
    ['what is not SIP', Buffer.from('GET / HTTP/1.1\r\n\r\n'), 'what came is not SIP'],
    ['a head without end', Buffer.alloc(MAX_HEAD_BYTES + 1, 'a'), 'a head is too long'],
    [
      'a body beyond the bound',
      Buffer.from(`SIP/2.0 200 OK\r\nl: ${MAX_MESSAGE_BYTES}\r\n\r\n`),
      'a message is too long',
    ],
  ])('is given up at %s, and stays so', (_, bytes, why) => {
    const stream = new SipStream()
    expect(stream.push(bytes)).toEqual([])
    expect(stream.broken).toBe(why)
    expect(stream.push(flow)).toEqual([])
  })

  it('of any bytes does no harm', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 5 }), (chunks) => {
        const stream = new SipStream()
        for (const chunk of chunks) stream.push(chunk)
      }),
      { numRuns: 200 },
    )
  })
})
