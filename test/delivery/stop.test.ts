/** Delivery ends in bounded time, whatever the store does, and leaves nothing behind that goes on by itself. */
import { afterEach, expect, test } from 'vitest'
import type { Verdict } from '../../src/domain/message/journey-event.ts'
import type { Message } from '../../src/domain/message/message.ts'
import { CarrierBench } from '../support/carrier-bench.ts'
import { settled } from '../support/eventually.ts'

let bench: CarrierBench
afterEach(() => bench.store.close())

const stop = () => settled('delivery to stop', bench.delivery.stop(), bench.clock)

test('an answer that the store no longer takes does not delay the stop', async () => {
  bench = await CarrierBench.start(['only'])
  const answers: ((verdict: Verdict) => void)[] = []
  bench.carrier('only').answer = () => new Promise((answer) => answers.push(answer))
  const [id] = (await bench.send()) as [Message['id']]
  await bench.store.close()
  for (const answer of answers) answer({ kind: 'taken', ref: `only-${id}-0` })
  await stop()
  expect(bench.clock.nextAt()).toBeNull()
})

test('nor does an answer whose write is being retried', async () => {
  bench = await CarrierBench.start(['only'])
  const answers: ((verdict: Verdict) => void)[] = []
  bench.carrier('only').answer = () => new Promise((answer) => answers.push(answer))
  await bench.send(3)
  await bench.store.close()
  for (const answer of answers) answer({ kind: 'slow', reason: 'queue full', retryAfterMs: null })
  bench.clock.advance(1_000)
  await bench.rest().catch(() => {})
  await stop()
  expect(bench.clock.nextAt()).toBeNull()
})

test('a carrier that was leaving already is waited for, and none begins any more', async () => {
  bench = await CarrierBench.start(['leaving', 'other'])
  const closed = Promise.withResolvers<void>()
  bench.carrier('leaving').closed = closed.promise
  const setup = { channel: 'sms', kind: 'scripted' } as const
  await bench.change({ kind: 'set carrier', carrier: { ...setup, id: 'leaving', settings: { password: 'new' } } })
  expect(bench.carrier('leaving').stopped).toBe(1)
  bench.carrier('leaving').closed = Promise.resolve()
  let isStopped = false
  const stopping = bench.delivery.stop().then(() => {
    isStopped = true
  })
  await bench.rest()
  expect(isStopped).toBe(false)
  // What an operator or another node changes in the last moment.
  await bench.change({ kind: 'set carrier', carrier: { ...setup, id: 'late', settings: {} } })
  closed.resolve()
  await stopping
  expect(bench.carrier('late').inbox).toBeNull()
})
