/**
 * Writes turns to the store, in order, by batches. A store that fails is tried again with the same batch until it works,
 * so that no decision is ever lost while the process lives; the carriers' windows stay taken meanwhile, which is what
 * holds the traffic back.
 */
import type { MessageId } from '../domain/message-id.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { RecordedTurn, RecordOutcome, Store } from '../ports/store.ts'
import { BatchWriter } from './batch-writer.ts'

const BATCH_MOST = 2_000

const NOTHING: RecordOutcome = { stale: [], elsewhere: [], overtakers: [], queuedReports: [] }

interface Waiting {
  readonly recorded: RecordedTurn
  /** The turn of the same message that it was made from, when that was not on disk yet. */
  from: Waiting | undefined
  readonly done: (recorded: boolean) => void
  isStale: boolean
}

export class TurnRecorder {
  readonly #writer: BatchWriter<Waiting>
  /** The last turn of each message that is not on disk yet. */
  readonly #last = new Map<MessageId, Waiting>()

  /** `onRecorded` hears of each batch as soon as it is on disk, before the promises of its turns resolve. */
  constructor(
    tools: { readonly store: Store; readonly clock: Clock; readonly log: Log },
    onRecorded: (batch: readonly RecordedTurn[], outcome: RecordOutcome) => void,
  ) {
    this.#writer = new BatchWriter(tools, 'turns', BATCH_MOST, async (batch) => {
      // What stands on a stale turn is stale: the store sees only that the number of its version fits.
      const sound = batch.filter((each) => each.from?.isStale !== true).map((each) => each.recorded)
      const outcome = sound.length === 0 ? NOTHING : await tools.store.record(sound)
      const stale = new Set(outcome.stale)
      for (const each of batch) {
        const { id } = each.recorded.turn.message
        if (each.from?.isStale === true) stale.add(id)
        each.isStale = stale.has(id)
        each.from = undefined
        if (this.#last.get(id) === each) this.#last.delete(id)
      }
      onRecorded(
        batch.map((each) => each.recorded),
        { ...outcome, stale: [...stale] },
      )
      for (const each of batch) each.done(!each.isStale)
    })
  }

  get idle(): boolean {
    return this.#writer.idle
  }

  /** True once the turn is on disk; false when it is stale, and nothing of it was written. */
  record(recorded: RecordedTurn): Promise<boolean> {
    const { id } = recorded.turn.message
    return new Promise((done) => {
      const waiting: Waiting = { recorded, from: this.#last.get(id), done, isStale: false }
      this.#last.set(id, waiting)
      this.#writer.add(waiting)
    })
  }

  /** Resolves once everything is written; from now on a store that fails is not waited for. */
  close(): Promise<void> {
    return this.#writer.close()
  }
}
