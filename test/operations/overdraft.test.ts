/** However many requests come at one moment, an account never spends more than it has. */
import { expect, test } from 'vitest'
import { toMicros } from '../../src/domain/money/money.ts'
import { startClientBench } from '../support/client-bench.ts'
import { rcs } from '../support/operations.ts'

const PRICE_MICROS = 30_000

test.each([
  ['paid for before', 210 * PRICE_MICROS, 0],
  ['paid for in part, the rest on credit', 150 * PRICE_MICROS, 60 * PRICE_MICROS],
  ['paid for, and almost one more', 211 * PRICE_MICROS - 1, 0],
])('of 300 requests at one moment exactly 210 are accepted: %s', async (_name, balanceMicros, creditMicros) => {
  const bench = await startClientBench({ balanceMicros })
  const { accountId } = bench
  await bench.change({ kind: 'set credit limit', accountId, creditLimitMicros: toMicros(creditMicros) })
  const answers = await Promise.all(Array.from({ length: 300 }, (_, id) => bench.ask(rcs({ id }))))
  const accepted = answers.filter(({ success }) => success)
  const refused = answers.filter(({ success }) => !success)
  expect(accepted).toHaveLength(210)
  expect(new Set(refused.map(({ error }) => error))).toEqual(new Set(['Insufficient funds']))
  expect(new Set(accepted.map(({ data }) => data.msg_id)).size).toBe(210)
  expect(bench.outbox.taken).toHaveLength(210)
  expect(await bench.store.balancesOf(accountId)).toEqual({
    paid: -balanceMicros,
    available: balanceMicros - 210 * PRICE_MICROS,
    held: 210 * PRICE_MICROS,
    earned: 0,
  })
  expect(await bench.ask({ type: 'balance' })).toMatchObject({
    data: { amount: (balanceMicros - 210 * PRICE_MICROS) / 1_000_000 },
  })
  expect(await bench.store.verifyLedger()).toEqual([])
  await bench.stop()
})
