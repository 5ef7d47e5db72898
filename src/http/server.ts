/**
 * A bare HTTP server with a short list of routes. Bounded in everything that a stranger decides: header size, the time a
 * request may take to arrive, connections. Stops without cutting off a request that runs.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { NetworkSet } from '../domain/networks.ts'
import type { Cancel, Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import { shareOf } from './client-address.ts'
import { type PlainPostPath, PlainPosts } from './plain-post.ts'

export interface HttpRoute {
  /** A whole path, or the beginning of paths when it ends in a slash. */
  readonly path: string
  /** Other methods are answered 405 by the server; absent when the handler takes every method. */
  readonly methods?: readonly string[]
  /** The fast way in, for POSTs of JSON in their plainest form (plain-post.ts); `handle` then gets only the others. */
  readonly plainPost?: PlainPostPath
  /** `target` is the path with its query. What it throws is logged and answered 500. */
  handle(request: IncomingMessage, response: ServerResponse, target: string): void | Promise<void>
}

export interface HttpServer {
  /** `http://127.0.0.1:8080`, with the port that was really taken. */
  readonly address: string
  /** Puts these routes in the place of the ones before. Without any, every path is 503. */
  serve(routes: readonly HttpRoute[]): void
  /** From now on every answer ends its connection; whoever asks is served as before. */
  giveNotice(): void
  /**
   * Takes no more connections and resolves when the requests that have arrived are answered. Those that have not arrived
   * whole STOP_GRACE_MS later are cut off.
   */
  stop(): Promise<void>
}

export interface HttpServerOptions {
  readonly host: string
  /** 0 is any free one. */
  readonly port: number
  readonly clock: Clock
  readonly log: Log
  /** Networks whose connections are not counted by address, CIDR form: proxies speak for many clients. */
  readonly trustedProxies?: readonly string[]
  /** Connections that one client address may have at a time. */
  readonly connectionsPerAddress?: number
}

const HEADER_BYTES = 16 * 1024
const HEADERS_TIMEOUT_MS = 10_000
/** For a whole request to arrive. */
const REQUEST_TIMEOUT_MS = 30_000
/** How often those two are looked after. */
const CHECKING_MS = 5_000
/** For a connection between two requests; a little longer than what proxies in front keep theirs. */
const IDLE_TIMEOUT_MS = 65_000
/** The same once the server stops: long enough for an answer to leave. */
const LAST_TIMEOUT_MS = 1
/** How long a server that stops waits for a request that is still arriving, and for a client that reads no answer. */
export const STOP_GRACE_MS = 5_000
/** Connections that wait to be accepted; clients of a gateway that was stopped come all at once. The system may allow fewer. */
const BACKLOG = 4_096
const MAX_CONNECTIONS = 10_000
const CONNECTIONS_PER_ADDRESS = 2_000

