/** Scheduled messages wait in the store, and a batch of them delays no others. */
import { afterEach, expect, test } from 'vitest'
import { CarrierBench } from '../support/carrier-bench.ts'
import { eventually } from '../support/eventually.ts'

let bench: CarrierBench
afterEach(() => bench.stop())

const BATCH_SIZE = 2_000

test('a batch waits in the store until it is due', async () => {
  bench = await CarrierBench.start(['only'])
  const at = bench.clock.now() + 3_600_000
  const ids = await bench.send(BATCH_SIZE, { sendAt: at })
  expect(bench.delivery.pump.facts.held).toBe(0)
  await bench.pass(3_599)
  expect(bench.asked).toEqual({ only: 0 })
  await bench.pass(2)
  await eventually('the batch to be sent', () => bench.asked['only'] === BATCH_SIZE)
  await bench.rest()
  expect(new Set(await bench.statuses(ids))).toEqual(new Set(['ACCEPTED']))
  // Their lifetime of 60 seconds began at their time.
  await bench.pass(56)
  expect(new Set(await bench.statuses(ids))).toEqual(new Set(['ACCEPTED']))
  await bench.pass(3)
  expect(new Set(await bench.statuses(ids))).toEqual(new Set(['EXPIRED']))
  expect(await bench.store.verifyLedger()).toEqual([])
})

test('messages sent at once do not wait behind thousands of planned ones', async () => {
  bench = await CarrierBench.start(['only'])
  const only = bench.carrier('only')
  only.answer = (part, { messageId }) =>
    new Promise((taken) => {
      bench.clock.after(1_000, () => taken({ kind: 'taken', ref: `${messageId}-${part}` }))
    })
  await bench.send(BATCH_SIZE, { sendAt: bench.clock.now() + 60_000, lifetimeSeconds: 3_600 })
  await bench.pass(63)
  const before = only.submissions.length
  expect(before).toBeGreaterThan(0)
  const ids = await bench.send(5)
  await bench.pass(2)
  const places = ids.map((id) => only.submissions.findIndex(({ messageId }) => messageId === id))
  expect(Math.min(...places)).toBeGreaterThanOrEqual(before)
  expect(Math.max(...places)).toBeLessThan(before + 2 * only.window)
  only.takes()
  await bench.pass(2)
})

test('memory holds no more of the batch than it has room for', async () => {
  bench = await CarrierBench.start(['only'], { maxHeld: 100 })
  const only = bench.carrier('only')
  const answers: (() => void)[] = []
  only.answer = (part, { messageId }) =>
    new Promise((taken) => answers.push(() => taken({ kind: 'taken', ref: `${messageId}-${part}` })))
  await bench.send(BATCH_SIZE, { sendAt: bench.clock.now() + 60_000 })
  await bench.pass(61)
  expect(bench.delivery.pump.facts.held).toBe(50)
  expect(bench.delivery.pump.hasRoom('sms', 10)).toBe(true)
  only.takes()
  for (const answer of answers) answer()
  await eventually('the batch to be sent', () => only.submissions.length >= BATCH_SIZE)
})
