/** A carrier that repeats an old START, or brings it late, does not undo the STOP that the recipient wrote since. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { OptOut } from '../../src/domain/consent/opt-out.ts'
import type { Phone } from '../../src/domain/numbers/phone.ts'
import type { InboundArrival } from '../../src/ports/carriers/carrier.ts'
import { buildAccount } from '../support/build-message.ts'
import { CarrierBench } from '../support/carrier-bench.ts'

const PHONE = '491511234567' as Phone
const DAY_MS = 86_400_000

let bench: CarrierBench
beforeEach(async () => {
  bench = await CarrierBench.start(['first'])
  const number = { carrierId: 'first', address: '4930123', keyword: null, accountId: buildAccount().id }
  await bench.change({ kind: 'set inbound number', number: { ...number, hook: null, reply: null, replySender: null } })
})
afterEach(() => bench.stop())

function wrote(key: string, change: Partial<InboundArrival> = {}): InboundArrival {
  const at = bench.clock.now()
  const from = { carrierId: 'first', sender: PHONE, recipient: '4930123' }
  return { ...from, text: key, at, part: null, key, keyUntil: at + DAY_MS, ...change }
}

const receive = async (...arrivals: readonly InboundArrival[]) => {
  await bench.carrier('first').inbox?.receiveInbound(arrivals)
}
const optOuts = (): Promise<readonly OptOut[]> =>
  bench.store.findOptOuts([{ accountId: buildAccount().id, phone: PHONE }])

describe('a repeat of START after STOP changes nothing', () => {
  test('of a messenger, which repeats the call with its time', async () => {
    const start = wrote('start')
    await receive(start)
    await bench.pass(60)
    await receive(wrote('stop'))
    await bench.pass(60)
    await receive(start)
    expect(await optOuts()).toHaveLength(1)
  })

  test('of a carrier without times, which stamps the repeat anew', async () => {
    await receive(wrote('start'))
    await bench.pass(60)
    await receive(wrote('stop'))
    await bench.pass(60)
    await receive(wrote('start'))
    expect(await optOuts()).toHaveLength(1)
  })

  test('in the same batch, and after the gateway has started anew', async () => {
    await receive(wrote('start'), wrote('stop'), wrote('start'))
    expect(await optOuts()).toHaveLength(1)
    await bench.restart()
    await bench.pass(60)
    await receive(wrote('start'))
    expect(await optOuts()).toHaveLength(1)
  })
})

test('a repeat of STOP after START changes nothing', async () => {
  await receive(wrote('stop'))
  await bench.pass(60)
  await receive(wrote('start'))
  await bench.pass(60)
  await receive(wrote('stop'))
  expect(await optOuts()).toEqual([])
})

test('a START that arrives for the first time, but is older than the STOP, changes nothing', async () => {
  const start = wrote('start')
  await bench.pass(60)
  await receive(wrote('stop'))
  await receive(start)
  expect(await optOuts()).toHaveLength(1)
})

test('a START after the last of several STOP counts', async () => {
  await receive(wrote('stop'))
  await bench.pass(60)
  const between = wrote('start')
  await bench.pass(60)
  await receive(wrote('stop again', { text: 'stop' }))
  await receive(between)
  expect(await optOuts()).toHaveLength(1)
  await bench.pass(60)
  await receive(wrote('start again', { text: 'start' }))
  expect(await optOuts()).toEqual([])
})

test('a START that the recipient writes once more, after the first was acknowledged, counts', async () => {
  await receive(wrote('start'))
  bench.carrier('first').inbox?.settle([{ carrierId: 'first', key: 'start', at: bench.clock.now() }])
  await bench.pass(60)
  await receive(wrote('stop'))
  await bench.pass(60)
  await receive(wrote('start'))
  expect(await optOuts()).toEqual([])
})

test('a STOP with a time in the future can be undone now', async () => {
  await receive(wrote('stop', { at: bench.clock.now() + DAY_MS, keyUntil: bench.clock.now() + 2 * DAY_MS }))
  await bench.pass(60)
  await receive(wrote('start'))
  expect(await optOuts()).toEqual([])
})
