/**
 * More messages than memory has room for wait in queues of the store: every account gets its turns, and waiting costs
 * nothing.
 */
import { afterEach, describe, expect, test } from 'vitest'
import type { AccountId } from '../../src/domain/ids/account-id.ts'
import type { MessageId } from '../../src/domain/ids/message-id.ts'
import type { Store } from '../../src/ports/stores/store.ts'
import { buildRoute, CarrierBench, type ScriptedCarrier } from '../support/carrier-bench.ts'

let bench: CarrierBench
afterEach(() => bench.stop())

const HOUR = { lifetimeSeconds: 3_600 }

/** It answers after a tenth of a second, and so takes a hundred messages a second. */
function slow(carrier: ScriptedCarrier): void {
  carrier.answer = (part, { messageId }) =>
    new Promise((taken) => {
      bench.clock.after(100, () => taken({ kind: 'taken', ref: `${messageId}-${part}` }))
    })
}

/** So many requests of twenty messages each. */
async function flood(requests: number, change: { accountId?: AccountId; waits?: boolean } = {}): Promise<MessageId[]> {
  const ids: MessageId[] = []
  for (let request = 0; request < requests; request += 1) ids.push(...(await bench.send(20, { ...HOUR, ...change })))
  return ids
}

const placesOf = (carrier: ScriptedCarrier, ids: readonly MessageId[]) =>
  ids.map((id) => carrier.submissions.findIndex(({ messageId }) => messageId === id))

/** The store, and the verbs that are asked of it. */
function noting(store: Store, asked: string[]): Store {
  return new Proxy(store, {
    get(target, verb) {
      const value = Reflect.get(target, verb)
      if (typeof value !== 'function') return value
      return (...order: unknown[]) => {
        asked.push(String(verb))
        return value.apply(target, order)
      }
    },
  })
}

async function recorded(ids: readonly MessageId[]): Promise<number> {
  return (await bench.timelines(ids)).flat().length
}

describe('an account that floods a slow carrier', () => {
  test('leaves room in memory, and the next account has its turns at once', async () => {
    bench = await CarrierBench.start(['only'], { maxHeld: 400 })
    const only = bench.carrier('only')
    slow(only)
    const batch = await flood(60)
    expect(bench.delivery.pump.facts.held).toBeLessThanOrEqual(220)
    await bench.pass(2)
    const before = only.submissions.length
    const few = await bench.send(50, { ...HOUR, accountId: await bench.account() })
    await bench.pass(2)
    const places = placesOf(only, few)
    expect(Math.min(...places)).toBeGreaterThan(0)
    expect(Math.max(...places)).toBeLessThan(before + 2 * few.length + 3 * only.window)
    await bench.pass(20)
    expect(new Set(await bench.statuses([...batch, ...few]))).toEqual(new Set(['ACCEPTED']))
    expect(only.submissions).toHaveLength(batch.length + few.length)
  })

  test('takes turns with another whose messages wait in the store as well', async () => {
    bench = await CarrierBench.start(['only'], { maxHeld: 100 })
    const only = bench.carrier('only')
    slow(only)
    await flood(40)
    const before = only.submissions.length
    const others = await flood(5, { accountId: await bench.account(), waits: true })
    await bench.pass(6)
    expect(Math.max(...placesOf(only, others))).toBeLessThan(before + 3 * others.length)
    expect(Math.min(...placesOf(only, others))).toBeGreaterThan(0)
    // Those that are on the wire are answered.
    only.takes()
    await bench.pass(1)
  })

  test('has its own messages sent in their order', async () => {
    bench = await CarrierBench.start(['only'], { maxHeld: 100 })
    const only = bench.carrier('only')
    slow(only)
    const batch: MessageId[] = []
    for (let second = 0; second < 10; second += 1) {
      batch.push(...(await flood(10)))
      await bench.pass(1)
    }
    await bench.pass(30)
    const places = placesOf(only, batch)
    const requests = Array.from({ length: 100 }, (_, index) => places.slice(20 * index, 20 * index + 20))
    const firsts = requests.map((request) => Math.min(...request))
    expect(firsts).toEqual(firsts.toSorted((a, b) => a - b))
  })
})

