/**
 * An SMS centre in a box: SMPP 3.4 on a loopback port, with phones that do what their scripts say. It takes any number of
 * sessions and remembers no more than a bounded amount of anything.
 */
import { createServer, type Server, type Socket } from 'node:net'
import type { Clock } from '../ports/clock.ts'
import type { Random } from '../ports/random.ts'
import { COMMAND_IDS } from '../wire/smpp/command.ts'
import { STATUS } from '../wire/smpp/command-status.ts'
import { type Bind, type BindCommand, bareAnswer, type ShortMessage } from '../wire/smpp/pdu.ts'
import { type PeerRequest, Session, type SessionOwner } from '../wire/smpp/session.ts'
import { latin1, NO_TLVS } from '../wire/smpp/tlv.ts'
import { readValidityPeriod } from '../wire/smpp/validity-period.ts'
import { type MessageScript, scriptOf } from './phones.ts'
import { readSmsText } from './read-sms-text.ts'
import { type OwedReceipt, SmscReceipts } from './smsc-receipts.ts'
import type { Traffic } from './traffic.ts'

export interface SmscOptions {
  readonly clock: Clock
  readonly random: Random
  readonly traffic: Traffic
  readonly systemId: string
  readonly password: string
  /** Any free port when absent. */
  readonly port?: number
  /** What a phone (digits) does, instead of the table. */
  readonly script?: (phone: string) => MessageScript
}

export interface Smsc {
  readonly port: number
  /** Sessions that are bound now. */
  bound(): number
  /** Receipts that no client has answered yet. */
  owed(): number
  /** Breaks every connection off, as a failing network would. */
  cut(): void
  /** Breaks every connection off and closes the port; what it took and owes it keeps. */
  goDown(): Promise<void>
  /** Opens the same port again. */
  comeBack(): Promise<void>
  stop(): Promise<void>
}

/** Rejects when the port is taken. */
export async function startSmsc(options: SmscOptions): Promise<Smsc> {
  const double = new SmscDouble(options)
  const server = createServer({ noDelay: true }, (socket) => double.accept(socket))
  const port = await listen(server, options.port ?? 0)
  const close = (end: () => void) =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      end()
    })
  return {
    port,
    bound: () => double.bound,
    owed: () => double.owed,
    cut: () => double.cut(),
    goDown: () => close(() => double.cut()),
    comeBack: async () => void (await listen(server, port)),
    stop: () => close(() => double.stop()),
  }
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject)
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : port)
    })
  })
}

const WINDOW = 1_000
const PEER_WINDOW = 10_000
const RESPONSE_TIMEOUT_MS = 10_000
const MOST_SCRUPLES = 10_000
const DEFAULT_LIFETIME_SECONDS = 86_400

const STAT_OF = { delivered: 'DELIVRD', expired: 'EXPIRED', undeliverable: 'UNDELIV' } as const

class SmscDouble implements SessionOwner {
  readonly #options: SmscOptions
  readonly #receipts: SmscReceipts
  readonly #sockets = new Map<Session, Socket>()
  readonly #modes = new Map<Session, BindCommand>()
  #receivers: readonly Session[] = []
  /** Messages that were slowed down or met with silence once, and will be taken when they come again. */
  readonly #hesitated = new Set<string>()
  readonly #scriptOf: (phone: string) => MessageScript
  readonly #refPrefix: string
  #lastRef = 0

  constructor(options: SmscOptions) {
    this.#options = options
    this.#receipts = new SmscReceipts(options.clock, () => this.#receivers)
    this.#scriptOf = options.script ?? ((phone) => scriptOf(phone).sms)
    this.#refPrefix = Buffer.from(options.random.bytes(4)).toString('hex')
  }

  get bound(): number {
    return this.#modes.size
  }

  get owed(): number {
    return this.#receipts.owed
  }

  accept(socket: Socket): void {
    const session = new Session(socket, this, {
      clock: this.#options.clock,
      window: WINDOW,
      peerWindow: PEER_WINDOW,
      responseTimeoutMs: RESPONSE_TIMEOUT_MS,
      enquireLinkMs: null,
    })
    this.#sockets.set(session, socket)
  }

