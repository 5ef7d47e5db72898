/** Ids that no database keeps as they are get one form, in answers and in receipts alike. */
import { afterEach, expect, test } from 'vitest'
import type { CarrierReceipt } from '../../src/ports/carriers/carrier.ts'
import { CarrierBench } from '../support/carrier-bench.ts'

let bench: CarrierBench
afterEach(() => bench?.stop())

const receiptOf = (ref: string): CarrierReceipt => ({ carrierId: 'only', ref, outcome: 'delivered', detail: '' })

test.each([
  ['q\0', 'q\\u0000'],
  ['q\ud83d', 'q\\ud83d'],
  ['\0\udc00\ud83d\ude00', '\\u0000\\udc00\ud83d\ude00'],
])('a message that a carrier takes as %j is delivered by a receipt of it', async (ref, stored) => {
  bench = await CarrierBench.start(['only'])
  bench.carrier('only').answer = () => ({ kind: 'taken', ref })
  const [id = 0 as never] = await bench.send()
  expect(await bench.store.findAddresses([receiptOf(stored)])).toEqual([{ messageId: id, step: 0, part: 0 }])
  await bench.carrier('only').inbox?.receive([receiptOf(ref)])
  await bench.rest()
  expect(await bench.statuses([id])).toEqual(['DELIVERED'])
})

test('a receipt with such an id is not that of the message whose id is the rest of it', async () => {
  bench = await CarrierBench.start(['only'])
  bench.carrier('only').answer = () => ({ kind: 'taken', ref: 'q' })
  const [id = 0 as never] = await bench.send()
  await bench.carrier('only').inbox?.receive([receiptOf('q\0')])
  await bench.rest()
  expect(await bench.statuses([id])).toEqual(['ACCEPTED'])
})
