/**
 * Tells the other nodes in which buckets something is due that they are to take. Only a hint: whoever misses it, because
 * notifications do not come through to him, finds the same when he looks again (next-due.ts).
 */
import type { Clock } from '../../ports/clock.ts'
import type { Link } from './link.ts'
import type { Read } from './reader.ts'
import { rare } from './statement.ts'

const CHANNEL = 'posthorn_due'
/** Notifications are a lock over the whole database at each commit, so there are few of them. */
const RING_EVERY_MS = 20

const NOTIFY = rare(`SELECT pg_notify('${CHANNEL}', $1)`)

export interface BellTools {
  readonly node: number
  readonly clock: Clock
  readonly write: Read
}

export class Bell {
  readonly #tools: BellTools
  readonly #buckets = new Set<number>()
  #isResting = false

  constructor(tools: BellTools) {
    this.#tools = tools
  }

  ring(bucket: number): void {
    this.#buckets.add(bucket)
    if (!this.#isResting) this.#send()
  }

  #send(): void {
    const { node, clock, write } = this.#tools
    const told = `${node} ${[...this.#buckets].join(' ')}`
    this.#buckets.clear()
    this.#isResting = true
    clock.after(RING_EVERY_MS, () => {
      this.#isResting = false
      if (this.#buckets.size > 0) this.#send()
    })
    write((link) => link.ask(NOTIFY, told)).catch(() => {})
  }
}

/** Hears, on this connection, of buckets in which others have left something. */
export async function listen(link: Link, onRing: (from: number, buckets: readonly number[]) => void): Promise<void> {
  link.onNotification(CHANNEL, (told) => {
    const [from = 0, ...buckets] = told.split(' ').map(Number)
    onRing(from, buckets)
  })
  await link.run(`LISTEN ${CHANNEL}`)
}
