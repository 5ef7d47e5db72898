/**
 * Another node has written turns of a message that this node has in an older state: nothing is lost or retried forever.
 */
import { afterEach, expect, test } from 'vitest'
import { Enqueuer } from '../../src/delivery/turns/enqueue.ts'
import { MessageCache } from '../../src/delivery/turns/message-cache.ts'
import { advance } from '../../src/domain/journey/journey.ts'
import type { Message } from '../../src/domain/message/message.ts'
import type { CarrierReceipt } from '../../src/ports/carriers/carrier.ts'
import { CarrierBench } from '../support/carrier-bench.ts'
import { clicked, receipt } from '../support/make-turn.ts'
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

test('a receipt is not lost although another node applies one to another part in the same moment', async () => {
  bench = await CarrierBench.start(['only'])
  const [id] = (await bench.send(1, { parts: 3 })) as [Message['id']]
  await applyElsewhere(id, 0)
  await applyElsewhere(id, 1)
  // The timeline has no parts: the turn would write the same row as the first of the other node.
  await bench.carrier('only').inbox?.receive([{ ...delivered(id, 2), detail: 'stat:delivered' }])
  await bench.rest()
  expect(await bench.statuses([id])).toEqual(['DELIVERED'])
  expect(await bench.timeline(id)).toEqual(['only taken', ...[0, 1, 2].map(() => 'only delivered')])
})

const CODE = '482913'
const checked = (checkId: string) => ({ kind: 'checked', at: bench.clock.now(), code: CODE, checkId }) as const

test('a repeated check waits for the first, and learns that another node has approved another check', async () => {
  bench = await CarrierBench.start(['only'])
  const content = { kind: 'text', text: `Your code is ${CODE}.`, code: CODE } as const
  const verifiedUntil = bench.clock.now() + 600_000
  const [id] = (await bench.send(1, { content, verifiedUntil })) as [Message['id']]
  const turn = advance(await load(id), checked('theirs'))
  const elsewhere = bench.store.record(
    turn === null ? [] : [{ turn, held: false, reportsHeld: false, clickedCode: null }],
  )
  const ours = { messageId: id, code: CODE, checkId: 'ours' }
  const checks = await Promise.all([bench.delivery.pump.check([ours]), bench.delivery.pump.check([ours])])
  expect(await elsewhere).toMatchObject({ stale: [] })
  expect(checks.flat().map((message) => message?.journey.verification?.approvedBy)).toEqual(['theirs', 'theirs'])
})

test('a link that is opened at two nodes at once is reported once', async () => {
  bench = await CarrierBench.start(['only'])
  const [id] = (await bench.send(1)) as [Message['id']]
  const click = { url: 'https://shop.example/1', code: 'Ab3dE5' }
  const turn = clicked(await load(id), click.url, click.code, bench.clock.now())
  const elsewhere = bench.store.record([{ turn, held: false, reportsHeld: false, clickedCode: click.code }])
  const link = { ...click, messageId: id, expiresAt: bench.clock.now() + 60_000 }
  await bench.delivery.pump.clicked({ ...link, at: bench.clock.now() })
  expect(await elsewhere).toMatchObject({ stale: [] })
  expect((await bench.timeline(id)).filter((each) => each.endsWith('clicked'))).toHaveLength(1)
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

test('a message in memory whose next step another node began continues here', async () => {
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
  enqueuer.wait(known, { carriers: ['elsewhere'] })
  await enqueuer.close()
  const { messages } = await bench.store.claimDue({ now: bench.clock.now(), limit: 10 })
  expect(messages).toEqual([turn.message])
})
