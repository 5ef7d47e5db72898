/** Questions to lookup services: by routes, within bounds for each account, with another service if one fails. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createLookupCarrier } from '../../src/carriers/lookup/lookup-carrier.ts'
import { CarrierFleet } from '../../src/delivery/carriers/carrier-fleet.ts'
import { NumberLookups } from '../../src/delivery/lookups/number-lookups.ts'
import { Directory, type DirectoryRows } from '../../src/domain/directory/directory.ts'
import { type AccountId, toAccountId } from '../../src/domain/ids/account-id.ts'
import type { Phone } from '../../src/domain/numbers/phone.ts'
import type { Route } from '../../src/domain/routing/route.ts'
import { type DoubleAnswer, HttpDouble } from '../../src/simulator/server/http-double.ts'
import { openSqliteStore } from '../../src/stores/sqlite/open-store.ts'
import { eventually, settled, turnLoop } from '../support/eventually.ts'
import { SeededRandom } from '../support/seeded-random.ts'
import { SilentLog } from '../support/silent-log.ts'
import { TEST_KEYS } from '../support/test-keys.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

const OK: DoubleAnswer = { status: 200, body: '{"mccmnc":"26203"}' }
const FAULT: DoubleAnswer = { status: 500, body: '{}' }

/** A lookup service that answers as the test says, or leaves questions open until they are released. */
class Service {
  answer: DoubleAnswer | 'wait' = OK
  readonly asked: string[] = []
  readonly #open: (() => void)[] = []
  #double: HttpDouble | undefined

  async start(): Promise<void> {
    this.#double = await HttpDouble.listen(async ({ method, path }) => {
      if (method === 'HEAD') return OK
      this.asked.push(path.slice(1))
      if (this.answer !== 'wait') return this.answer
      await new Promise<void>((resolve) => this.#open.push(resolve))
      return OK
    })
  }

  get settings(): object {
    const request = { method: 'GET', address: `${this.#double?.address}/{{phone}}` }
    return { request, answer: { mccmnc: { path: 'mccmnc' } }, window: 100 }
  }

  release(): void {
    for (const each of this.#open.splice(0)) each()
  }

  async stop(): Promise<void> {
    this.release()
    await this.#double?.goDown()
  }
}

const [ALICE, BOB] = [toAccountId(1), toAccountId(2)]
let clock: VirtualClock
let log: SilentLog
let fleet: CarrierFleet
let first: Service
let second: Service
let directory: Directory
let rows: DirectoryRows

beforeEach(async () => {
  clock = new VirtualClock()
  log = new SilentLog()
  const tools = { clock, random: new SeededRandom(), log }
  fleet = new CarrierFleet({ ...tools, createCarrier: (setup) => createLookupCarrier(setup, tools) })
  first = new Service()
  second = new Service()
  await Promise.all([first.start(), second.start()])
  const store = await openSqliteStore({ file: ':memory:', keys: TEST_KEYS, inline: true })
  rows = await store.loadDirectory()
  await store.close()
  place()
  route([])
})
afterEach(async () => {
  first.release()
  second.release()
  await settled('the carriers to stop', fleet.stop(), clock)
  await Promise.all([first.stop(), second.stop()])
})

/** Starts the carriers, or changes their settings. */
function place(changed: object = {}): void {
  const placed = Object.entries({ first, second }).map(([id, { settings }]) => ({
    carrier: { id, channel: 'lookup', kind: 'lookup', settings: { ...settings, ...changed }, draining: false } as const,
    slots: null,
  }))
  fleet.update(placed, undefined as never)
}

function route(routes: readonly Partial<Route>[]): void {
  const usual = { channel: 'lookup', accountId: null, sender: null, prefix: '', operators: null } as const
  const rest = { carrierId: 'first', priority: 1, weight: 1, poolId: null }
  directory = new Directory({ ...rows, routes: routes.map((each) => ({ ...usual, ...rest, ...each })) })
}

