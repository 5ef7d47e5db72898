/** The HTTP server of a simulated carrier: on loopback only, complete bodies of at most 256 KiB. */
import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type Server,
  type ServerResponse,
} from 'node:http'
import { listen } from '../../wire/listen.ts'

export interface DoubleRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

export interface DoubleAnswer {
  readonly status: number
  readonly body: string
  readonly headers?: OutgoingHttpHeaders
}

/** Returns the answer; `hold` leaves the request open until the client gives it up. */
export type Handle = (request: DoubleRequest) => DoubleAnswer | 'hold' | Promise<DoubleAnswer | 'hold'>

const MAX_BODY_BYTES = 262_144

export class HttpDouble {
  readonly #server: Server
  #port: number

  private constructor(server: Server, port: number) {
    this.#server = server
    this.#port = port
  }

  static async listen(handle: Handle, port = 0): Promise<HttpDouble> {
    const double = new HttpDouble(createServer(serve.bind(null, handle)), port)
    await double.comeBack()
    return double
  }

  /** `http://127.0.0.1:…`, without a trailing slash. */
  get address(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  /** Closes the port and every connection, as if the carrier were down. */
  async goDown(): Promise<void> {
    if (!this.#server.listening) return
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()))
    this.#server.closeAllConnections()
    await closed
  }

  /** Opens the same port again. */
  async comeBack(): Promise<void> {
    this.#port = await listen(this.#server, this.#port, '127.0.0.1')
  }
}

function serve(handle: Handle, request: IncomingMessage, response: ServerResponse): void {
  const chunks: Buffer[] = []
  let bytes = 0
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes <= MAX_BODY_BYTES) chunks.push(chunk)
  })
  request.on('error', () => response.destroy())
  request.on('end', () => {
    if (bytes > MAX_BODY_BYTES) return reply(response, { status: 413, body: '' })
    const [path = '', query = ''] = (request.url ?? '').split('?', 2)
    const { method = '', headers } = request
    const body = Buffer.concat(chunks, bytes).toString()
    Promise.resolve({ method, path, query: new URLSearchParams(query), headers, body })
      .then(handle)
      .catch((): DoubleAnswer => ({ status: 500, body: '' }))
      .then((answer) => {
        if (answer !== 'hold') reply(response, answer)
      })
  })
}

function reply(response: ServerResponse, { status, body, headers }: DoubleAnswer): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    ...headers,
  })
  response.end(body)
}
