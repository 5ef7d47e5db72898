/**
 * A load of single-operation requests over keep-alive connections, on bare sockets so that the generator costs little. Run
 * as a process of its own; reports its measurements to its parent.
 *
 * The body is given with the place of a number that grows with every request: `{"id":#,…}`.
 */
import { connect, type Socket } from 'node:net'

export interface Load {
  readonly port: number
  readonly path: string
  readonly connections: number
  readonly requests: number
  /** `#` is replaced by 1,000,000 plus the number of the request. */
  readonly body: string
}

export interface Measured {
  readonly requests: number
  readonly seconds: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Answers that do not say success, whole and in their items. */
  readonly failures: number
}

const FIRST_NUMBER = 1_000_000
const HEAD_END = '\r\n\r\n'

/** A connection with a request of its own in bytes, in which only the numbers change: nothing is built while it measures. */
class Client {
  readonly #socket: Socket
  readonly #request: Buffer
  /** Where the numbers stand. */
  readonly #places: readonly number[]
  readonly #next: () => number | null
  readonly #answered: (ms: number, answer: Buffer) => void
  readonly #done: () => void
  #sentAt = 0
  #bytes: Buffer | null = null

  constructor(
    port: number,
    request: Buffer,
    next: () => number | null,
    answered: (ms: number, answer: Buffer) => void,
    done: () => void,
  ) {
    this.#request = Buffer.from(request)
    this.#places = placesOf(request, String(FIRST_NUMBER))
    this.#next = next
    this.#answered = answered
    this.#done = done
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true })
    this.#socket.on('connect', () => this.#send())
    this.#socket.on('data', (chunk: Buffer) => this.#read(chunk))
  }

  #send(): void {
    const number = this.#next()
    if (number === null) {
      this.#socket.end()
      this.#done()
      return
    }
    const digits = String(FIRST_NUMBER + number)
    for (const place of this.#places) this.#request.write(digits, place, 'latin1')
    this.#sentAt = performance.now()
    this.#socket.write(this.#request)
  }

  #read(chunk: Buffer): void {
    const bytes = this.#bytes === null ? chunk : Buffer.concat([this.#bytes, chunk])
    this.#bytes = bytes
    const head = bytes.indexOf(HEAD_END, 0, 'latin1')
    if (head < 0) return
    const length = Number(/content-length: (\d+)/i.exec(bytes.toString('latin1', 0, head))?.[1] ?? 0)
    if (bytes.length < head + HEAD_END.length + length) return
    this.#bytes = null
    this.#answered(performance.now() - this.#sentAt, bytes)
    this.#send()
  }
}

function placesOf(request: Buffer, digits: string): number[] {
  const places: number[] = []
  for (let place = request.indexOf(digits); place >= 0; place = request.indexOf(digits, place + 1)) places.push(place)
  return places
}

async function run(load: Load): Promise<Measured> {
  const body = load.body.replaceAll('#', String(FIRST_NUMBER))
  const head = `POST ${load.path} HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\n`
  const request = Buffer.from(`${head}Content-Length: ${Buffer.byteLength(body)}${HEAD_END}${body}`)
  let sent = 0
  let failures = 0
  const times: number[] = []
  const next = (): number | null => {
    if (sent === load.requests) return null
    sent += 1
    return sent
  }
  const answered = (ms: number, answer: Buffer): void => {
    times.push(ms)
    if (answer.includes('"success":false')) failures += 1
  }
  const startedAt = performance.now()
  await Promise.all(
    Array.from(
      { length: load.connections },
      () => new Promise<void>((done) => void new Client(load.port, request, next, answered, done)),
    ),
  )
  const seconds = (performance.now() - startedAt) / 1000
  times.sort((a, b) => a - b)
  const at = (share: number): number => times[Math.floor(times.length * share)] ?? 0
  return { requests: times.length, seconds, p50Ms: at(0.5), p99Ms: at(0.99), failures }
}

process.on('message', (load: Load) => {
  void run(load).then((measured) => process.send?.(measured))
})
