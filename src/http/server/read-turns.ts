/**
 * Decides which connection of a server reads on, so that no client holds up others by sending requests, or long bodies,
 * without waiting for answers. In one turn of the event loop, a connection reads a few requests, or a piece of a body,
 * at once. Then it waits with its socket paused: clients take turns, then the connections of a client, and a turn
 * serves a bounded number.
 */
import { FairQueue } from '../../domain/structures/fair-queue.ts'

/** What a request counts as at least, bytes. */
const MIN_BYTES = 2 * 1024
/** Small requests of one connection in one turn of the event loop; also those that it reads when its turn comes. */
export const MAX_OF_CONNECTION = 8
/** Their bytes, or those of a body. Exceeded by the last one. */
export const MAX_BYTES_OF_CONNECTION = MAX_OF_CONNECTION * MIN_BYTES
/** Bytes that all connections read at once in one turn of the event loop. */
const MAX_AT_ONCE = 16 * MAX_BYTES_OF_CONNECTION
/** Connections that have their turn in one turn of the event loop. */
export const MAX_SERVED = 4

/**
 * Received bytes of all connections that wait, and of those of one client. Exceeding them closes a connection: nothing
 * of what it sent has been executed.
 */
const MAX_WAITING = 128 * 1024 * 1024
export const MAX_WAITING_OF_CLIENT = 32 * 1024 * 1024

/** A connection with requests to read. */
export interface ReadingConnection {
  /** Connections with the same number are those of one client. */
  readonly client: number
  /** Of `ReadTurns` alone. */
  readonly taken: { turn: number; bytes: number }
  /** Received and not read. */
  readonly waitingBytes: number
  /** It may read on: each request, or piece of a body, needs another call of `take`. */
  read(): void
  /** There is no room for what it has received. */
  close(): void
}

interface Waiting {
  readonly reader: ReadingConnection
  readonly bytes: number
}

export class ReadTurns {
  readonly #waiting = new FairQueue<Waiting>({
    tenantOf: ({ reader }) => reader.client,
    costOf: () => 1,
    turnOf: () => 1,
  })
  /** Of those that wait: in all, and by client. */
  #bytes = 0
  readonly #bytesOf = new Map<number, number>()
  #turn = 1
  /** Bytes left of what may be read at once. */
  #left = MAX_AT_ONCE
  #scheduled = false

  /**
   * Returns whether the reader may read a request or a piece of a body now, and count its bytes then. If not, `read` is
   * called when its turn comes.
   */
  take(reader: ReadingConnection): boolean {
    this.#schedule()
    const { taken } = reader
    if (taken.turn !== this.#turn) {
      taken.turn = this.#turn
      taken.bytes = 0
    }
    if (this.#left > 0 && taken.bytes < MAX_BYTES_OF_CONNECTION) {
      this.#count(reader, MIN_BYTES)
      return true
    }
    this.#wait(reader)
    return false
  }

  /** Counts what the reader reads after `take`. */
  count(reader: ReadingConnection, bytes: number): void {
    if (bytes > MIN_BYTES) this.#count(reader, bytes - MIN_BYTES)
  }

  #count({ taken }: ReadingConnection, bytes: number): void {
    this.#left -= bytes
    taken.bytes += bytes
  }

  #wait(reader: ReadingConnection): void {
    const { client, waitingBytes: bytes } = reader
    const ofClient = (this.#bytesOf.get(client) ?? 0) + bytes
    if (ofClient > MAX_WAITING_OF_CLIENT || this.#bytes + bytes > MAX_WAITING) {
      reader.close()
      return
    }
    this.#bytes += bytes
    this.#bytesOf.set(client, ofClient)
    this.#waiting.push({ reader, bytes })
  }

  /** Removes the first of those that wait. */
  #next(): ReadingConnection | null {
    const next = this.#waiting.first
    if (next === undefined) return null
    const { reader, bytes } = next
    this.#waiting.shift()
    this.#bytes -= bytes
    const left = (this.#bytesOf.get(reader.client) ?? 0) - bytes
    if (left > 0) this.#bytesOf.set(reader.client, left)
    else this.#bytesOf.delete(reader.client)
    return reader
  }

  #schedule(): void {
    if (this.#scheduled) return
    this.#scheduled = true
    setImmediate(this.#endTurn)
  }

  readonly #endTurn = (): void => {
    this.#scheduled = false
    this.#turn += 1
    for (let served = 0; served < MAX_SERVED; served += 1) {
      const reader = this.#next()
      if (reader === null) break
      this.#left = MAX_BYTES_OF_CONNECTION
      reader.taken.bytes = 0
      reader.read()
    }
    this.#left = MAX_AT_ONCE
    if (this.#waiting.length > 0) this.#schedule()
  }
}
