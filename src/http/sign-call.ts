/** Signs calls to hooks by Standard Webhooks 1.0. During a rotation of secrets a call has one signature per secret. */
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import type { HookCall } from '../ports/hook-post.ts'

const PREFIX = 'whsec_'
const MAX_KEYS = 1_000

/** Keys by secret, in the order in which they were made. */
const keys = new Map<string, KeyObject>()

/** Returns names and values of the headers in turn. */
export function signCall({ id, at, body, count, secrets, traceparent }: HookCall): string[] {
  const seconds = String(Math.floor(at / 1000))
  const headers = ['webhook-id', id, 'webhook-timestamp', seconds]
  if (count !== null) headers.push('posthorn-reports', String(count))
  if (traceparent !== undefined) headers.push('traceparent', traceparent)
  if (secrets.length > 0) {
    const signed = `${id}.${seconds}.${body}`
    const signatures = secrets.map(
      (secret) => `v1,${createHmac('sha256', keyOf(secret)).update(signed).digest('base64')}`,
    )
    headers.push('webhook-signature', signatures.join(' '))
  }
  return headers
}

function keyOf(secret: string): KeyObject {
  const known = keys.get(secret)
  if (known !== undefined) return known
  const text = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret
  const key = createSecretKey(Buffer.from(text, 'base64'))
  if (keys.size >= MAX_KEYS) keys.delete(keys.keys().next().value ?? '')
  keys.set(secret, key)
  return key
}
