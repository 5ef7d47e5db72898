/**
 * A load of requests over keep-alive connections, on bare sockets so that the generator costs little. It runs in a
 * process of its own and reports to its parent what it measured. Every message has a new number, which stands in its
 * id, its phone and its text.
 */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export interface Load {
  readonly port: number
  readonly connections: number
  readonly requests: number
  /** A whole request without its Content-Length: `#` is replaced by the number of a message, `*` by an API key. */
  readonly head: string
  readonly body: string
  /** What stands for each message where `@` is in the body. */
  readonly item?: string
  /** Messages in each request; 1 if absent. */
  readonly perRequest?: number
  /** API keys, all of one length, used in turn. */
  readonly keys?: readonly string[]
  /** Requests begun per second at most; as many as are answered if absent. */
  readonly perSecond?: number
  /** Ends earlier, after so many seconds. */
  readonly seconds?: number
  /** Also returns when each request was sent, and how long each took. */
  readonly isTimed?: boolean
}

export interface Measured {
  readonly requests: number
  /** When the first request was sent, milliseconds since 1970. */
  readonly startedAt: number
  readonly seconds: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Answers without a status of 2xx or 3xx, or without success in whole or in an item. */
  readonly failures: number
  /** By the number of the (last) message of each request, milliseconds since 1970; empty unless it was asked for. */
  readonly sentAt: Readonly<Record<number, number>>
  /** Milliseconds of each request, the shortest first; empty unless it was asked for. */
  readonly timesMs: readonly number[]
}

/** Seven digits: 49170 and a number make a German mobile phone. */
const FIRST_NUMBER = 1_000_000
const LAST_NUMBER = 9_999_999
/** Connections that are made at a time, before the time is measured: some servers let no more than ten wait. */
const CONNECTING = 8
const HEAD_END = '\r\n\r\n'

/** The number of the next message; runs of one process never repeat one before all are used. */
let nextNumber = FIRST_NUMBER

function takeNumber(): number {
  const number = nextNumber
  nextNumber = number === LAST_NUMBER ? FIRST_NUMBER : number + 1
  return number
}

/** A request in bytes, in which only numbers and the key change: nothing is built while it measures. */
interface Template {
  readonly bytes: Buffer
  /** Where the number of each message of the request stands. */
  readonly numbers: readonly (readonly number[])[]
  readonly keyAt: number
}

function buildTemplate({ head, body, item = '', perRequest = 1, keys = [] }: Load): Template {
  const first = FIRST_NUMBER
  const items = Array.from({ length: perRequest }, (_, index) => item.replaceAll('#', String(first + index)))
  const key = keys[0] ?? ''
  const filled = body.replace('*', key).replace('@', items.join(',')).replaceAll('#', String(first))
  const length = body === '' ? '' : `Content-Length: ${Buffer.byteLength(filled)}\r\n`
  const start = head.replace('*', key).replaceAll('#', String(first))
  const bytes = Buffer.from(`${start}${length}\r\n${filled}`)
  const numbers = items.map((_, index) => placesOf(bytes, String(first + index)))
  return { bytes, numbers, keyAt: key === '' ? -1 : bytes.indexOf(key) }
}

function placesOf(request: Buffer, digits: string): number[] {
  const places: number[] = []
  for (let place = request.indexOf(digits); place >= 0; place = request.indexOf(digits, place + 1)) places.push(place)
  return places
}

/** What connections share. */
interface Run {
  readonly port: number
  /** Fills in the next request; false when there is none. */
  next(request: Buffer): boolean
  /** Milliseconds until the next request may begin. */
  pause(): number
  answered(ms: number, answer: string): void
}

/** Where all connections read to, one after the other: a buffer for each read costs more than all else. */
const received = Buffer.alloc(65_536)

class Client {
  readonly connected: Promise<void>
  readonly done: Promise<void>
  readonly #run: Run
  readonly #socket: Socket
  readonly #request: Buffer
  readonly #end: () => void
  #sentAt = 0
  /** The answer as far as it has come. */
  #answer = ''

