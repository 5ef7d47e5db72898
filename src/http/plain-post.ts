/**
 * Fast path for plain requests: a POST of JSON with Content-Length over HTTP/1.1 to a path that supports it. At the
 * first request that differs, the connection passes permanently to Node's HTTP server with all its bytes, so nothing is
 * parsed more leniently than by Node.
 */
import type { Socket } from 'node:net'
import type { Clock } from '../ports/clock.ts'
import { type Arrival, ArrivalWatch } from './arrival-watch.ts'
import { type BodyHold, GrowingBody } from './body.ts'
import type { RequestOrigin } from './client-address.ts'
import { type PlainHead, parsePlainHead } from './plain-head.ts'
import { writeJson } from './write-json.ts'

export interface PlainPostRequest {
  readonly body: Buffer
  /** Reservation of a body that came in pieces; `answer` releases it. Null for one that came complete. */
  readonly hold: BodyHold | null
  readonly idempotencyKey: string | null
  readonly traceparent: string | null
  readonly origin: RequestOrigin
}

/** JSON text of a 200. `release` is called when it is sent. */
export interface PlainAnswer {
  readonly text: string
  readonly release: () => void
}

/** A path that accepts plain POSTs. */
export interface PlainPostPath {
  /** Longer bodies are not plain. */
  readonly maxBodyBytes: number
  /** Reserves memory for a body that comes in pieces. */
  open(origin: RequestOrigin): BodyHold
  /** Never rejects. */
  answer(request: PlainPostRequest): Promise<PlainAnswer>
}

export interface PlainPostSetup {
  /** By exact path. */
  readonly paths: ReadonlyMap<string, PlainPostPath>
  readonly clock: Clock
  /** Passes the connection to Node's server, which reads `bytes` first. */
  readonly pass: (socket: Socket, bytes: Buffer) => void
}

const MAX_HEAD_BYTES = 4 * 1024
/** Maximum bytes waiting behind a request in progress. */
const MAX_WAITING_BYTES = 16 * 1024
/** Maximum bytes of unread answers; beyond it no further request is read. */
const MAX_UNREAD_BYTES = 128 * 1024
/** Timeout of the first byte of a connection: long enough for a gateway that lags behind in reading. */
const FIRST_BYTE_MS = 30_000
/** Timeout of the first byte of a further request. */
const IDLE_MS = 65_000

const HEAD_END = '\r\n\r\n'

type Head = PlainHead<PlainPostPath>

/** Cache of recent heads: clients send the same again and again. Heads of one request alone are not cached. */
const MAX_HEADS = 500

export class PlainPosts {
  readonly #setup: PlainPostSetup
  readonly #heads = new Map<string, Head>()
  readonly #connections = new Set<PlainConnection>()
  /** Watches requests that come in pieces. */
  readonly arrivals: ArrivalWatch
  #stopping = false
  #dateAt = 0
  #date = ''

  constructor(setup: PlainPostSetup) {
    this.#setup = setup
    this.arrivals = new ArrivalWatch(setup.clock)
  }

  get stopping(): boolean {
    return this.#stopping
  }

