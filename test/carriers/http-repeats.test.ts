/** Repeats of signed calls to webhooks of generic HTTP carriers, at the same moment. */
import { createHmac } from 'node:crypto'
import { SignJWT } from 'jose'
import { expect, test } from 'vitest'
import { openWebhookCalls } from '../support/webhook-calls.ts'

const KEY = 'a key of at least 32 bytes, as HS256 wants it'
const TEXT = '{"id":"1","status":"delivered"}'

const signature = {
  auth: {
    kind: 'signature',
    at: { header: 'X-Sig' },
    keys: [KEY],
    signed: ['{{timestamp}}.{{body}}'],
    timestamp: { header: 'X-Time' },
    once: true,
  },
  headers: {
    'x-sig': createHmac('sha256', KEY).update(`1000.${TEXT}`).digest('hex'),
    'x-time': '1000',
  },
}
const token = {
  auth: { kind: 'jwt', keys: [KEY], once: true },
  headers: {
    authorization: `Bearer ${await new SignJWT({ jti: 'a' }).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(KEY))}`,
  },
}

test.each([
  ['signature', signature],
  ['token', token],
])('one of five calls with the same %s passes', async (_, { auth, headers }) => {
  const webhook = openWebhookCalls({ auth })
  const call = async () => (await webhook.call({ headers, text: TEXT })).status
  webhook.refusals = 1
  expect(await call()).toBe(503)
  const statuses = await Promise.all(Array.from({ length: 5 }, call))
  expect(statuses.filter((status) => status === 200)).toHaveLength(1)
  expect(await call()).toBe(401)
  expect(webhook.items).toHaveLength(1)
})
