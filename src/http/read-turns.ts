/**
 * Decides which connection of a server reads its next request, so that no client holds up others by sending requests
 * without waiting for answers. In one turn of the event loop, a connection reads a few requests at once. Then it waits
 * with its socket paused: clients take turns, then the connections of a client, and a turn serves a bounded number.
 */
import { FairQueue } from '../domain/fair-queue.ts'

/** Requests that all connections read at once in one turn of the event loop. */
const MAX_AT_ONCE = 128
/** Of these, requests of one connection; also those that it reads when its turn comes. */
export const MAX_OF_CONNECTION = 8
/** Connections that have their turn in one turn of the event loop. */
export const MAX_SERVED = 4

/** A connection with requests to read. */
export interface Reader {
  /** Connections with the same number are those of one client. */
  readonly client: number
  /** Of `ReadTurns` alone. */
  readonly taken: { turn: number; requests: number }
  /** It may read on: each request needs another call of `take`. */
  read(): void
}

export class ReadTurns {
  readonly #waiting = new FairQueue<Reader>({
    tenantOf: ({ client }) => client,
    groupOf: (client) => client,
    weightOf: () => 1,
    costOf: () => 1,
    turnOf: () => 1,
  })
  #turn = 1
  #left = MAX_AT_ONCE
  #scheduled = false

  /** Returns whether the reader may read a request now. Otherwise `read` is called when its turn comes. */
  take(reader: Reader): boolean {
    this.#schedule()
    const { taken } = reader
    if (taken.turn !== this.#turn) {
      taken.turn = this.#turn
      taken.requests = 0
    }
    if (this.#left > 0 && taken.requests < MAX_OF_CONNECTION) {
      this.#left -= 1
      taken.requests += 1
      return true
    }
    this.#waiting.push(reader)
    return false
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
      const reader = this.#waiting.first
      if (reader === undefined) break
      this.#waiting.shift()
      this.#left = MAX_OF_CONNECTION
      reader.taken.requests = 0
      reader.read()
    }
    this.#left = MAX_AT_ONCE
    if (this.#waiting.length > 0) this.#schedule()
  }
}