const build = (bounds = {}) =>
  new NumberLookups({ fleet, clock, log, directory: () => directory, currency: 'EUR' }, bounds)
const question = (phone: string, accountId: AccountId = ALICE, withinMs = 5_000) => ({
  ...{ phone: phone as Phone, accountId, withinMs },
  operator: null,
  maxAgeMs: 60_000,
})
const range = (count: number) => Array.from({ length: count }, (_, index) => `4917012345${10 + index}`)

test('the routes say which service is asked, by number and account', async () => {
  route([{ prefix: '49' }, { prefix: '49', accountId: BOB, carrierId: 'second' }])
  const lookups = build()
  expect([question('491'), question('380')].map((each) => lookups.serves(each))).toEqual([true, false])
  expect(await lookups.ask(question('491701234500'))).toMatchObject({ carrierId: 'first', cached: false })
  expect(await lookups.ask(question('491701234501', BOB))).toMatchObject({ carrierId: 'second' })
  expect(await lookups.ask(question('380501234500'))).toBeNull()
})

test('a service that fails is followed by the next one, and is left alone once its breaker is open', async () => {
  route([{}, { carrierId: 'second', priority: 2 }])
  first.answer = FAULT
  const lookups = build()
  for (const phone of range(8)) expect(await lookups.ask(question(phone))).toMatchObject({ carrierId: 'second' })
  expect([first.asked.length, second.asked.length]).toEqual([5, 8])
  expect(fleet.breakerOf('first')?.state).toBe('open')
  expect(log.lines.filter(({ line }) => line === 'a lookup service did not answer a question')).toHaveLength(5)
})

test('an account has so many questions under way; another account is served beside it', async () => {
  route([{ accountId: ALICE }, { accountId: BOB, carrierId: 'second' }])
  first.answer = 'wait'
  const lookups = build({ asked: 10, askedOfAccount: 3 })
  const slow = range(8).map((phone) => lookups.ask(question(phone)))
  await eventually('three questions', () => first.asked.length === 3)
  expect(await lookups.ask(question('491701234600', BOB))).toMatchObject({ carrierId: 'second' })
  await turnLoop(20)
  expect(first.asked).toHaveLength(3)
  first.answer = OK
  first.release()
  expect((await Promise.all(slow)).every((answer) => answer?.carrierId === 'first')).toBe(true)
  expect(first.asked.toSorted()).toEqual(range(8))
})

test('accounts take turns while all questions are under way', async () => {
  route([{}])
  first.answer = 'wait'
  const lookups = build({ asked: 1 })
  const asked = [
    ...range(3).map((phone) => lookups.ask(question(phone))),
    ...['491701234600', '491701234601'].map((phone) => lookups.ask(question(phone, BOB))),
  ]
  await eventually('the first question', () => first.asked.length === 1)
  first.answer = OK
  first.release()
  await Promise.all(asked)
  const accounts = first.asked.map((phone) => (phone.startsWith('49170123460') ? 'bob' : 'alice'))
  expect(accounts).toEqual(['alice', 'alice', 'bob', 'alice', 'bob'])
})

test('a lookup beyond the limits fails at once, and one that is not asked in time fails when its time is over', async () => {
  route([{}])
  first.answer = 'wait'
  const lookups = build({ askedOfAccount: 1, waitingOfAccount: 2, waiting: 3 })
  const kept = range(3).map((phone) => lookups.ask(question(phone)))
  await eventually('the first question', () => first.asked.length === 1)
  expect(await lookups.ask(question('491701234599'))).toBeNull()
  clock.turnTo(clock.now() + 5_000)
  expect(await Promise.all(kept)).toEqual([null, null, null])
  // The service answers late: the answer is kept for the next question.
  first.release()
  await eventually('the late answer', () => fleet.get('first')?.state().inFlight === 0)
  await turnLoop(5)
  expect(await lookups.ask(question('491701234510'))).toMatchObject({ cached: true })
  expect(first.asked).toEqual(['491701234510'])
})

