/**
 * Writes turns to the store in order, in batches. A batch that fails is retried until it succeeds; the carriers'
 * windows stay occupied until then, which stops new attempts.
 */

import type { MessageId } from '../../domain/ids/message-id.ts'
import type { Message } from '../../domain/message/message.ts'
import { IdMap } from '../../domain/structures/id-map.ts'
import type { DeliveryStore, RecordedTurn, RecordOutcome } from '../../ports/stores/delivery-store.ts'
import type { Clock } from '../../ports/system/clock.ts'
import type { Log } from '../../ports/system/log.ts'
import { BatchWriter } from '../queues/batch-writer.ts'

const MAX_BATCH = 2_000

const NOTHING: RecordOutcome = { stale: [], elsewhere: [], earlyReceipts: [], queuedReports: [] }

const DONE = (): void => {}

/** A turn that is not on disk yet. Emptied afterwards: an old table of a map may refer to it (message-cache.ts). */
interface Waiting {
  recorded: RecordedTurn | null
  readonly id: MessageId
  /** The preceding turn of the same message, if it was not on disk yet. */
  from: Waiting | undefined
  done: (recorded: boolean) => void
  isStale: boolean
  /** A call with it has failed, and may have been written. */
  wasTried: boolean
}

export interface RecordedBatch {
  /** The turns that are on disk. */
  readonly written: readonly RecordedTurn[]
  /** Messages whose newest state here came from a refused turn. */
  readonly overturned: readonly MessageId[]
  readonly outcome: RecordOutcome
}

export class TurnRecorder {
  readonly #writer: BatchWriter<Waiting>
  /** The last turn of each message that is not on disk yet. */
  readonly #last = new IdMap<MessageId, Waiting>()

  /** Calls `onRecorded` with each batch that is on disk, before the promises of its turns resolve. */
  constructor(
    tools: { readonly store: DeliveryStore; readonly clock: Clock; readonly log: Log },
    onRecorded: (recorded: RecordedBatch) => void,
  ) {
    this.#writer = new BatchWriter(tools, 'turns', MAX_BATCH, async (batch) => {
      const sound = batch.filter(isSound)
      const outcome = sound.length === 0 ? NOTHING : await tools.store.record(takeForWrite(sound))
      markRefused(sound, outcome.stale)
      onRecorded(this.#leaveAll(batch, outcome))
      for (const each of batch) {
        const { done } = each
        each.done = DONE
        done(!each.isStale)
      }
    })
  }

  get idle(): boolean {
    return this.#writer.idle
  }

  /** Turns that are not on disk yet. */
  get size(): number {
    return this.#writer.size
  }

  /** Returns the newest state of a message with unwritten turns, unless it is known to be stale. */
  newest(id: MessageId): Message | undefined {
    return this.#last.get(id)?.recorded?.turn.message
  }

  /** Resolves as `record` does for the newest unwritten turn of the message; null if all of them are on disk. */
  untilWritten(id: MessageId): Promise<boolean> | null {
    const last = this.#last.get(id)
    if (last === undefined) return null
    const { done } = last
    return new Promise((resolve) => {
      last.done = (isWritten) => {
        done(isWritten)
        resolve(isWritten)
      }
    })
  }

  /** Calls `done` with true once the turn is on disk; with false if it is stale and was not written. */
  record(recorded: RecordedTurn, done: (isWritten: boolean) => void): void {
    const { id } = recorded.turn.message
    const waiting: Waiting = { recorded, id, from: this.#last.get(id), done, isStale: false, wasTried: false }
    this.#last.set(id, waiting)
    this.#writer.add(waiting)
  }

  /** Removes and empties written or refused turns. */
  #leaveAll(batch: readonly Waiting[], outcome: RecordOutcome): RecordedBatch {
    const written: RecordedTurn[] = []
    const overturned: MessageId[] = []
    for (const each of batch) if (this.#leave(each)) overturned.push(each.id)
    for (const each of batch) {
      if (!each.isStale && each.recorded !== null) written.push(each.recorded)
      each.from = undefined
      each.recorded = null
    }
    return { written, overturned, outcome }
  }

  /** Removes a written or refused turn. Returns whether the newest state of its message here is refused. */
  #leave(each: Waiting): boolean {
    const { id } = each
    const last = this.#last.get(id)
    if (last === undefined) return false
    const isOverturned = standsOnStale(last)
    if (last !== each && !isOverturned) return false
    this.#last.delete(id)
    return isOverturned
  }

  /** Gives up turns whose write fails from now on. Resolves once one was given up, if ever. */
  hurry(): Promise<void> {
    return this.#writer.hurry()
  }

  /** As `hurry`, but resolves once every turn is written or given up. */
  close(): Promise<void> {
    return this.#writer.close()
  }
}

function standsOnStale(waiting: Waiting): boolean {
  for (let each: Waiting | undefined = waiting; each !== undefined; each = each.from) if (each.isStale) return true
  return false
}

function takeForWrite(batch: readonly Waiting[]): readonly RecordedTurn[] {
  const taken: RecordedTurn[] = []
  for (const each of batch) {
    const { recorded, wasTried } = each
    each.wasTried = true
    if (recorded !== null) taken.push(wasTried ? { ...recorded, again: true } : recorded)
  }
  return taken
}

/**
 * A turn after a stale one is stale too; the store compares version numbers only and cannot see that. One that was
 * refused stays so: the batch comes again if a callback throws.
 */
function isSound(each: Waiting): boolean {
  each.isStale ||= each.from?.isStale === true
  return !each.isStale
}

/** `stale` has a message once for each refused turn; these are its last turns. */
function markRefused(turns: readonly Waiting[], stale: readonly MessageId[]): void {
  if (stale.length === 0) return
  const refused = new Map([...Map.groupBy(stale, (id) => id)].map(([id, all]) => [id, all.length]))
  for (const each of turns.toReversed()) {
    const { id } = each
    const left = refused.get(id) ?? 0
    each.isStale = left > 0
    refused.set(id, left - 1)
  }
}
