/**
 * The SMPP server: takes connections of clients, in all and from one address a bounded number, and ends those that do
 * not bind. Speaks TLS if it has a certificate.
 */
import net, { type Socket } from 'node:net'
import tls from 'node:tls'
import { isDeepStrictEqual } from 'node:util'
import { limitKeyOf } from '../../http/server/client-address.ts'
import type { NotedPlace } from '../../ports/records/cluster.ts'
import { listen } from '../../wire/listen.ts'
import { BIND_WITHIN_MS, type BindTools, ClientBind } from './client-bind.ts'
import type { LongMessages } from './long-messages.ts'

export interface SmppTls {
  /** PEM. */
  readonly key: string
  readonly cert: string
  /** Certificate authorities of clients, PEM; without them clients need no certificate. */
  readonly clientCa: string | null
}

export interface SmppServerOptions extends Omit<BindTools, 'bound' | 'closed' | 'isDraining'> {
  readonly host: string
  readonly port: number
  /** Reads the certificate, also for its renewal; null for a server without TLS. Throws if it cannot. */
  readonly readTls: () => SmppTls | null
  readonly longMessages: LongMessages
  /** Distinguishes the connections of this node from those of others. */
  readonly node: string
}

/** Connections in all, and from one address or IPv6 network. */
const MAX_CONNECTIONS = 5_000
const MAX_OF_ADDRESS = 500
/** Those that are not bound yet: each may hold a part of a PDU. */
const MAX_UNBOUND = 500
/** One address leaves room for the binds of others. */
const MAX_UNBOUND_OF_ADDRESS = 50
const LEAVE_WITHIN_MS = 10_000

export interface SmppServer {
  readonly port: number
  /** Refuses new connections and requests from now on. */
  giveNotice(): void
  /** Ends connections whose login was removed or changed, and looks after long messages. */
  look(): Promise<void>
  /** Shows the operators of other nodes the connections to this one. */
  noteBinds(): Promise<void>
  /** Uses the certificate as its files are now, for connections from now on; keeps the present one if they are bad. */
  renewCertificate(): void
  /** Unbinds all clients, in bounded time, and closes the port. */
  stop(): Promise<void>
}

/** Rejects if the port is taken. */
export async function startSmppServer(options: SmppServerOptions): Promise<SmppServer> {
  const { host, port, readTls, clock, log } = options
  let secure = readTls()
  const connections = new Connections(options)
  const tlsServer = secure === null ? null : tls.createServer(toTls(secure))
  const server = tlsServer ?? net.createServer({ noDelay: true })
  server.maxConnections = MAX_CONNECTIONS
  server.on('connection', (socket: Socket) => connections.count(socket))
  server.on(tlsServer === null ? 'connection' : 'secureConnection', (socket: Socket) => connections.accept(socket))
  tlsServer?.on('tlsClientError', (_error: Error, socket: Socket) => socket.destroy())
  const bound = await listen(server, port, host)
  server.on('error', (error) => log.error({ error }, 'the SMPP port failed'))
  log.info({ host, port: bound, tls: tlsServer !== null }, 'SMPP server listens')
  return {
    port: bound,
    giveNotice: () => {
      connections.isDraining = true
    },
    look: () => {
      connections.look()
      return options.longMessages.look()
    },
    noteBinds: () => options.places.note(connections.placed()),
    renewCertificate: () => {
      if (tlsServer === null) return
      try {
        const read = readTls()
        if (read === null || isDeepStrictEqual(read, secure)) return
        tlsServer.setSecureContext(toTls(read))
        secure = read
        log.info({}, 'the SMPP server has another certificate')
      } catch (error) {
        log.error({ error: error as Error }, 'the SMPP server keeps its certificate: the new one cannot be used')
      }
    },
    stop: async () => {
      connections.isDraining = true
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      const cancel = clock.after(LEAVE_WITHIN_MS, () => connections.destroyAll('the gateway stops'))
      await connections.leaveAll()
      await closed
      cancel()
    },
  }
}

/** The connections of an address. */
interface AddressCount {
  all: number
  bound: number
}

class Connections {
  readonly #options: SmppServerOptions
  readonly #binds = new Set<ClientBind>()
  readonly #bound = new Set<ClientBind>()
  readonly #ofAddress = new Map<string, AddressCount>()
  readonly #sockets = new Set<Socket>()
  #next = 0
  isDraining = false

  constructor(options: SmppServerOptions) {
    this.#options = options
  }

  /** Counts a connection, also before its TLS handshake. */
  count(socket: Socket): void {
    socket.on('error', () => socket.destroy())
    const address = limitKeyOf(socket.remoteAddress ?? null)
    const count = this.#ofAddress.get(address) ?? { all: 0, bound: 0 }
    const isFull = count.all >= MAX_OF_ADDRESS || count.all - count.bound >= MAX_UNBOUND_OF_ADDRESS
    if (this.isDraining || isFull || this.#sockets.size - this.#bound.size >= MAX_UNBOUND) {
      socket.destroy()
      return
    }
    count.all += 1
    this.#ofAddress.set(address, count)
    this.#sockets.add(socket)
    socket.once('close', () => {
      this.#sockets.delete(socket)
      count.all -= 1
      if (count.all === 0) this.#ofAddress.delete(address)
    })
  }

  accept(socket: Socket): void {
    if (socket.destroyed) return
    socket.setNoDelay(true)
    const count = this.#ofAddress.get(limitKeyOf(socket.remoteAddress ?? null))
    this.#next += 1
    const bind = new ClientBind(`${this.#options.node}-${this.#next}`, socket, {
      ...this.#options,
      isDraining: () => this.isDraining,
      bound: (bind) => {
        this.#bound.add(bind)
        if (count !== undefined) count.bound += 1
      },
      closed: (bind) => {
        this.#binds.delete(bind)
        if (this.#bound.delete(bind) && count !== undefined) count.bound -= 1
      },
    })
    this.#binds.add(bind)
  }

  placed(): readonly NotedPlace[] {
    return [...this.#bound].flatMap(({ placed }) => placed ?? [])
  }

  look(): void {
    for (const bind of this.#bound) if (!bind.isCurrent) void bind.leave()
  }

  async leaveAll(): Promise<void> {
    await Promise.all([...this.#binds].map((bind) => (bind.mode === null ? bind.destroy('stops') : bind.leave())))
    for (const socket of this.#sockets) socket.destroySoon()
  }

  destroyAll(reason: string): void {
    for (const bind of this.#binds) bind.destroy(reason)
    for (const socket of this.#sockets) socket.destroy()
  }
}

function toTls({ key, cert, clientCa }: SmppTls): tls.TlsOptions {
  return {
    key,
    cert,
    handshakeTimeout: BIND_WITHIN_MS,
    minVersion: 'TLSv1.2',
    ...(clientCa === null ? {} : { ca: clientCa, requestCert: true, rejectUnauthorized: true }),
  }
}
