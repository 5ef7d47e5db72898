/**
 * Correctly signed webhook calls with arbitrary content: every driver answers them, throws nothing, and records only
 * receipts that have a ref and an outcome. Arbitrary answers to submissions give verdicts.
 */
import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readRbmCall } from '../../src/carriers/rbm/read-receipt.ts'
import { readCapability, readRbmAnswer } from '../../src/carriers/rbm/submit.ts'
import { readViberCall } from '../../src/carriers/viber/read-receipt.ts'
import { readViberSettings } from '../../src/carriers/viber/settings.ts'
import { readViberAnswer } from '../../src/carriers/viber/submit.ts'
import { readMessageTemplate } from '../../src/carriers/whatsapp/message-template.ts'
import { readWhatsAppCall } from '../../src/carriers/whatsapp/read-receipt.ts'
import { readGraphAnswer as readWhatsAppAnswer } from '../../src/carriers/whatsapp/submit.ts'
import type { WebhookRequest } from '../../src/ports/carriers/carrier.ts'
import { openWebhookCalls } from '../support/webhook-calls.ts'

/** Words that the drivers look for, so that random JSON gets past the first checks. */
const WORDS = [
  ...['message', 'data', 'eventType', 'messageId', 'eventId', 'DELIVERED', 'READ', 'secret', 'clientToken'],
  ...['message_token', 'message_status', 'delivered', 'seen', 'status', 'features', 'error'],
  ...[
    'entry',
    'changes',
    'field',
    'value',
    'messages',
    'statuses',
    'metadata',
    'phone_number_id',
    '555',
    'id',
    'failed',
  ],
  ...['errors', 'code', 'error_data', 'details', 'from', 'timestamp', 'text', 'body', 'biz_opaque_callback_data'],
  ...[
    'name',
    'language',
    'components',
    'type',
    'BODY',
    'HEADER',
    'BUTTONS',
    'buttons',
    'URL',
    'url',
    '{{1}}',
    'format',
  ],
  ...['__proto__', 'constructor', 'toString', ''],
]

const anyJson = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 6, depthSize: 'medium' },
    fc.constantFrom(...WORDS),
    fc.constantFrom(0, -1, 131_026, 131_047, 1e21, 2 ** 53, null, true),
    fc.string({ unit: 'binary', maxLength: 8 }),
    fc.array(tie('value'), { maxLength: 3 }),
    fc
      .array(fc.tuple(fc.constantFrom(...WORDS), tie('value')), { maxLength: 6 })
      .map((fields) => Object.fromEntries(fields)),
  ),
})).value

const anyBytes = fc.oneof(
  { arbitrary: anyJson.map((json) => Buffer.from(JSON.stringify(json))), weight: 9 },
  { arbitrary: fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)), weight: 1 },
)

const OUTCOMES = ['accepted', 'delivered', 'read', 'expired', 'undeliverable', 'rejected', 'unknown']

function check(receipts: readonly { readonly ref: string; readonly outcome: string; readonly detail: string }[]): void {
  for (const { ref, outcome, detail } of receipts) {
    expect(ref.length > 0 && ref.length <= 256 && detail.length <= 300).toBe(true)
    expect(OUTCOMES).toContain(outcome)
  }
}

const request = (body: Uint8Array, path = '', headers: Record<string, string> = {}): WebhookRequest => {
  return { method: 'POST', path, headers, body }
}

function checkInbound({ phone, text }: { readonly phone: string; readonly text: string }): void {
  expect(phone).toMatch(/^\d{5,20}$/)
  expect(text.length).toBeLessThanOrEqual(7_000)
  expect(text).not.toBe('')
}

const RUNS = { numRuns: 400 }

test('RBM', () => {
  const call = (bytes: Buffer) => {
    const signature = createHmac('sha512', 'token').update(bytes).digest('base64')
    const body = JSON.stringify({ message: { data: bytes.toString('base64') } })
    return readRbmCall(request(Buffer.from(body), '', { 'x-goog-signature': signature }), 'token')
  }
  fc.assert(
    fc.property(anyBytes, (bytes) => {
      for (const read of [call(bytes), readRbmCall(request(bytes), 'token')]) {
        if (read.kind === 'receipt') check([read.receipt])
        else if (read.kind === 'inbound') checkInbound(read.inbound)
        else expect(read.answer.status).toBeOneOf([200, 400, 401, 403])
      }
    }),
    RUNS,
  )
})

