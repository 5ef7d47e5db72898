/** The thread that writes bare rows (bare-rows.ts) as a bare server sees it. */
import { Worker } from 'node:worker_threads'
import type { BareRows, WrittenRows } from './bare-rows.ts'

export class BareWriter {
  readonly #thread = new Worker(new URL('./bare-rows.ts', import.meta.url))
  readonly #written: (() => void)[][] = []
  #rows: BareRows[] = []
  #done: (() => void)[] = []

  constructor() {
    this.#thread.on('message', ({ batches }: WrittenRows) => {
      for (let each = 0; each < batches; each += 1) for (const done of this.#written.shift() ?? []) done()
    })
  }

  /** Calls `done` when the rows are on disk; those of one turn of the event loop go over together, as JSON. */
  write(rows: BareRows, done: () => void): void {
    if (this.#rows.length === 0) setImmediate(() => this.#send())
    this.#rows.push(rows)
    this.#done.push(done)
  }

  #send(): void {
    this.#thread.postMessage(JSON.stringify(this.#rows))
    this.#written.push(this.#done)
    this.#rows = []
    this.#done = []
  }
}
