/**
 * Request bodies in bounded memory. A body that is too large is no longer kept but still read, to a bound, because a
 * client that is cut off while it writes never sees the answer.
 */
import type { IncomingMessage } from 'node:http'

/** Bytes read and thrown away after a refusal; then the connection is cut. */
const DISCARDED_MOST = 64 * 1024 * 1024

const EMPTY = Buffer.alloc(0)

/** Calls `done` once: with the body, or with null as soon as it is larger than `mostBytes`. Not at all when it breaks off. */
export function readBody(request: IncomingMessage, mostBytes: number, done: (body: Buffer | null) => void): void {
  let first: Buffer | null = null
  let chunks: Buffer[] | null = null
  let size = 0
  const take = (chunk: Buffer): void => {
    size += chunk.length
    if (size > mostBytes) {
      first = null
      chunks = null
      request.off('data', take)
      request.off('end', finish)
      discardBody(request)
      done(null)
    } else if (first === null) {
      first = chunk
    } else if (chunks === null) {
      chunks = [first, chunk]
    } else {
      chunks.push(chunk)
    }
  }
  const finish = (): void => done(chunks === null ? (first ?? EMPTY) : Buffer.concat(chunks, size))
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