test('Viber', () => {
  const token = 'a-token-of-our-own'
  const { callbackFields } = readViberSettings({ serviceId: 1, webhookToken: token })
  fc.assert(
    fc.property(anyBytes, (bytes) => {
      const read = readViberCall(request(bytes, `/${token}`), token, callbackFields)
      if (read.kind === 'receipt') check([read.receipt])
      else if (read.kind === 'inbound') checkInbound(read.inbound)
      else expect(read.answer.status).toBeOneOf([200, 400])
    }),
    RUNS,
  )
})

test('WhatsApp', () => {
  const settings = { appSecret: 's', verifyToken: 'v', senders: new Map([['Shop', '555']]) }
  const call = (bytes: Uint8Array) => {
    const signature = createHmac('sha256', 's').update(bytes).digest('hex')
    return readWhatsAppCall(request(bytes, '', { 'x-hub-signature-256': `sha256=${signature}` }), settings)
  }
  const wrap = (value: unknown) => {
    const fields = typeof value === 'object' && value !== null ? value : {}
    const change = { field: 'messages', value: { ...fields, metadata: { phone_number_id: '555' } } }
    return Buffer.from(JSON.stringify({ entry: [{ changes: [change] }] }))
  }
  fc.assert(
    fc.property(anyBytes, anyJson, anyJson, (bytes, statuses, messages) => {
      for (const body of [bytes, wrap({ statuses: [statuses], messages: [messages] })]) {
        const read = call(body)
        if (read.kind === 'answer') expect(read.answer.status).toBe(400)
        else check(read.receipts)
      }
    }),
    RUNS,
  )
})

/** Proofs of generic HTTP carriers that read as many places of a call as they can. */
const PROOFS = [
  {
    auth: {
      kind: 'signature',
      at: { header: 'x-sig', prefix: 'v1=', separator: ',' },
      keys: ['key'],
      signed: [
        '{{timestamp}}{{nonce}}{{url}}{{sortedQuery}}{{sortedFields:=&}}',
        '{{path}}{{header:x}}{{body}}{{query}}',
      ],
      timestamp: { query: 't' },
      nonce: { field: 'id' },
      replace: { '&': '_' },
      once: true,
    },
  },
  { auth: { kind: 'signature', at: { field: 'name.id' }, keys: ['key'], signed: ['{{bodyHash:md5:raw}}'] } },
  { auth: { kind: 'jwt', keys: ['key'], urlHash: 'u', bodyHash: 'b', once: true } },
  { auth: { kind: 'jwt', at: { field: 'name' }, keys: ['key'], read: 'claims' } },
  { auth: { kind: 'sns', topics: ['arn:aws:sns:eu-west-1:123456789012:receipts'] } },
]

test.each(PROOFS)('calls without a key of $auth.kind', async (proof) => {
  const [inJson, inForm] = ['json', 'form'].map((format) => {
    const isOfJson = proof.auth.kind === 'sns' || proof.auth.read === 'claims'
    return openWebhookCalls({ ...proof, format: isOfJson ? 'json' : format })
  })
  const text = fc.oneof(
    fc.string(),
    fc.string({ unit: 'binary' }),
    fc.constantFrom(...WORDS, 'v1=', 'Bearer a.b.c', '1000'),
  )
  const headers = fc.record({ 'x-sig': text, authorization: text, x: text }, { requiredKeys: [] })
  await fc.assert(
    fc.asyncProperty(anyBytes, text, headers, async (body, tail, given) => {
      for (const path of [`?t=1000&${tail}`, tail]) {
        for (const webhook of [inJson, inForm]) {
          expect(
            await webhook?.call({ path, body, headers: { 'x-sig': `v1=${'0'.repeat(64)}`, ...given } }),
          ).toMatchObject({ status: 401 })
        }
      }
    }),
    { numRuns: 100 },
  )
})

test('answers', () => {
  fc.assert(
    fc.property(anyBytes, fc.integer({ min: 100, max: 599 }), anyJson, (bytes, status, item) => {
      const answer = { kind: 'answered', status, body: bytes.toString(), retryAfterMs: null } as const
      const whatsApp = readWhatsAppAnswer(answer)
      const rbm = readRbmAnswer(answer, 'ref')
      const verdicts = [rbm, readViberAnswer(answer)]
      for (const verdict of whatsApp.kind === 'verdict' ? [...verdicts, whatsApp.verdict] : verdicts) {
        // 409: Google has the message of an earlier try.
        if (verdict.kind === 'taken') expect(verdict === rbm ? [200, 409] : [200]).toContain(status)
        else expect(verdict.reason.length).toBeLessThan(300)
      }
      const capability = readCapability(answer)
      if (capability instanceof Set) expect(status).toBe(200)
      else expect(capability).toBeOneOf([false, null])
      expect(() => readMessageTemplate(item)).not.toThrow()
    }),
    RUNS,
  )
})
