/**
 * One connection to the carrier: opens it, binds, and begins again with growing waits whenever it is lost or refused.
 * Never gives up until it is stopped.
 */
import { connect, type Socket } from 'node:net'
import type { Cancel, Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { Random } from '../../ports/random.ts'
import { describeStatus, STATUS } from '../../wire/smpp/command-status.ts'
import { type Outcome, type PeerRequest, Session, type SessionOwner } from '../../wire/smpp/session.ts'
import type { SmppSettings } from './read-settings.ts'

export interface Tools {
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
}

export interface BindOwner {
  requested(request: PeerRequest, sequence: number, session: Session): void
  /** Bound, or no longer bound. */
  changed(): void
}

const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 60_000
const INTERFACE_VERSION = 0x34
/** Receipts that may wait to be recorded before the connection is read no further. */
const PEER_WINDOW = 1_000

export class Bind implements SessionOwner {
  readonly #settings: SmppSettings
  readonly #tools: Tools
  readonly #owner: BindOwner
  #socket: Socket | null = null
  #session: Session | null = null
  #bound = false
  #stopped = false
  #tries = 0
  #cancelRetry: Cancel | null = null
  #lastError: string | null = null

  constructor(settings: SmppSettings, tools: Tools, owner: BindOwner) {
    this.#settings = settings
    this.#tools = tools
    this.#owner = owner
  }

  /** The session while it is bound. */
  get session(): Session | null {
    return this.#bound ? this.#session : null
  }

  /** Why it is not bound, or why it was not the last time. */
  get lastError(): string | null {
    return this.#lastError
  }

  start(): void {
    const { host, port, responseTimeoutMs } = this.#settings
    const socket = connect({ host, port, noDelay: true })
    this.#socket = socket
    const cancel = this.#tools.clock.after(responseTimeoutMs, () =>
      socket.destroy(new Error('connecting took too long')),
    )
    const failed = (error: Error) => {
      this.#lastError = error.message
    }
    const closed = () => {
      cancel()
      this.#retry()
    }
    socket.once('error', failed)
    socket.once('close', closed)
    socket.once('connect', () => {
      cancel()
      socket.off('error', failed)
      socket.off('close', closed)
      this.#connected(socket)
    })
  }

  async stop(): Promise<void> {
    this.#stopped = true
    this.#cancelRetry?.()
    if (this.#bound) await this.#session?.leave()
    else if (this.#session !== null) this.#session.destroy('stopped')
    else this.#socket?.destroy()
  }

  requested(request: PeerRequest, sequence: number, session: Session): void {
    this.#owner.requested(request, sequence, session)
  }

  closed(reason: string): void {
    this.#session = null
    this.#bound = false
    this.#lastError = reason
    this.#retry()
    this.#owner.changed()
  }

  #connected(socket: Socket): void {
    const { window, responseTimeoutMs, enquireLinkMs, systemId, password, systemType, addressRange } = this.#settings
    const options = { clock: this.#tools.clock, window, peerWindow: PEER_WINDOW, responseTimeoutMs, enquireLinkMs }
    const session = new Session(socket, this, options)
    this.#session = session
    session.request(
      {
        command: 'bind_transceiver',
        systemId,
        password,
        systemType,
        interfaceVersion: INTERFACE_VERSION,
        addressRange: { ton: 0, npi: 0, digits: addressRange },
      },
      (outcome) => this.#bindAnswered(outcome, session),
    )
  }

  #bindAnswered(outcome: Outcome, session: Session): void {
    const refusal = refusalOf(outcome)
    if (refusal !== null) {
      session.destroy(refusal)
      return
    }
    this.#bound = true
    this.#tries = 0
    this.#lastError = null
    this.#tools.log.info({ host: this.#settings.host, port: this.#settings.port }, 'bound to the SMPP carrier')
    this.#owner.changed()
  }

  #retry(): void {
    if (this.#stopped) return
    const full = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(this.#tries, 10))
    const waitMs = full - this.#tools.random.below(full / 2)
    this.#tries += 1
    const { host, port } = this.#settings
    this.#tools.log.warn({ host, port, waitMs, reason: this.#lastError }, 'not bound to the SMPP carrier')
    this.#cancelRetry = this.#tools.clock.after(waitMs, () => this.start())
  }
}

function refusalOf(outcome: Outcome): string | null {
  if (outcome.kind === 'failed') return outcome.reason
  return outcome.answer.status === STATUS.ok ? null : `bind refused: ${describeStatus(outcome.answer.status)}`
}
