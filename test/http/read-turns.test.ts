/** Connections with many requests read a bounded number in each turn of the event loop, and clients take turns. */
import { expect, test } from 'vitest'
import {
  MAX_BYTES_OF_CONNECTION,
  MAX_OF_CONNECTION,
  MAX_SERVED,
  MAX_WAITING_OF_CLIENT,
  type ReadingConnection,
  ReadTurns,
} from '../../src/http/server/read-turns.ts'

const nextTurn = () => new Promise((resolve) => void setImmediate(resolve))

/** A connection that has received many requests. */
class Hasty implements ReadingConnection {
  readonly taken = { turn: 0, bytes: 0 }
  readonly client: number
  readonly #turns: ReadTurns
  /** Of each request. */
  readonly #bytes: number
  requests = 0
  waitingBytes = 0
  isClosed = false

  constructor(client: number, turns: ReadTurns, bytes = 0) {
    this.client = client
    this.#turns = turns
    this.#bytes = bytes
  }

  read(): void {
    while (this.#turns.take(this)) {
      this.requests += 1
      this.#turns.count(this, this.#bytes)
    }
  }

  close(): void {
    this.isClosed = true
  }
}

test('a connection reads a few requests at once, then a bounded number in each turn', async () => {
  const hasty = new Hasty(1, new ReadTurns())
  hasty.read()
  expect(hasty.requests).toBe(MAX_OF_CONNECTION)
  for (let turn = 1; turn <= 3; turn += 1) {
    await nextTurn()
    expect(hasty.requests).toBe(MAX_OF_CONNECTION * (1 + turn * MAX_SERVED))
  }
})

test('a client with hundreds of connections has as many turns as a client with one', async () => {
  const turns = new ReadTurns()
  const many = Array.from({ length: 300 }, () => new Hasty(1, turns))
  const one = new Hasty(2, turns)
  for (const each of [...many, one]) each.read()
  const readAtOnce = [...many, one].reduce((sum, { requests }) => sum + requests, 0)
  expect(readAtOnce).toBeLessThan(300)
  const before = one.requests
  for (let turn = 0; turn < 10; turn += 1) await nextTurn()
  expect(one.requests - before).toBe((MAX_OF_CONNECTION * MAX_SERVED * 10) / 2)
})

test('a connection that sends one request has it read at once, however many others wait', async () => {
  const turns = new ReadTurns()
  for (let each = 0; each < 10; each += 1) new Hasty(1, turns).read()
  await nextTurn()
  expect(turns.take(new Hasty(1, turns))).toBe(true)
})

test.each([
  ['one', MAX_BYTES_OF_CONNECTION],
  ['one, however long it is,', 100 * MAX_BYTES_OF_CONNECTION],
  ['two', MAX_BYTES_OF_CONNECTION / 2],
])('a connection reads %s of the long bodies at once, then as many in each of its turns', async (_, bytes) => {
  const atOnce = Math.max(1, MAX_BYTES_OF_CONNECTION / bytes)
  const hasty = new Hasty(1, new ReadTurns(), bytes)
  hasty.read()
  expect(hasty.requests).toBe(atOnce)
  await nextTurn()
  expect(hasty.requests).toBe(atOnce * (1 + MAX_SERVED))
})

test('long bodies of many connections leave few others to be read at once', () => {
  const turns = new ReadTurns()
  const many = Array.from({ length: 100 }, () => new Hasty(1, turns, MAX_BYTES_OF_CONNECTION))
  for (const each of many) each.read()
  expect(many.reduce((sum, { requests }) => sum + requests, 0)).toBe(16)
})

test('what waits of one client has a limit: the connections beyond it close, and those of others wait', async () => {
  const turns = new ReadTurns()
  const waiting = (client: number) => {
    const each = new Hasty(client, turns)
    each.waitingBytes = MAX_WAITING_OF_CLIENT / 2
    each.read()
    return each
  }
  const mine = [waiting(1), waiting(1), waiting(1)]
  const other = waiting(2)
  expect([...mine, other].map(({ isClosed }) => isClosed)).toEqual([false, false, true, false])
  // Those that had their turns have read what waited.
  for (const each of [...mine, other]) each.waitingBytes = 0
  await nextTurn()
  expect(waiting(1).isClosed).toBe(false)
})

test('what waits of all clients has a limit', () => {
  const turns = new ReadTurns()
  const closed = Array.from({ length: 10 }, (_, client) => {
    const each = new Hasty(client, turns)
    each.waitingBytes = MAX_WAITING_OF_CLIENT
    each.read()
    return each.isClosed
  })
  expect(closed).toEqual([...Array(4).fill(false), ...Array(6).fill(true)])
})
