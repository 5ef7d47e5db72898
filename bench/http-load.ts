/**
 * A load of single-operation requests over keep-alive connections, on bare sockets so that the generator costs little. Run
 * as a process of its own; tells its parent what it measured.
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

class Client {
  readonly #socket: Socket
  readonly #next: () => Buffer | null
  readonly #answered: (ms: number, answer: string) => void
  readonly #done: () => void
  #sentAt = 0
  #text = ''

  constructor(
    port: number,
    next: () => Buffer | null,
    answered: (ms: number, answer: string) => void,
    done: () => void,
  ) {
    this.#next = next
    this.#answered = answered
    this.#done = done
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true })
    this.#socket.setEncoding('latin1')
    this.#socket.on('connect', () => this.#send())
    this.#socket.on('data', (chunk) => this.#read(String(chunk)))
  }

  #send(): void {
    const request = this.#next()
    if (request === null) {
      this.#socket.end()
      this.#done()
      return
    }
    this.#sentAt = performance.now()
    this.#socket.write(request)
  }

  #read(chunk: string): void {
    this.#text += chunk
    const head = this.#text.indexOf('\r\n\r\n')
    if (head < 0) return
    const length = Number(/content-length: (\d+)/i.exec(this.#text)?.[1] ?? 0)
    if (this.#text.length < head + 4 + length) return
    const answer = this.#text
    this.#text = ''
    this.#answered(performance.now() - this.#sentAt, answer)
    this.#send()
  }
}

async function run(load: Load): Promise<Measured> {
  let sent = 0
  let failures = 0
  const times: number[] = []
  const next = (): Buffer | null => {
    if (sent === load.requests) return null
    const body = load.body.replaceAll('#', String(FIRST_NUMBER + sent))
    sent += 1
    const head = `POST ${load.path} HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\n`
    return Buffer.from(`${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
  }
  const answered = (ms: number, answer: string): void => {
    times.push(ms)
    if (answer.includes('"success":false')) failures += 1
  }
  const startedAt = performance.now()
  await Promise.all(
    Array.from(
      { length: load.connections },
      () => new Promise<void>((done) => void new Client(load.port, next, answered, done)),
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
