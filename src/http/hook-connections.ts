/**
 * Connections to hooks, kept open for a few seconds whatever the hook offers, and bounded in total: beyond the limit,
 * closes those of the origin called longest ago first.
 */
import { type buildConnector, type Dispatcher, Pool } from 'undici'
import type { Clock } from '../ports/clock.ts'
import { ConnectionTurns } from './connection-turns.ts'

/** Closes idle connections after this time, even if the hook offers a longer one. */
export const IDLE_MS = 10_000
/** Active and idle connections. delivery/call-slots.ts bounds active calls, which never wait for a connection here. */
const MAX_CONNECTIONS = 2_048

interface Origin {
  readonly pool: Pool
  /** Of the last call. */
  account: number
  /** Active calls. */
  active: number
  connections: number
}

export class HookConnections {
  readonly #connect: buildConnector.connector
  readonly #turns: ConnectionTurns
  readonly #max: number
  readonly #idleMs: number
  /** Ordered by last call, oldest first. */
  readonly #origins = new Map<string, Origin>()
  #connections = 0
  #stopped = false

  constructor(connect: buildConnector.connector, clock: Clock, max = MAX_CONNECTIONS, idleMs = IDLE_MS) {
    this.#connect = connect
    this.#turns = new ConnectionTurns(clock)
    this.#max = max
    this.#idleMs = idleMs
  }

  /** Open connections. */
  get count(): number {
    return this.#connections
  }

  /** Call the result when the call has ended. Throws if the request cannot be sent. */
  dispatch(
    { origin, account }: { readonly origin: string; readonly account: number },
    request: Dispatcher.DispatchOptions,
    handler: Dispatcher.DispatchHandler,
  ): () => void {
    if (this.#stopped) throw new Error('the gateway is stopping')
    const used = this.#origins.get(origin) ?? this.#open(origin)
    used.account = account
    this.#origins.delete(origin)
    this.#origins.set(origin, used)
    used.active += 1
    try {
      used.pool.dispatch(request, handler)
    } catch (error) {
      this.#done(origin, used)
      throw error
    }
    return () => this.#done(origin, used)
  }

  async stop(): Promise<void> {
    this.#stopped = true
    await Promise.all([...this.#origins.values()].map(({ pool }) => pool.destroy()))
    this.#origins.clear()
  }

  #open(name: string): Origin {
    const pool = new Pool(name, {
      connections: null,
      pipelining: 1,
      allowH2: false,
      keepAliveTimeout: this.#idleMs,
      keepAliveMaxTimeout: this.#idleMs,
      // A single monotonic timeout bounds the whole call.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: (options, callback) =>
        this.#turns.take(name, origin.account, (done) =>
          this.#connect(options, (...[error, socket]) => {
            done(error !== null)
            if (error !== null) return callback(error, null)
            this.#opened(name, origin)
            socket.once('close', () => this.#closed(name, origin))
            callback(null, socket)
          }),
        ),
    })
    const origin: Origin = { pool, account: 0, active: 0, connections: 0 }
    return origin
  }

  #opened(_name: string, origin: Origin): void {
    origin.connections += 1
    this.#connections += 1
    let surplus = this.#connections - this.#max
    for (const [name, oldest] of this.#origins) {
      if (surplus <= 0) return
      if (oldest.active > 0) continue
      surplus -= oldest.connections
      this.#origins.delete(name)
      oldest.pool.destroy().catch(() => {})
    }
  }

  #closed(name: string, origin: Origin): void {
    origin.connections -= 1
    this.#connections -= 1
    this.#forget(name, origin)
  }

  #done(name: string, origin: Origin): void {
    origin.active -= 1
    this.#forget(name, origin)
  }

  /** All connections are closed. */
  #forget(name: string, origin: Origin): void {
    if (origin.active + origin.connections > 0 || this.#origins.get(name) !== origin) return
    this.#origins.delete(name)
    origin.pool.destroy().catch(() => {})
  }
}
