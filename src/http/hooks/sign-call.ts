/** Signs calls to hooks by Standard Webhooks 1.0. During a rotation of secrets a call has one signature per secret. */
import type { HookCall } from '../../ports/hooks/hook-post.ts'
import { HmacSha256 } from './hmac-sha256.ts'

const PREFIX = 'whsec_'

const hmac = new HmacSha256()

/** Returns the lines of the headers, each with its end. */
export function signCall({ id, at, body, count, secrets, traceparent }: HookCall): string {
  const seconds = Math.floor(at / 1000)
  let lines = `webhook-id: ${id}\r\nwebhook-timestamp: ${seconds}\r\n`
  if (count !== null) lines += `posthorn-reports: ${count}\r\n`
  if (traceparent !== undefined) lines += `traceparent: ${traceparent}\r\n`
  if (secrets.length === 0) return lines
  const signed = `${id}.${seconds}.${body}`
  const signatures = secrets.map((secret) => `v1,${hmac.sign(bytesOf(secret), signed)}`)
  return `${lines}webhook-signature: ${signatures.join(' ')}\r\n`
}

function bytesOf(secret: string): Buffer {
  return Buffer.from(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret, 'base64')
}
