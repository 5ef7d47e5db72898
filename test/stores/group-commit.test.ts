/** Group commit: many callers share few commits, and a full queue refuses calls. */
import { describe, expect, it } from 'vitest'
import { toAccountId } from '../../src/domain/ids/account-id.ts'
import type { Message } from '../../src/domain/message/message.ts'
import { toMicros } from '../../src/domain/money/money.ts'
import type { CommandOutcome, EngineCommand } from '../../src/stores/sqlite/engine/engine.ts'
import { GroupCommit, type Runner } from '../../src/stores/sqlite/engine/group-commit.ts'
import { openSqliteStore } from '../../src/stores/sqlite/open-store.ts'
import { SqliteStore } from '../../src/stores/sqlite/sqlite-store.ts'
import { recorded } from '../conformance/store/store-story.ts'
import { buildAccount, buildMessage } from '../support/build-message.ts'
import { taken } from '../support/make-turn.ts'
import { TEST_KEYS } from '../support/test-keys.ts'

const turnLoop = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Answers batches on request, in their order; its disk is quick unless a test makes it wait. */
class SlowRunner implements Runner {
  readonly batches: (readonly EngineCommand[])[] = []
  syncs = 0
  disk: Promise<void> = Promise.resolve()
  closed = false
  readonly #underWay: (PromiseWithResolvers<readonly CommandOutcome[]> & { readonly size: number })[] = []

  run(batch: readonly EngineCommand[]): Promise<readonly CommandOutcome[]> {
    this.batches.push(batch)
    const asked = { ...Promise.withResolvers<readonly CommandOutcome[]>(), size: batch.length }
    this.#underWay.push(asked)
    return asked.promise
  }

