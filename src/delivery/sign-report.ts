/**
 * Signs reports by Standard Webhooks 1.0: the client proves with its secret that a report is ours, whole and fresh.
 * During a rotation of secrets it carries a signature by each of them.
 */
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import { type Report, reportId } from '../domain/report.ts'

const PREFIX = 'whsec_'

/** By the array that the directory holds: a directory read anew brings new arrays, and the old keys go with the old. */
const keysOf = new WeakMap<readonly string[], readonly KeyObject[]>()

/**
 * The headers of one try, made at `at` (milliseconds). `webhook-id` is the same on every try of a report, so that a
 * client can drop what it has already seen. Without secrets there is no signature.
 */
export function signReport(report: Report, secrets: readonly string[], at: number): Record<string, string> {
  const id = reportId(report)
  const seconds = Math.floor(at / 1000)
  const headers: Record<string, string> = { 'webhook-id': id, 'webhook-timestamp': String(seconds) }
  if (secrets.length > 0) {
    const signed = `${id}.${seconds}.${report.body}`
    headers['webhook-signature'] = readKeys(secrets)
      .map((key) => `v1,${createHmac('sha256', key).update(signed).digest('base64')}`)
      .join(' ')
  }
  return headers
}

function readKeys(secrets: readonly string[]): readonly KeyObject[] {
  let keys = keysOf.get(secrets)
  if (keys === undefined) {
    keys = secrets.map((secret) => {
      const text = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret
      return createSecretKey(Buffer.from(text, 'base64'))
    })
    keysOf.set(secrets, keys)
  }
  return keys
}
