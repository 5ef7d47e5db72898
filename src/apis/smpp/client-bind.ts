/**
 * One connection of a client: bound by a login, it submits messages and receives receipts and inbound messages. Nothing
 * is answered before it is durable.
 */
import type { Socket } from 'node:net'
import type { Login } from '../../domain/accounts/login.ts'
import type { AccountId } from '../../domain/ids/account-id.ts'
import type { LiveBind } from '../../operations/admin/endpoint/endpoint.ts'
import type { LoginAccess, Logins } from '../../operations/request/logins.ts'
import type { BindFacts, NotedPlace } from '../../ports/records/cluster.ts'
import type { Cancel, Clock } from '../../ports/system/clock.ts'
import type { Log } from '../../ports/system/log.ts'
import { COMMAND_IDS } from '../../wire/smpp/command.ts'
import { STATUS } from '../../wire/smpp/command-status.ts'
import type { Outcome, PeerRequest } from '../../wire/smpp/outcome.ts'
import {
  type Bind,
  type BindCommand,
  bareAnswer,
  type MessageRequest,
  type ResponsePdu,
  type ShortMessage,
} from '../../wire/smpp/pdu.ts'
import { type SessionOwner, SmppSession } from '../../wire/smpp/session.ts'
import { byteTlv, TAGS } from '../../wire/smpp/tlv.ts'
import { Acknowledgements } from './acknowledgements.ts'
import type { BindPlaces } from './bind-places.ts'
import type { LoginBind, LoginBinds } from './login-binds.ts'
import type { Messages } from './messages.ts'
import { type Refusal, refusal } from './statuses.ts'

export interface BindTools {
  readonly clock: Clock
  readonly log: Log
  readonly logins: Logins
  readonly binds: LoginBinds
  readonly places: BindPlaces
  readonly messages: Messages
  /** Whether new connections and messages are refused because the gateway stops. */
  readonly isDraining: () => boolean
  readonly bound: (bind: ClientBind) => void
  readonly closed: (bind: ClientBind) => void
}

/** Time to bind after connecting. */
export const BIND_WITHIN_MS = 5_000
/** No field of a bind is longer than its standard by much. */
const MAX_BIND_BYTES = 1_024
/** Receipts and inbound messages without an answer: more than the calls of one hook at a time (hook-queue.ts). */
const WINDOW = 128
const RESPONSE_TIMEOUT_MS = 30_000
const ENQUIRE_LINK_MS = 60_000
const [SMPP_3_4, SMPP_5_0] = [0x34, 0x50] as const
const SYSTEM_ID = 'Posthorn'
const MODES = { bind_transmitter: 'transmitter', bind_receiver: 'receiver', bind_transceiver: 'transceiver' } as const

const DRAINING = refusal(STATUS.bindFailed, 'the gateway stops: connect again')
const TOO_OLD = refusal(STATUS.bindFailed, 'interface_version: SMPP 3.4 and 5.0 are supported')
const DENIED = refusal(STATUS.badPassword, 'system_id or password is wrong, or not accepted from this address')
const INACTIVE = refusal(STATUS.bindFailed, 'the account is not active')
const TOO_MANY_FAILURES = refusal(STATUS.bindFailed, 'too many failed binds: try again in a minute')
const TOO_MANY_BINDS = refusal(STATUS.bindFailed, 'too many connections of this system_id')
const NO_STORE = refusal(STATUS.bindFailed, 'service unavailable: try again later')
const STOPPING = refusal(STATUS.queueFull, 'the gateway stops: submit again')
const ABOVE_WINDOW = refusal(STATUS.throttled, 'more requests without a response than the window of the login')
const CHANGED = refusal(STATUS.queueFull, 'the login has changed: bind again')
const WRONG_STATE = refusal(STATUS.wrongBindState, '')

export class ClientBind implements SessionOwner, LoginBind {
  readonly id: string
  readonly address: string | null
  readonly #tools: BindTools
  readonly #session: SmppSession
  readonly #cancelWait: Cancel
  readonly #acknowledgements: Acknowledgements
  #login: Login | null = null
  #mode: BindCommand | null = null
  #place: number | null = null
  #systemType = ''
  /** Milliseconds. */
  #boundAt = 0
  /** Operations of requests without an answer, which count towards the window: one for each destination. */
  #underWay = 0
  submitted = 0
  delivered = 0

