/** Two carriers use one account of an SMSC, which delivers receipts on the connections of either. */
import { afterEach, expect, test } from 'vitest'
import { receiptOrigins } from '../../src/carriers/receipt-origins.ts'
import type { CarrierReceipt } from '../../src/ports/carriers/carrier.ts'
import { CarrierBench } from '../support/carrier-bench.ts'

let bench: CarrierBench
afterEach(() => bench?.stop())

const SHARED = { receiptOrigins: { first: ['smsc'], second: ['smsc', 'backup'], third: ['elsewhere'] } }

/** Delivers the receipt over this carrier. */
async function receive(carrierId: string, ref: string): Promise<void> {
  const receipt: CarrierReceipt = { carrierId, ref, outcome: 'delivered', detail: 'stat:DELIVRD' }
  await bench.carrier(carrierId).inbox?.receive([receipt])
  await bench.rest()
}
const warnings = () => bench.log.lines.filter(({ level }) => level === 'warn')

test.each([
  ['in memory', {}],
  ['in the database alone', { maxKept: 0 }],
])('a receipt over the other carrier ends a message that is %s', async (_where, limits) => {
  bench = await CarrierBench.start(['first', 'second'], { ...SHARED, ...limits })
  const [id = 0 as never] = await bench.send()
  await receive('second', `first-${id}-0`)
  expect(await bench.statuses([id])).toEqual(['DELIVERED'])
  expect(await bench.timeline(id)).toEqual(['first taken', 'first delivered'])
  await bench.pass(120)
  expect(warnings()).toEqual([])
})

test.each([
  ['is parked', {}],
  ['waits in memory', { maxParked: 0 }],
])('a receipt over the other carrier that comes before the id %s until then', async (_how, limits) => {
  bench = await CarrierBench.start(['first', 'second'], { ...SHARED, ...limits })
  await receive('second', 'early')
  bench.carrier('first').answer = () => ({ kind: 'taken', ref: 'early' })
  const [id = 0 as never] = await bench.send()
  await bench.pass(3)
  expect(await bench.statuses([id])).toEqual(['DELIVERED'])
  expect(await bench.timeline(id)).toEqual(['first taken', 'first delivered'])
  await bench.pass(120)
  expect(warnings()).toEqual([])
})

test('an early receipt ends one message, and no later one whose part gets the same id from either carrier', async () => {
  bench = await CarrierBench.start(['first', 'second'], SHARED)
  await receive('second', 'early')
  for (const carrier of ['first', 'second']) bench.carrier(carrier).answer = () => ({ kind: 'taken', ref: 'early' })
  const ids = await bench.send(2)
  bench.carrier('first').up = false
  ids.push(...(await bench.send(2)))
  await bench.pass(3)
  expect((await bench.statuses(ids)).toSorted()).toEqual(['ACCEPTED', 'ACCEPTED', 'ACCEPTED', 'DELIVERED'])
})

test('an early receipt that found its message takes no place of either carrier', async () => {
  bench = await CarrierBench.start(['first', 'second'], { ...SHARED, maxParked: 1 })
  for (const ref of ['one', 'two', 'three']) {
    await receive('second', ref)
    bench.carrier('first').answer = () => ({ kind: 'taken', ref })
    const [id = 0 as never] = await bench.send()
    await bench.rest()
    // It is in the store: two seconds have not passed since.
    expect(await bench.statuses([id])).toEqual(['DELIVERED'])
  }
})

test('of two messages with the same id, that of the receiving carrier is meant', async () => {
  bench = await CarrierBench.start(['first', 'second'], SHARED)
  for (const carrier of ['first', 'second']) bench.carrier(carrier).answer = () => ({ kind: 'taken', ref: 'same' })
  const [one = 0 as never] = await bench.send()
  bench.carrier('first').up = false
  const [other = 0 as never] = await bench.send()
  await receive('second', 'same')
  expect(await bench.statuses([one, other])).toEqual(['ACCEPTED', 'DELIVERED'])
})

test('a carrier with another account does not get their receipts', async () => {
  bench = await CarrierBench.start(['first', 'third'], SHARED)
  const [id = 0 as never] = await bench.send()
  await receive('third', `first-${id}-0`)
  await bench.pass(59)
  expect(await bench.timeline(id)).toEqual(['first taken'])
  await bench.pass(2)
  const line = expect.stringMatching(/^receipts without a message: another system probably uses the same account/)
  expect(warnings()).toMatchObject([{ fields: { carrier: 'third', receipts: 1 }, line }])
})

test('an SMPP account is a system id at a host and port, or at a backup host', () => {
  const origins = (settings: object, kind = 'smpp') => {
    const account = { host: 'a.example', port: 2775, systemId: 'me', password: 'x' }
    return receiptOrigins({ id: 'sms', channel: 'sms', kind, settings: { ...account, ...settings } })
  }
  expect(origins({ host: 'A.example', backupHosts: ['b.example:2776'] })).toEqual([
    'a.example 2775 me',
    'b.example 2776 me',
  ])
  expect(origins({ systemId: 'other' })).toEqual(['a.example 2775 other'])
  expect(origins({ port: 'none' })).toEqual([])
  expect(origins({}, 'http')).toEqual([])
})
