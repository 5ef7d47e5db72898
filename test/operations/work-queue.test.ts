/** Requests share the process: no turn of the event loop works for longer than a slice, and accounts take turns. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { ChatappNames } from '../../src/contract/operations/chatapp-names.ts'
import { toAccountId } from '../../src/domain/ids/account-id.ts'
import { WorkQueue } from '../../src/operations/request/work-queue.ts'
import { type ClientBench, KEY, SYNC_PATH, startClientBench } from '../support/client-bench.ts'
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

test('accounts share the time equally, also if their steps differ in length', async () => {
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

/** Two slices of steps that take a millisecond, parts of which may be between two counts. */
const TWO_SLICES = 12

/** Runs `story` with a bench; returns how many steps one turn of the event loop did at most. Each takes 1 ms. */
async function maxSteps(story: (bench: ClientBench, step: () => void) => Promise<void>): Promise<number> {
  const bench = await startClientBench()
  let steps = 0
  let most = 0
  let ended = false
  const turn = () => {
    most = Math.max(most, steps)
    steps = 0
    if (!ended) setImmediate(turn)
  }
  try {
    turn()
    await story(bench, () => {
      steps += 1
      bench.clock.advance(1)
    })
  } finally {
    ended = true
    await bench.stop()
  }
  return most
}

test('the operations of all requests share the slices', async () => {
  const { translate } = ChatappNames.prototype
  const most = await maxSteps(async (bench, step) => {
    ChatappNames.prototype.translate = function (item) {
      step()
      return translate.call(this, item)
    }
    const data = Array.from({ length: 40 }, () => ({ ...sms(), type: 'price', send_type: 'sms' }))
    const answers = await Promise.all(Array.from({ length: 20 }, () => bench.post(data)))
    for (const answer of answers) expect(answer.data).toHaveLength(40)
  }).finally(() => {
    ChatappNames.prototype.translate = translate
  })
  expect(most).toBeLessThanOrEqual(TWO_SLICES)
})

test('reading the bodies of all requests shares them too', async () => {
  const { parse } = JSON
  const body = JSON.stringify({ auth: KEY, data: [], pad: 'x'.repeat(5_000) })
  const request = (body: string) =>
    `POST ${SYNC_PATH} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  const most = await maxSteps(async (bench, step) => {
    JSON.parse = (text: string, ...rest) => {
      if (text.length === body.length) step()
      return parse(text, ...rest)
    }
    const port = Number(new URL(bench.address).port)
    const sockets = Array.from({ length: 40 }, () => connect(port, '127.0.0.1'))
    /** All requests arrive in one turn of the event loop, on connections that were accepted before. */
    const ask = (text: string) => {
      for (const socket of sockets) socket.write(request(text))
      return Promise.all(sockets.map(async (socket) => String(await once(socket, 'data'))))
    }
    await ask('{}')
    for (const answer of await ask(body)) expect(answer).toContain('{"success":true,"data":[]}')
    for (const socket of sockets) socket.destroy()
  }).finally(() => {
    JSON.parse = parse
  })
  expect(most).toBeGreaterThan(1)
  expect(most).toBeLessThanOrEqual(TWO_SLICES)
})
