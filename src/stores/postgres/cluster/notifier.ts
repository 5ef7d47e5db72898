/**
 * Notifies other nodes of the buckets in which something is due. Only a hint: a node that misses it finds the same at
 * its next look (next-due.ts).
 */
import type { Clock } from '../../../ports/system/clock.ts'
import type { Connection } from '../connection/connection.ts'
import type { Read } from '../connection/reader.ts'
import { rare } from '../connection/statement.ts'

const CHANNEL = 'posthorn_due'
/** A notification takes a lock over the whole database at commit, so there are few of them. */
const NOTIFY_EVERY_MS = 20

const NOTIFY = rare(`SELECT pg_notify('${CHANNEL}', $1)`)

export interface NotifierTools {
  readonly node: number
  readonly clock: Clock
  readonly write: Read
}

export class Notifier {
  readonly #tools: NotifierTools
  readonly #buckets = new Set<number>()
  #isResting = false

  constructor(tools: NotifierTools) {
    this.#tools = tools
  }

  notify(bucket: number): void {
    this.#buckets.add(bucket)
    if (!this.#isResting) this.#send()
  }

  #send(): void {
    const { node, clock, write } = this.#tools
    const payload = `${node} ${[...this.#buckets].join(' ')}`
    this.#buckets.clear()
    this.#isResting = true
    clock.after(NOTIFY_EVERY_MS, () => {
      this.#isResting = false
      if (this.#buckets.size > 0) this.#send()
    })
    write((connection) => connection.query(NOTIFY, payload)).catch(() => {})
  }
}

/** Listens on this connection for buckets in which other nodes left something. */
export async function listenForBuckets(
  connection: Connection,
  onNotified: (from: number, buckets: readonly number[]) => void,
): Promise<void> {
  connection.onNotification(CHANNEL, (payload) => {
    const [from = 0, ...buckets] = payload.split(' ').map(Number)
    onNotified(from, buckets)
  })
  await connection.run(`LISTEN ${CHANNEL}`)
}