  async answer(value: unknown = 1): Promise<void> {
    await this.reply(Array.from({ length: this.#underWay[0]?.size ?? 0 }, () => ['done', value]))
  }

  async reply(answers: readonly CommandOutcome[]): Promise<void> {
    this.#underWay.shift()?.resolve(answers)
    await turnLoop()
  }

  fail(error: Error): void {
    for (const asked of this.#underWay.splice(0)) asked.reject(error)
  }

  sync(): Promise<void> {
    this.syncs += 1
    return this.disk
  }

  async close(): Promise<void> {
    this.closed = true
  }
}

describe('group commit', () => {
  it('sends calls made during a batch together, in order', async () => {
    const runner = new SlowRunner()
    const commit = new GroupCommit(runner)
    const first = commit.submit(1, 'reserveIds', 1)
    await turnLoop()
    const others = [2, 3, 4].map((count) => commit.submit(1, 'reserveIds', count))
    await turnLoop()
    expect(runner.batches).toEqual([[['reserveIds', 1]]])
    await runner.answer(10)
    expect(await first).toBe(10)
    expect(runner.batches[1]).toEqual([
      ['reserveIds', 2],
      ['reserveIds', 3],
      ['reserveIds', 4],
    ])
    await runner.answer(20)
    expect(await Promise.all(others)).toEqual([20, 20, 20])
    expect(commit.work).toEqual({ commits: 2, commands: 4 })
  })

  it('makes the arguments of a late call when it is sent', async () => {
    const runner = new SlowRunner()
    const commit = new GroupCommit(runner)
    const made: number[] = []
    const submit = (count: number) =>
      commit.submitLate({ size: 1, tenant: 1, verb: 'reserveIds' }, () => {
        made.push(count)
        return [count]
      })
    const first = submit(1)
    await turnLoop()
    const second = submit(2)
    expect(made).toEqual([1])
    await runner.answer(10)
    expect(made).toEqual([1, 2])
    await runner.answer(20)
    expect(await Promise.all([first, second])).toEqual([10, 20])
  })

  it('counts no commit for reads', async () => {
    const runner = new SlowRunner()
    const commit = new GroupCommit(runner)
    const asked = [commit.submit(1, 'counts'), commit.submit(1, 'directoryRevision')]
    await turnLoop()
    await runner.answer()
    await Promise.all(asked)
    expect(commit.work).toEqual({ commits: 0, commands: 2 })
  })

  it('answers when the batch is on the disk, and commits one more batch until then', async () => {
    const runner = new SlowRunner()
    const disk = Promise.withResolvers<void>()
    runner.disk = disk.promise
    const commit = new GroupCommit(runner)
    const answered: number[] = []
    const submit = (count: number) => commit.submit(1, 'reserveIds', count).then(() => answered.push(count))
    const all = [submit(1)]
    await turnLoop()
    all.push(submit(2))
    await runner.answer()
    all.push(submit(3))
    await runner.answer()
    expect(runner).toMatchObject({ syncs: 1, batches: [[['reserveIds', 1]], [['reserveIds', 2]]] })
    expect(answered).toEqual([])
    disk.resolve()
    await turnLoop()
    await runner.answer()
    await Promise.all(all)
    expect(answered).toEqual([1, 2, 3])
    expect(runner).toMatchObject({ syncs: 3, batches: { length: 3 } })
  })

  it('sends a batch of 64 rows before the one in progress is answered, and answers them in order', async () => {
    const runner = new SlowRunner()
    const commit = new GroupCommit(runner)
    const answered: number[] = []
    const submit = (size: number) =>
      commit.submit(size, 'reserveIds', size).then((answer) => answered.push(answer as never))
    const all = [submit(1)]
    await turnLoop()
    all.push(submit(63))
    await turnLoop()
    expect(runner.batches).toHaveLength(1)
    all.push(submit(2))
    await turnLoop()
    expect(runner.batches).toEqual([
      [['reserveIds', 1]],
      [
        ['reserveIds', 63],
        ['reserveIds', 2],
      ],
    ])
    all.push(submit(200))
    await turnLoop()
    expect(runner.batches).toHaveLength(2)
    for (const value of [10, 20, 30]) await runner.answer(value)
    await Promise.all(all)
    expect(answered).toEqual([10, 20, 20, 30])
    expect(runner).toMatchObject({ syncs: 3, batches: { length: 3 } })
  })

  it('sends a backlog in batches of 256 rows, of which two are at the engine', async () => {
    const runner = new SlowRunner()
    const commit = new GroupCommit(runner)
    const all = Array.from({ length: 9 }, () => commit.submit(100, 'reserveIds', 100))
    await turnLoop()
    expect(runner.batches.map((batch) => batch.length)).toEqual([2, 2])
    await runner.answer()
    expect(runner.batches.map((batch) => batch.length)).toEqual([2, 2, 2])
    for (let batch = 0; batch < 4; batch += 1) await runner.answer()
    await Promise.all(all)
    expect(runner.batches.map((batch) => batch.length)).toEqual([2, 2, 2, 2, 1])
  })

  it('never has more than 512 rows at the engine, apart from a larger call, which goes alone', async () => {
    const runner = new SlowRunner()
    const commit = new GroupCommit(runner)
    const all = [commit.submit(400, 'reserveIds', 400)]
    await turnLoop()
    all.push(commit.submit(150, 'reserveIds', 150))
    await turnLoop()
    expect(runner.batches).toHaveLength(1)
    await runner.answer()
    all.push(commit.submit(600, 'reserveIds', 600))
    await turnLoop()
    expect(runner.batches).toHaveLength(2)
    await runner.answer()
    all.push(commit.submit(100, 'reserveIds', 100))
    await turnLoop()
    expect(runner.batches).toHaveLength(3)
    await runner.answer()
    await runner.answer()
    await Promise.all(all)
    expect(runner.batches.map((batch) => batch.map(([, rows]) => rows))).toEqual([[400], [150], [600], [100]])
  })

  it('sends a claim beside another batch, as if it was a full one', async () => {
    const runner = new SlowRunner()
    const commit = new GroupCommit(runner)
    const claim = { now: 0, limit: 500 } as never
    const all: Promise<unknown>[] = [commit.submit(200, 'reserveIds', 200)]
    await turnLoop()
    all.push(commit.submit(500, 'claimDue', claim), commit.submit(200, 'reserveIds', 200))
    await turnLoop()
    expect(runner.batches.map((batch) => batch.map(([verb]) => verb))).toEqual([['reserveIds'], ['claimDue']])
    for (let batch = 0; batch < 3; batch += 1) await runner.answer()
    await Promise.all(all)
  })

  it('rejects a call whose arguments cannot be made, and sends the others of its batch', async () => {
    const runner = new SlowRunner()
    const commit = new GroupCommit(runner)
    const order = { size: 1, tenant: 1, verb: 'reserveIds' } as const
    const broken = commit.submitLate(order, () => {
      throw new TypeError('no journey')
    })
    const asked = Promise.allSettled([broken, commit.submitLate(order, () => [2])])
    await turnLoop()
    expect(runner.batches).toEqual([[['reserveIds', 2]]])
    await runner.answer(10)
    expect(await asked).toMatchObject([{ reason: { message: 'no journey' } }, { value: 10 }])
    expect(commit.isFailing).toBe(false)
    await commit.close()
  })

  it('rejects both batches at an engine that is gone', async () => {
    const runner = new SlowRunner()
    const commit = new GroupCommit(runner)
    const first = commit.submit(1, 'reserveIds', 1)
    await turnLoop()
    const asked = Promise.allSettled([first, commit.submit(100, 'reserveIds', 100)])
    await turnLoop()
    expect(runner.batches).toHaveLength(2)
    runner.fail(new Error('gone'))
    expect(await asked).toMatchObject([{ reason: { name: 'StoreError' } }, { reason: { name: 'StoreError' } }])
    await commit.close()
  })

  it('answers reads only when what they may have seen is on the disk', async () => {
    const runner = new SlowRunner()
    const disk = Promise.withResolvers<void>()
    runner.disk = disk.promise
    const commit = new GroupCommit(runner)
    const written = commit.submit(1, 'reserveIds', 1)
    await turnLoop()
    let isAnswered = false
    const read = commit.submit(1, 'counts').then(() => {
      isAnswered = true
    })
    await runner.answer()
    await runner.answer()
    expect(isAnswered).toBe(false)
    disk.resolve()
    await Promise.all([written, read])
    expect(runner.syncs).toBe(1)
  })

  it('rejects what a disk has not taken, and closes only when every call is settled', async () => {
    const runner = new SlowRunner()
    const disk = Promise.withResolvers<void>()
    runner.disk = disk.promise
    const commit = new GroupCommit(runner)
    const asked = Promise.allSettled([commit.submit(1, 'reserveIds', 1)])
    await turnLoop()
    await runner.answer()
    const closed = commit.close()
    await turnLoop()
    expect(runner.closed).toBe(false)
    disk.reject(new Error('input/output error'))
    expect(await asked).toMatchObject([{ reason: { name: 'StoreError', message: 'the store has stopped' } }])
    expect(commit.isFailing).toBe(true)
    await closed
    expect(runner.closed).toBe(true)
  })

  it('gives each caller its own answer', async () => {
    const runner = new SlowRunner()
    const commit = new GroupCommit(runner)
    const asked = Promise.allSettled([1, 2, 3].map((count) => commit.submit(1, 'reserveIds', count)))
    await turnLoop()
    await runner.reply([
      ['done', 7],
      ['refused', 'no such thing'],
      ['failed', 'database or disk is full'],
    ])
    expect(await asked).toMatchObject([
      { value: 7 },
      { reason: { name: 'ChangeRefused', message: 'no such thing' } },
      { reason: { name: 'StoreError', message: 'database or disk is full' } },
    ])
  })

  it('rejects waiting and later calls once the engine is gone', async () => {
    const runner = new SlowRunner()
    const commit = new GroupCommit(runner)
    const asked = Promise.allSettled([commit.submit(1, 'counts')])
    await turnLoop()
    runner.fail(new Error('gone'))
    expect(await asked).toMatchObject([{ reason: { name: 'StoreError' } }])
    await commit.close()
    await expect(commit.submit(1, 'counts')).rejects.toMatchObject({ name: 'StoreError' })
  })

  it('takes the claims of any number of hooks, which hold nothing while they wait', async () => {
    const commit = new GroupCommit(new SlowRunner())
    const claim = { accountId: toAccountId(1), hook: 'https://x.example', now: 0, limit: 256 } as never
    const refused: unknown[] = []
    for (let hooks = 0; hooks < 1_000; hooks += 1) {
      void commit.submit(256, 'claimReportsOf', claim).catch((error: unknown) => refused.push(error))
    }
    await turnLoop()
    expect(refused).toEqual([])
  })

  it('waits for the current batch before it closes', async () => {
    const runner = new SlowRunner()
    const commit = new GroupCommit(runner)
    const asked = commit.submit(1, 'reserveIds', 1)
    const closing = commit.close()
    await turnLoop()
    expect(runner.closed).toBe(false)
    await runner.answer(3)
    await closing
    expect([await asked, runner.closed]).toEqual([3, true])
  })
})

describe('the store', () => {
  it('answers a request that comes while hundreds of turns are recorded before the last of them', async () => {
    const store = await openSqliteStore({ file: ':memory:', keys: TEST_KEYS, inline: true })
    const { id: _, ...account } = buildAccount()
    await store.change({ kind: 'create account', account })
    const accountId = toAccountId(1)
    await store.change({ kind: 'top up', accountId, amountMicros: toMicros(1e9), at: 0 })
    const messages = Array.from({ length: 600 }, (_, index) => buildMessage({ counter: index + 1, accountId }))
    const accept = (all: readonly Message[]) => {
      const items = all.map(
        (message) => ({ kind: 'message', message, waits: false, links: [], uniqueId: false }) as const,
      )
      return store.accept({ accountId, now: 0, idempotency: null, items })
    }
    await accept(messages)
    const order: string[] = []
    const turns = messages.map((message, index) => recorded(taken(message, [`ref-${index}`])))
    await Promise.all([
      store.record(turns).then(({ stale }) => order.push(`recorded, ${stale.length} stale`)),
      accept([buildMessage({ counter: 601, accountId })]).then(() => order.push('accepted')),
    ])
    expect(order).toEqual(['accepted', 'recorded, 0 stale'])
    await store.close()
  })

  it('has room for operators while a hundred accounts wait for their statistics', async () => {
    const store = new SqliteStore(new SlowRunner())
    const range = { from: 0, through: 23, source: 'hours', slotHours: null, only: {}, by: [], limit: 9 } as const
    for (let id = 1; id <= 100; id += 1) void store.messageTotals({ ...range, accountId: toAccountId(id) })
    await turnLoop()
    let refused: unknown = null
    store.messageTotals({ ...range, accountId: null }).catch((error) => {
      refused = error
    })
    await turnLoop()
    expect(refused).toBeNull()
  })

  it('writes a hundred concurrent requests with one commit', async () => {
    const store = await openSqliteStore({ file: ':memory:', keys: TEST_KEYS, inline: true })
    const { id: _, ...account } = buildAccount()
    await store.change({ kind: 'create account', account })
    const accountId = toAccountId(1)
    await store.change({ kind: 'top up', accountId, amountMicros: toMicros(1e9), at: 0 })
    const before = store.work.commits
    const requests = Array.from({ length: 100 }, (_, index) => {
      const message = buildMessage({ counter: index + 1, accountId })
      const item = { kind: 'message', message, waits: false, links: [], uniqueId: false } as const
      return store.accept({ accountId, now: 0, idempotency: null, items: [item] })
    })
    await Promise.all(requests)
    expect(store.work.commits - before).toBe(1)
    await store.directoryRevision()
    expect(store.work.commits - before).toBe(1)
    await store.close()
  })
})
