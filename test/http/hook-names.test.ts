/** Names of hooks: shared out among accounts, and remembered. */
import { beforeEach, expect, test } from 'vitest'
import { HookNames } from '../../src/http/hooks/hook-names.ts'
import { turnLoop } from '../support/eventually.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

const ADDRESSES = [{ address: '192.0.2.1', family: 4 }]
let clock: VirtualClock
let asked: string[]
/** What DNS does with a name; by default it answers. */
let answer: (name: string) => Promise<typeof ADDRESSES>
let names: HookNames

beforeEach(() => {
  clock = new VirtualClock()
  asked = []
  answer = async () => ADDRESSES
  names = new HookNames(clock, (name) => {
    asked.push(name)
    return answer(name)
  })
})

const never = () => new Promise<typeof ADDRESSES>(() => {})
const failing = (code: string) => () => Promise.reject(Object.assign(new Error(code), { code }))

test('an account whose names never answer has few lookups at once, and others are not held up', async () => {
  answer = never
  for (let host = 0; host < 64; host += 1) names.resolve(`dead-${host}.example`, 1).catch(() => {})
  await turnLoop()
  expect(asked).toHaveLength(8)
  answer = async () => ADDRESSES
  expect(await names.resolve('well.example', 2)).toEqual(ADDRESSES)
})

test('an account cannot have more names waiting than are few', async () => {
  answer = never
  for (let host = 0; host < 72; host += 1) names.resolve(`dead-${host}.example`, 1).catch(() => {})
  await expect(names.resolve('another.example', 1)).rejects.toThrow('too many host names')
})

test('sixty accounts with dead names leave lookups to the next', async () => {
  answer = never
  for (let account = 1; account <= 60; account += 1) {
    for (let host = 0; host < 20; host += 1) names.resolve(`dead-${account}-${host}.example`, account).catch(() => {})
  }
  await turnLoop()
  expect(names.active).toBeLessThan(512)
  answer = async () => ADDRESSES
  expect(await names.resolve('well.example', 101)).toEqual(ADDRESSES)
})

test('what was found is remembered for half a minute, what was not for ten seconds', async () => {
  await names.resolve('hook.example', 1)
  await names.resolve('hook.example', 2)
  expect(asked).toHaveLength(1)
  clock.advance(30_000)
  await names.resolve('hook.example', 1)
  expect(asked).toHaveLength(2)
  answer = failing('ENOTFOUND')
  for (let time = 0; time < 3; time += 1) await expect(names.resolve('no.example', 1)).rejects.toThrow('ENOTFOUND')
  expect(asked).toHaveLength(3)
  clock.advance(10_000)
  answer = async () => ADDRESSES
  expect(await names.resolve('no.example', 1)).toEqual(ADDRESSES)
})

test('while DNS fails, addresses that were known are used for an hour', async () => {
  await names.resolve('hook.example', 1)
  answer = failing('ETIMEOUT')
  clock.advance(60_000)
  expect(await names.resolve('hook.example', 1)).toEqual(ADDRESSES)
  clock.advance(3_600_000)
  await expect(names.resolve('hook.example', 1)).rejects.toThrow('ETIMEOUT')
})

test('a name is asked once for all who want it', async () => {
  await Promise.all([1, 2, 3].map((account) => names.resolve('hook.example', account)))
  expect(asked).toHaveLength(1)
})

test('a name that another account waits for is asked at once', async () => {
  answer = never
  for (let host = 0; host < 64; host += 1) names.resolve(`dead-${host}.example`, 1).catch(() => {})
  answer = async () => ADDRESSES
  names.resolve('hook.example', 1).catch(() => {})
  expect(asked).not.toContain('hook.example')
  expect(await names.resolve('hook.example', 2)).toEqual(ADDRESSES)
})

test('a name that was found while an account waited for it is not asked again', async () => {
  const slow = Array.from({ length: 8 }, () => Promise.withResolvers<typeof ADDRESSES>())
  for (const [host, { promise }] of slow.entries()) {
    answer = () => promise
    names.resolve(`slow-${host}.example`, 1).catch(() => {})
  }
  answer = async () => ADDRESSES
  const waiting = names.resolve('hook.example', 1)
  await names.resolve('hook.example', 2)
  for (const { resolve } of slow) resolve(ADDRESSES)
  expect(await waiting).toEqual(ADDRESSES)
  expect(asked.filter((name) => name === 'hook.example')).toHaveLength(1)
})
