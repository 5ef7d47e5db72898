/**
 * Connections to hooks, kept open for a few seconds whatever the hook offers, and bounded in total: beyond the limit,
 * closes those of the origin called longest ago first.
 *
 * Calls are sent, and connections are free again, at the end of a turn of the event loop. So a connection is read
 * between two calls, and one that the hook closed after its answer is not used again.
 *
 * While many calls to an origin are under way, the next ones wait for a moment until one of those ends: reports of many
 * accounts to one receiver come in bursts, and hundreds of connections cost both sides more than the wait. If none ends
 * in time, the receiver is slow, and more calls at a time need not wait.
 */
import type { Socket } from 'node:net'
import type { buildConnector } from 'undici'
import { Fifo } from '../../domain/structures/fifo.ts'
import type { Cancel, Clock } from '../../ports/system/clock.ts'
import { ConnectionTurns } from './connection-turns.ts'
import { HookConnection, type SentRequest } from './hook-connection.ts'

/** Closes idle connections after this time, even if the hook offers a longer one. */
export const IDLE_MS = 10_000
/** Between two searches for connections that were idle for so long. */
const SWEEP_MS = 1_000
/** Active and idle connections. delivery/reports/call-slots.ts bounds active calls. */
const MAX_CONNECTIONS = 2_048
/** Calls to one origin at a time that need not wait: as many as one hook may have (delivery/reports/hook-queue.ts). */
const AT_ONCE = 64
/** A further call starts when another ends, or when it has waited so long. */
const MAX_WAIT_MS = 50

export interface HookRequest extends SentRequest {
  /** Protocol, host and port. */
  readonly origin: string
  readonly account: number
}

interface Origin {
  readonly url: URL
  /** Connections that are not idle: they are being opened or closed, or have a call. */
  active: number
  /** Calls at a time that need not wait. Each one that waited in vain adds itself, until few are active. */
  atOnce: number
  /** The last one was used last. */
  readonly idle: HookConnection[]
  /** Calls that wait until one of the active connections is free. */
  readonly waiting: Fifo<HookRequest>
}

export class HookConnections {
  readonly #connect: buildConnector.connector
  readonly #clock: Clock
  readonly #turns: ConnectionTurns
  readonly #max: number
  /** Ordered by last call, oldest first. */
  readonly #origins = new Map<string, Origin>()
  /** The last of them; null when it has been forgotten. */
  #newest: Origin | null = null
  readonly #open = new Set<HookConnection>()
  /** Sent at the end of this turn. */
  #calls: HookRequest[] = []
  /** Idle at the end of this turn. */
  #answered: (readonly [Origin, HookConnection])[] = []
  /** With calls that wait. */
  readonly #crowded = new Set<Origin>()
  #endsTurn = false
  #cancelWait: Cancel | null = null
  #cancelSweep: Cancel | null = null
  #stopped = false

  constructor(connect: buildConnector.connector, clock: Clock, max = MAX_CONNECTIONS) {
    this.#connect = connect
    this.#clock = clock
    this.#turns = new ConnectionTurns(clock)
    this.#max = max
  }

  /** Open connections. */
  get count(): number {
    return this.#open.size
  }

  /** Throws if the gateway is stopping. */
  send(request: HookRequest): void {
    if (this.#stopped) throw new Error('the gateway is stopping')
    this.#endTurnLater()
    this.#calls.push(request)
  }

  stop(): void {
    this.#stopped = true
    this.#cancelWait?.()
    this.#cancelSweep?.()
    for (const connection of this.#open) connection.abort(new Error('the gateway is stopping'))
  }

  #endTurnLater(): void {
    if (this.#endsTurn) return
    this.#endsTurn = true
    setImmediate(() => this.#endTurn())
  }

  #endTurn(): void {
    const calls = this.#calls
    const answered = this.#answered
    this.#endsTurn = false
    this.#calls = []
    this.#answered = []
    this.#startWaiting()
    for (const request of calls) this.#start(request)
    for (const [origin, connection] of answered) this.#keep(origin, connection)
  }

  #start(request: HookRequest): void {
    if (request.exchange.hasEnded || this.#stopped) return
    const origin = this.#originOf(request.origin)
    if (origin.active < origin.atOnce) {
      this.#run(origin, request)
    } else {
      origin.waiting.push(request)
      this.#crowded.add(origin)
      this.#waitLater()
    }
  }

  #run(origin: Origin, request: HookRequest): void {
    const connection = this.#takeIdle(origin)
    origin.active += 1
    if (connection === null) this.#connectTo(origin, request)
    else connection.send(request)
  }

  /** Starts the calls that have waited long enough, or may start because others have ended. */
  #startWaiting(): void {
    const waitedSince = this.#clock.monotonic() - MAX_WAIT_MS
    for (const origin of this.#crowded) {
      const { waiting } = origin
      for (let next = waiting.first; next !== undefined; next = waiting.first) {
        if (origin.active >= origin.atOnce && next.exchange.since > waitedSince) break
        waiting.shift()
        if (next.exchange.hasEnded) continue
        origin.atOnce = Math.max(origin.atOnce, origin.active + 1)
        this.#run(origin, next)
      }
      if (waiting.length > 0) continue
      this.#crowded.delete(origin)
      this.#forget(origin)
    }
  }

