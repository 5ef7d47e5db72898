/**
 * The connections of the fast path. Each reads its requests one after the other, in turn with other connections
 * (read-turns.ts), and answers each before it reads the next.
 */
import type { Socket } from 'node:net'
import type { Clock } from '../../ports/system/clock.ts'
import { type Arrival, ArrivalWatch } from './arrival-watch.ts'
import { type BodyHold, GrowingBody } from './body.ts'
import { type PlainAnswer, type PlainHead, PlainHeads } from './plain-head.ts'
import type { ReadingConnection, ReadTurns } from './read-turns.ts'
import { MAX_REFUSALS } from './refusals.ts'

/** What all connections share. */
export interface PlainConnectionTools {
  readonly heads: PlainHeads
  /** Watches requests that come in pieces. */
  readonly arrivals: ArrivalWatch
  readonly turns: ReadTurns
  /** Whether each connection closes after its next answer. */
  isStopping(): boolean
  /** Headers of an answer, up to its length. */
  answerFields(isLast: boolean): string
  /** Passes the connection to Node, which reads `bytes` first. */
  leave(connection: PlainConnection, socket: Socket, bytes: Buffer): void
}

const MAX_HEAD_BYTES = 4 * 1024
/** Maximum bytes waiting behind a request in progress before the socket is paused. */
const MAX_WAITING_BYTES = 16 * 1024
/** Maximum bytes of unread answers; beyond it no further request is read. */
const MAX_UNREAD_BYTES = 128 * 1024
/** Maximum bytes received after the last answer: a client that was disconnected while it sends would not read it. */
const MAX_DISCARDED_BYTES = 1024 * 1024
/** Timeout of the first byte of a connection: long enough for a gateway that lags behind in reading. */
const FIRST_BYTE_MS = 30_000
/** Timeout of the first byte of a further request. */
const IDLE_MS = 65_000

const HEAD_END = '\r\n\r\n'
/**
 * Longer heads are not kept, because each connection has its own, before anything is known about the client: the
 * headers of one with four kilobytes take fifty.
 */
const MAX_KNOWN_BYTES = 512

/** A head that the client may send again, with the empty line behind it. */
interface KnownHead {
  readonly text: string
  readonly head: PlainHead
}

/** A request with a complete head and an incomplete body. */
interface Rest {
  readonly head: PlainHead
  /** Bytes from the head on. */
  readonly all: GrowingBody
  /** Offset of the body. */
  readonly bodyAt: number
  readonly hold: BodyHold
}

export class PlainConnection implements ReadingConnection {
  readonly client: number
  readonly taken = { turn: 0, bytes: 0 }
  readonly #socket: Socket
  readonly #tools: PlainConnectionTools
  /** Unparsed bytes: an incomplete head, a piece of a body, or what followed a request. */
  #bytes: Buffer | null = null
  #rest: Rest | null = null
  /** That of the last request: most clients send the same again and again. */
  #known: KnownHead | null = null
  #arrival: Arrival | null = null
  #answering = false
  /** The client has not read a long answer yet. */
  #unread = false
  /** For its turn to read. */
  #waiting = false
  /** Answers in a row by which nothing was done. */
  #refusals = 0
  #discarded = 0
  /** Node has the connection. */
  #hasLeft = false
  /** Bytes have arrived on the connection. */
  #isBegun = false

