/** The request in the reference that receivers are tested with is what the gateway sends. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { MessageId } from '../../src/domain/message-id.ts'
import { writeReports } from '../../src/domain/report.ts'
import { signCall } from '../../src/http/sign-call.ts'
import { callTo } from '../support/hook-call.ts'
import { splitReports } from '../support/split-reports.ts'

const reference = readFileSync(new URL('../../docs/reference/reports.md', import.meta.url), 'utf8')

test('the example with several reports has the headers, the signature and the body that the gateway posts', () => {
  const [, lines = '', body = ''] = /\nPOST \/reports HTTP\/1\.1\n([\s\S]*?)\n\n(\[.*\])\n```/.exec(reference) ?? []
  const [, secret = ''] = /signed with the secret `(whsec_\S+)`/.exec(reference) ?? []
  const headers = lines.split('\n').flatMap((line) => line.split(': '))
  const [, , , id = '', , seconds] = headers
  const call = callTo('https://shop.example/reports', {
    ...{ id, body, count: 2, at: Number(seconds) * 1_000 + 300, secrets: [secret] },
  })
  expect(['content-type', 'application/json', ...signCall(call)]).toEqual(headers)
  const reports = splitReports({ id, body }).map((report) => {
    const [, messageId, number] = report.id.split('_').map(Number)
    return { messageId: messageId as MessageId, number: number ?? 0, body: report.body }
  })
  expect(writeReports(reports)).toBe(body)
})
