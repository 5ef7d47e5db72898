/** A text that shows nothing is refused before it costs money. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type ClientBench, startClientBench } from '../support/client-bench.ts'
import { chain, rcs, sms } from '../support/operations.ts'

let bench: ClientBench
beforeEach(async () => {
  bench = await startClientBench()
})
afterEach(() => bench.stop())

test.each([' ', '\t\r\n', '\u00a0\u2003', '\u200b', '\ufeff\u2060', '\u3164', '\u2800', '\ufe0f', '\u{e0020}'])(
  '%j is no text',
  async (text) => {
    for (const item of [sms({ sms_message: text }), chain({ sms_message: text }), rcs({ rcs_message: text })]) {
      expect((await bench.ask(item)).error).toMatch(/^(sms|rcs)_message: must have a visible character$/)
    }
    expect(bench.outbox.taken).toEqual([])
  },
)

test.each([' . ', '\u200b1', '\u2060😀'])('%j is a text', async (text) => {
  expect(await bench.ask(sms({ sms_message: text }))).toMatchObject({ success: true })
})
