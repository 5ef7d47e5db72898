/** Requests share the process: no turn of the event loop works for longer than a slice, and accounts take turns. */
import { expect, test } from 'vitest'
import { ChatappNames } from '../../src/contract/chatapp-names.ts'
import { toAccountId } from '../../src/domain/account.ts'
import { WorkQueue } from '../../src/operations/work-queue.ts'
import { ASYNC_PATH, startClientBench } from '../support/client-bench.ts'
import { sms } from '../support/operations.ts'

const [EVE, BOB] = [toAccountId(1), toAccountId(2)]

/** A queue whose steps take a known time, and in which turn of the event loop each step was done. */
class Bench {
  readonly steps: { readonly name: string; readonly turn: number }[] = []
  #now = 0
  #turn = 0
  #ended = false
  readonly #queue = new WorkQueue({ monotonic: () => this.#now })

  /** Counts the turns of the event loop until the bench ends. */
  begin(): void {
    setImmediate(() => {
      this.#turn += 1
      if (!this.#ended) this.begin()
    })
  }

  /** Ends once all work is done. */
  async all(work: readonly (Promise<void> | undefined)[]): Promise<void> {
    await Promise.all(work)
    this.#ended = true
  }

  run(account: typeof EVE, name: string, steps: number, stepMs: number): Promise<void> | undefined {
    let left = steps
    return this.#queue.run(account, () => {
      this.#now += stepMs
      this.steps.push({ name, turn: this.#turn })
      left -= 1
      return left > 0
    })
  }

  /** How many steps each turn of the event loop did. */
  perTurn(): readonly number[] {
    const counts = new Map<number, number>()
    for (const { turn } of this.steps) counts.set(turn, (counts.get(turn) ?? 0) + 1)
    return [...counts.values()]
  }

  order(): string {
    return this.steps.map(({ name }) => name).join('')
  }
}

test('work that fits the slice is done at once, without a promise', () => {
  const bench = new Bench()
  expect(bench.run(EVE, 'e', 5, 1)).toBeUndefined()
  expect(bench.order()).toBe('eeeee')
})

test('however many requests are under way, a turn of the event loop works for one slice', async () => {
  const bench = new Bench()
  bench.begin()
  const requests = Array.from({ length: 64 }, () => bench.run(EVE, 'e', 20, 0.5))
  expect(bench.steps).toHaveLength(10)
  await bench.all(requests)
  expect(bench.steps).toHaveLength(64 * 20)
  expect(Math.max(...bench.perTurn())).toBe(10)
})

test('steps that take no time that can be measured are bounded by their number', async () => {
  const bench = new Bench()
  bench.begin()
  await bench.all([bench.run(EVE, 'e', 1_000, 0), bench.run(BOB, 'b', 1_000, 0)])
  expect(Math.max(...bench.perTurn())).toBeLessThanOrEqual(251)
})

test('a small request waits for one turn of each other account, not for all of their requests', async () => {
  const bench = new Bench()
  const before = Array.from({ length: 64 }, () => bench.run(EVE, 'e', 100, 0.25))
  await bench.all([...before, bench.run(BOB, 'b', 4, 0.25)])
  // The slice that began at once, then 1 ms of the account that came first.
  expect(bench.order().indexOf('b')).toBe(20 + 4)
  expect(bench.order().lastIndexOf('b')).toBe(20 + 4 + 3)
})

test('accounts share the time, whatever their steps take', async () => {
  const bench = new Bench()
  await bench.all([bench.run(EVE, '', 1, 5), bench.run(EVE, 'e', 100, 3), bench.run(BOB, 'b', 300, 0.5)])
  const shared = bench.order().slice(0, 140)
  const [eve, bob] = [shared.split('e').length - 1, shared.split('b').length - 1]
  expect(Math.abs(eve * 3 - bob * 0.5)).toBeLessThanOrEqual(4)
})

test('the requests of one account take turns', async () => {
  const bench = new Bench()
  await bench.all([bench.run(EVE, '', 1, 5), bench.run(EVE, 'x', 8, 0.5), bench.run(EVE, 'y', 3, 0.5)])
  expect(bench.order()).toBe('xxyyxxyxxxx')
})

test('a step that fails ends its own work only', async () => {
  const queue = new WorkQueue({ monotonic: () => 0 })
  const fail = () => {
    throw new RangeError('no')
  }
  expect(() => queue.run(EVE, fail)).toThrow('no')
  let left = 1_000
  const long = queue.run(EVE, () => --left > 0)
  const failing = queue.run(BOB, fail)
  await expect(failing).rejects.toThrow('no')
  await long
  expect(left).toBe(0)
})

test('the operations of all requests share one slice', async () => {
  const bench = await startClientBench()
  const { translate } = ChatappNames.prototype
  let planned = 0
  let most = 0
  let ended = false
  const turn = () => {
    most = Math.max(most, planned)
    planned = 0
    if (!ended) setImmediate(turn)
  }
  ChatappNames.prototype.translate = function (item) {
    planned += 1
    return translate.call(this, item)
  }
  try {
    turn()
    const data = Array.from({ length: 400 }, () => ({ ...sms(), type: 'price', send_type: 'sms' }))
    const answers = await Promise.all(Array.from({ length: 40 }, () => bench.post(data, { path: ASYNC_PATH })))
    for (const answer of answers) expect(answer.data).toHaveLength(400)
    expect(most).toBeGreaterThan(20)
    expect(most).toBeLessThanOrEqual(251)
  } finally {
    ended = true
    ChatappNames.prototype.translate = translate
    await bench.stop()
  }
})