  #waitLater(): void {
    if (this.#cancelWait !== null || this.#crowded.size === 0) return
    const oldest = Math.min(...[...this.#crowded].map(({ waiting }) => waiting.first?.exchange.since ?? 0))
    this.#cancelWait = this.#clock.after(oldest + MAX_WAIT_MS - this.#clock.monotonic(), () => {
      this.#cancelWait = null
      this.#startWaiting()
      this.#waitLater()
    })
  }

  /** One of its active connections is idle, closed or was not opened. */
  #freed(origin: Origin): void {
    origin.active -= 1
    if (origin.active < AT_ONCE) origin.atOnce = AT_ONCE
    if (origin.waiting.length > 0) this.#endTurnLater()
  }

  /** Returns the origin, which is now the last in their order. */
  #originOf(name: string): Origin {
    const origin = this.#origins.get(name) ?? newOrigin(name)
    if (origin !== this.#newest) {
      this.#origins.delete(name)
      this.#origins.set(name, origin)
      this.#newest = origin
    }
    return origin
  }

  #takeIdle(origin: Origin): HookConnection | null {
    const now = this.#clock.monotonic()
    for (;;) {
      const connection = origin.idle.pop()
      if (connection === undefined) return null
      if (connection.isOpen && now < connection.idleUntil) return connection
      this.#close(origin, connection)
    }
  }

  #connectTo(origin: Origin, request: HookRequest): void {
    const { account, exchange } = request
    const { host, hostname, protocol, port } = origin.url
    const target = { host, hostname: hostname.replace(/^\[|\]$/g, ''), protocol, port }
    this.#turns.take(origin.url.origin, account, {
      isOver: () => exchange.hasEnded || this.#stopped,
      skip: () => this.#ended(origin),
      connect: (done) =>
        this.#connect(target, (...[error, socket]) => {
          done(error !== null)
          if (error !== null) {
            exchange.fail(error)
            this.#ended(origin)
          } else if (this.#stopped) {
            socket.destroy()
          } else {
            const connection = this.#opened(origin, socket)
            if (exchange.hasEnded) this.#keep(origin, connection)
            else connection.send(request)
          }
        }),
    })
  }

  #opened(origin: Origin, socket: Socket): HookConnection {
    const connection = new HookConnection(socket, {
      onAnswered: (keptMs) => {
        connection.idleUntil = this.#clock.monotonic() + Math.min(keptMs, IDLE_MS)
        this.#endTurnLater()
        this.#answered.push([origin, connection])
      },
      onClosed: () => {
        this.#open.delete(connection)
        const index = origin.idle.indexOf(connection)
        if (index >= 0) origin.idle.splice(index, 1)
        else this.#freed(origin)
        this.#forget(origin)
      },
    })
    connection.idleUntil = this.#clock.monotonic() + IDLE_MS
    this.#open.add(connection)
    this.#closeSurplus()
    return connection
  }

  #keep(origin: Origin, connection: HookConnection): void {
    if (!connection.isOpen) return
    origin.idle.push(connection)
    this.#freed(origin)
    this.#sweepLater()
  }

  #closeSurplus(): void {
    let surplus = this.#open.size - this.#max
    for (const origin of this.#origins.values()) {
      if (surplus <= 0) return
      // The last one was used last. A call does not keep other connections of its origin open.
      const closed = origin.idle.splice(0, surplus)
      surplus -= closed.length
      for (const connection of closed) this.#close(origin, connection)
    }
  }

  #sweepLater(): void {
    this.#cancelSweep ??= this.#clock.after(SWEEP_MS, () => {
      this.#cancelSweep = null
      const now = this.#clock.monotonic()
      for (const origin of this.#origins.values()) {
        const expired = origin.idle.filter(({ idleUntil }) => idleUntil <= now)
        for (const connection of expired) connection.abort(new Error('idle'))
        if (expired.length < origin.idle.length) this.#sweepLater()
      }
    })
  }

  /** Closes a connection that was idle. */
  #close(origin: Origin, connection: HookConnection): void {
    origin.active += 1
    this.#open.delete(connection)
    connection.abort(new Error('idle'))
  }

  /** A connection could not be opened. */
  #ended(origin: Origin): void {
    this.#freed(origin)
    this.#forget(origin)
  }

  #forget(origin: Origin): void {
    const { origin: name } = origin.url
    if (origin.active + origin.idle.length + origin.waiting.length > 0 || this.#origins.get(name) !== origin) return
    this.#origins.delete(name)
    if (this.#newest === origin) this.#newest = null
  }
}

function newOrigin(name: string): Origin {
  return { url: new URL(name), active: 0, atOnce: AT_ONCE, idle: [], waiting: new Fifo() }
}
