/**
 * A bare HTTP server with a short list of routes. Limits everything that clients control: header size, arrival time of
 * requests, connections. Stops without interrupting running requests.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { NetworkSet } from '../../domain/network/networks.ts'
import type { Cancel, Clock } from '../../ports/system/clock.ts'
import type { Log } from '../../ports/system/log.ts'
import { limitKeyOf } from './client-address.ts'
import { NodeConnection } from './node-connection.ts'
import { PlainConnections } from './plain-connection.ts'
import type { PlainPath } from './plain-head.ts'
import { ReadTurns } from './read-turns.ts'

export interface HttpRoute {
  /** An exact path, or a prefix if it ends in a slash. */
  readonly path: string
  /** The server answers other methods with 405; absent if the handler takes all methods. */
  readonly methods?: readonly string[]
  /** The fast path for plain requests (plain-connection.ts); `handle` then gets all others. */
  readonly plain?: PlainPath
  /**
   * Whether its query may have unescaped letters. Only the first request of a connection is read so, so the path closes
   * the connection with each answer.
   */
  readonly lenientQuery?: boolean
  /** `target` is the path with its query. Errors are logged and answered with 500. */
  handle(request: IncomingMessage, response: ServerResponse, target: string): void | Promise<void>
}

export interface HttpServer {
  /** `http://127.0.0.1:8080`, with the actual port. */
  readonly address: string
  /** Replaces the routes. Connections that came before the first call wait for it, and so never meet half a server. */
  serve(routes: readonly HttpRoute[]): void
  /** Closes each connection after its next answer; requests are still served. */
  giveNotice(): void
  /**
   * Accepts no more connections and resolves when all received requests are answered. Requests still incomplete after
   * STOP_GRACE_MS are cut off.
   */
  stop(): Promise<void>
}

export interface HttpServerOptions {
  readonly host: string
  /** 0 takes any free port. */
  readonly port: number
  readonly clock: Clock
  readonly log: Log
  /** Networks in CIDR form whose connections are not counted by address: proxies serve many clients. */
  readonly trustedProxies?: readonly string[]
  /** Maximum connections per client address. */
  readonly connectionsPerAddress?: number
}

const HEADER_BYTES = 16 * 1024
const HEADERS_TIMEOUT_MS = 10_000
/** Limit for a complete request. */
const REQUEST_TIMEOUT_MS = 30_000
/** Interval of checks of the two limits above. */
const CHECKING_MS = 5_000
/** Timeout between two requests; slightly longer than that of proxies in front. */
const IDLE_TIMEOUT_MS = 65_000
/** The same while the server stops: long enough to send an answer. */
const LAST_TIMEOUT_MS = 1
/** How long a stopping server waits for an arriving request and for a client that reads no answer. */
export const STOP_GRACE_MS = 5_000
/**
 * Backlog of connections to be accepted; clients of a stopped gateway reconnect together. The system may allow fewer.
 */
const BACKLOG = 4_096
const MAX_CONNECTIONS = 10_000
const CONNECTIONS_PER_ADDRESS = 2_000

/** Rejects if it cannot listen on the address. */
export async function startHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const { host, port, clock, log } = options
  const router = new Router(log)
  const server = createServer(
    {
      maxHeaderSize: HEADER_BYTES,
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: CHECKING_MS,
      keepAliveTimeout: IDLE_TIMEOUT_MS,
    },
    router.handle,
  )
  server.maxConnections = MAX_CONNECTIONS
  // Node would answer 417 itself to an unknown Expect header.
  server.on('checkExpectation', router.handle)
  server.on('clientError', (error, socket) => router.fail(socket as Socket, error))
  const plain = takePlainConnections(server, { clock, router })
  const admission = new ConnectionAdmission(options)
  const door = new Door((socket) => {
    const client = admission.admit(socket)
    if (client === null) socket.destroy()
    else plain.take(socket, client)
  })
  server.removeAllListeners('connection').on('connection', door.enter)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, BACKLOG, resolve)
  })
  server.removeAllListeners('error').on('error', (error) => log.error({ error }, 'HTTP server error'))
  const taken = server.address() as AddressInfo
  return {
    address: `http://${taken.family === 'IPv6' ? `[${taken.address}]` : taken.address}:${taken.port}`,
    serve: (routes) => {
      router.serve(routes)
      const lenient = routes.flatMap((route) => (route.lenientQuery === true ? [route.path] : []))
      plain.heads.serve(new Map(routes.flatMap((route) => (route.plain ? [[route.path, route.plain]] : []))), lenient)
      door.open()
    },
    giveNotice: () => {
      plain.giveNotice()
      router.giveNotice()
    },
    stop: async () => {
      plain.giveNotice()
      router.giveNotice()
      const cancel = repeat(clock, STOP_GRACE_MS, () => {
        plain.closeUnanswered()
        router.closeUnanswered()
      })
      await router.readAll()
      door.close()
      plain.closeIdle()
      await router.stop(server).finally(cancel)
    },
  }
}

