/** Receipts without a message are logged, but not one by one, and early receipts are not. */
import { afterEach, expect, test } from 'vitest'
import { CarrierBench } from '../support/carrier-bench.ts'

let bench: CarrierBench
afterEach(() => bench.stop())

const receiptOf = (ref: string) =>
  ({ carrierId: 'first', ref, outcome: 'delivered', detail: 'stat:DELIVRD err:000' }) as const
const warnings = () => bench.log.lines.filter(({ level }) => level === 'warn')

test('many of them are one line a minute, with one id and its detail', async () => {
  bench = await CarrierBench.start(['first'])
  const { inbox } = bench.carrier('first')
  for (let count = 0; count < 50; count += 1) await inbox?.receive([receiptOf(`lost-${count}`)])
  await bench.pass(59)
  expect(warnings()).toEqual([])
  await bench.pass(2)
  const fields = { carrier: 'first', ref: 'lost-0', detail: 'stat:DELIVRD err:000', receipts: 50 }
  expect(warnings()).toMatchObject([{ fields }])
  await bench.pass(600)
  expect(warnings()).toHaveLength(1)
  await inbox?.receive([receiptOf('lost-again')])
  await bench.pass(61)
  expect(warnings()).toHaveLength(2)
})

test('a receipt that came before the answer to its submit is not unmatched', async () => {
  bench = await CarrierBench.start(['first'])
  await bench.carrier('first').inbox?.receive([receiptOf('early')])
  bench.carrier('first').answer = () => ({ kind: 'taken', ref: 'early' })
  const [id = 0 as never] = await bench.send()
  await bench.pass(120)
  expect(await bench.statuses([id])).toEqual(['DELIVERED'])
  expect(warnings()).toEqual([])
})