  /** `id`: unique over the installation. */
  constructor(id: string, socket: Socket, tools: BindTools) {
    this.id = id
    this.address = socket.remoteAddress ?? null
    this.#tools = tools
    const { clock } = tools
    this.#acknowledgements = new Acknowledgements(clock)
    this.#session = new SmppSession(socket, this, {
      clock,
      window: WINDOW,
      peerWindow: 1,
      isStrict: true,
      maxPduBytes: MAX_BIND_BYTES,
      responseTimeoutMs: RESPONSE_TIMEOUT_MS,
      enquireLinkMs: ENQUIRE_LINK_MS,
    })
    this.#cancelWait = clock.after(BIND_WITHIN_MS, () => {
      if (this.#mode === null) this.#session.destroy('not bound in time')
    })
  }

  /** Empty before it is bound. */
  get login(): string {
    return this.#login?.name ?? ''
  }

  get accountId(): AccountId {
    return this.#login?.accountId ?? (0 as AccountId)
  }

  get mode(): BindCommand | null {
    return this.#mode
  }

  get receives(): boolean {
    return this.#mode !== null && this.#mode !== 'bind_transmitter'
  }

  get canReceive(): boolean {
    return this.receives && !this.#session.isLeaving
  }

  get room(): number {
    return this.#session.room
  }

  get readiness(): number {
    return this.#acknowledgements.readiness
  }

  get view(): LiveBind {
    return { login: this.login, accountId: this.accountId, ...this.#facts(this.#mode ?? 'bind_transceiver') }
  }

  /** Null before it is bound. */
  get placed(): NotedPlace | null {
    if (this.#place === null || this.#mode === null) return null
    return { login: this.login, place: this.#place, facts: this.#facts(this.#mode) }
  }

  #facts(command: BindCommand): BindFacts {
    const { address, submitted, delivered } = this
    const { unanswered } = this.#session
    const [mode, systemType, boundAt] = [MODES[command], this.#systemType, this.#boundAt]
    return { mode, address, systemType, boundAt, submitted, unanswered, delivered }
  }

  deliver(message: ShortMessage): Promise<Outcome> {
    const acknowledgements = this.#acknowledgements
    return new Promise((resolve) => {
      const settle = (outcome: Outcome) => {
        if (outcome.kind === 'answered') {
          this.delivered += 1
          acknowledgements.answered()
        } else acknowledgements.missed()
        resolve(outcome)
      }
      this.#session.request(message, settle, () => acknowledgements.prove())
      acknowledgements.sent()
    })
  }

  /** Unbinds, once all requests are answered. */
  leave(): Promise<void> {
    return this.#session.leave()
  }

  destroy(reason: string): void {
    this.#session.destroy(reason)
  }

  /** Whether its login, with this password, is still there and may be used. */
  get isCurrent(): boolean {
    return this.#login === null || this.#access() !== null
  }

  requested(request: PeerRequest, sequence: number, session: SmppSession): void {
    if ('systemId' in request) {
      this.#requestedBind(request, sequence, session)
      return
    }
    const refused = this.#refusalOf(request)
    if (refused !== null) {
      refuse(session, sequence, request.command, refused)
      return
    }
    const access = this.#access()
    if (access === null) {
      // Not final: what the client keeps is submitted again once it has bound anew.
      refuse(session, sequence, request.command, CHANGED)
      void session.leave()
      return
    }
    this.submitted += 1
    const count = operationsOf(request)
    this.#underWay += count
    void this.#tools.messages
      .answer(request, { access, bindId: this.id })
      .catch((error: Error) => {
        this.#tools.log.error({ error }, 'an SMPP request failed: internal error')
        return bareAnswer(COMMAND_IDS[request.command], STATUS.systemError)
      })
      .then((answer) => {
        this.#underWay -= count
        session.answer(sequence, answer)
      })
  }

  ending(): void {
    // It takes no more reports.
    if (this.#mode !== null) this.#tools.binds.remove(this)
  }

  closed(reason: string): void {
    this.#cancelWait()
    if (this.#mode !== null) {
      this.#tools.binds.remove(this)
      this.#tools.log.info({ login: this.login, address: this.address, reason }, 'an SMPP client is gone')
    }
    this.#leavePlace()
    this.#tools.closed(this)
  }

  #refusalOf(request: MessageRequest): Refusal | null {
    const { command } = request
    if (this.#mode === null || command === 'deliver_sm') return WRONG_STATE
    if (command === 'replace_sm') return refusal(STATUS.replaceFailed, 'messages are not replaced')
    if (this.#mode === 'bind_receiver' && command !== 'query_sm' && command !== 'cancel_sm') return WRONG_STATE
    if (this.#tools.isDraining()) return STOPPING
    // A request with more destinations than the window is taken alone.
    const isAbove = this.#underWay + operationsOf(request) > (this.#login?.window ?? 0)
    return isAbove && this.#underWay > 0 ? ABOVE_WINDOW : null
  }

  /** Returns null once the login was removed, or got another password. */
  #access(): LoginAccess | null {
    const { logins } = this.#tools
    const login = logins.find(this.login)
    if (login === null || login.secrets.passwordHash !== this.#login?.secrets.passwordHash) return null
    const access = logins.accessOf(login)
    return typeof access === 'string' ? null : access
  }

  #requestedBind(request: Bind, sequence: number, session: SmppSession): void {
    const opened = this.#openLogin(request)
    if ('status' in opened) {
      refuse(session, sequence, request.command, opened)
      return
    }
    this.#login = opened
    this.#systemType = request.systemType
    this.#boundAt = this.#tools.clock.now()
    void this.#tools.places
      .take({ login: opened.name, max: opened.maxBinds, facts: { ...this.#facts(request.command), unanswered: 0 } })
      .then((place) => this.#placed(place, request, sequence, session))
      .catch((error: Error) => {
        this.#login = null
        this.#tools.log.warn({ error }, 'an SMPP bind was refused: the store is unavailable')
        refuse(session, sequence, request.command, NO_STORE)
      })
  }

  #openLogin({ systemId, password, interfaceVersion }: Bind): Login | Refusal {
    if (this.#login !== null) return refusal(STATUS.alreadyBound, '')
    if (this.#tools.isDraining()) return DRAINING
    if (interfaceVersion < SMPP_3_4) return TOO_OLD
    const access = this.#tools.logins.open(systemId, password, this.address)
    if (access === 'denied') return DENIED
    if (access === 'inactive') return INACTIVE
    return access === 'wait' ? TOO_MANY_FAILURES : access.login
  }

  #placed(place: number | null, request: Bind, sequence: number, session: SmppSession): void {
    this.#place = place
    if (place === null || session.isClosed || session.isLeaving) {
      this.#leavePlace()
      this.#login = null
      refuse(session, sequence, request.command, TOO_MANY_BINDS)
      return
    }
    const { log, binds } = this.#tools
    this.#mode = request.command
    session.trust(this.#login?.window ?? 1)
    const version = request.interfaceVersion >= SMPP_5_0 ? SMPP_5_0 : SMPP_3_4
    session.answer(sequence, {
      command: `${request.command}_resp`,
      status: STATUS.ok,
      systemId: SYSTEM_ID,
      tlvs: [byteTlv(TAGS.interfaceVersion, version)],
    })
    log.info({ login: this.login, address: this.address, mode: request.command }, 'an SMPP client is bound')
    binds.add(this)
    this.#tools.bound(this)
  }

  #leavePlace(): void {
    if (this.#place !== null) this.#tools.places.leave(this.login, this.#place)
    this.#place = null
  }
}

function operationsOf(request: MessageRequest): number {
  return request.command === 'submit_multi' ? Math.max(1, request.destinations.length) : 1
}

function refuse(
  session: SmppSession,
  sequence: number,
  command: PeerRequest['command'],
  { status, text }: Refusal,
): void {
  const answer: ResponsePdu = bareAnswer(COMMAND_IDS[command], status, text)
  session.answer(sequence, answer)
}
