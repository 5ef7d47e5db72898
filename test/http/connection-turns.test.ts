/** One account with many hostile hooks does not take the thread that calls the hooks of all accounts. */
import { beforeEach, expect, test } from 'vitest'
import { ConnectionTurns } from '../../src/http/hooks/connection-turns.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

const [CLIENT, OTHER] = [1, 2]

let clock: VirtualClock
let turns: ConnectionTurns
/** Connections under way, by origin. */
let open: Map<string, (failed: boolean) => void>

beforeEach(() => {
  clock = new VirtualClock()
  turns = new ConnectionTurns(clock)
  open = new Map()
  over = new Set()
  skipped = []
})

/** Origins whose calls ended before their turn, and those that were skipped. */
let over: Set<string>
let skipped: string[]

const connect = (origin: string, account = CLIENT) =>
  turns.take(new URL(origin).origin, account, {
    connect: (done) => void open.set(origin, done),
    isOver: () => over.has(origin),
    skip: () => skipped.push(origin),
  })
const connectTo = (count: number, scheme = 'https') => {
  for (let host = 0; host < count; host += 1) connect(`${scheme}://h${host}`)
}
function end(failed: boolean): void {
  const [first] = open
  if (first === undefined) throw new RangeError('no connection is under way')
  open.delete(first[0])
  first[1](failed)
}

test('four unknown hooks of an account are connected at a time, and one after a failure', () => {
  connectTo(20)
  expect(open.size).toBe(4)
  connect('https://other', OTHER)
  expect(open.size).toBe(5)
  open.delete('https://other')
  for (const left of [3, 2, 1, 1, 1]) {
    end(true)
    expect(open.size).toBe(left)
  }
  end(false)
  expect(open.size).toBe(4)
})

test('hooks that were reached are not bounded until they fail, nor are those without TLS', () => {
  connectTo(10)
  for (let host = 0; host < 10; host += 1) end(false)
  connectTo(10)
  expect(open.size).toBe(10)
  for (let host = 0; host < 10; host += 1) end(true)
  connectTo(10)
  expect(open.size).toBe(4)
  connectTo(10, 'http')
  expect(open.size).toBe(14)
})

test('a silent hook with hundreds of calls does not keep other hooks of its account waiting', () => {
  for (let call = 0; call < 300; call += 1) connect(`https://silent/${call}`)
  connect('https://shop/1')
  expect(open.size).toBe(4)
  clock.advance(1_000)
  expect([...open.keys()]).toContain('https://shop/1')
})

test('a call that has ended before its turn is skipped, and its place is free at once', () => {
  for (let call = 0; call < 300; call += 1) connect(`https://silent/${call}`)
  for (let call = 4; call < 300; call += 1) over.add(`https://silent/${call}`)
  connect('https://silent/last')
  clock.advance(1_000)
  expect(skipped).toHaveLength(296)
  expect([...open.keys()]).toContain('https://silent/last')
})

test('a reached hook opens sixteen connections at a time besides those of its turns', () => {
  connect('https://shop/0')
  end(false)
  for (let call = 1; call <= 128; call += 1) connect(`https://shop/${call}`)
  expect(open.size).toBe(16 + 4)
})

test('a connection that only waits for the network does not hold up the others', () => {
  connectTo(10)
  clock.advance(999)
  expect(open.size).toBe(4)
  clock.advance(1)
  expect(open.size).toBe(8)
  for (let host = 0; host < 8; host += 1) end(false)
  expect(open.size).toBe(2)
})
