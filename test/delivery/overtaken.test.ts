/**
 * Another node has written turns of a message that this node has in an older state: nothing is lost or retried forever.
 */
import { afterEach, expect, test } from 'vitest'
import { Enqueuer } from '../../src/delivery/enqueue.ts'
import { MessageCache } from '../../src/delivery/message-cache.ts'
import type { Message } from '../../src/domain/message.ts'
import type { CarrierReceipt } from '../../src/ports/carrier.ts'
import { CarrierBench } from '../support/carrier-bench.ts'
import { receipt } from '../support/make-turn.ts'
import { SilentLog } from '../support/silent-log.ts'

let bench: CarrierBench
afterEach(() => bench.stop())

const delivered = (id: Message['id'], part: number): CarrierReceipt => {
  return { carrierId: 'only', ref: `only-${id}-${part}`, outcome: 'delivered', detail: 'stat:DELIVRD' }
}

const load = async (id: Message['id']) => (await bench.store.loadMessages([id]))[0] as Message

/** Applies a receipt on another node, which this node does not notice. */
async function applyElsewhere(id: Message['id'], part: number): Promise<void> {
  const turn = receipt(await load(id), 'delivered', { carrierId: 'only', part, at: bench.clock.now() })
  const recorded = { turn, held: false, reportsHeld: false, clickedCode: null }
  expect(await bench.store.record([recorded])).toMatchObject({ stale: [] })
}

test('concurrent receipts are each applied again, one after the other', async () => {
  bench = await CarrierBench.start(['only'])
  const [id] = (await bench.send(1, { parts: 4 })) as [Message['id']]
  await applyElsewhere(id, 0)
  const before = (await load(id)).journey.version
  await bench.carrier('only').inbox?.receive([1, 2, 3].map((part) => delivered(id, part)))
  await bench.rest()
  const { journey } = await load(id)
  expect(journey.status).toBe('DELIVERED')
  expect(journey.version).toBe(before + 3)
  expect(await bench.timeline(id)).toEqual(['only taken', ...[0, 1, 2, 3].map(() => 'only delivered')])
  // The report of the end is in the hands of this node, which knows of it.
  expect(await bench.store.counts()).toMatchObject({ open: 0, pendingReports: 0 })
})

test('receipts that come while others are being refused as well', async () => {
  bench = await CarrierBench.start(['only'])
  const [id] = (await bench.send(1, { parts: 6 })) as [Message['id']]
  const others = await bench.send(5)
  await applyElsewhere(id, 0)
  const inbox = bench.carrier('only').inbox
  const applied: (Promise<void> | undefined)[] = []
  for (const part of [1, 2, 3, 4, 5]) {
    applied.push(inbox?.receive([delivered(id, part), delivered(others[part - 1] as Message['id'], 0)]))
    await Promise.resolve()
    await new Promise(setImmediate)
  }
  await Promise.all(applied)
  await bench.rest()
  expect(await bench.statuses([id, ...others])).toEqual([id, ...others].map(() => 'DELIVERED'))
  expect(await bench.timeline(id)).toEqual(['only taken', ...[0, 1, 2, 3, 4, 5].map(() => 'only delivered')])
  expect(await bench.store.counts()).toMatchObject({ open: 0, pendingReports: 0 })
  expect(await bench.store.verifyLedger()).toEqual([])
})

test('a message in hand that another node has led to its next step goes on here', async () => {
  bench = await CarrierBench.start(['only'], { down: ['only'] })
  const [id] = (await bench.send(1, { steps: 2 })) as [Message['id']]
  await bench.pass(30)
  const turn = receipt(await load(id), 'undeliverable', { carrierId: 'only', at: bench.clock.now() })
  // As another node writes it: the message stays in the hands of this one.
  const recorded = { turn, held: true, reportsHeld: false, clickedCode: null }
  expect(await bench.store.record([recorded])).toMatchObject({ stale: [] })
  // The end of the first step's lifetime has no effect.
  await bench.pass(31)
  bench.carrier('only').up = true
  await bench.pass(1)
  expect(bench.asked).toEqual({ only: 1 })
  expect(await bench.statuses([id])).toEqual(['ACCEPTED'])
})

test('a message that is changed elsewhere while it is forwarded is released', async () => {
  bench = await CarrierBench.start(['only'], { down: ['only'] })
  const [id] = (await bench.send(1, { steps: 2 })) as [Message['id']]
  const known = await load(id)
  const turn = receipt(known, 'undeliverable', { carrierId: 'only', at: bench.clock.now() })
  expect(await bench.store.record([{ turn, held: true, reportsHeld: false, clickedCode: null }])).toMatchObject({
    stale: [],
  })
  const tools = {
    store: bench.store,
    clock: bench.clock,
    log: new SilentLog(),
    routing: () => '',
    onEnqueued: () => {},
  }
  const enqueuer = new Enqueuer(tools, new MessageCache({ maxHeld: 1, maxKept: 1 }))
  enqueuer.wait(known, ['elsewhere'])
  await enqueuer.close()
  const { messages } = await bench.store.claimDue({ now: bench.clock.now(), limit: 10 })
  expect(messages).toEqual([turn.message])
})
