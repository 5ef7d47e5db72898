/** All hooks of one origin share its calls: few while it is slow, more once it is quick again. */
import { expect, test } from 'vitest'
import { HookSlots } from '../../src/delivery/reports/call-slots.ts'
import { HookQueue } from '../../src/delivery/reports/hook-queue.ts'
import { toAccountId } from '../../src/domain/ids/account-id.ts'
import type { PendingReport } from '../../src/ports/records/pending-report.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

const LIMIT_MS = 10_000
const report = { tries: 0 } as PendingReport
const failure = { detail: 'no answer', notBefore: 0 } as Parameters<HookQueue['failed']>[1]

/** Hooks with reports without end, and the slots for their calls. */
class Hooks {
  readonly slots = new HookSlots()
  readonly #clock = new VirtualClock()
  open: HookQueue[] = []
  readonly called = new Map<string, number>()

  constructor(addresses: readonly string[], ofAccount = (index: number) => index + 1) {
    const settingsOf = () => ({ reportsPerPost: 1, reportWaitMs: 0 })
    for (const [index, address] of addresses.entries()) {
      const queue = new HookQueue(toAccountId(ofAccount(index)), address, {
        ...{ clock: this.#clock, settingsOf, isScarce: () => false, reaches: () => true, onReady: () => {} },
      })
      for (let count = 0; count < 500; count += 1) queue.push(report)
      this.slots.offer(queue)
    }
  }

  start(): void {
    for (let queue = this.slots.next(); queue !== null; queue = this.slots.next()) {
      queue.startNext()
      queue.push(report)
      this.slots.offer(queue)
      this.open.push(queue)
      this.called.set(queue.hook, (this.called.get(queue.hook) ?? 0) + 1)
    }
  }

  /** Ends so many calls, each after the same time. */
  end(calls: number, tookMs: number): void {
    for (let ended = 0; ended < calls; ended += 1) {
      this.start()
      const queue = this.open.shift()
      if (queue === undefined) throw new RangeError('no call is under way')
      const isAnswered = tookMs < LIMIT_MS
      if (isAnswered) queue.succeeded(report, tookMs)
      else queue.failed(report, failure)
      this.slots.done(queue, { isAnswered, tookMs })
    }
    this.start()
  }

  openTo(origin: string): number {
    return this.open.filter((queue) => queue.origin === origin).length
  }
}

const SLOW = 'https://slow.example'
const hooksOf = (origin: string, count: number) => Array.from({ length: count }, (_, index) => `${origin}/${index}`)

test.each([
  ['of many accounts', (index: number) => index + 1],
  ['of one account', () => 1],
])('many hooks %s at one slow origin have few calls in all', (_, ofAccount) => {
  const hooks = new Hooks(hooksOf(SLOW, 100), ofAccount)
  hooks.start()
  expect(hooks.openTo(SLOW)).toBe(32)
  hooks.end(500, 4_000)
  expect(hooks.openTo(SLOW)).toBe(32)
  hooks.end(40, LIMIT_MS)
  expect(hooks.openTo(SLOW)).toBeLessThan(8)
})

test('a slow origin gets more calls again once it is quick, and each of its hooks has some', () => {
  const hooks = new Hooks(hooksOf(SLOW, 100))
  hooks.end(40, LIMIT_MS)
  const slow = hooks.openTo(SLOW)
  hooks.called.clear()
  hooks.end(20_000, 10)
  expect(hooks.openTo(SLOW)).toBeGreaterThan(20 * slow)
  expect(hooks.openTo(SLOW)).toBeLessThanOrEqual(256)
  expect(hooks.called.size).toBe(100)
})

test.each([
  ['another host', 'https://quick.example'],
  ['another port', `${SLOW}:8443`],
  ['another protocol', 'http://slow.example'],
])('a slow origin takes no calls of %s', (_, other) => {
  const hooks = new Hooks([...hooksOf(SLOW, 50), `${other}/hook`])
  hooks.end(200, LIMIT_MS)
  expect(hooks.openTo(other)).toBeGreaterThan(0)
})

test('one origin is one, however its address is written', () => {
  const hooks = new Hooks([...hooksOf(SLOW, 40), ...hooksOf('https://SLOW.example:443', 40)])
  hooks.start()
  expect(hooks.openTo(SLOW)).toBe(32)
})