/** Rejects when the address cannot be listened on. */
export async function startHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const { host, port, clock, log } = options
  const router = new Router(log)
  const paths = new Map<string, PlainPostPath>()
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
  // Otherwise Node answers 417 by itself to an Expect header that it does not know.
  server.on('checkExpectation', router.handle)
  const admission = new ConnectionAdmission(options)
  const plainPosts = readPlainPosts(server, { paths, clock, admission, onPassed: (socket) => router.watch(socket) })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, BACKLOG, resolve)
  })
  server.removeAllListeners('error').on('error', (error) => log.error({ error }, 'the HTTP server met an error'))
  const taken = server.address() as AddressInfo
  return {
    address: `http://${taken.family === 'IPv6' ? `[${taken.address}]` : taken.address}:${taken.port}`,
    serve: (routes) => {
      router.serve(routes)
      for (const { path, plainPost } of routes) if (plainPost !== undefined) paths.set(path, plainPost)
    },
    giveNotice: () => {
      plainPosts.giveNotice()
      router.giveNotice()
    },
    stop: async () => {
      plainPosts.stop()
      const cancel = repeat(clock, STOP_GRACE_MS, () => {
        plainPosts.closeUnanswered()
        router.closeUnanswered()
      })
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

interface PlainPostTools {
  readonly paths: ReadonlyMap<string, PlainPostPath>
  readonly clock: Clock
  readonly admission: ConnectionAdmission
  /** Node reads this connection from now on. */
  readonly onPassed: (socket: Socket) => void
}

/** Puts the reader of plain POSTs before Node's own, which gets every connection that turns out to be another. */
function readPlainPosts(server: Server, { paths, clock, admission, onPassed }: PlainPostTools): PlainPosts {
  const readByNode = server.listeners('connection') as ((socket: Socket) => void)[]
  const plainPosts = new PlainPosts({
    paths,
    clock,
    pass: (socket, bytes) => {
      onPassed(socket)
      socket.pause()
      socket.unshift(bytes)
      for (const read of readByNode) read.call(server, socket)
      socket.resume()
    },
  })
  server.removeAllListeners('connection').on('connection', (socket: Socket) => {
    if (admission.admit(socket)) plainPosts.take(socket)
    else socket.destroy()
  })
  return plainPosts
}

/** Counts connections by client address, so that one client cannot take all that there may be. */
class ConnectionAdmission {
  readonly #proxies: NetworkSet
  readonly #max: number
  readonly #open = new Map<string, number>()

  constructor({ trustedProxies = [], connectionsPerAddress = CONNECTIONS_PER_ADDRESS }: HttpServerOptions) {
    this.#proxies = new NetworkSet(trustedProxies)
    this.#max = connectionsPerAddress
  }

  admit(socket: Socket): boolean {
    const { remoteAddress } = socket
    // It is gone already, or is a proxy of ours.
    if (remoteAddress === undefined || this.#proxies.has(remoteAddress)) return true
    const address = shareOf(remoteAddress)
    const open = this.#open.get(address) ?? 0
    if (open >= this.#max) return false
    this.#open.set(address, open + 1)
    socket.once('close', () => {
      const left = (this.#open.get(address) ?? 1) - 1
      if (left > 0) this.#open.set(address, left)
      else this.#open.delete(address)
    })
    return true
  }
}

class Router {
  readonly #log: Log
  #exact: ReadonlyMap<string, HttpRoute> = new Map()
  #prefixes: readonly HttpRoute[] = []
  #stopping = false
  readonly #sockets = new Set<Socket>()
  readonly #open = new Set<ServerResponse<IncomingMessage>>()

  constructor(log: Log) {
    this.#log = log
  }

  serve(routes: readonly HttpRoute[]): void {
    this.#exact = new Map(routes.map((route) => [route.path, route]))
    this.#prefixes = routes.filter((route) => route.path.endsWith('/'))
  }

  giveNotice(): void {
    this.#stopping = true
    // A client that is not told sends its next request into a connection that closes.
    for (const response of this.#open) response.shouldKeepAlive = false
  }

  stop(server: Server): Promise<void> {
    this.giveNotice()
    // A connection whose request runs would otherwise be kept for a next one that is not to come.
    server.keepAliveTimeout = LAST_TIMEOUT_MS
    server.keepAliveTimeoutBuffer = 0
    return new Promise((resolve) => void server.close(() => resolve()))
  }

  watch(socket: Socket): void {
    this.#sockets.add(socket)
    socket.once('close', () => this.#sockets.delete(socket))
  }

  /** Closes every connection but those whose request has arrived and is being answered. */
  closeUnanswered(): void {
    const running = [...this.#open].filter(({ req, writableEnded }) => req.complete && !writableEnded)
    const kept = new Set(running.map(({ req }) => req.socket))
    for (const socket of this.#sockets) if (!kept.has(socket)) socket.destroy()
  }

  readonly handle = (request: IncomingMessage, response: ServerResponse<IncomingMessage>): void => {
    this.#open.add(response)
    response.once('close', () => this.#open.delete(response))
    if (this.#stopping) response.shouldKeepAlive = false
    const target = targetOf(request)
    const route = this.#find(target)
    if (route === undefined) {
      answerPlainly(response, this.#exact.size === 0 ? 503 : 404)
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
    this.#log.error({ error: cause, path: route.path }, 'a handler failed by a fault of ours')
    if (response.headersSent) response.destroy()
    else answerPlainly(response, 500)
  }
}

const REASONS: Readonly<Record<number, string>> = {
  404: 'Not found',
  405: 'Method not allowed',
  500: 'Internal error',
  503: 'Starting',
}

function answerPlainly(response: ServerResponse, status: number, headers: readonly string[] = []): void {
  const body = `${REASONS[status]}\n`
  response.writeHead(status, ['Content-Type', 'text/plain', 'Content-Length', String(body.length), ...headers])
  response.end(body)
}

/** The path with its query; requests may carry a whole address in its place (RFC 9112 3.2.2). */
function targetOf(request: IncomingMessage): string {
  const url = request.url ?? '/'
  if (url.startsWith('/')) return url
  const start = url.indexOf('/', url.indexOf('://') + 3)
  return start < 0 ? '/' : url.slice(start)
}
