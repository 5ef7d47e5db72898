/**
 * The command queues of both stores: accounts take turns, large requests do not delay other accounts, and the backlog
 * of a tenant is bounded. Counted in batches, by a runner that records them.
 */
import { describe, expect, it } from 'vitest'
import { toAccountId } from '../../src/domain/ids/account-id.ts'
import type { AcceptItem, AcceptRequest } from '../../src/ports/stores/intake-store.ts'
import { toAdmissionOrder } from '../../src/stores/admission/admission-order.ts'
import { Load, GroupCommit as PostgresCommit } from '../../src/stores/postgres/engine/group-commit.ts'
import { GroupCommit as SqliteCommit } from '../../src/stores/sqlite/engine/group-commit.ts'
import { turnLoop } from '../support/eventually.ts'

/** The accounts whose requests are in a batch; null is a turn of a message. */
type Batch = readonly (number | null)[]

interface CommandLine {
  readonly batches: readonly Batch[]
  accept(account: number, items: number): Promise<unknown>
  record(turns: number): Promise<unknown>
  /** Answers the first batch in progress. */
  answer(): Promise<void>
}

/** A runner that answers on request, in the order of the batches. */
class Gate {
  readonly batches: Batch[] = []
  readonly #underWay: PromiseWithResolvers<void>[] = []

  async pass(batch: Batch): Promise<void> {
    this.batches.push(batch)
    const asked = Promise.withResolvers<void>()
    this.#underWay.push(asked)
    await asked.promise
  }

  async answer(): Promise<void> {
    this.#underWay.shift()?.resolve()
    await turnLoop(1)
  }
}

const BALANCE = { kind: 'balance' } as const satisfies AcceptItem

function requestOf(account: number, items: number): AcceptRequest & { readonly items: readonly (typeof BALANCE)[] } {
  return { accountId: toAccountId(account), now: 0, idempotency: null, items: Array(items).fill(BALANCE) }
}

const STORES: Readonly<Record<string, () => CommandLine>> = {
  SQLite: () => {
    const gate = new Gate()
    const commit = new SqliteCommit({
      async run(batch) {
        await gate.pass(batch.map((command) => (command[0] === 'accept' ? command[1].accountId : null)))
        return batch.map(() => ['done', null] as const)
      },
      async sync() {},
      async close() {},
    })
    return {
      batches: gate.batches,
      accept: (account, items) => commit.submit(items, 'accept', toAdmissionOrder(requestOf(account, items))),
      record: (turns) => commit.submit(turns, 'record', []),
      answer: () => gate.answer(),
    }
  },
  PostgreSQL: () => {
    const gate = new Gate()
    const engine = {
      hasPendingReleases: false,
      async run(batch: readonly { readonly name: string; readonly of: unknown }[]) {
        await gate.pass(batch.map(({ name, of }) => (name === 'accept' ? (of as AcceptRequest).accountId : null)))
        return batch.map(() => null)
      },
    }
    const commit = new PostgresCommit(engine, new Load())
    return {
      batches: gate.batches,
      accept: (account, items) => commit.submit(items, [account], 'accept', requestOf(account, items)),
      record: (turns) => commit.submit(turns, [1], 'record', []),
      answer: () => gate.answer(),
    }
  },
}

describe.each(Object.entries(STORES))('the command queue of %s', (_, open) => {
  it('answers a small request after the current batch, whatever the backlog of another account', async () => {
    const line = open()
    for (let count = 0; count < 30; count += 1) void line.accept(1, 600)
    await turnLoop(1)
    await line.answer()
    void line.accept(2, 1)
    await line.answer()
    await line.answer()
    expect(line.batches).toEqual([[1], [1], [2], [1]])
  })

  it('shares batches among bulk accounts by size', async () => {
    const line = open()
    for (let count = 0; count < 6; count += 1) {
      void line.accept(1, 1_000)
      void line.accept(2, 1_000)
      void line.accept(3, 1_000)
    }
    await turnLoop(1)
    for (let count = 0; count < 8; count += 1) await line.answer()
    expect(line.batches).toEqual([[1], [2], [3], [1], [2], [3], [1], [2], [3]])
  })

  it('records turns of messages before the second bulk batch of any account', async () => {
    const line = open()
    for (let account = 1; account <= 10; account += 1) {
      void line.accept(account, 1_000)
      void line.accept(account, 1_000)
    }
    await turnLoop(1)
    for (let count = 0; count < 6; count += 1) void line.record(200)
    for (let count = 0; count < 20; count += 1) await line.answer()
    const order = line.batches.flat()
    expect(order.filter((each) => each === null)).toHaveLength(6)
    expect(order.lastIndexOf(null)).toBeLessThan(order.lastIndexOf(1))
    expect(order.slice(0, 10)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  })

  it('keeps the requests of one account in order', async () => {
    const line = open()
    const answered: number[] = []
    for (const [index, items] of [1, 900, 1, 300, 1].entries()) {
      void line.accept(1, items).then(() => answered.push(index))
      void line.accept(2, 5)
    }
    for (let count = 0; count < 12; count += 1) {
      await turnLoop(1)
      await line.answer()
    }
    expect(answered).toEqual([0, 1, 2, 3, 4])
  })

  it('refuses only the account whose backlog equals the free room', async () => {
    const line = open()
    const flood = Array.from({ length: 30 }, () => line.accept(1, 10_000))
    for (const refused of flood.slice(2)) await expect(refused).rejects.toThrow(/too busy/)
    const large = line.accept(2, 10_000)
    await expect(line.accept(3, 10_000)).rejects.toThrow(/too busy/)
    const small = line.accept(3, 100)
    const records = [line.record(20_000), line.record(20_000)]
    await expect(line.record(1)).rejects.toThrow(/too busy/)
    for (let count = 0; count < 8; count += 1) {
      await turnLoop(1)
      await line.answer()
    }
    await Promise.all([...flood.slice(0, 2), large, small, ...records])
    const again = line.accept(1, 10_000)
    await turnLoop(1)
    await line.answer()
    await again
  })
})