test('an answer is used again while it is young enough, and the oldest make room for new ones', async () => {
  route([{}])
  const lookups = build({ kept: 2 })
  for (const phone of range(3)) await lookups.ask(question(phone))
  expect(await lookups.ask(question('491701234512'))).toMatchObject({ cached: true, cost: { micros: 0 } })
  expect(await lookups.ask(question('491701234510'))).toMatchObject({ cached: false })
  clock.turnTo(clock.now() + 60_000)
  expect(await lookups.ask(question('491701234512'))).toMatchObject({ cached: false })
  lookups.forget('491701234512' as Phone)
  expect(await lookups.ask(question('491701234512'))).toMatchObject({ cached: false })
})

test('an answer to one account is not given to another one', async () => {
  route([{ accountId: ALICE }, { accountId: BOB, carrierId: 'second' }])
  const lookups = build()
  const [phone = ''] = range(1)
  expect(await lookups.ask(question(phone))).toMatchObject({ carrierId: 'first', cached: false })
  expect(await lookups.ask(question(phone, BOB))).toMatchObject({ carrierId: 'second', cached: false })
  route([{}])
  expect(await lookups.ask(question(phone))).toMatchObject({ carrierId: 'first', cached: true })
  expect(await lookups.ask(question(phone, BOB))).toMatchObject({ carrierId: 'first', cached: false })
  lookups.forget(phone as Phone)
  expect([question(phone), question(phone, BOB)].map((each) => lookups.known(each))).toEqual([null, null])
})

test('an answer is used again only while the routes lead to its carrier, with the same settings', async () => {
  route([{}])
  const lookups = build()
  const [phone = ''] = range(1)
  await lookups.ask(question(phone))
  route([{ carrierId: 'second' }])
  expect(lookups.known(question(phone))).toBeNull()
  route([{}])
  expect(lookups.known(question(phone))).toMatchObject({ carrierId: 'first', cached: true })
  place({ showImsi: true })
  expect(lookups.known(question(phone))).toBeNull()
  expect(await lookups.ask(question(phone))).toMatchObject({ carrierId: 'first', cached: false })
})

test('numbers without an answer do not open the breaker of a service that works for others', async () => {
  route([{}])
  const lookups = build()
  expect(await lookups.ask(question('491701234600', BOB))).toMatchObject({ carrierId: 'first' })
  first.answer = FAULT
  for (const phone of range(8)) expect(await lookups.ask(question(phone))).toBeNull()
  expect(fleet.breakerOf('first')?.state).toBe('closed')
  first.answer = OK
  expect(await lookups.ask(question('491701234601', BOB))).toMatchObject({ carrierId: 'first' })
})

test('a service that fails for two accounts, or gave no answer for half a minute, has failed', async () => {
  route([{ prefix: '4917' }, { prefix: '4915', carrierId: 'second' }])
  const lookups = build()
  const askedBy = async (accountId: AccountId, phone: string) => lookups.ask(question(phone, accountId))
  await Promise.all([askedBy(ALICE, '491701234500'), askedBy(ALICE, '491501234500')])
  first.answer = FAULT
  second.answer = FAULT
  for (const phone of range(3)) await askedBy(ALICE, phone)
  for (const phone of range(4)) await askedBy(BOB, phone)
  expect(fleet.breakerOf('first')?.state).toBe('closed')
  await askedBy(ALICE, '491701234501')
  expect(fleet.breakerOf('first')?.state).toBe('open')
  clock.turnTo(clock.now() + 31_000)
  for (let count = 0; count < 5; count += 1) await askedBy(ALICE, `49150123451${count}`)
  expect(fleet.breakerOf('second')?.state).toBe('open')
  clock.turnTo(clock.now() + 5_000)
  expect(fleet.breakerOf('second')?.state).toBe('half-open')
  await askedBy(ALICE, '491501234520')
  expect(fleet.breakerOf('second')?.state).toBe('open')
})
