/** One-time codes by the Telegram Gateway, against a double with its signatures. */
import { createHash, createHmac } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import { readTelegramCall } from '../../src/carriers/telegram/read-report.ts'
import { readTelegramSettings } from '../../src/carriers/telegram/settings.ts'
import { readCodeAnswer, writeCode } from '../../src/carriers/telegram/submit.ts'
import type { TelegramDouble } from '../../src/simulator/telegram/telegram.ts'
import { describeCarrier, SubmissionMaker } from '../conformance/carrier.ts'
import { eventually, settled } from '../support/eventually.ts'
import { buildTelegramBench, type HttpBench } from '../support/http-benches.ts'

describeCarrier('Telegram', () => buildTelegramBench())

let bench: HttpBench<TelegramDouble> | null = null

afterEach(async () => {
  if (bench === null) return
  await settled('the carrier to stop', bench.carrier.stop(), bench.clock)
  await bench.stop()
  bench = null
})

async function begin(settings: object = {}) {
  const begun = await buildTelegramBench(settings)
  bench = begun
  begun.carrier.start(begun.inbox)
  return { ...begun, submissions: new SubmissionMaker(begun) }
}

test('a code that is not delivered in its time expires, and the fee is given back', async () => {
  const { submissions, carrier, inbox, clock } = await begin()
  const [verdict] = await settled('the verdict', carrier.submit(submissions.make('05', { lifetimeSeconds: 60 })))
  expect(verdict).toMatchObject({ kind: 'taken' })
  await eventually('the report', () => inbox.receipts.length > 0, { clock })
  expect(inbox.receipts).toMatchObject([{ outcome: 'expired', detail: 'expired, refunded' }])
})

test('a revoked code is not delivered', async () => {
  const { submissions, carrier, inbox, clock } = await begin()
  const submission = submissions.make('00')
  const [verdict] = await settled('the verdict', carrier.submit(submission))
  const refs = verdict?.kind === 'taken' ? [verdict.ref] : []
  const revoked = await settled('the answer', carrier.revoke?.({ ...submission, refs }) ?? Promise.resolve(null))
  expect(revoked).toEqual({ asked: true, detail: 'revoked' })
  clock.advance(10_000)
  expect(inbox.receipts).toEqual([])
})

test.each([
  ['a text without a code', { kind: 'text', text: 'Hello' }],
  ['a call', { kind: 'call', from: '4822123400', code: '3400' }],
] as const)('%s is refused', async (_, content) => {
  const { submissions, carrier } = await begin()
  expect(await settled('the verdict', carrier.submit(submissions.make('00', { content })))).toMatchObject([
    { kind: 'refused', status: 'REJECTED' },
  ])
})

test('a wrong token is a problem of the account, so that the next channel or carrier is used', async () => {
  const { submissions, carrier } = await begin({ token: 'wrong' })
  await eventually('the carrier to be up', () => carrier.state().up)
  const verdicts = await settled('the verdict', carrier.submit(submissions.make('00')))
  expect(verdicts).toEqual([{ kind: 'unreachable', reason: 'ACCESS_TOKEN_INVALID', account: true }])
})

describe('the request', () => {
  const settings = readTelegramSettings({
    token: 't',
    callbackUrl: 'https://a.example/c',
    senderUsername: 'shop_codes',
  })
  const submission = new SubmissionMaker({ carrier: { channel: 'telegram' } as never, sender: '' }).make('00')

  test.each([
    [5, 30],
    [600, 600],
    [86_400, 3_600],
  ])('a lifetime of %i seconds is a ttl of %i', (lifetimeSeconds, ttl) => {
    expect(JSON.parse(writeCode({ ...submission, lifetimeSeconds }, '0123', settings))).toEqual({
      ...{ phone_number: '+380501234500', code: '0123', sender_username: 'shop_codes' },
      ...{ callback_url: 'https://a.example/c', payload: `${submission.messageId}-0`, ttl },
    })
  })
})

test.each([
  [500, { kind: 'unclear', reason: 'HTTP 500' }],
  [403, { kind: 'unclear', reason: 'HTTP 403' }],
  [400, { kind: 'refused', status: 'REJECTED' }],
  [429, { kind: 'slow' }],
])('an unknown error with status %i', (status, verdict) => {
  const result = { kind: 'answered', status, retryAfterMs: null, body: '{"ok":false,"error":"INTERNAL"}' } as const
  expect(readCodeAnswer(result)).toMatchObject(verdict)
})

test.each(['http://a.example/c', `https://a.example/${'x'.repeat(256)}`, 'a.example'])(
  'no callback to %s',
  (address) => {
    expect(() => readTelegramSettings({ token: 't', callbackUrl: address })).toThrow(/^callbackUrl: /)
  },
)

test.each([
  ['{"ok":true,"result":{"request_id":"r1"}}', { kind: 'taken', ref: 'r1' }],
  ['{"ok":false,"error":"SENDER_NOT_VERIFIED"}', { kind: 'unreachable', account: true }],
  ['{"ok":true,"result":{}}', { kind: 'unclear' }],
  ['{"ok":false,"error":"PHONE_NUMBER_NOT_FOUND"}', { kind: 'refused', status: 'UNDELIVERABLE' }],
  ['{"ok":false,"error":"CODE_INVALID"}', { kind: 'refused', status: 'REJECTED' }],
  ['{"ok":false,"error":"FLOOD_WAIT_7"}', { kind: 'slow', retryAfterMs: 7_000 }],
  ['{"ok":false,"error":"BALANCE_NOT_ENOUGH"}', { kind: 'unreachable', account: true }],
  ['{"ok":false}', { kind: 'unclear' }],
  ['not JSON', { kind: 'unclear' }],
])('the answer %s', (body, verdict) => {
  const result = { kind: 'answered', status: 200, retryAfterMs: null, body } as const
  expect(readCodeAnswer(result)).toMatchObject(verdict)
})

describe('a report', () => {
  const NOW = 1_800_000_000_000
  const BODY = '{"request_id":"r1","delivery_status":{"status":"delivered"}}'
  const key = createHash('sha256').update('token').digest()
  const signatureOf = (time: string, body = BODY) => createHmac('sha256', key).update(`${time}\n${body}`).digest('hex')
  const call = (change: { time?: string; signature?: string; body?: string; method?: string } = {}) => {
    const { time = '1800000000', body = BODY, signature = signatureOf(time, body), method = 'POST' } = change
    const headers = { 'x-request-timestamp': time, 'x-request-signature': signature }
    return readTelegramCall({ method, path: '', headers, body: Buffer.from(body) }, 'token', NOW)
  }

  test('is a receipt if it is signed', () => {
    expect(call()).toEqual({ kind: 'receipt', receipt: { ref: 'r1', outcome: 'delivered', detail: 'delivered' } })
  })

  test.each([
    ['another signature', { signature: '0'.repeat(64) }, 401],
    ['no signature', { signature: '' }, 401],
    ['the signature of another time', { time: '1800000001', signature: signatureOf('1800000000') }, 401],
    ['the signature of another body', { body: BODY.replace('r1', 'r2'), signature: signatureOf('1800000000') }, 401],
    ['an old time', { time: '1799999000' }, 401],
    ['a time ahead', { time: '1800001000' }, 401],
    ['no time', { time: '' }, 401],
    ['another method', { method: 'GET' }, 405],
    ['another subject', { body: '{"request_id":"r1"}' }, 200],
    ['no object', { body: '[]' }, 200],
  ])('with %s is answered at once', (_, change, status) => {
    expect(call(change)).toMatchObject({ kind: 'answer', answer: { status } })
  })
})
