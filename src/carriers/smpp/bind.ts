/**
 * One connection to the carrier: connects, binds, and reconnects with growing waits whenever it is lost or refused,
 * until it is stopped.
 */
import net, { type Socket } from 'node:net'
import tls from 'node:tls'
import type { CarrierLink } from '../../ports/carriers/carrier.ts'
import type { Cancel } from '../../ports/system/clock.ts'
import { carrierLookup } from '../../wire/carrier-lookup.ts'
import { describeStatus, STATUS } from '../../wire/smpp/command-status.ts'
import type { Outcome, PeerRequest } from '../../wire/smpp/outcome.ts'
import type { BindCommand } from '../../wire/smpp/pdu.ts'
import type { Flaw } from '../../wire/smpp/pdu-decoder.ts'
import { type Misunderstanding, type SessionOwner, SmppSession } from '../../wire/smpp/session.ts'
import type { CarrierTools } from '../shared/carrier-tools.ts'
import { LastError } from '../shared/last-error.ts'
import { ReconnectWait } from '../shared/reconnect-wait.ts'
import type { SmppSettings } from './settings.ts'

export interface BindOwner {
  requested(request: PeerRequest, sequence: number, session: SmppSession): void
  /** The connection was bound, is about to end, or is no longer bound. */
  changed(): void
}

const MAX_WAIT_MS = 60_000
/** Receipts that may wait to be recorded before reading from the connection pauses. */
const PEER_WINDOW = 1_000

/** Different harmless faults of one connection that are logged. */
const MAX_HARMLESS = 20

const NOT_UNDERSTOOD: Readonly<Record<Misunderstanding, string>> = {
  unreadable: 'the SMPP carrier sent a PDU that cannot be read',
  unknown: 'the SMPP carrier sends a PDU that Posthorn does not support',
  'ignored in part': 'the SMPP carrier sends PDUs with bytes that Posthorn ignores',
}

export interface BindId {
  readonly carrierId: string
  readonly role: BindCommand
  /** From 1, among the connections of its role. */
  readonly number: number
}

export class SmppBind implements SessionOwner {
  readonly role: BindCommand
  readonly #name: string
  readonly #carrierId: string
  /** Index of the current host in the settings. */
  #hostIndex = 0
  /** Consecutive hosts that could not be bound to. */
  #failed = 0
  readonly #settings: SmppSettings
  readonly #tools: CarrierTools
  readonly #owner: BindOwner
  #socket: Socket | null = null
  #session: SmppSession | null = null
  #state: CarrierLink['state'] = 'down'
  readonly #wait: ReconnectWait
  #since: number
  #stopped = false
  #protocolErrors = 0
  /** Reasons of harmless faults that were logged. */
  readonly #harmless = new Set<string>()
  #cancelRetry: Cancel | null = null
  readonly #lastError: LastError

  constructor(bindId: BindId, settings: SmppSettings, tools: CarrierTools, owner: BindOwner) {
    const { carrierId, role, number } = bindId
    this.role = role
    this.#name = `${role.replace('bind_', '')} ${number}`
    this.#carrierId = carrierId
    this.#settings = settings
    this.#tools = tools
    this.#owner = owner
    this.#since = tools.clock.now()
    this.#wait = new ReconnectWait(tools, MAX_WAIT_MS)
    this.#lastError = new LastError(tools.clock)
  }

  /** The session while it is bound and accepts requests. */
  get session(): SmppSession | null {
    return this.#state === 'up' && this.#session?.isLeaving === false ? this.#session : null
  }

  /** Requests without an answer, also of a session that is about to end. */
  get inFlight(): number {
    return this.#state === 'up' ? (this.#session?.inFlight ?? 0) : 0
  }

  get link(): CarrierLink {
    return {
      name: this.#name,
      state: this.#state,
      since: this.#since,
      inFlight: this.#session?.inFlight ?? 0,
      window: this.role === 'bind_receiver' ? 0 : this.#settings.window,
      ...this.#lastError.fault,
      nextTryAt: this.#wait.nextAt,
      protocolErrors: this.#protocolErrors,
    }
  }

