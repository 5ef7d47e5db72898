/** Taking messages back, wherever they are: in line, waiting in the store, with a carrier at this moment. */
import { afterEach, describe, expect, test } from 'vitest'
import type { Verdict } from '../../src/domain/message/journey-event.ts'
import type { Message } from '../../src/domain/message/message.ts'
import { CarrierBench } from '../support/carrier-bench.ts'

let bench: CarrierBench
afterEach(() => bench.stop())

/** As a client would: by what the store has. The statuses that it is answered with. */
async function cancel(...ids: readonly Message['id'][]): Promise<readonly string[]> {
  const messages = await bench.store.loadMessages(ids)
  const results = await bench.delivery.pump.cancel(messages)
  expect(results.map(({ id }) => id)).toEqual(ids)
  const statuses = results.map(({ journey }) => journey.status)
  await bench.rest()
  // What is answered is on disk.
  for (const [index, status] of (await bench.statuses(ids)).entries()) {
    if (statuses[index] === 'CANCELLED') expect(status).toBe('CANCELLED')
  }
  return statuses
}

async function expectNothingHeld(): Promise<void> {
  expect(bench.delivery.pump.facts).toEqual({ held: 0, inFlight: 0 })
  expect((await bench.store.counts()).open).toBe(0)
  expect(await bench.store.verifyLedger()).toEqual([])
}

test('in line before a carrier: it leaves the line, and the others go on', async () => {
  bench = await CarrierBench.start(['only'], { down: ['only'] })
  const [first, second, third] = (await bench.send(3)) as [Message['id'], Message['id'], Message['id']]
  expect(await cancel(second)).toEqual(['CANCELLED'])
  bench.carrier('only').up = true
  await bench.pass(1)
  expect(bench.carrier('only').submissions.map(({ messageId }) => messageId)).toEqual([first, third])
  expect(await bench.timeline(second)).toEqual(['null cancelled'])
})

test('all of a line, its lifetime over as well: nothing comes of them any more', async () => {
  bench = await CarrierBench.start(['only'], { down: ['only'] })
  const ids = await bench.send(20)
  expect(await cancel(...ids)).toEqual(ids.map(() => 'CANCELLED'))
  await bench.pass(61)
  bench.carrier('only').up = true
  await bench.pass(61)
  expect(bench.asked).toEqual({ only: 0 })
  expect(await bench.timelines(ids)).toEqual(ids.map(() => ['null cancelled']))
  await expectNothingHeld()
})

test('waiting in the store for its time: it is not claimed any more', async () => {
  bench = await CarrierBench.start(['only'])
  const [planned, stays] = (await bench.send(2, { sendAt: bench.clock.now() + 60_000 })) as [
    Message['id'],
    Message['id'],
  ]
  expect(await cancel(planned)).toEqual(['CANCELLED'])
  await bench.pass(61)
  expect(await bench.statuses([planned, stays])).toEqual(['CANCELLED', 'ACCEPTED'])
  expect(bench.asked).toEqual({ only: 1 })
})

test('waiting for another try because the carrier asked to slow down', async () => {
  bench = await CarrierBench.start(['only'])
  bench.carrier('only').answer = () => ({ kind: 'slow', reason: 'queue full', retryAfterMs: 30_000 })
  const ids = await bench.send(2)
  expect(await cancel(...ids)).toEqual(['CANCELLED', 'CANCELLED'])
  bench.carrier('only').takes()
  await bench.pass(40)
  expect(await bench.timelines(ids)).toEqual(ids.map(() => ['only slow', 'null cancelled']))
  await expectNothingHeld()
})

test('waiting because no carrier could be reached', async () => {
  bench = await CarrierBench.start(['only'])
  bench.carrier('only').answer = () => ({ kind: 'unreachable', reason: 'connection refused' })
  const [id] = (await bench.send()) as [Message['id']]
  expect(await cancel(id)).toEqual(['CANCELLED'])
  await bench.pass(61)
  expect(await bench.timeline(id)).toEqual(['only unreachable', 'null cancelled'])
})

describe('too late', () => {
  test.each<[string, Verdict['kind'], string]>([
    ['is taken', 'taken', 'ACCEPTED'],
    ['is refused', 'refused', 'REJECTED'],
    ['gets no answer', 'unclear', 'QUEUED'],
    ['is put off', 'slow', 'QUEUED'],
  ])('at the moment when it is with a carrier, which %s then', async (_, kind, status) => {
    bench = await CarrierBench.start(['only'])
    const answers: ((verdict: Verdict) => void)[] = []
    bench.carrier('only').answer = () => new Promise((answer) => answers.push(answer))
    const [id] = (await bench.send()) as [Message['id']]
    expect(await cancel(id)).toEqual(['QUEUED'])
    for (const answer of answers) answer(verdictOf(kind))
    await bench.rest()
    expect(await bench.statuses([id])).toEqual([status])
    expect(await cancel(id)).toEqual([kind === 'slow' ? 'CANCELLED' : status])
    bench.carrier('only').takes()
    await bench.pass(61)
    expect(await bench.store.verifyLedger()).toEqual([])
  })

  test('once it was delivered', async () => {
    bench = await CarrierBench.start(['only'])
    const [id] = (await bench.send()) as [Message['id']]
    await bench
      .carrier('only')
      .inbox?.receive([{ carrierId: 'only', ref: `only-${id}-0`, outcome: 'delivered', detail: '' }])
    expect(await cancel(id)).toEqual(['DELIVERED'])
  })
})

test('asked again and again, also at the same time, it answers the same and changes nothing', async () => {
  bench = await CarrierBench.start(['only'], { down: ['only'] })
  const [id] = (await bench.send()) as [Message['id']]
  const asked = await Promise.all([cancel(id), cancel(id), cancel(id)])
  expect(asked).toEqual([['CANCELLED'], ['CANCELLED'], ['CANCELLED']])
  const balances = await bench.store.balancesOf(1 as never)
  expect(await cancel(id)).toEqual(['CANCELLED'])
  expect(await bench.store.balancesOf(1 as never)).toEqual(balances)
  expect(await bench.timeline(id)).toEqual(['null cancelled'])
  await expectNothingHeld()
})

test('a message that has left memory is cancelled from the store', async () => {
  bench = await CarrierBench.start(['only'], { maxKept: 0 })
  bench.carrier('only').answer = () => ({ kind: 'slow', reason: 'queue full', retryAfterMs: 30_000 })
  const ids = await bench.send(3)
  const old = await bench.store.loadMessages(ids)
  expect(await cancel(...ids)).toEqual(ids.map(() => 'CANCELLED'))
  // The state that the caller passes is older, and the store refuses it.
  const again = await bench.delivery.pump.cancel(old)
  expect(again.map(({ journey }) => journey.status)).toEqual(ids.map(() => 'CANCELLED'))
  bench.carrier('only').takes()
  await bench.pass(61)
  expect(bench.asked).toEqual({ only: 3 })
  await expectNothingHeld()
})

function verdictOf(kind: Verdict['kind']): Verdict {
  if (kind === 'taken') return { kind, ref: 'r' }
  if (kind === 'refused') return { kind, status: 'REJECTED', reason: 'not wanted' }
  if (kind === 'slow') return { kind, reason: 'queue full', retryAfterMs: 30_000 }
  return { kind, reason: 'no answer' }
}