  /** Connections without any request yet. */
  take(socket: Socket): void {
    const connection = new PlainConnection(socket, this, this.#setup)
    this.#connections.add(connection)
    socket.once('close', () => this.#connections.delete(connection))
    connection.open()
  }

  left(connection: PlainConnection): void {
    this.#connections.delete(connection)
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

  /** Returns the parsed head; null if the request is not plain. */
  readHead(text: string): Head | null {
    const known = this.#heads.get(text)
    if (known !== undefined) return known
    const head = parsePlainHead(text, this.#setup.paths)
    if (head !== null && head.idempotencyKey === null && head.traceparent === null) {
      if (this.#heads.size >= MAX_HEADS) this.#heads.clear()
      this.#heads.set(text, head)
    }
    return head
  }

  /** Head of an answer up to its length. */
  answerHead(): string {
    const now = this.#setup.clock.now()
    if (now - this.#dateAt >= 1_000 || now < this.#dateAt) {
      this.#dateAt = now - (now % 1_000)
      this.#date = new Date(now).toUTCString()
    }
    const connection = this.#stopping ? 'close' : 'keep-alive'
    return `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nDate: ${this.#date}\r\nConnection: ${connection}\r\nContent-Length: `
  }
}

/** A request with a complete head and an incomplete body. */
interface Rest {
  readonly head: Head
  /** Bytes from the head on. */
  readonly all: GrowingBody
  /** Offset of the body. */
  readonly bodyAt: number
  readonly hold: BodyHold
}

class PlainConnection {
  readonly #socket: Socket
  readonly #owner: PlainPosts
  readonly #setup: PlainPostSetup
  /** Unparsed bytes: an incomplete head, or what followed a request. */
  #bytes: Buffer | null = null
  #rest: Rest | null = null
  #arrival: Arrival | null = null
  #answering = false
  /** The client has not read a long answer yet. */
  #unread = false
  /** Bytes have arrived on the connection. */
  #isBegun = false

  constructor(socket: Socket, owner: PlainPosts, setup: PlainPostSetup) {
    this.#socket = socket
    this.#owner = owner
    this.#setup = setup
  }

  open(): void {
    const socket = this.#socket
    socket.setTimeout(FIRST_BYTE_MS)
    socket.on('data', this.#onData)
    socket.on('timeout', this.#onTimeout)
    socket.on('error', this.#onError)
    socket.on('end', this.#onEnd)
    socket.on('close', this.#onClose)
  }

  closeUnlessAnswering(): void {
    if (!this.#answering) this.#socket.destroy()
  }

  closeWhenIdle(): void {
    if (this.#unread) this.#socket.end()
    else if (!this.#answering && this.#bytes === null && this.#rest === null) this.#socket.destroy()
  }

  readonly #onData = (chunk: Buffer): void => {
    if (!this.#isBegun) {
      this.#isBegun = true
      this.#socket.setTimeout(IDLE_MS)
    }
    this.#arrival?.progress(chunk.length)
    if (this.#rest !== null) {
      this.#readRest(this.#rest, chunk)
      return
    }
    this.#bytes = this.#bytes === null ? chunk : Buffer.concat([this.#bytes, chunk])
    if (!this.#answering) this.#read(this.#bytes)
    else if (this.#bytes.length > MAX_WAITING_BYTES) this.#socket.pause()
  }

  readonly #onTimeout = (): void => {
    if (!this.#answering) this.#socket.destroy()
  }

  readonly #onError = (): void => {
    this.#socket.destroy()
  }

  readonly #onEnd = (): void => {
    // A client that half-closes still gets its answer.
    if (!this.#answering) this.#socket.end()
  }

  readonly #onClose = (): void => {
    this.#arrival?.end()
    this.#rest?.hold.release()
  }

  /** Reads the start of a request, which is usually complete. */
  #read(bytes: Buffer): void {
    const end = bytes.indexOf(HEAD_END, 0, 'latin1')
    if (end > MAX_HEAD_BYTES || (end < 0 && bytes.length > MAX_HEAD_BYTES) || (end < 0 && !mayBePost(bytes))) {
      this.#leave(bytes)
      return
    }
    if (end < 0) {
      this.#arrival ??= this.#owner.arrivals.begin(this.#socket)
      return
    }
    const head = this.#owner.readHead(bytes.toString('latin1', 0, end))
    if (head === null) {
      this.#leave(bytes)
      return
    }
    const bodyAt = end + HEAD_END.length
    const whole = bodyAt + head.length
    if (bytes.length >= whole) this.#answer(head, bytes.subarray(bodyAt, whole), bytes.subarray(whole), null)
    else this.#expectRest(head, bytes, bodyAt)
  }

  #expectRest(head: Head, bytes: Buffer, bodyAt: number): void {
    const hold = head.path.open(this.#originOf(head))
    if (!hold.grow(bytes.length)) {
      hold.release()
      // Refuses without room, as for all other requests.
      this.#leave(bytes)
      return
    }
    const all = new GrowingBody()
    all.append(bytes)
    this.#bytes = null
    this.#rest = { head, all, bodyAt, hold }
    this.#arrival ??= this.#owner.arrivals.begin(this.#socket)
  }

  #readRest(rest: Rest, chunk: Buffer): void {
    const { head, all, bodyAt, hold } = rest
    const whole = bodyAt + head.length
    const mine = Math.min(chunk.length, whole - all.size)
    const isWhole = all.size + mine === whole
    const hasRoom = hold.grow(mine)
    all.append(hasRoom ? chunk.subarray(0, mine) : chunk)
    if (!hasRoom) {
      hold.release()
      this.#rest = null
      this.#leave(all.bytes)
    } else if (isWhole) {
      this.#rest = null
      this.#answer(head, all.bytes.subarray(bodyAt, whole), chunk.subarray(mine), hold)
    }
  }

  #answer(head: Head, body: Buffer, behind: Buffer, hold: BodyHold | null): void {
    this.#arrival?.end()
    this.#arrival = null
    this.#bytes = behind.length === 0 ? null : behind
    this.#answering = true
    const { path, idempotencyKey, traceparent } = head
    const request = { body, hold, idempotencyKey, traceparent, origin: this.#originOf(head) }
    void path.answer(request).then((answer) => this.#write(answer))
  }

  #originOf({ forwardedFor, forwarded }: Head): RequestOrigin {
    return { socket: this.#socket, forwardedFor, forwarded }
  }

  #write({ text, release }: PlainAnswer): void {
    this.#answering = false
    const socket = this.#socket
    if (!socket.writable) {
      release()
      socket.destroy()
      return
    }
    writeJson(socket, this.#owner.answerHead(), text, release)
    if (this.#owner.stopping || socket.readableEnded) {
      socket.end()
    } else if (socket.writableLength > MAX_UNREAD_BYTES) {
      // Reads the next request only after the client has read this answer; otherwise the timeout applies.
      this.#unread = true
      socket.pause()
      socket.once('drain', () => {
        this.#unread = false
        this.#goOn()
      })
    } else {
      this.#goOn()
    }
  }

  /** Reads what followed the answered request. */
  #goOn(): void {
    if (this.#socket.isPaused()) this.#socket.resume()
    if (this.#bytes !== null) this.#read(this.#bytes)
  }

  /** Passes the connection to Node, starting with the request that is not plain. */
  #leave(bytes: Buffer): void {
    const socket = this.#socket
    socket.off('data', this.#onData).off('timeout', this.#onTimeout).off('error', this.#onError).off('end', this.#onEnd)
    socket.off('close', this.#onClose)
    socket.setTimeout(0)
    this.#arrival?.end()
    this.#owner.left(this)
    this.#setup.pass(socket, bytes)
  }
}

/** Whether these bytes can still become a plain POST. */
function mayBePost(bytes: Buffer): boolean {
  return 'POST '.startsWith(bytes.toString('latin1', 0, 5))
}