function repeat(clock: Clock, milliseconds: number, run: () => void): Cancel {
  let cancel: Cancel = () => {}
  const arm = (): void => {
    cancel = clock.after(milliseconds, () => {
      run()
      arm()
    })
  }
  arm()
  return () => cancel()
}

/** Keeps connections, unread, until there are routes for them. */
class Door {
  readonly #take: (socket: Socket) => void
  #waiting: Socket[] | null = []

  constructor(take: (socket: Socket) => void) {
    this.#take = take
  }

  readonly enter = (socket: Socket): void => {
    if (this.#waiting === null) {
      this.#take(socket)
    } else {
      socket.on('error', ignore)
      this.#waiting.push(socket)
    }
  }

  open(): void {
    const waiting = this.#waiting ?? []
    this.#waiting = null
    for (const socket of waiting) {
      if (socket.destroyed) continue
      this.#take(socket)
      socket.off('error', ignore)
    }
  }

  /** Cuts off those that still wait. */
  close(): void {
    for (const socket of this.#waiting ?? []) socket.destroy()
  }
}

/** A client that gives up while it waits. */
function ignore(): void {}

interface PlainTools {
  readonly clock: Clock
  readonly router: Router
}

/** Installs the fast path in front of Node's reader, which gets the connections that it passes on. */
function takePlainConnections(server: Server, { clock, router }: PlainTools): PlainConnections {
  const readByNode = server.listeners('connection') as ((socket: Socket) => void)[]
  const turns = new ReadTurns()
  return new PlainConnections({
    clock,
    turns,
    pass: (socket, client, bytes) => {
      for (const read of readByNode) read.call(server, socket)
      const connection = new NodeConnection(socket, client, turns)
      router.watch(socket, connection)
      socket.resume()
      connection.receive(bytes)
    },
  })
}

interface Client {
  readonly number: number
  open: number
}

/** Counts connections by client address, so that one client cannot take all, and numbers clients. */
class ConnectionAdmission {
  readonly #proxies: NetworkSet
  readonly #max: number
  readonly #clients = new Map<string, Client>()
  #lastNumber = 0

  constructor({ trustedProxies = [], connectionsPerAddress = CONNECTIONS_PER_ADDRESS }: HttpServerOptions) {
    this.#proxies = new NetworkSet(trustedProxies)
    this.#max = connectionsPerAddress
  }

  /** Returns the number of the client; null if it has too many connections. */
  admit(socket: Socket): number | null {
    const { remoteAddress } = socket
    // Already closed, or a trusted proxy: each of its connections is as a client.
    if (remoteAddress === undefined || this.#proxies.has(remoteAddress)) return this.#newNumber()
    const address = limitKeyOf(remoteAddress)
    const client = this.#clients.get(address) ?? { number: this.#newNumber(), open: 0 }
    if (client.open >= this.#max) return null
    client.open += 1
    this.#clients.set(address, client)
    socket.once('close', () => {
      client.open -= 1
      if (client.open === 0) this.#clients.delete(address)
    })
    return client.number
  }

  #newNumber(): number {
    this.#lastNumber += 1
    return this.#lastNumber
  }
}

class Router {
  readonly #log: Log
  #exact: ReadonlyMap<string, HttpRoute> = new Map()
  #prefixes: readonly HttpRoute[] = []
  #stopping = false
  readonly #connections = new Map<Socket, NodeConnection>()

