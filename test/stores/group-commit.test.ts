/** Group commit: many callers share few commits, and a full queue says so. */
import { describe, expect, it } from 'vitest'
import type { Answer, Command } from '../../src/stores/sqlite/engine.ts'
import { GroupCommit, type Runner } from '../../src/stores/sqlite/group-commit.ts'

/** Answers a batch when it is told to. */
class SlowRunner implements Runner {
  readonly batches: (readonly Command[])[] = []
  closed = false
  #underWay = Promise.withResolvers<readonly Answer[]>()

  run(batch: readonly Command[]): Promise<readonly Answer[]> {
    this.batches.push(batch)
    this.#underWay = Promise.withResolvers()
    return this.#underWay.promise
  }

  async answer(value: unknown = 1): Promise<void> {
    const size = this.batches.at(-1)?.length ?? 0
    this.#underWay.resolve(Array(size).fill({ kind: 'done', value }))
    await new Promise<void>((resolve) => setImmediate(resolve))
  }

  fail(error: Error): void {
    this.#underWay.reject(error)
  }

  async close(): Promise<void> {
    this.closed = true
  }
}
