/** A report as a client's hook received it, its signature verified by the reference library of Standard Webhooks. */
import { Webhook } from 'standardwebhooks'
import { expect } from 'vitest'
import type { SunkCall } from './hook-sink.ts'
import { expectReportShape } from './report-shape.ts'

export interface ReceivedReport {
  /** The `webhook-id`, or the `webhook_id` in an array. */
  readonly id: string
  readonly at: number
  readonly body: Readonly<Record<string, unknown>>
}

/** Returns the report of a call; fails the test unless the call is signed with the secret for this moment. */
export function readReport(call: SunkCall, secret: string): ReceivedReport {
  const { headers, body, at } = call
  expectSigned(call, secret)
  expect(headers['posthorn-reports']).toBeUndefined()
  return { id: String(headers['webhook-id']), at, body: JSON.parse(body) as ReceivedReport['body'] }
}

/** The same for a call that may have several reports, in an array. Compares each with its schema. */
export function readReports(call: SunkCall, secret: string): readonly ReceivedReport[] {
  const { headers, body, at } = call
  if (!body.startsWith('[')) {
    const report = readReport(call, secret)
    expectReportShape(report.body)
    return [report]
  }
  expectSigned(call, secret)
  const items = JSON.parse(body) as ReceivedReport['body'][]
  expect(headers['posthorn-reports']).toBe(String(items.length))
  return items.map(({ webhook_id: id, ...report }) => {
    expectReportShape(report)
    return { id: String(id), at, body: report }
  })
}

/** Expects the signature of Standard Webhooks. */
export function expectSigned({ headers, body, at }: SunkCall, secret: string): void {
  const id = String(headers['webhook-id'])
  const seconds = Number(headers['webhook-timestamp'])
  // Signed and compared: the library's own check would ask the machine's clock for the time.
  const signature = new Webhook(secret).sign(id, new Date(seconds * 1_000), body)
  expect(String(headers['webhook-signature']).split(' ')).toContain(signature)
  // Verifiers tolerate five minutes; the clock of a test may advance while a report is on its way.
  expect(Math.abs(at - seconds * 1_000)).toBeLessThanOrEqual(300_000)
  expect(headers['content-type']).toBe('application/json')
}
