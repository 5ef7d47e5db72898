/**
 * Feeds Node's HTTP reader with one connection that left the fast path. Node answers all requests in what it is given
 * before any other work, so it gets small pieces, in turn with other connections (read-turns.ts).
 *
 * Of requests that a client sends without waiting for answers, those that were begun are all answered, also if the
 * client has half-closed, and if what follows is no request; nothing of the others is executed.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { ReadingConnection, ReadTurns } from './read-turns.ts'
import { isRefused, MAX_REFUSALS } from './refusals.ts'

/** A piece ends with an empty line, as each head does, or has at most so many lines and bytes. */
const MAX_LINES = 32
const MAX_PIECE_BYTES = 16 * 1024
/** Maximum requests being answered; the next one is read when one of them is. */
const MAX_OPEN = 32
const LINE_FEED = 0x0a

export class NodeConnection implements ReadingConnection {
  readonly client: number
  readonly taken = { turn: 0, bytes: 0 }
  readonly #socket: Socket
  readonly #turns: ReadTurns
  /** Node's listeners. */
  readonly #toNode: { readonly data: (bytes: Buffer) => void; readonly end: () => void }
  /** In the order of the requests. */
  readonly #open = new Set<ServerResponse<IncomingMessage>>()
  /** Received, and not yet given to Node. */
  #bytes: Buffer | null = null
  /** Bytes of the body whose length is known. */
  #bodyLeft = 0
  #waiting = false
  /** Until one of the open requests is answered. */
  #isFull = false
  /** After it the connection closes. */
  #last: IncomingMessage | null = null
  #hasEnded = false
  /** What follows is no request. */
  #fault: Error | null = null
  #refusals = 0

  /** Node's server has just taken the socket. The client may have half-closed. */
  constructor(socket: Socket, client: number, turns: ReadTurns) {
    this.#socket = socket
    this.client = client
    this.#turns = turns
    this.#toNode = { data: takeListener(socket, 'data'), end: takeListener(socket, 'end') }
    this.#hasEnded = socket.readableEnded
    socket.on('data', (bytes) => this.receive(bytes))
    socket.on('resume', () => this.#feed())
    socket.on('end', () => {
      this.#hasEnded = true
      this.#endForNode()
    })
  }

  receive(bytes: Buffer): void {
    this.#bytes = this.#bytes === null ? bytes : Buffer.concat([this.#bytes, bytes])
    this.#feed()
  }

  /** Node has read the head of a request. */
  begin(request: IncomingMessage, response: ServerResponse<IncomingMessage>, isLast: boolean): void {
    const { headers } = request
    this.#bodyLeft = headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : 0
    this.#open.add(response)
    response.once('close', () => this.#answered(response))
    if (isLast || this.#refusals >= MAX_REFUSALS) this.endWith(response)
  }

  /** Closes the connection after this answer, unless it was begun. What follows the request is not executed. */
  endWith(response: ServerResponse<IncomingMessage>): void {
    if (response.headersSent) return
    response.shouldKeepAlive = false
    this.#last = response.req
  }

  /** Closes the connection after the last answer of the requests that were begun. */
  giveNotice(): void {
    const last = [...this.#open].at(-1)
    if (last !== undefined) this.endWith(last)
  }

  /** Refuses what is no request, once the requests before it are answered. */
  fail(fault: Error): void {
    this.#fault ??= fault
    this.#refuseFault()
  }

  closeUnlessAnswering(): void {
    const isAnswering = [...this.#open].some(({ req, writableEnded }) => req.complete && !writableEnded)
    if (!isAnswering) this.#socket.destroy()
  }

  /** For its turn to read what it has received. */
  get isWaiting(): boolean {
    return this.#waiting
  }

  get waitingBytes(): number {
    return this.#bytes?.length ?? 0
  }

  close(): void {
    this.#socket.destroy()
  }

  /** Its turn has come. */
  read(): void {
    this.#waiting = false
    this.#socket.resume()
    this.#feed()
  }

  #feed(): void {
    const socket = this.#socket
    while (this.#bytes !== null && !socket.destroyed) {
      if (this.#fault !== null || this.#last?.complete === true) {
        // What follows the last request is not executed.
        this.#bytes = null
      } else if (socket.isPaused() || !this.#mayRead()) {
        // Node pauses it for clients that do not read, and for bodies that are not consumed.
        socket.pause()
        return
      } else {
        this.#feedPiece(this.#bytes)
      }
    }
    if (this.#hasEnded) this.#endForNode()
  }

  #feedPiece(bytes: Buffer): void {
    const end = this.#bodyLeft > 0 ? Math.min(bytes.length, this.#bodyLeft) : endOfPiece(bytes)
    this.#bodyLeft = Math.max(0, this.#bodyLeft - end)
    this.#bytes = end === bytes.length ? null : bytes.subarray(end)
    this.#turns.count(this, end)
    this.#toNode.data(bytes.subarray(0, end))
  }

  #mayRead(): boolean {
    this.#isFull = this.#bodyLeft === 0 && this.#open.size >= MAX_OPEN && this.#isWhole
    if (this.#isFull || this.#waiting) return false
    this.#waiting = !this.#turns.take(this)
    return !this.#waiting
  }

  /** Whether all open requests have arrived. */
  get #isWhole(): boolean {
    return [...this.#open].every(({ req }) => req.complete)
  }

  #answered(response: ServerResponse<IncomingMessage>): void {
    this.#open.delete(response)
    this.#refusals = isRefused(response) ? this.#refusals + 1 : 0
    if (this.#isFull) {
      this.#isFull = false
      this.#socket.resume()
    }
    if (this.#fault !== null) this.#refuseFault()
    else if (this.#hasEnded) this.#endForNode()
  }

  get #isAnswering(): boolean {
    return [...this.#open].some(({ req }) => req.complete)
  }

  #endForNode(): void {
    if (this.#bytes === null && !this.#isAnswering && !this.#socket.destroyed) this.#toNode.end()
  }

  #refuseFault(): void {
    const socket = this.#socket
    if (this.#isAnswering) return
    const isBegun = [...this.#open].some(({ headersSent }) => headersSent)
    if (socket.writable && !isBegun) socket.write(`HTTP/1.1 ${statusOf(this.#fault)}\r\nConnection: close\r\n\r\n`)
    socket.destroy()
  }
}

/** Removes and returns the only listener. */
function takeListener(socket: Socket, event: 'data' | 'end'): (...bytes: readonly Buffer[]) => void {
  const listeners = socket.listeners(event) as ((...bytes: readonly Buffer[]) => void)[]
  socket.removeAllListeners(event)
  return (...bytes) => {
    for (const listener of listeners) listener.apply(socket, [...bytes])
  }
}

function endOfPiece(bytes: Buffer): number {
  const max = Math.min(bytes.length, MAX_PIECE_BYTES)
  let line = 0
  for (let lines = 0; lines < MAX_LINES; lines += 1) {
    const end = bytes.indexOf(LINE_FEED, line) + 1
    if (end === 0 || end > max) return max
    // Only a carriage return, or nothing.
    if (end - line <= 2 && lines > 0) return end
    line = end
  }
  return line
}

function statusOf(fault: Error | null): string {
  const code = fault !== null && 'code' in fault ? fault.code : ''
  if (code === 'HPE_HEADER_OVERFLOW') return '431 Request Header Fields Too Large'
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') return '413 Payload Too Large'
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? '408 Request Timeout' : '400 Bad Request'
}