describe('a carrier that is down', () => {
  const batch = () => flood(20)

  test('makes messages wait without a word on their timelines, and with few of them in memory', async () => {
    bench = await CarrierBench.start(['only'], { maxHeld: 40, down: ['only'] })
    const ids = await batch()
    expect(bench.delivery.pump.facts.held).toBeLessThanOrEqual(10)
    await bench.pass(600)
    expect(await recorded(ids)).toBe(0)
    expect(bench.delivery.pump.facts.held).toBeLessThanOrEqual(10)
    bench.carrier('only').up = true
    await bench.pass(20)
    expect(new Set((await bench.timelines(ids)).flat())).toEqual(new Set(['only taken']))
    expect(bench.asked).toEqual({ only: ids.length })
    expect(await bench.store.verifyLedger()).toEqual([])
  })

  test('does not query the store while they wait', async () => {
    const asked: string[] = []
    bench = await CarrierBench.start(['only'], { maxHeld: 40, down: ['only'], wrap: (store) => noting(store, asked) })
    await batch()
    await bench.pass(5)
    asked.length = 0
    await bench.pass(1_200)
    const aboutMessages = ['accept', 'claimDue', 'enqueue', 'release', 'loadMessages', 'record']
    expect(asked.filter((verb) => aboutMessages.includes(verb))).toEqual([])
  })

  test('does not keep them from their deadlines', async () => {
    bench = await CarrierBench.start(['only'], { maxHeld: 40, down: ['only'] })
    const ids = await batch()
    await bench.pass(3_599)
    expect(await recorded(ids)).toBe(0)
    await bench.pass(2)
    expect(new Set((await bench.timelines(ids)).flat())).toEqual(new Set(['null expired']))
    expect(await bench.store.counts()).toMatchObject({ open: 0 })
    expect(await bench.store.verifyLedger()).toEqual([])
  })

  test('loses those that wait in the store to another that comes up', async () => {
    bench = await CarrierBench.start(['first', 'second'], { maxHeld: 40, down: ['first', 'second'] })
    const ids = await batch()
    bench.carrier('second').up = true
    await bench.pass(20)
    expect(bench.asked).toEqual({ first: 0, second: ids.length })
  })

  test('loses those that wait in the store to another that gets a route', async () => {
    bench = await CarrierBench.start(['first'], { maxHeld: 40, down: ['first'] })
    const ids = await batch()
    const carrier = { id: 'second', channel: 'sms', kind: 'scripted', settings: {} } as const
    await bench.change({ kind: 'set carrier', carrier }, { kind: 'set route', route: buildRoute('second') })
    await bench.pass(20)
    expect(bench.asked).toEqual({ first: 0, second: ids.length })
  })

  test('keeps none of its messages from a carrier that is up, however many wait', async () => {
    bench = await CarrierBench.start(['first', 'second'], { maxHeld: 40, down: ['first', 'second'] })
    await batch()
    bench.carrier('first').up = true
    bench.carrier('first').says('unclear')
    await bench.pass(1)
    bench.carrier('second').up = true
    const [id = 0 as never] = await bench.send(1, HOUR)
    await bench.pass(20)
    expect(await bench.timeline(id)).toEqual(['second taken'])
  })

  test('finds them after a restart', async () => {
    bench = await CarrierBench.start(['only'], { maxHeld: 40, down: ['only'] })
    const ids = await batch()
    await bench.restart()
    await bench.pass(60)
    expect(await recorded(ids)).toBe(0)
    bench.carrier('only').up = true
    await bench.pass(20)
    expect(bench.asked).toEqual({ only: ids.length })
    expect(await recorded(ids)).toBe(ids.length)
  })

  test('gets one probe, and nothing out of the store until that is answered', async () => {
    bench = await CarrierBench.start(['only'], { maxHeld: 40 })
    bench.carrier('only').says('unreachable')
    const ids = await batch()
    await bench.pass(30)
    const events = await recorded(ids)
    expect(events).toBeLessThan(60)
    expect(bench.asked['only']).toBeLessThan(60)
    bench.carrier('only').takes()
    await bench.pass(60)
    expect(new Set(await bench.statuses(ids))).toEqual(new Set(['ACCEPTED']))
  })
})

test('while turns cannot be written nothing more is taken in hand, and messages are still accepted', async () => {
  const claimed: number[] = []
  const stuck = Promise.withResolvers<never>()
  let isStuck = false
  const wrap = (store: Store): Store =>
    new Proxy(store, {
      get(target, verb) {
        if (verb === 'record' && isStuck) return () => stuck.promise
        const value = Reflect.get(target, verb)
        if (verb !== 'claimDue') return typeof value === 'function' ? value.bind(target) : value
        return async (claim: Parameters<Store['claimDue']>[0]) => {
          const found = await store.claimDue(claim)
          claimed.push(found.messages.length + found.queued.length)
          return found
        }
      },
    })
  bench = await CarrierBench.start(['only'], { maxHeld: 1_000, down: ['only'], wrap })
  for (let request = 0; request < 15; request += 1) await bench.send(1_000)
  isStuck = true
  await bench.pass(61)
  const taken = claimed.reduce((sum, count) => sum + count, 0)
  expect(taken).toBeLessThan(12_000)
  await bench.pass(60)
  expect(claimed.reduce((sum, count) => sum + count, 0)).toBe(taken)
  const held = bench.delivery.pump.facts.held
  await bench.send(100)
  expect(bench.delivery.pump.facts.held).toBe(held)
  stuck.reject(new Error('the disk is back'))
  isStuck = false
  await bench.pass(120)
  expect(await bench.store.counts()).toMatchObject({ open: 0 })
  expect(await bench.store.verifyLedger()).toEqual([])
}, 60_000)
