/** Batches of commands that the server does not take in time become smaller until it does, and then larger again. */
import { expect, test } from 'vitest'
import { StoreError } from '../../src/ports/records/store-errors.ts'
import type { EngineCommand } from '../../src/stores/postgres/engine/commands.ts'
import { TookTooLong } from '../../src/stores/postgres/engine/engine.ts'
import { GroupCommit, Load } from '../../src/stores/postgres/engine/group-commit.ts'
import { wrote } from '../support/inbound-arrival.ts'

const ROWS = 16

/** Takes at most so many commands together. */
class SlowEngine {
  readonly hasPendingReleases = false
  readonly sizes: number[] = []
  takes: number
  cause: Error = new TookTooLong()

  constructor(takes: number) {
    this.takes = takes
  }

  async run(batch: readonly EngineCommand[]): Promise<readonly unknown[]> {
    this.sizes.push(batch.length)
    if (batch.length <= this.takes) return batch.map(() => null)
    return batch.map(() => new StoreError(this.cause.message, { cause: this.cause }))
  }
}

/** As a carrier does: sends again what was not acknowledged. Returns the sizes of the batches. */
async function deliver(engine: SlowEngine, rounds: number, commit = new GroupCommit(engine, new Load())) {
  let left = 64
  for (let round = 0; round < rounds && left > 0; round += 1) {
    const orders = Array.from({ length: left }, () => ({ arrivals: [wrote('Hi')], settled: [] }))
    const sent = orders.map((order) => commit.submit(ROWS, [1], 'recordInbound', order))
    left = (await Promise.allSettled(sent)).filter(({ status }) => status === 'rejected').length
  }
  return left
}

test('a burst that is too large for one transaction is stored in smaller ones', async () => {
  const engine = new SlowEngine(8)
  expect(await deliver(engine, 3)).toBe(0)
  expect(engine.sizes.slice(0, 4)).toEqual([32, 16, 8, 8])
})

test('a server that accepts no writes gets the smallest batches, and larger ones once it is fast again', async () => {
  const engine = new SlowEngine(0)
  const commit = new GroupCommit(engine, new Load())
  expect(await deliver(engine, 1, commit)).toBe(64)
  expect(engine.sizes.at(-1)).toBe(1)
  engine.takes = 64
  expect(await deliver(engine, 1, commit)).toBe(0)
  expect(await deliver(engine, 1, commit)).toBe(0)
  expect(Math.max(...engine.sizes.slice(-4))).toBeGreaterThan(10)
})

test('a command that fails for another reason leaves the batches as they are', async () => {
  const engine = new SlowEngine(0)
  engine.cause = new Error('value out of range')
  expect(await deliver(engine, 1)).toBe(64)
  expect(engine.sizes).toEqual([32, 32])
})
