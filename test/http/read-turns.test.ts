/** Connections with many requests read a bounded number in each turn of the event loop, and clients take turns. */
import { expect, test } from 'vitest'
import { MAX_OF_CONNECTION, MAX_SERVED, type Reader, ReadTurns } from '../../src/http/read-turns.ts'

const nextTurn = () => new Promise((resolve) => void setImmediate(resolve))

/** A connection that has received many requests. */
class Hasty implements Reader {
  readonly taken = { turn: 0, requests: 0 }
  readonly client: number
  readonly #turns: ReadTurns
  requests = 0

  constructor(client: number, turns: ReadTurns) {
    this.client = client
    this.#turns = turns
  }

  read(): void {
    while (this.#turns.take(this)) this.requests += 1
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
