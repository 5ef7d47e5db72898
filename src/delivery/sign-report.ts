/** Signs reports by Standard Webhooks 1.0. During a rotation of secrets a report has one signature per secret. */
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import { type Report, reportId } from '../domain/report.ts'

const PREFIX = 'whsec_'

/** Keys by the array in the directory, so that they are freed with it. */
const keysOf = new WeakMap<readonly string[], readonly KeyObject[]>()

/**
 * Returns the headers of one try at `at` (milliseconds since 1970). `webhook-id` is the same on every try of a report,
 * so that clients can drop duplicates. Without secrets there is no signature.
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