  constructor(log: Log) {
    this.#log = log
  }

  serve(routes: readonly HttpRoute[]): void {
    this.#exact = new Map(routes.map((route) => [route.path, route]))
    this.#prefixes = routes.filter((route) => route.path.endsWith('/'))
  }

  giveNotice(): void {
    this.#stopping = true
    for (const connection of this.#connections.values()) connection.giveNotice()
  }

  /** Reads everything that has arrived, which takes two rounds of the event loop: closing earlier would lose it. */
  async readAll(): Promise<void> {
    for (let rounds = 0; rounds < 2 || this.#isAnyWaiting; rounds += 1) {
      await new Promise((resolve) => void setImmediate(resolve))
    }
  }

  get #isAnyWaiting(): boolean {
    return [...this.#connections.values()].some(({ isWaiting }) => isWaiting)
  }

  stop(server: Server): Promise<void> {
    // Otherwise Node would keep the connection for another request.
    server.keepAliveTimeout = LAST_TIMEOUT_MS
    server.keepAliveTimeoutBuffer = 0
    return new Promise((resolve) => void server.close(() => resolve()))
  }

  /** Node now reads this connection. */
  watch(socket: Socket, connection: NodeConnection): void {
    this.#connections.set(socket, connection)
    socket.once('close', () => this.#connections.delete(socket))
  }

  fail(socket: Socket, error: Error): void {
    const connection = this.#connections.get(socket)
    if (connection === undefined) socket.destroy()
    else connection.fail(error)
  }

  /** Closes all connections except those whose complete request is in progress. */
  closeUnanswered(): void {
    for (const connection of this.#connections.values()) connection.closeUnlessAnswering()
  }

  readonly handle = (request: IncomingMessage, response: ServerResponse<IncomingMessage>): void => {
    const connection = this.#connections.get(request.socket)
    connection?.begin(request, response, this.#stopping)
    const target = targetOf(request)
    const route = this.#find(target)
    if ((request.headersDistinct['host']?.length ?? 0) > 1) {
      // Programs in front of this one may have judged another of them (RFC 9112 3.2).
      connection?.endWith(response)
      answerPlainly(response, 400)
    } else if (route === undefined) {
      answerPlainly(response, 404)
    } else if (route.methods !== undefined && !route.methods.includes(request.method ?? '')) {
      answerPlainly(response, 405, ['Allow', route.methods.join(', ')])
    } else {
      this.#run(route, request, response, target)
    }
  }

  #find(target: string): HttpRoute | undefined {
    const query = target.indexOf('?')
    const path = query < 0 ? target : target.slice(0, query)
    return this.#exact.get(path) ?? this.#prefixes.find((route) => path.startsWith(route.path))
  }

  #run(route: HttpRoute, request: IncomingMessage, response: ServerResponse, target: string): void {
    try {
      const running = route.handle(request, response, target)
      if (running !== undefined) running.catch((error: unknown) => this.#fail(route, response, error))
    } catch (error) {
      this.#fail(route, response, error)
    }
  }

  #fail(route: HttpRoute, response: ServerResponse, error: unknown): void {
    const cause = error instanceof Error ? error : new Error(String(error))
    this.#log.error({ error: cause, path: route.path }, 'request handler failed: internal error')
    if (response.headersSent) response.destroy()
    else answerPlainly(response, 500)
  }
}

const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad request',
  404: 'Not found',
  405: 'Method not allowed',
  500: 'Internal error',
}

function answerPlainly(response: ServerResponse, status: number, headers: readonly string[] = []): void {
  const body = `${REASONS[status]}\n`
  response.writeHead(status, ['Content-Type', 'text/plain', 'Content-Length', String(body.length), ...headers])
  response.end(body)
}

/** Returns the path with its query; the request target may be an absolute URL (RFC 9112 3.2.2). */
function targetOf(request: IncomingMessage): string {
  const url = request.url ?? '/'
  if (url.startsWith('/')) return url
  const start = url.indexOf('/', url.indexOf('://') + 3)
  return start < 0 ? '/' : url.slice(start)
}
