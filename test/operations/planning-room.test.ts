/** Large requests of an account wait unplanned while as many operations as the store needs are planned already. */
import { expect, test } from 'vitest'
import { toAccountId } from '../../src/domain/ids/account-id.ts'
import { type PlanningPlace, PlanningRoom } from '../../src/operations/request/planning-room.ts'
import { StoreError } from '../../src/ports/records/store-errors.ts'
import type { Store } from '../../src/ports/stores/store.ts'
import { startClientBench } from '../support/client-bench.ts'
import { turnLoop } from '../support/eventually.ts'
import { call, sms } from '../support/operations.ts'

const [EVE, BOB] = [toAccountId(1), toAccountId(2)]

class Bench {
  readonly #room = new PlanningRoom()
  readonly begun: string[] = []
  readonly refused: string[] = []
  readonly #places = new Map<string, PlanningPlace>()

  take(account: typeof EVE, name: string, operations: number): void {
    this.#room.take(account, operations).then(
      (place) => {
        this.begun.push(name)
        this.#places.set(name, place)
      },
      () => this.refused.push(name),
    )
  }

  async free(name: string): Promise<void> {
    this.#places.get(name)?.free()
    await turnLoop(1)
  }
}

test('a thousand operations of an account are planned, and the next request once one is stored', async () => {
  const bench = new Bench()
  for (const name of 'abcd') bench.take(EVE, name, 500)
  bench.take(EVE, 'e', 20)
  await turnLoop(1)
  expect(bench.begun).toEqual(['a', 'b'])
  await bench.free('b')
  expect(bench.begun).toEqual(['a', 'b', 'c'])
  await bench.free('b')
  expect(bench.begun).toEqual(['a', 'b', 'c'])
  await bench.free('a')
  await bench.free('c')
  expect(bench.begun).toEqual(['a', 'b', 'c', 'd', 'e'])
})

test('the largest request is planned alone, and leaves room for another account', async () => {
  const bench = new Bench()
  bench.take(EVE, 'a', 10_000)
  bench.take(EVE, 'b', 10_000)
  bench.take(BOB, 'c', 100)
  await turnLoop(1)
  expect(bench.begun).toEqual(['a', 'c'])
  await bench.free('a')
  expect(bench.begun).toEqual(['a', 'c', 'b'])
})

test('no account waits for another', async () => {
  const bench = new Bench()
  for (let account = 1; account <= 100; account += 1) bench.take(toAccountId(account), `${account}`, 1_000)
  await turnLoop(1)
  expect(bench.begun).toHaveLength(100)
})

test('an account may have twenty thousand operations waiting, whatever others have', async () => {
  const bench = new Bench()
  for (const account of [EVE, BOB]) {
    for (let request = 0; request < 22; request += 1) bench.take(account, `${account} ${request}`, 1_000)
  }
  await turnLoop(1)
  expect([bench.begun, bench.refused]).toEqual([
    ['1 0', '2 0'],
    ['1 21', '2 21'],
  ])
  await bench.free('1 0')
  bench.take(EVE, 'again', 1_000)
  await turnLoop(1)
  expect([bench.begun, bench.refused]).toEqual([
    ['1 0', '2 0', '1 1'],
    ['1 21', '2 21'],
  ])
})

/** Wraps a store so that `accept` first waits, or rejects with what this rejects with. */
function waitingBeforeAccept(wait: () => Promise<void>): (store: Store) => Store {
  return (store) =>
    new Proxy(store, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name)
        if (name !== 'accept') return typeof value === 'function' ? value.bind(target) : value
        return (...args: Parameters<Store['accept']>) => wait().then(() => target.accept(...args))
      },
    })
}

/** A store whose `accept` waits until a test lets it continue. */
function slowStore() {
  const accepting: (() => void)[] = []
  const wait = () => new Promise<void>((resolve) => accepting.push(resolve))
  return { accepting, wrapStore: waitingBeforeAccept(wait) }
}

const hundred = (item: object = sms()) => Array.from({ length: 100 }, () => item)

test('requests wait for the store unplanned, small ones do not', async () => {
  const { accepting, wrapStore } = slowStore()
  const bench = await startClientBench({ wrapStore })
  const large = Array.from({ length: 12 }, () => bench.post(hundred()))
  await expect.poll(() => accepting.length).toBe(10)
  const small = bench.post([sms()])
  await expect.poll(() => accepting.length).toBe(11)
  accepting[10]?.()
  expect(await small).toMatchObject({ success: true })
  expect(accepting).toHaveLength(11)
  for (let count = 0; count < 13; count += 1) {
    await expect.poll(() => accepting.length).toBeGreaterThan(count)
    accepting[count]?.()
  }
  for (const answer of await Promise.all(large)) expect(answer.data).toHaveLength(100)
  await bench.stop()
})

test('requests that are refused, that the store rejects, or that wait for a call leave room for others', async () => {
  let isFailing = false
  const wrapStore = waitingBeforeAccept(() =>
    isFailing ? Promise.reject(new StoreError('disk full')) : Promise.resolve(),
  )
  const bench = await startClientBench({ wrapStore, limits: { templateChangesInRequest: 10 } })
  const twelve = (dataOf: (index: number) => readonly object[]) =>
    Promise.all(Array.from({ length: 12 }, (_, index) => bench.post(dataOf(index))))
  for (const answer of await twelve(() => hundred({ type: 'template/create', name: 'n', template: 't' }))) {
    expect(answer).toMatchObject({ success: false, error: expect.stringContaining('template') })
  }
  isFailing = true
  for (const answer of await twelve(() => hundred())) {
    expect(answer).toMatchObject({ success: false, error: expect.stringContaining('unavailable') })
  }
  isFailing = false
  const ringing = Promise.withResolvers<null>()
  bench.outbox.answerCall = () => ringing.promise
  const answers = twelve((index) => [call({ phone: 491701234500 + index * 10 }), ...hundred().slice(1)])
  await expect.poll(() => bench.outbox.waits.length).toBe(12)
  ringing.resolve(null)
  for (const answer of await answers) expect(answer.data).toHaveLength(100)
  await bench.stop()
})
