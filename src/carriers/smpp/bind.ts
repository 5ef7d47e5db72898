/**
 * One connection to the carrier: opens it, binds, and begins again with growing waits whenever it is lost or refused.
 * Never gives up until it is stopped.
 */
import net, { type Socket } from 'node:net'
import tls from 'node:tls'
import type { Cancel } from '../../ports/clock.ts'
import { describeStatus, STATUS } from '../../wire/smpp/command-status.ts'
import type { BindCommand } from '../../wire/smpp/pdu.ts'
import { type Outcome, type PeerRequest, Session, type SessionOwner } from '../../wire/smpp/session.ts'
import type { CarrierTools } from '../carrier-tools.ts'
import type { SmppSettings } from './read-settings.ts'

export interface BindOwner {
  requested(request: PeerRequest, sequence: number, session: Session): void
  /** Bound, or no longer bound. */
  changed(): void
}

const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 60_000
/** Receipts that may wait to be recorded before the connection is read no further. */
const PEER_WINDOW = 1_000

export class Bind implements SessionOwner {
  readonly role: BindCommand
  readonly #settings: SmppSettings
  readonly #tools: CarrierTools
  readonly #owner: BindOwner
  #socket: Socket | null = null
  #session: Session | null = null
  #bound = false
  #stopped = false
  #tries = 0
  #cancelRetry: Cancel | null = null
  #lastError: string | null = null

  constructor(role: BindCommand, settings: SmppSettings, tools: CarrierTools, owner: BindOwner) {
    this.role = role
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
    const { responseTimeoutMs } = this.#settings
    const socket = connect(this.#settings)
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
    socket.on('error', failed)
    socket.once('close', closed)
    socket.once(this.#settings.tls === null ? 'connect' : 'secureConnect', () => {
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

  misunderstood(reason: string, head: string): void {
    const { host, port } = this.#settings
    this.#tools.log.warn({ host, port, reason, head }, 'the SMPP carrier said what makes no sense')
  }

  closed(reason: string): void {
    this.#session = null
    this.#bound = false
    this.#lastError = reason
    this.#retry()
    this.#owner.changed()
  }

  #connected(socket: Socket): void {
    const { window, responseTimeoutMs, enquireLinkMs, interfaceVersion, addressRange } = this.#settings
    const { systemId, password, systemType } = this.#settings
    const options = { clock: this.#tools.clock, window, peerWindow: PEER_WINDOW, responseTimeoutMs, enquireLinkMs }
    const session = new Session(socket, this, options)
    this.#session = session
    session.request(
      {
        command: this.role,
        systemId,
        password,
        systemType,
        interfaceVersion,
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
    const { host, port } = this.#settings
    this.#tools.log.info({ host, port, role: this.role }, 'bound to the SMPP carrier')
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

function connect({ host, port, tls: secure }: SmppSettings): Socket {
  if (secure === null) return net.connect({ host, port, noDelay: true })
  const { ca, servername } = secure
  // Names alone may be asked for in the handshake (RFC 6066 section 3); addresses are verified all the same.
  const name = servername ?? (net.isIP(host) === 0 ? host : null)
  const socket = tls.connect({
    host,
    port,
    ...(name === null ? {} : { servername: name }),
    ...(ca === null ? {} : { ca }),
  })
  return socket.setNoDelay(true)
}

function refusalOf(outcome: Outcome): string | null {
  if (outcome.kind === 'failed') return outcome.reason
  return outcome.answer.status === STATUS.ok ? null : `bind refused: ${describeStatus(outcome.answer.status)}`
}
