/** A client's hook on loopback: records the reports that it receives and answers as the test says. */
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface SunkCall {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** By the clock of the test. */
  readonly at: number
}

export interface SinkAnswer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Buffer
  /** Without a length or chunks: the end of the connection is that of the body. */
  readonly untilClose?: boolean
}

export class HookSink {
  readonly calls: SunkCall[] = []
  /** What is answered to a call; null never answers it. */
  answer: (call: SunkCall) => SinkAnswer | null = () => ({ status: 200 })
  readonly address: string
  readonly #unanswered = new Set<ServerResponse>()
  readonly #server: Server

  private constructor(server: Server) {
    this.#server = server
    this.address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  }

  static async open(clock: { now(): number }): Promise<HookSink> {
    let sink: HookSink | null = null
    const server = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const { url = '', headers } = request
        sink?.receive({ path: url, headers, body: Buffer.concat(chunks).toString(), at: clock.now() }, response)
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    sink = new HookSink(server)
    return sink
  }

  get ids(): readonly unknown[] {
    return this.calls.map(({ headers }) => headers['webhook-id'])
  }

  receive(call: SunkCall, response: ServerResponse): void {
    this.calls.push(call)
    const answer = this.answer(call)
    if (answer === null) this.#unanswered.add(response)
    else {
      if (answer.untilClose === true) response.useChunkedEncodingByDefault = false
      response.writeHead(answer.status, answer.headers).end(answer.body)
    }
  }

  /** Answers what was left without an answer. */
  answerAll(status: number): void {
    for (const response of this.#unanswered) response.writeHead(status).end()
    this.#unanswered.clear()
  }

  /** Returns how many are open. */
  connections(): Promise<number> {
    return new Promise((resolve) => this.#server.getConnections((_, count) => resolve(count)))
  }

  close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()))
    this.#server.closeAllConnections()
    return closed
  }
}
