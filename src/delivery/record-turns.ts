/**
 * Writes turns to the store, in order, one batch at a time: what is decided while a batch is being written forms the
 * next. A store that fails is tried again with the same batch until it works, so that no decision is ever lost while
 * the process lives; the carriers' windows stay taken meanwhile, which is what holds the traffic back.
 */
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { RecordedTurn, RecordOutcome, Store } from '../ports/store.ts'

const FIRST_RETRY_MS = 100
const LONGEST_RETRY_MS = 5_000

interface Waiting {
  readonly recorded: RecordedTurn
  readonly done: (recorded: boolean) => void
}

export class TurnRecorder {
  readonly #store: Store
  readonly #clock: Clock
  readonly #log: Log
  readonly #onRecorded: (batch: readonly RecordedTurn[], outcome: RecordOutcome) => void
  #gathered: Waiting[] = []
  #writing = false
  #retries = 0

  /** `onRecorded` hears of each batch as soon as it is on disk, before the promises of its turns resolve. */
  constructor(
    tools: { readonly store: Store; readonly clock: Clock; readonly log: Log },
    onRecorded: (batch: readonly RecordedTurn[], outcome: RecordOutcome) => void,
  ) {
    this.#store = tools.store
    this.#clock = tools.clock
    this.#log = tools.log
    this.#onRecorded = onRecorded
  }

  get idle(): boolean {
    return !this.#writing && this.#gathered.length === 0
  }

  /** True once the turn is on disk; false when it is stale, and nothing of it was written. */
  record(recorded: RecordedTurn): Promise<boolean> {
    return new Promise((done) => {
      this.#gathered.push({ recorded, done })
      if (this.#writing) return
      this.#writing = true
      // Whatever the same round of the event loop decides goes into the same batch.
      queueMicrotask(() => this.#write(this.#takeGathered()))
    })
  }

  #takeGathered(): readonly Waiting[] {
    const batch = this.#gathered
    this.#gathered = []
    return batch
  }

  #write(batch: readonly Waiting[]): void {
    const turns = batch.map((each) => each.recorded)
    this.#store.record(turns).then(
      (outcome) => {
        this.#retries = 0
        this.#onRecorded(turns, outcome)
        const stale = new Set(outcome.stale)
        for (const each of batch) each.done(!stale.has(each.recorded.turn.message.id))
        if (this.#gathered.length > 0) this.#write(this.#takeGathered())
        else this.#writing = false
      },
      (error: Error) => {
        this.#log.error({ error, turns: turns.length }, 'the store refuses to record; trying again')
        const wait = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** this.#retries)
        this.#retries += 1
        this.#clock.after(wait, () => this.#write(batch))
      },
    )
  }
}
