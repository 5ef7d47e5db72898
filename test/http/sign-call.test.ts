/** The request in the reference that receivers are tested with is what the gateway sends. */
import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { MessageId } from '../../src/domain/ids/message-id.ts'
import { writeReports } from '../../src/domain/reports/report.ts'
import { HmacSha256 } from '../../src/http/hooks/hmac-sha256.ts'
import { signCall } from '../../src/http/hooks/sign-call.ts'
import { callTo } from '../support/hook-call.ts'
import { splitReports } from '../support/split-reports.ts'

const reference = readFileSync(new URL('../../docs/reference/reports.md', import.meta.url), 'utf8')

test('the example with several reports has the headers, the signature and the body that the gateway posts', () => {
  const [, lines = '', body = ''] = /\nPOST \/reports HTTP\/1\.1\n([\s\S]*?)\n\n(\[.*\])\n```/.exec(reference) ?? []
  const [, secret = ''] = /signed with the secret `(whsec_\S+)`/.exec(reference) ?? []
  const headers = headersOf(lines, '\n')
  const [, , , id = '', , seconds] = headers
  const call = callTo('https://shop.example/reports', {
    ...{ id, body, count: 2, at: Number(seconds) * 1_000 + 300, secrets: [secret] },
  })
  expect(['content-type', 'application/json', ...headersOf(signCall(call).trimEnd(), '\r\n')]).toEqual(headers)
  const reports = splitReports({ id, body }).map((report) => {
    const [, messageId, number] = report.id.split('_').map(Number)
    return { messageId: messageId as MessageId, number: number ?? 0, body: report.body }
  })
  expect(writeReports(reports)).toBe(body)
})

/** Names and values in turn. */
function headersOf(lines: string, lineEnd: string): string[] {
  return lines.split(lineEnd).flatMap((line) => line.split(': '))
}

test('signatures equal those of node:crypto for any secret and text', () => {
  const hmac = new HmacSha256()
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('x'.repeat(30_000), 'é€😀'.repeat(10_000)))
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), text, (secret, signed) => {
      expect(hmac.sign(secret, signed)).toBe(createHmac('sha256', secret).update(signed).digest('base64'))
    }),
    { numRuns: 50 },
  )
})