  constructor(socket: Socket, client: number, tools: PlainConnectionTools) {
    this.#socket = socket
    this.client = client
    this.#tools = tools
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
    if (!this.#socket.writable) {
      this.#discarded += chunk.length
      if (this.#discarded > MAX_DISCARDED_BYTES) this.#socket.destroy()
      return
    }
    if (!this.#isBegun) {
      this.#isBegun = true
      this.#socket.setTimeout(IDLE_MS)
    }
    this.#arrival?.progress(chunk.length)
    this.#bytes = this.#bytes === null ? chunk : Buffer.concat([this.#bytes, chunk])
    if (!this.#isBusy) this.#readAll()
    else if (this.#waiting || this.#bytes.length > MAX_WAITING_BYTES) this.#socket.pause()
  }

  /** Requests wait for an answer, or for their turn. */
  get #isBusy(): boolean {
    return this.#answering || this.#waiting || this.#unread
  }

  readonly #onTimeout = (): void => {
    if (!this.#answering && !this.#waiting) this.#socket.destroy()
  }

  readonly #onError = (): void => {
    this.#socket.destroy()
  }

  readonly #onEnd = (): void => {
    // A client that half-closes still gets its answers.
    if (!this.#isBusy) this.#endAfterClient()
  }

  /** The client sends no more: Node refuses the start of a request. */
  #endAfterClient(): void {
    if (this.#bytes !== null) this.#leave(this.#bytes)
    else if (this.#rest !== null) this.#leaveRest(this.#rest, this.#rest.all.bytes)
    else this.#socket.end()
  }

  readonly #onClose = (): void => {
    this.#arrival?.end()
    this.#rest?.hold.release()
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
    if (!this.#socket.destroyed) this.#readAll()
  }

  /** A loop, because a client may send thousands of requests in one piece. */
  #readAll(): void {
    const socket = this.#socket
    while (this.#bytes !== null) {
      if (!this.#tools.turns.take(this)) {
        this.#waiting = true
        socket.pause()
        break
      }
      if (!this.#read(this.#bytes)) break
      // Writes the further answers in one piece.
      if (this.#bytes !== null && socket.writableCorked === 0) socket.cork()
    }
    if (socket.writableCorked > 0) socket.uncork()
    this.#readOn()
  }

  /** Reads what follows, once nothing that was received waits. */
  #readOn(): void {
    const socket = this.#socket
    if (this.#isBusy || this.#hasLeft || socket.destroyed) return
    if (socket.readableEnded) this.#endAfterClient()
    else if (socket.isPaused()) socket.resume()
  }

  /** Reads the start of a request, which is usually complete, or its rest. Returns whether the next one may be read. */
  #read(bytes: Buffer): boolean {
    if (this.#rest !== null) return this.#readRest(this.#rest, bytes)
    const known = this.#known
    if (known !== null && bytes.toString('latin1', 0, known.text.length) === known.text) {
      return this.#readBody(known.head, bytes, known.text.length)
    }
    const end = bytes.indexOf(HEAD_END, 0, 'latin1')
    if (end < 0 && bytes.length <= MAX_HEAD_BYTES && this.#tools.heads.mustWait(bytes)) {
      this.#arrival ??= this.#tools.arrivals.begin(this.#socket)
      return false
    }
    const isShort = end >= 0 && end <= MAX_HEAD_BYTES
    const text = isShort ? bytes.toString('latin1', 0, end) : null
    const head = text === null ? null : this.#tools.heads.read(text)
    if (head === null) return this.#leave(bytes)
    const bodyAt = end + HEAD_END.length
    this.#known = head.mayRepeat && bodyAt <= MAX_KNOWN_BYTES ? { text: text + HEAD_END, head } : null
    return this.#readBody(head, bytes, bodyAt)
  }

  #readBody(head: PlainHead, bytes: Buffer, bodyAt: number): boolean {
    const whole = bodyAt + head.length
    this.#tools.turns.count(this, Math.min(whole, bytes.length))
    if (bytes.length >= whole) return this.#answer(head, bytes.subarray(bodyAt, whole), behind(bytes, whole), null)
    return this.#expectRest(head, bytes, bodyAt)
  }

  #expectRest(head: PlainHead, bytes: Buffer, bodyAt: number): boolean {
    const hold = head.path.body?.open({ socket: this.#socket, headers: head.headers })
    if (hold?.grow(bytes.length) !== true) {
      hold?.release()
      // Refuses without room, as for all other requests.
      return this.#leave(bytes)
    }
    const all = new GrowingBody()
    all.append(bytes)
    this.#bytes = null
    this.#rest = { head, all, bodyAt, hold }
    this.#arrival ??= this.#tools.arrivals.begin(this.#socket)
    return false
  }

  #readRest(rest: Rest, chunk: Buffer): boolean {
    const { head, all, bodyAt, hold } = rest
    const whole = bodyAt + head.length
    const mine = Math.min(chunk.length, whole - all.size)
    this.#tools.turns.count(this, mine)
    this.#bytes = null
    const hasRoom = hold.grow(mine)
    all.append(hasRoom ? chunk.subarray(0, mine) : chunk)
    if (!hasRoom) return this.#leaveRest(rest, all.bytes)
    if (all.size < whole) return false
    this.#rest = null
    return this.#answer(head, all.bytes.subarray(bodyAt, whole), behind(chunk, mine), hold)
  }

  #leaveRest({ hold }: Rest, bytes: Buffer): false {
    hold.release()
    this.#rest = null
    return this.#leave(bytes)
  }

  /** Returns whether the next request may be read. */
  #answer({ path, target, headers }: PlainHead, body: Buffer, rest: Buffer | null, hold: BodyHold | null): boolean {
    this.#arrival?.end()
    this.#arrival = null
    this.#bytes = rest
    const answer = path.answer({ socket: this.#socket, target, headers, body, hold })
    if (!(answer instanceof Promise)) return this.#write(answer)
    this.#answering = true
    void answer.then((later) => {
      this.#answering = false
      if (this.#write(later)) this.#readAll()
    })
    return false
  }

  /** Returns whether the next request may be read. */
  #write(answer: PlainAnswer): boolean {
    const socket = this.#socket
    if (!socket.writable) {
      answer.release?.()
      socket.destroy()
      return false
    }
    this.#refusals = answer.isRefusal === true ? this.#refusals + 1 : 0
    const isLast = this.#tools.isStopping() || this.#refusals >= MAX_REFUSALS
    writeAnswer(socket, this.#tools.answerFields(isLast), answer)
    if (isLast) {
      // What the client sends after its last answer is not executed.
      this.#bytes = null
      socket.end()
      return false
    }
    if (socket.writableLength <= MAX_UNREAD_BYTES) return true
    // Reads the next request only after the client has read this answer; otherwise the timeout applies.
    this.#unread = true
    socket.pause()
    socket.once('drain', () => {
      this.#unread = false
      this.#readAll()
    })
    return false
  }

  /** Passes the connection to Node, starting with the request that is not plain. */
  #leave(bytes: Buffer): false {
    const socket = this.#socket
    this.#hasLeft = true
    // The listener for the end of the socket refers to this connection.
    this.#known = null
    socket.off('data', this.#onData).off('timeout', this.#onTimeout).off('error', this.#onError).off('end', this.#onEnd)
    socket.off('close', this.#onClose)
    socket.setTimeout(0)
    this.#arrival?.end()
    this.#tools.leave(this, socket, bytes)
    return false
  }
}

/** Returns the bytes from there on; null if there are none. */
function behind(bytes: Buffer, end: number): Buffer | null {
  return bytes.length === end ? null : bytes.subarray(end)
}

/** Writes the answer to a plain request in one piece. */

// biome-ignore lint/suspicious/noControlCharactersInRegex: it is about which bytes one character makes.
const ASCII = /^[\x00-\x7f]*$/

/**
 * `fields` end where the length of the text belongs; both they and the head are ASCII. The answer is released when the
 * system has taken all of it or the connection is closed.
 */
function writeAnswer(socket: Socket, fields: string, { head, text, release }: PlainAnswer): void {
  const start = head + fields
  const bytes = `${start}${text.length}\r\n\r\n${text}`
  if (ASCII.test(bytes)) socket.write(bytes, 'latin1', release ?? undefined)
  else socket.write(`${start}${Buffer.byteLength(text)}\r\n\r\n${text}`, 'utf8', release ?? undefined)
}

/**
 * Fast path for plain requests: a GET without a body, or a POST of JSON with Content-Length, over HTTP/1.1 to a path
 * that supports it. At the first request that differs, the connection passes permanently to Node's HTTP server with all
 * its bytes, so nothing is parsed more leniently than by Node.
 */
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

  /** Those with a request in progress or received close after its answer. */
  closeIdle(): void {
    for (const connection of this.#connections) connection.closeWhenIdle()
  }

  /** Closes all connections except those whose complete request is in progress. */
  closeUnanswered(): void {
    for (const connection of this.#connections) connection.closeUnlessAnswering()
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
