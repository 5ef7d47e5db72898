/** A recipient who sends the same text twice has sent two messages, also while the store fails. */
import { afterEach, expect, test } from 'vitest'
import type { InboundArrival } from '../../src/ports/carriers/carrier.ts'
import type { Store } from '../../src/ports/stores/store.ts'
import { CarrierBench } from '../support/carrier-bench.ts'

let bench: CarrierBench
afterEach(() => bench?.stop())

/** The store takes no settled keys alone while `state.fails`; counts the calls. */
const failing = (state: { fails: boolean; calls: number }) => (store: Store) => {
  const recordInbound: Store['recordInbound'] = (arrivals, settled) => {
    if (arrivals.length > 0) return store.recordInbound(arrivals, settled)
    state.calls += 1
    return state.fails ? Promise.reject(new Error('the store is busy')) : store.recordInbound(arrivals, settled)
  }
  return new Proxy(store, {
    get: (target, name) => {
      const value = name === 'recordInbound' ? recordInbound : Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

function yes(at: number): InboundArrival {
  const from = { carrierId: 'first', sender: '4915112345678', recipient: '4930123' }
  return { ...from, text: 'YES', at, part: null, key: 'yes', keyUntil: at + 86_400_000 }
}

test('an equal message after its predecessor was acknowledged is recorded, although the store was busy', async () => {
  const state = { fails: true, calls: 0 }
  bench = await CarrierBench.start(['first'], { wrap: failing(state) })
  const inbox = bench.carrier('first').inbox
  const texts = async () => (await bench.store.inboundMessages(10)).map(({ text }) => text)
  const receive = async () => inbox?.receiveInbound([yes(bench.clock.now())])
  await receive()
  inbox?.settle([{ carrierId: 'first', key: 'yes', at: bench.clock.now() }])
  await bench.rest()
  await receive()
  expect(await texts()).toEqual(['YES', 'YES'])
  // The carrier has not read this answer: it repeats the message.
  await receive()
  expect(await texts()).toEqual(['YES', 'YES'])
  inbox?.settle([{ carrierId: 'first', key: 'yes', at: bench.clock.now() }])
  state.fails = false
  await bench.pass(2)
  const { calls } = state
  await receive()
  expect(await texts()).toEqual(['YES', 'YES', 'YES'])
  await bench.pass(60)
  expect(state.calls).toBe(calls)
})
