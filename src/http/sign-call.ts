/** Signs calls to hooks by Standard Webhooks 1.0. During a rotation of secrets a call has one signature per secret. */
import { KeptValues } from '../domain/kept-values.ts'
import type { HookCall } from '../ports/hook-post.ts'
import { HmacKey } from './hmac-sha256.ts'

const PREFIX = 'whsec_'
const MAX_KEYS = 1_000

/** By secret. */
const keys = new KeptValues<string, HmacKey>(MAX_KEYS)

/** Returns the lines of the headers, each with its end. */
export function signCall({ id, at, body, count, secrets, traceparent }: HookCall): string {
  const seconds = Math.floor(at / 1000)
  let lines = `webhook-id: ${id}\r\nwebhook-timestamp: ${seconds}\r\n`
  if (count !== null) lines += `posthorn-reports: ${count}\r\n`
  if (traceparent !== undefined) lines += `traceparent: ${traceparent}\r\n`
  if (secrets.length === 0) return lines
  const signed = `${id}.${seconds}.${body}`
  const signatures = secrets.map((secret) => `v1,${keyOf(secret).sign(signed)}`)
  return `${lines}webhook-signature: ${signatures.join(' ')}\r\n`
}

function keyOf(secret: string): HmacKey {
  const known = keys.get(secret)
  if (known !== undefined) return known
  const text = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret
  const key = new HmacKey(Buffer.from(text, 'base64'))
  keys.set(secret, key)
  return key
}
