/** A carrier that sends receipts without messages fills neither the disk nor the memory, and harms no other receipt. */
import { afterEach, expect, test } from 'vitest'
import { MAX_PARKED, ParkingLimit } from '../../src/delivery/intake/parking-limit.ts'
import type { CarrierReceipt } from '../../src/ports/carriers/carrier.ts'
import type { Store } from '../../src/ports/stores/store.ts'
import { CarrierBench } from '../support/carrier-bench.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

let bench: CarrierBench
afterEach(() => bench?.stop())

const MAX = 10
const HOUR_MS = 3_600_000
const DROPPED = 'receipts with unknown ids were dropped: too many of this carrier are kept already'

const receiptOf = (ref: string, carrierId = 'first') =>
  ({ carrierId, ref, outcome: 'delivered', detail: 'stat:DELIVRD err:000' }) as const
const flood = (count: number, name = 'unknown') =>
  Array.from({ length: count }, (_, index) => receiptOf(`${name}-${index}`))
const receive = (receipts: readonly CarrierReceipt[]) => bench.carrier('first').inbox?.receive(receipts)
const warnings = () => bench.log.lines.filter(({ line }) => line === DROPPED)
const dropped = (id: string) => bench.delivery.viewCarriers().find((each) => each.id === id)?.droppedReceipts

/** Counts the receipts that the store was asked to park. */
function counting(parked: CarrierReceipt[]) {
  return (store: Store): Store => {
    const matchReceipts: Store['matchReceipts'] = (receipts, now) => {
      parked.push(...receipts)
      return store.matchReceipts(receipts, now)
    }
    return new Proxy(store, {
      get: (target, name) => {
        const value = name === 'matchReceipts' ? matchReceipts : Reflect.get(target, name)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
  }
}

test('parks receipts with unknown ids up to the limit of their carrier, drops and counts the rest', async () => {
  const parked: CarrierReceipt[] = []
  bench = await CarrierBench.start(['first', 'second'], { maxParked: MAX, wrap: counting(parked) })
  await receive(flood(1_000))
  await bench.pass(1)
  expect(parked).toHaveLength(MAX)
  expect(dropped('first')).toBe(0)
  await bench.pass(1)
  expect(dropped('first')).toBe(1_000 - MAX)
  await bench.carrier('second').inbox?.receive([receiptOf('other', 'second')])
  expect(parked.at(-1)?.ref).toBe('other')
  expect(dropped('second')).toBe(0)
})

test('logs one line a minute of a carrier whose receipts are dropped', async () => {
  bench = await CarrierBench.start(['first'], { maxParked: MAX })
  for (let second = 0; second < 30; second += 1) {
    await receive(flood(20, `at-${second}`))
    await bench.pass(1)
  }
  expect(warnings()).toEqual([])
  await bench.pass(40)
  const fields = { carrier: 'first', ref: 'at-0-10', receipts: 600 - MAX }
  expect(warnings()).toMatchObject([{ level: 'warn', fields }])
  await bench.pass(600)
  expect(warnings()).toHaveLength(1)
})

test('matches early receipts during a flood, although no place is free', async () => {
  bench = await CarrierBench.start(['first'], { maxParked: MAX })
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
  bench.carrier('first').answer = async (_, { messageId }) => {
    await answered
    return { kind: 'taken', ref: `ref-${messageId}` }
  }
  const ids = await bench.send(5)
  await receive([...flood(50), ...ids.map((id) => receiptOf(`ref-${id}`)), ...flood(50, 'more')])
  answer()
  await bench.pass(2)
  expect(await bench.statuses(ids)).toEqual(ids.map(() => 'DELIVERED'))
  expect(dropped('first')).toBe(100 - MAX)
})

test('applies receipts with known ids at once during a flood', async () => {
  bench = await CarrierBench.start(['first'], { maxParked: MAX, maxKept: 1 })
  const ids = await bench.send(20)
  await receive(flood(1_000))
  // Nearly all of these messages have left the memory.
  await receive(ids.map((id) => receiptOf(`first-${id}-0`)))
  expect(await bench.statuses(ids)).toEqual(ids.map(() => 'DELIVERED'))
})

test('gives places back for receipts whose messages are found', async () => {
  const parked: CarrierReceipt[] = []
  bench = await CarrierBench.start(['first'], { maxParked: MAX, wrap: counting(parked) })
  for (let round = 0; round < 3; round += 1) {
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
    bench.carrier('first').answer = async (_, { messageId }) => {
      await answered
      return { kind: 'taken', ref: `ref-${messageId}` }
    }
    const ids = await bench.send(MAX)
    await receive(ids.map((id) => receiptOf(`ref-${id}`)))
    answer()
    await bench.pass(1)
    expect(await bench.statuses(ids)).toEqual(ids.map(() => 'DELIVERED'))
  }
  expect(parked).toHaveLength(3 * MAX)
})

test('keeps no place for receipts that the store could not take', async () => {
  const parked: CarrierReceipt[] = []
  let fails = true
  bench = await CarrierBench.start(['first'], {
    maxParked: MAX,
    wrap: (store) =>
      counting(parked)(
        new Proxy(store, {
          get: (target, name) => {
            if (name === 'matchReceipts' && fails) return () => Promise.reject(new Error('the store is away'))
            const value = Reflect.get(target, name)
            return typeof value === 'function' ? value.bind(target) : value
          },
        }),
      ),
  })
  await expect(receive(flood(MAX))).rejects.toThrow('the store is away')
  fails = false
  await receive(flood(MAX))
  await bench.pass(3)
  expect(parked).toHaveLength(2 * MAX)
  expect(dropped('first')).toBe(0)
})

test('delays the answers of a carrier that sends thousands a second, and no receipt whose id is known', async () => {
  bench = await CarrierBench.start(['first'], { maxParked: 0, maxKept: 1 })
  const ids = await bench.send(3)
  const answered: number[] = []
  for (let batch = 0; batch < 5; batch += 1) {
    const receipts = [
      ...flood(2_000, `batch-${batch}`),
      ...ids.slice(batch, batch + 1).map((id) => receiptOf(`first-${id}-0`)),
    ]
    void receive(receipts)?.then(() => answered.push(batch))
  }
  await bench.rest()
  expect(answered).toHaveLength(1)
  expect(await bench.statuses(ids)).toEqual(ids.map(() => 'DELIVERED'))
  for (let second = 1; second < 5; second += 1) {
    await bench.pass(1)
    expect(answered).toHaveLength(second + 1)
  }
  await bench.pass(3)
  expect(dropped('first')).toBe(10_000)
})

test('holds a bounded number in memory', async () => {
  bench = await CarrierBench.start(['first'], { maxParked: 0 })
  void receive(flood(20_500))
  await bench.rest()
  expect(dropped('first')).toBe(500)
  await bench.pass(20)
  expect(dropped('first')).toBe(20_500)
})

test('has as many places as come back within the hour in which the store forgets receipts', () => {
  const clock = new VirtualClock()
  const limit = new ParkingLimit(clock)
  const takeAll = () => {
    let taken = 0
    while (limit.take('first')) taken += 1
    return taken
  }
  expect(takeAll()).toBe(MAX_PARKED)
  clock.advance(HOUR_MS / 10)
  expect(takeAll()).toBe(MAX_PARKED / 10)
  clock.advance(2 * HOUR_MS)
  expect(takeAll()).toBe(MAX_PARKED)
  expect(limit.take('second')).toBe(true)
})
