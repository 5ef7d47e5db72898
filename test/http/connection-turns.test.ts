/** One account with many hostile hooks does not take the thread that calls the hooks of all accounts. */
import { beforeEach, expect, test } from 'vitest'
import { ConnectionTurns } from '../../src/http/connection-turns.ts'
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
})

const connect = (origin: string, account = CLIENT) => turns.take(origin, account, (done) => open.set(origin, done))
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

test('a connection that only waits for the network does not hold up the others', () => {
  connectTo(10)
  clock.advance(999)
  expect(open.size).toBe(4)
  clock.advance(1)
  expect(open.size).toBe(8)
  for (let host = 0; host < 8; host += 1) end(false)
  expect(open.size).toBe(2)
})
