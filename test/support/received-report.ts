/** A report as a client's hook received it, its signature verified by the reference library of Standard Webhooks. */
import { Webhook } from 'standardwebhooks'
import { expect } from 'vitest'
import type { SunkCall } from './hook-sink.ts'

export interface ReceivedReport {
  /** The `webhook-id`. */
  readonly id: string
  readonly at: number
  readonly body: Readonly<Record<string, unknown>>
}

/** Returns the report of a call; fails the test unless the call is signed with the secret for this moment. */
export function readReport({ headers, body, at }: SunkCall, secret: string): ReceivedReport {
  const id = String(headers['webhook-id'])
  const seconds = Number(headers['webhook-timestamp'])
  // Signed and compared: the library's own check would ask the machine's clock for the time.
  const signature = new Webhook(secret).sign(id, new Date(seconds * 1_000), body)
  expect(String(headers['webhook-signature']).split(' ')).toContain(signature)
  // Verifiers tolerate five minutes; the clock of a test may advance while a report is on its way.
  expect(Math.abs(at - seconds * 1_000)).toBeLessThanOrEqual(300_000)
  expect(headers['content-type']).toBe('application/json')
  return { id, at, body: JSON.parse(body) as ReceivedReport['body'] }
}
