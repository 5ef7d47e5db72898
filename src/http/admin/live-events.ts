/**
 * Live events of this gateway as server-sent events: one snapshot every two seconds, computed once for all listeners
 * and only while there are any. Ends a stream when its session ends, and drops listeners that do not read.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { AdminProblem } from '../../operations/admin/endpoint/admin-problem.ts'
import type { Actor } from '../../operations/admin/endpoint/endpoint.ts'
import type { Cancel, Clock } from '../../ports/system/clock.ts'

export interface LiveEventTools {
  readonly clock: Clock
  readonly snapshots: { restart(): void; take(): Promise<object> }
}

interface Listener {
  readonly user: string
  readonly response: ServerResponse
  /** Throws when the session has ended. */
  readonly authenticate: () => Actor
}

const TICK_MS = 2_000
const MAX_LISTENERS = 64
const MAX_LISTENERS_OF_USER = 8
/** Bytes that a listener may leave unread. */
const MAX_UNREAD = 256 * 1024
/** Browsers connect again after this time. */
const RETRY_MS = 3_000

export class LiveEvents {
  readonly #tools: LiveEventTools
  readonly #listeners = new Set<Listener>()
  #cancel: Cancel | null = null
  /** For new listeners; null before the first one. */
  #last: string | null = null
  #stopped = false

  constructor(tools: LiveEventTools) {
    this.#tools = tools
  }

  /** Throws AdminProblem, having answered nothing, if there are too many listeners. */
  open(request: IncomingMessage, response: ServerResponse, authenticate: () => Actor): void {
    const { name: user } = authenticate()
    const own = [...this.#listeners].filter((each) => each.user === user)
    if (this.#stopped) throw new AdminProblem(503, 'the gateway stops')
    if (own.length >= MAX_LISTENERS_OF_USER || this.#listeners.size >= MAX_LISTENERS) {
      throw new AdminProblem(429, 'too many live views are open: close one')
    }
    const listener: Listener = { user, response, authenticate }
    this.#listeners.add(listener)
    // A client that half-closes has left, unlike one that waits for an answer with an end.
    const end = () => response.end()
    request.socket.once('end', end)
    response.once('close', () => {
      request.socket.off('end', end)
      this.#remove(listener)
    })
    response.writeHead(200, {
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-store',
      // nginx would collect the events.
      'X-Accel-Buffering': 'no',
      'X-Content-Type-Options': 'nosniff',
    })
    response.write(`retry: ${RETRY_MS}\n\n`)
    request.resume()
    if (this.#last !== null) response.write(this.#last)
    if (this.#listeners.size === 1) void this.#tick()
  }

  /** Ends all streams, so that the server can stop. */
  stop(): void {
    this.#stopped = true
    for (const listener of this.#listeners) listener.response.end()
  }

  #remove(listener: Listener): void {
    this.#listeners.delete(listener)
    if (this.#listeners.size > 0) return
    this.#cancel?.()
    this.#cancel = null
    this.#last = null
    this.#tools.snapshots.restart()
  }

  async #tick(): Promise<void> {
    this.#cancel = null
    const event = `event: snapshot\ndata: ${JSON.stringify(await this.#tools.snapshots.take())}\n\n`
    if (this.#listeners.size > 0) this.#last = event
    for (const listener of this.#listeners) send(listener, event)
    if (this.#listeners.size === 0 || this.#stopped || this.#cancel !== null) return
    this.#cancel = this.#tools.clock.after(TICK_MS, () => void this.#tick())
  }
}

function send({ response, authenticate }: Listener, event: string): void {
  if (response.writableEnded) return
  if (response.writableLength > MAX_UNREAD) {
    response.destroy()
    return
  }
  try {
    authenticate()
    response.write(event)
  } catch {
    response.end('event: end\ndata: {}\n\n')
  }
}
