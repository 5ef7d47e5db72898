/**
 * Writes turns to the store, in order, by batches. A store that fails is tried again with the same batch until it works,
 * so that no decision is ever lost while the process lives; the carriers' windows stay taken meanwhile, which is what
 * holds the traffic back.
 */
import type { Message } from '../domain/message.ts'
import type { MessageId } from '../domain/message-id.ts'
import type { Clock } from '../ports/clock.ts'
import type { DeliveryStore, RecordedTurn, RecordOutcome } from '../ports/delivery-store.ts'
import type { Log } from '../ports/log.ts'
import { BatchWriter } from './batch-writer.ts'

const MAX_BATCH = 2_000

const NOTHING: RecordOutcome = { stale: [], elsewhere: [], earlyReceipts: [], queuedReports: [] }

interface Waiting {
  readonly recorded: RecordedTurn
  /** The turn of the same message that was not on disk when this one was made. */
  from: Waiting | undefined
  readonly done: (recorded: boolean) => void
  isStale: boolean
}

export interface RecordedBatch {
  /** Those of the batch that are on disk. */
  readonly written: readonly RecordedTurn[]
  /** What was the newest of these messages here was made from a refused turn. */
  readonly overturned: readonly MessageId[]
  readonly outcome: RecordOutcome
}

export class TurnRecorder {
  readonly #writer: BatchWriter<Waiting>
  /** The last turn of each message that is not on disk yet. */
  readonly #last = new Map<MessageId, Waiting>()

  /** `onRecorded` hears of each batch as soon as it is on disk, before the promises of its turns resolve. */
  constructor(
    tools: { readonly store: DeliveryStore; readonly clock: Clock; readonly log: Log },
    onRecorded: (recorded: RecordedBatch) => void,
  ) {
    this.#writer = new BatchWriter(tools, 'turns', MAX_BATCH, async (batch) => {
      const sound = batch.filter(isSound)
      const outcome = sound.length === 0 ? NOTHING : await tools.store.record(sound.map((each) => each.recorded))
      markRefused(sound, outcome.stale)
      const overturned = batch.flatMap((each) => this.#leave(each))
      for (const each of batch) each.from = undefined
      const written = batch.flatMap(({ recorded, isStale }) => (isStale ? [] : recorded))
      onRecorded({ written, overturned, outcome })
      for (const each of batch) each.done(!each.isStale)
    })
  }

  get idle(): boolean {
    return this.#writer.idle
  }

  /** Turns that are not on disk yet. */
  get size(): number {
    return this.#writer.size
  }

  /** The newest state of a message whose turns are on their way to the disk, unless it is known to be stale. */
  newest(id: MessageId): Message | undefined {
    return this.#last.get(id)?.recorded.turn.message
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

  /** The turn is written or refused. Names its message where nothing newer than what is refused is left of it. */
  #leave(each: Waiting): readonly MessageId[] {
    const { id } = each.recorded.turn.message
    const last = this.#last.get(id)
    if (last === undefined || (last !== each && !standsOnStale(last))) return []
    this.#last.delete(id)
    return standsOnStale(last) ? [id] : []
  }

  /** From now on a store that fails is not waited for. Resolves when turns were given up for that, if ever. */
  hurry(): Promise<void> {
    return this.#writer.hurry()
  }

  /** The same; resolves once everything is written or given up. */
  close(): Promise<void> {
    return this.#writer.close()
  }
}

function standsOnStale(waiting: Waiting): boolean {
  for (let each: Waiting | undefined = waiting; each !== undefined; each = each.from) if (each.isStale) return true
  return false
}

/** What stands on a stale turn is stale: the store sees only that the number of its version fits. */
function isSound(each: Waiting): boolean {
  each.isStale = each.from?.isStale === true
  return !each.isStale
}

/** `stale` has a message once for each of its turns that was refused, and they are its last ones. */
function markRefused(asked: readonly Waiting[], stale: readonly MessageId[]): void {
  const refused = new Map([...Map.groupBy(stale, (id) => id)].map(([id, all]) => [id, all.length]))
  for (const each of asked.toReversed()) {
    const { id } = each.recorded.turn.message
    const left = refused.get(id) ?? 0
    each.isStale = left > 0
    refused.set(id, left - 1)
  }
}
