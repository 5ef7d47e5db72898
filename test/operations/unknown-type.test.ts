/** What an operation whose type does not exist is answered: a short text with what was probably meant. */
import { expect, test } from 'vitest'
import { startClientBench } from '../support/client-bench.ts'

test.each([
  ['statsu', '; did you mean status?'],
  ['blance', '; did you mean balance?'],
  ['sms+rsc', '; did you mean sms+rcs?'],
  ['fax', ''],
  ['x'.repeat(5_000), ''],
  [7, ''],
])('%s', async (type, advice) => {
  const bench = await startClientBench()
  const { error } = await bench.ask({ type })
  expect(error).toBe(
    `type: must be one of rcs, chatapp, sms, a chain such as chatapp+sms, or another operation of the API${advice}`,
  )
  await bench.stop()
})