  constructor(run: Run, request: Buffer) {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.done = promise
    this.#end = resolve
    this.#run = run
    this.#request = Buffer.from(request)
    const onread = {
      buffer: received,
      callback: (length: number) => {
        this.#read(received.toString('latin1', 0, length))
        return true
      },
    }
    this.#socket = connect({ port: run.port, host: '127.0.0.1', noDelay: true, onread })
    this.connected = once(this.#socket, 'connect').then(() => {})
    this.#socket.on('error', reject)
    this.#socket.on('close', () => reject(new Error('the server closed the connection')))
  }

  begin(): void {
    const pause = this.#run.pause()
    if (pause > 0) setTimeout(() => this.#send(), pause)
    else this.#send()
  }

  #send(): void {
    if (!this.#run.next(this.#request)) {
      this.#end()
      this.#socket.end()
      return
    }
    this.#sentAt = performance.now()
    this.#socket.write(this.#request)
  }

  #read(text: string): void {
    this.#answer = this.#answer === '' ? text : this.#answer + text
    if (!isWhole(this.#answer)) return
    const answer = this.#answer
    this.#answer = ''
    this.#run.answered(performance.now() - this.#sentAt, answer)
    this.begin()
  }
}

/** The last head, up to its end, and the length of the body that it says: many answers have the same. */
let lastHead = { text: HEAD_END, bodyLength: 0 }

/** Each character is a byte. */
function isWhole(answer: string): boolean {
  if (!answer.startsWith(lastHead.text)) {
    const end = answer.indexOf(HEAD_END) + HEAD_END.length
    if (end < HEAD_END.length) return false
    const text = answer.slice(0, end)
    lastHead = { text, bodyLength: Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1] ?? 0) }
  }
  return answer.length >= lastHead.text.length + lastHead.bodyLength
}

const DIGITS = String(LAST_NUMBER).length
const ZERO = 0x30

/** Writes seven digits in ASCII. */
function writeNumber(request: Buffer, number: number, place: number): void {
  let rest = number
  for (let at = place + DIGITS - 1; at >= place; at -= 1) {
    const tens = Math.floor(rest / 10)
    request[at] = ZERO + rest - tens * 10
    rest = tens
  }
}

async function run(load: Load): Promise<Measured> {
  const { bytes, numbers, keyAt } = buildTemplate(load)
  const { requests, keys = [], perSecond } = load
  let startedAt = 0
  let until = Number.POSITIVE_INFINITY
  const times: number[] = []
  let sent = 0
  let begun = 0
  let failures = 0
  const sentAt: Record<number, number> = {}
  const shared: Run = {
    port: load.port,
    next: (request) => {
      if (sent === requests || performance.now() > until) return false
      if (keys.length > 1) request.write(keys[sent % keys.length] ?? '', keyAt, 'latin1')
      for (const places of numbers) {
        const number = takeNumber()
        if (load.isTimed) sentAt[number] = performance.timeOrigin + performance.now()
        for (const place of places) writeNumber(request, number, place)
      }
      sent += 1
      return true
    },
    pause: () => {
      if (perSecond === undefined) return 0
      begun += 1
      return startedAt + ((begun - 1) * 1_000) / perSecond - performance.now()
    },
    answered: (ms, answer) => {
      times.push(ms)
      // The first digit of the status, behind `HTTP/1.1 `.
      const status = answer[9]
      if ((status !== '2' && status !== '3') || answer.includes('"success":false')) failures += 1
    },
  }
  const clients: Client[] = []
  while (clients.length < load.connections) {
    const few = Array.from({ length: Math.min(CONNECTING, load.connections - clients.length) }, () => {
      return new Client(shared, bytes)
    })
    await Promise.all(few.map((client) => client.connected))
    clients.push(...few)
  }
  startedAt = performance.now()
  until = startedAt + (load.seconds ?? Number.POSITIVE_INFINITY) * 1_000
  for (const client of clients) client.begin()
  await Promise.all(clients.map((client) => client.done))
  const seconds = (performance.now() - startedAt) / 1000
  times.sort((a, b) => a - b)
  const at = (share: number): number => times[Math.floor(times.length * share)] ?? 0
  return {
    requests: times.length,
    startedAt: performance.timeOrigin + startedAt,
    seconds,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    failures,
    sentAt,
    timesMs: load.isTimed ? times : [],
  }
}

process.on('message', (load: Load) => {
  run(load).then(
    (measured) => process.send?.(measured),
    (error: Error) => {
      console.error(`${load.head.split('\r\n')[0]}, ${load.connections} connections: ${error.message}`)
      process.exit(1)
    },
  )
})