  cut(): void {
    for (const socket of this.#sockets.values()) socket.destroy()
  }

  stop(): void {
    this.#receipts.stop()
    for (const session of [...this.#sockets.keys()]) session.destroy('the SMSC stops')
  }

  closed(_reason: string, session: Session): void {
    this.#sockets.delete(session)
    this.#modes.delete(session)
    this.#listReceivers()
  }

  requested(request: PeerRequest, sequence: number, session: Session): void {
    const mode = this.#modes.get(session)
    if (request.command === 'submit_sm' && (mode === 'bind_transceiver' || mode === 'bind_transmitter')) {
      this.#submitted(request, sequence, session)
    } else if ('systemId' in request && mode === undefined) {
      this.#bind(request, sequence, session)
    } else {
      const status = 'systemId' in request ? STATUS.alreadyBound : STATUS.wrongBindState
      session.answer(sequence, bareAnswer(COMMAND_IDS[request.command], status))
    }
  }

  #bind(request: Bind, sequence: number, session: Session): void {
    const { systemId, password } = this.#options
    const refusal =
      request.systemId !== systemId ? STATUS.bindFailed : request.password !== password ? STATUS.badPassword : null
    if (refusal !== null) {
      session.answer(sequence, bareAnswer(COMMAND_IDS[request.command], refusal))
      return
    }
    session.answer(sequence, { command: `${request.command}_resp`, status: STATUS.ok, systemId, tlvs: NO_TLVS })
    this.#modes.set(session, request.command)
    this.#listReceivers()
    this.#receipts.pump()
  }

  #listReceivers(): void {
    this.#receivers = [...this.#modes].flatMap(([session, mode]) => (mode === 'bind_transmitter' ? [] : session))
  }

  #submitted(message: ShortMessage, sequence: number, session: Session): void {
    const phone = message.destination.digits
    const script = this.#scriptOf(phone)
    if (!script.reachable) {
      session.answer(sequence, bareAnswer(COMMAND_IDS.submit_sm, STATUS.badDestination))
    } else if (script.firstAnswer !== 'taken' && this.#hesitates(message)) {
      if (script.firstAnswer === 'silent') session.ignore()
      else session.answer(sequence, bareAnswer(COMMAND_IDS.submit_sm, STATUS.throttled))
    } else {
      this.#lastRef += 1
      const ref = `${this.#refPrefix}${this.#lastRef}`
      const text = readSmsText(message)
      this.#options.traffic.add({ channel: 'sms', phone, sender: message.source.digits, text, ref })
      this.#planReceipts(message, script, { ref, text }, session)
      session.answer(sequence, { command: 'submit_sm_resp', status: STATUS.ok, messageId: ref, tlvs: NO_TLVS })
    }
  }

  /** True the first time that a message comes, by its phone and its bytes. */
  #hesitates(message: ShortMessage): boolean {
    const key = `${message.destination.digits} ${latin1(message.payload)}`
    if (this.#hesitated.delete(key)) return false
    const [oldest] = this.#hesitated
    if (this.#hesitated.size >= MOST_SCRUPLES && oldest !== undefined) this.#hesitated.delete(oldest)
    this.#hesitated.add(key)
    return true
  }

  #planReceipts(
    message: ShortMessage,
    script: MessageScript,
    taken: { readonly ref: string; readonly text: string },
    session: Session,
  ): void {
    if (message.registeredDelivery === 0) return
    const submittedAt = this.#options.clock.now()
    const base = { ...taken, phone: message.destination, sender: message.source, submittedAt }
    for (const { outcome, afterMs } of script.receipts) {
      if (outcome === 'read') continue
      const receipt: OwedReceipt = { ...base, stat: STAT_OF[outcome] }
      if (script.receiptsFirst) this.#receipts.sendFirst(receipt, session)
      else this.#receipts.owe(receipt, afterMs)
    }
    if (script.deliveredAfterLifetimeMs !== null) {
      const lifetimeSeconds = readValidityPeriod(message.validityPeriod) ?? DEFAULT_LIFETIME_SECONDS
      this.#receipts.owe({ ...base, stat: 'DELIVRD' }, lifetimeSeconds * 1_000 + script.deliveredAfterLifetimeMs)
    }
  }
}