  start(): void {
    this.#enter('connecting')
    const { responseTimeoutMs } = this.#settings
    const socket = connect(this.#host, this.#settings.tls)
    this.#socket = socket
    const cancel = this.#tools.clock.after(responseTimeoutMs, () =>
      socket.destroy(new Error('connecting took too long')),
    )
    const failed = (error: Error) => {
      this.#lastError.note(error.message)
    }
    const closed = () => {
      cancel()
      this.#retry()
    }
    socket.on('error', failed)
    socket.once('close', closed)
    socket.once(this.#settings.tls === undefined ? 'connect' : 'secureConnect', () => {
      cancel()
      socket.off('error', failed)
      socket.off('close', closed)
      this.#connected(socket)
    })
  }

  /** Ends the wait before the next attempt. */
  connectNow(): void {
    this.#wait.hurry()
  }

  async stop(): Promise<void> {
    this.#stopped = true
    this.#cancelRetry?.()
    if (this.#state === 'up') await this.#session?.leave()
    else if (this.#session !== null) this.#session.destroy('stopped')
    else this.#socket?.destroy()
  }

  requested(request: PeerRequest, sequence: number, session: SmppSession): void {
    this.#owner.requested(request, sequence, session)
  }

  /** Logs harmless faults once each: a carrier that has one repeats it with every PDU. */
  misunderstood(kind: Misunderstanding, { reason, head }: Flaw): void {
    if (kind !== 'unknown') this.#protocolErrors += 1
    if (kind !== 'unreadable') {
      if (this.#harmless.has(reason) || this.#harmless.size === MAX_HARMLESS) return
      this.#harmless.add(reason)
    }
    this.#tools.log.warn({ ...this.#logFields, reason, head }, NOT_UNDERSTOOD[kind])
  }

  ending(): void {
    this.#owner.changed()
  }

  closed(reason: string, session: SmppSession): void {
    if (session.hasCarried) this.#wait.proven()
    this.#session = null
    this.#lastError.note(reason)
    this.#retry()
    this.#owner.changed()
  }

  #connected(socket: Socket): void {
    const { window, responseTimeoutMs, enquireLinkMs, interfaceVersion, addressRange = '' } = this.#settings
    const { systemId, password, systemType = '' } = this.#settings
    const { clock, mayAct = () => true } = this.#tools
    const options = { clock, window, peerWindow: PEER_WINDOW, responseTimeoutMs, enquireLinkMs, maySend: mayAct }
    const session = new SmppSession(socket, this, options)
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

  #bindAnswered(outcome: Outcome, session: SmppSession): void {
    const refusal = refusalOf(outcome)
    if (refusal !== null) {
      session.destroy(refusal)
      return
    }
    this.#enter('up')
    this.#wait.connected()
    this.#failed = 0
    this.#tools.log.info(this.#logFields, 'bound to the SMPP carrier')
    this.#owner.changed()
  }

  #retry(): void {
    const wasUp = this.#state === 'up'
    const { hosts } = this.#settings
    this.#enter('down')
    if (this.#stopped) return
    const lost = this.#logFields
    if (!wasUp) {
      this.#hostIndex = (this.#hostIndex + 1) % hosts.length
      this.#failed += 1
    }
    // The other hosts are tried at once: one round of all hosts counts as one attempt.
    const waitMs = wasUp || this.#failed % hosts.length === 0 ? this.#wait.lost() : 0
    this.#tools.log.warn({ ...lost, waitMs, reason: this.#lastError.text }, 'not bound to the SMPP carrier')
    this.#cancelRetry = this.#wait.plan(waitMs, () => this.start())
  }

  get #host(): SmppSettings['hosts'][number] {
    return this.#settings.hosts[this.#hostIndex] ?? { host: '', port: 0 }
  }

  /** Log fields that identify this connection. */
  get #logFields() {
    return { carrier: this.#carrierId, bind: this.#name, ...this.#host }
  }

  #enter(state: CarrierLink['state']): void {
    if ((state === 'up') !== (this.#state === 'up')) this.#since = this.#tools.clock.now()
    this.#state = state
  }
}

function connect({ host, port }: SmppSettings['hosts'][number], secure: SmppSettings['tls']): Socket {
  if (secure === undefined) return net.connect({ host, port, noDelay: true, lookup: carrierLookup })
  const { servername, own, ...authority } = secure
  // The handshake may name host names only (RFC 6066 section 3); addresses are verified as well.
  const name = servername ?? (net.isIP(host) === 0 ? host : null)
  const socket = tls.connect({
    host,
    port,
    lookup: carrierLookup,
    ...(name === null ? {} : { servername: name }),
    ...authority,
    ...own,
  })
  return socket.setNoDelay(true)
}

function refusalOf(outcome: Outcome): string | null {
  if (outcome.kind === 'failed') return outcome.reason
  return outcome.answer.status === STATUS.ok ? null : `bind refused: ${describeStatus(outcome.answer.status)}`
}
