/**
 * Fast path for plain requests: a GET without a body, or a POST of JSON with Content-Length, over HTTP/1.1 to a path
 * that supports it. At the first request that differs, the connection passes permanently to Node's HTTP server with all
 * its bytes, so nothing is parsed more leniently than by Node.
 */
import type { Socket } from 'node:net'
import type { Clock } from '../../ports/system/clock.ts'
import { ArrivalWatch } from './arrival-watch.ts'
import { PlainConnection, type PlainConnectionTools } from './plain-connection.ts'
import { PlainHeads } from './plain-head.ts'
import type { ReadTurns } from './read-turns.ts'

export interface PlainSetup {
  readonly clock: Clock
  readonly turns: ReadTurns
  /** Passes the connection to Node's server, which reads `bytes` first. */
  readonly pass: (socket: Socket, client: number, bytes: Buffer) => void
}

export class PlainConnections {
  readonly heads = new PlainHeads()
  readonly #clock: Clock
  readonly #tools: PlainConnectionTools
  readonly #connections = new Set<PlainConnection>()
  #stopping = false
  /** Headers of all answers of this second; empty before the first one. */
  #fields = ''
  #lastFields = ''

  constructor({ clock, turns, pass }: PlainSetup) {
    this.#clock = clock
    this.#tools = {
      heads: this.heads,
      turns,
      arrivals: new ArrivalWatch(clock),
      isStopping: () => this.#stopping,
      answerFields: (isLast) => this.#answerFields(isLast),
      leave: (connection, socket, bytes) => {
        this.#connections.delete(connection)
        pass(socket, connection.client, this.heads.escape(bytes))
      },
    }
  }

  /** Takes a connection without any request yet. `client`: of its turns. */
  take(socket: Socket, client: number): void {
    const connection = new PlainConnection(socket, client, this.#tools)
    this.#connections.add(connection)
    socket.once('close', () => this.#connections.delete(connection))
    connection.open()
  }

  /** Closes every connection after its next answer. */
  giveNotice(): void {
    this.#stopping = true
  }

  /** Closes idle connections; those with a request in progress or received close after its answer. */
  stop(): void {
    this.giveNotice()
    // Waits two rounds of the event loop, which read everything that has arrived; closing earlier would lose it.
    setImmediate(() => setImmediate(() => this.#closeIdle()))
  }

  /** Closes all connections except those whose complete request is in progress. */
  closeUnanswered(): void {
    for (const connection of this.#connections) connection.closeUnlessAnswering()
  }

  #closeIdle(): void {
    for (const connection of this.#connections) connection.closeWhenIdle()
  }

  /** Headers of an answer, up to its length. */
  #answerFields(isLast: boolean): string {
    if (this.#fields === '') {
      const now = this.#clock.now()
      const date = `Date: ${new Date(now).toUTCString()}\r\nConnection: `
      this.#fields = `${date}keep-alive\r\nContent-Length: `
      this.#lastFields = `${date}close\r\nContent-Length: `
      this.#clock.after(1_000 - (now % 1_000), () => {
        this.#fields = ''
      })
    }
    return isLast ? this.#lastFields : this.#fields
  }
}
