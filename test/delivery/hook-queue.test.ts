/** How many calls at a time a hook gets: few while its receiver is slow, more once it is quick again. */
import { expect, test } from 'vitest'
import { HookQueue } from '../../src/delivery/reports/hook-queue.ts'
import type { PendingReport } from '../../src/ports/records/pending-report.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

const LIMIT_MS = 10_000
const report = { tries: 0 } as PendingReport

interface Call {
  readonly sentAt: number
  readonly endsAt: number
  readonly isAnswered: boolean
}

/** A receiver that works on a number of calls at a time, in their order, and on those that were given up as well. */
class Receiver {
  readonly #clock = new VirtualClock()
  readonly #queue: HookQueue
  readonly #workers: number[]
  readonly #open: Call[] = []
  answered = 0
  givenUp = 0
  maxAtOnce = 0

  constructor(workers: number) {
    const settingsOf = () => ({ reportsPerPost: 1, reportWaitMs: 0 })
    this.#queue = new HookQueue(1 as PendingReport['accountId'], 'hook', {
      ...{ clock: this.#clock, settingsOf, isScarce: () => false, reaches: () => true, onReady: () => {} },
    })
    this.#workers = new Array<number>(workers).fill(0)
  }

  /** Ends so many calls, each of which takes a worker so long. */
  take(calls: number, workMs: number): void {
    this.maxAtOnce = 0
    for (let ended = 0; ended < calls; ended += 1) {
      this.#start(workMs)
      this.#end()
    }
  }

  #start(workMs: number): void {
    if (this.#queue.length < 100) for (let count = 0; count < 100; count += 1) this.#queue.push(report)
    const now = this.#clock.now()
    while (this.#queue.canStart) {
      this.#queue.startNext()
      this.#workers.sort((a, b) => a - b)
      const doneAt = Math.max(now, this.#workers[0] ?? 0) + workMs
      this.#workers[0] = doneAt
      const isAnswered = doneAt - now < LIMIT_MS
      this.#open.push({ sentAt: now, endsAt: isAnswered ? doneAt : now + LIMIT_MS, isAnswered })
    }
    this.maxAtOnce = Math.max(this.maxAtOnce, this.#open.length)
  }

  #end(): void {
    this.#open.sort((a, b) => a.endsAt - b.endsAt)
    const call = this.#open.shift()
    if (call === undefined) throw new RangeError('no call is under way')
    this.#clock.advance(call.endsAt - this.#clock.now())
    if (call.isAnswered) {
      this.answered += 1
      this.#queue.succeeded(report, call.endsAt - call.sentAt)
    } else {
      this.givenUp += 1
      this.#queue.failed(report, { detail: 'no answer', notBefore: 0 } as Parameters<HookQueue['failed']>[1])
    }
  }
}

test.each([
  ['one call at a time, for 300 ms', 1, 300],
  ['one call at a time, for 700 ms', 1, 700],
  ['three calls at a time, for a second', 3, 1_000],
])('a receiver that works on %s is never given up', (_, workers, workMs) => {
  const receiver = new Receiver(workers)
  receiver.take(5_000, workMs)
  expect(receiver.givenUp).toBe(0)
})

test('a receiver that becomes slow suddenly has few calls given up, and all its calls again once it is quick', () => {
  const receiver = new Receiver(1)
  receiver.take(1_000, 10)
  expect(receiver.maxAtOnce).toBe(64)
  receiver.take(5_000, 400)
  expect(receiver.givenUp).toBeLessThanOrEqual(64)
  const { givenUp } = receiver
  receiver.take(5_000, 400)
  expect(receiver.givenUp).toBe(givenUp)
  expect(receiver.maxAtOnce).toBeLessThan(20)
  receiver.take(5_000, 10)
  expect(receiver.maxAtOnce).toBe(64)
})

test('a receiver that is slow for each call alone keeps eight at a time', () => {
  const receiver = new Receiver(64)
  receiver.take(1_000, 4_000)
  receiver.take(1_000, 4_000)
  expect([receiver.maxAtOnce, receiver.givenUp]).toEqual([8, 0])
})
