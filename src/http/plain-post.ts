/**
 * The fast way in for the plainest of requests: a POST of JSON with a length, over HTTP/1.1, to a path that has a fast
 * way. Its reader knows nothing else: at the first request that is in any way unusual, the connection with all its bytes
 * is handed to Node's own HTTP server for good. So nothing is ever read more leniently here than there.
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
  /** What the body takes of memory, when it came in pieces; `answer` releases it. Null for one that came whole. */
  readonly hold: BodyHold | null
  readonly idempotencyKey: string | null
  readonly origin: RequestOrigin
}

/** The JSON text of a 200. `release` is called when it has left. */
export interface PlainAnswer {
  readonly text: string
  readonly release: () => void
}

/** A path that takes plain POSTs. */
export interface PlainPostPath {
  /** Longer bodies are not of the plainest kind. */
  readonly maxBodyBytes: number
  /** Room in memory for a body that comes in pieces. */
  open(origin: RequestOrigin): BodyHold
  /** Never rejects. */
  answer(request: PlainPostRequest): Promise<PlainAnswer>
}

export interface PlainPostSetup {
  /** By exact path. */
  readonly paths: ReadonlyMap<string, PlainPostPath>
  readonly clock: Clock
  /** Node's server: takes the connection, in which `bytes` are to be read first. */
  readonly pass: (socket: Socket, bytes: Buffer) => void
}

const MAX_HEAD_BYTES = 4 * 1024
/** What may wait behind a request that is being answered. */
const MAX_WAITING_BYTES = 16 * 1024
/** Of answers that a client has not read; with more, no further request is read. */
const MAX_UNREAD_BYTES = 128 * 1024
/** For the first byte of a connection: long enough for a gateway that is behind with reading what has arrived. */
const FIRST_BYTE_MS = 30_000
/** For the first byte of a further request. */
const IDLE_MS = 65_000

const HEAD_END = '\r\n\r\n'

type Head = PlainHead<PlainPostPath>

/** Heads that came lately: clients send the same again and again. Those with a key of their own are not worth keeping. */
const MAX_HEADS = 500

export class PlainPosts {
  readonly #setup: PlainPostSetup
  readonly #heads = new Map<string, Head>()
  readonly #connections = new Set<PlainConnection>()
  /** Of requests that do not come in one piece. */
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

  /** A connection that nothing was read of yet. */
  take(socket: Socket): void {
    const connection = new PlainConnection(socket, this, this.#setup)
    this.#connections.add(connection)
    socket.once('close', () => this.#connections.delete(connection))
    connection.open()
  }

  left(connection: PlainConnection): void {
    this.#connections.delete(connection)
  }

  /** From now on every connection closes with its next answer. */
  giveNotice(): void {
    this.#stopping = true
  }

  /** Closes what is idle; what is being answered, or has arrived by now, closes after its answer. */
  stop(): void {
    this.giveNotice()
    // The second round of the event loop from now has read whatever had arrived before: to close on it is to lose it.
    setImmediate(() => setImmediate(() => this.#closeIdle()))
  }

  /** Closes every connection but those whose request has arrived and is being answered. */
  closeUnanswered(): void {
    for (const connection of this.#connections) connection.closeUnlessAnswering()
  }

  #closeIdle(): void {
    for (const connection of this.#connections) connection.closeWhenIdle()
  }

  /** What the head asks for; null when it is not of the plainest kind. */
  readHead(text: string): Head | null {
    const known = this.#heads.get(text)
    if (known !== undefined) return known
    const head = parsePlainHead(text, this.#setup.paths)
    if (head !== null && head.idempotencyKey === null) {
      if (this.#heads.size >= MAX_HEADS) this.#heads.clear()
      this.#heads.set(text, head)
    }
    return head
  }

  /** The head of an answer up to its length. */
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

/** A request of which the head is there, and not yet all of the body. */
interface Rest {
  readonly head: Head
  /** From the head on. */
  readonly all: GrowingBody
  /** Where the body begins. */
  readonly bodyAt: number
  readonly hold: BodyHold
}

class PlainConnection {
  readonly #socket: Socket
  readonly #owner: PlainPosts
  readonly #setup: PlainPostSetup
  /** Bytes that no request was made of yet: a head that is arriving, or what came behind a request. */
  #bytes: Buffer | null = null
  #rest: Rest | null = null
  #arrival: Arrival | null = null
  #answering = false
  /** A long answer was written that the client has not read yet. */
  #unread = false
  /** Something has arrived on the connection. */
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
    // A client that has said all it wants still gets the answer that it waits for.
    if (!this.#answering) this.#socket.end()
  }

  readonly #onClose = (): void => {
    this.#arrival?.end()
    this.#rest?.hold.release()
  }

  /** Reads the beginning of a request, which is whole more often than not. */
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
      // Where the request is refused as any other that there is no room for.
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
    const { path, idempotencyKey } = head
    void path.answer({ body, hold, idempotencyKey, origin: this.#originOf(head) }).then((answer) => this.#write(answer))
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
      // No further request is read before the client has read this answer; one that never does runs into the timeout.
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

  /** Reads what came behind the request that was answered. */
  #goOn(): void {
    if (this.#socket.isPaused()) this.#socket.resume()
    if (this.#bytes !== null) this.#read(this.#bytes)
  }

  /** From here on Node reads this connection, beginning with the request that was unusual. */
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

/** Whether what has come so far can still be the beginning of a POST. */
function mayBePost(bytes: Buffer): boolean {
  return 'POST '.startsWith(bytes.toString('latin1', 0, 5))
}
