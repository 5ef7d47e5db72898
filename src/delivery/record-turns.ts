/**
 * Writes turns to the store, in order, by batches. A store that fails is tried again with the same batch until it works,
 * so that no decision is ever lost while the process lives; the carriers' windows stay taken meanwhile, which is what
 * holds the traffic back.
 */
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { RecordedTurn, RecordOutcome, Store } from '../ports/store.ts'
import { BatchWriter } from './batch-writer.ts'

const BATCH_MOST = 2_000

interface Waiting {
  readonly recorded: RecordedTurn
  readonly done: (recorded: boolean) => void
}

export class TurnRecorder {
  readonly #writer: BatchWriter<Waiting>

  /** `onRecorded` hears of each batch as soon as it is on disk, before the promises of its turns resolve. */
  constructor(
    tools: { readonly store: Store; readonly clock: Clock; readonly log: Log },
    onRecorded: (batch: readonly RecordedTurn[], outcome: RecordOutcome) => void,
  ) {
    this.#writer = new BatchWriter(tools, 'turns', BATCH_MOST, async (batch) => {
      const turns = batch.map((each) => each.recorded)
      const outcome = await tools.store.record(turns)
      onRecorded(turns, outcome)
      const stale = new Set(outcome.stale)
      for (const each of batch) each.done(!stale.has(each.recorded.turn.message.id))
    })
  }

  get idle(): boolean {
    return this.#writer.idle
  }

  /** True once the turn is on disk; false when it is stale, and nothing of it was written. */
  record(recorded: RecordedTurn): Promise<boolean> {
    return new Promise((done) => this.#writer.add({ recorded, done }))
  }

  /** Resolves once everything is written; from now on a store that fails is not waited for. */
  close(): Promise<void> {
    return this.#writer.close()
  }
}
