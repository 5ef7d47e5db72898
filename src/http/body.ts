/**
 * Request bodies in bounded memory. A body that is not wanted is no longer kept but still read, to a bound, because a
 * client that is cut off while it writes never sees the answer.
 */
import type { IncomingMessage } from 'node:http'

/** What the requests that run at one time may take together. */
export class BodyBudget {
  readonly #mostBytes: number
  #bytes = 0

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes
  }

  /** False, and nothing is taken, when there is not so much left. */
  take(bytes: number): boolean {
    if (this.#bytes + bytes > this.#mostBytes) return false
    this.#bytes += bytes
    return true
  }

  giveBack(bytes: number): void {
    this.#bytes -= bytes
  }
}

/** Bytes read and thrown away after a refusal; then the connection is cut. */
const DISCARDED_MOST = 64 * 1024 * 1024

/** Calls `done` once: with the body, or with null as soon as it is larger than `mostBytes`. Not at all when it breaks off. */
export function readBody(request: IncomingMessage, mostBytes: number, done: (body: Buffer | null) => void): void {
  let size = 0
  const room = (bytes: number): boolean => {
    size += bytes
    return size <= mostBytes
  }
  readBodyWhile(request, room, done)
}

/** The same for as long as `room` says that the next bytes may be kept. */
export function readBodyWhile(
  request: IncomingMessage,
  room: (bytes: number) => boolean,
  done: (body: Buffer | null) => void,
): void {
  const chunks: Buffer[] = []
  const take = (chunk: Buffer): void => {
    if (room(chunk.length)) {
      chunks.push(chunk)
      return
    }
    chunks.length = 0
    request.off('data', take)
    request.off('end', finish)
    discardBody(request)
    done(null)
  }
  const finish = (): void => {
    const first = chunks[0]
    done(chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks))
  }
  request.on('data', take)
  request.on('end', finish)
}

/** Reads what is left of a body and keeps nothing of it. */
export function discardBody(request: IncomingMessage): void {
  let size = 0
  request.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > DISCARDED_MOST) request.socket.destroy()
  })
}
