/**
 * What can lie between a client and its gateway: a relay on loopback that lets requests through, unless a mishap was
 * planned for the next one. It keeps what it was sent.
 */
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Mishap =
  /** The connection breaks before the gateway receives the request. */
  | 'breaks before'
  /** The gateway executes the request and the connection breaks before its answer. */
  | 'breaks after'
  /** Nothing is ever answered. */
  | 'silence'
  /** The gateway executes the request; its answer never comes. */
  | 'silence after'
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }

export interface Passed {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export class BadRoad {
  readonly passed: Passed[] = []
  /** What happens to the next requests, one each. */
  readonly mishaps: Mishap[] = []
  readonly address: string
  readonly #server: Server
  readonly #to: string

  private constructor(server: Server, to: string) {
    this.#server = server
    this.#to = to
    this.address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  /** @param to the gateway's address. */
  static async open(to: string): Promise<BadRoad> {
    let road: BadRoad | null = null
    const server = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const { url: path = '', headers } = request
        void road?.pass({ path, headers, body: Buffer.concat(chunks).toString() }, response)
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    road = new BadRoad(server, to)
    return road
  }

  async pass(request: Passed, response: ServerResponse): Promise<void> {
    this.passed.push(request)
    const mishap = this.mishaps.shift()
    if (mishap === 'breaks before') return void response.destroy()
    if (mishap === 'silence') return
    if (typeof mishap === 'object') return void response.writeHead(mishap.status, mishap.headers).end(mishap.body)
    const answer = await this.#forward(request)
    if (mishap === 'breaks after') return void response.destroy()
    if (mishap !== 'silence after') response.writeHead(200, { 'content-type': 'application/json' }).end(answer)
  }

  async #forward({ path, headers, body }: Passed): Promise<string> {
    const key = headers['idempotency-key']
    const response = await fetch(this.#to + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(typeof key === 'string' ? { 'idempotency-key': key } : {}) },
      body,
    })
    return response.text()
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()))
    this.#server.closeAllConnections()
    await closed
  }
}
