/**
 * Keeps a way to the peer open: dials, asks whether anybody is there, and after a loss dials again by itself, ever more
 * slowly until a connection has lasted. Promises nothing about what was on the way when it was lost.
 */
import type { CarrierLink } from '../../ports/carrier.ts'
import type { Cancel, Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import type { SipMessage } from '../../wire/sip/message.ts'
import { retransmit, T2_MS } from '../../wire/sip/retransmit.ts'
import { dialSip, type SipPath, type SipPeer } from '../../wire/sip/transport.ts'
import { ReconnectWait } from '../reconnect-wait.ts'
import { writePing } from './write-ping.ts'

export interface LinkSettings extends SipPeer {
  readonly domain: string
  readonly publicHost: string | null
  /** Silence after which the peer is asked whether it is there; 0 for never: an open socket is believed then. */
  readonly pingMs: number
}

export interface LinkEvents {
  onMessage(message: SipMessage, path: SipPath): void
  onDown(reason: string): void
}

/** For the connection, and again for the answer to a ping. */
const PATIENCE_MS = 5_000
const LONGEST_WAIT_MS = 30_000

export class SipLink {
  /** Null while there is no way. */
  path: SipPath | null = null
  /** Milliseconds: since when it is open, or not. */
  since: number
  /** Why the last way was lost. */
  lastError: string | null = null
  /** How often what came was not SIP. */
  misunderstood = 0
  readonly #settings: LinkSettings
  readonly #clock: Clock
  readonly #random: Random
  readonly #events: LinkEvents
  #dialling = false
  #hangUp: () => void = () => {}
  /** What is to happen next: another ping, another dialling, or the end of patience. */
  #next: Cancel = () => {}
  #stopPing: Cancel = () => {}
  readonly #wait: ReconnectWait
  /** The dialling under way: settled when it has come to something. */
  #dialled = Promise.resolve()
  #settle: () => void = () => {}

  constructor(settings: LinkSettings, tools: { readonly clock: Clock; readonly random: Random }, events: LinkEvents) {
    this.#settings = settings
    this.#clock = tools.clock
    this.#random = tools.random
    this.#events = events
    this.since = tools.clock.now()
    this.#wait = new ReconnectWait(tools, LONGEST_WAIT_MS)
  }

  get state(): CarrierLink['state'] {
    if (this.path !== null) return 'up'
    return this.#dialling ? 'connecting' : 'down'
  }

  open(): void {
    this.#dialling = true
    this.#dialled = new Promise((resolve) => {
      this.#settle = resolve
    })
    this.#hangUp = dialSip(this.#settings, {
      onOpen: (path) => (this.#settings.pingMs === 0 ? this.#up(path) : this.#ping(path)),
      onMessage: (message, path) => this.#heard(message, path),
      onDown: (reason) => this.#down(reason),
      onNonsense: () => {
        this.misunderstood += 1
      },
    })
    this.#plan(PATIENCE_MS, () => this.#down('the peer did not take the connection'))
  }

  /** The way, after waiting for a dialling under way; null when the peer cannot be reached at the moment. */
  async whenDialled(): Promise<SipPath | null> {
    await this.#dialled
    return this.path
  }

  close(): void {
    this.#next()
    this.#stopPing()
    this.#hangUp()
    if (this.path !== null) this.since = this.#clock.now()
    this.path = null
    this.#dialling = false
    this.#settle()
  }

  #up(path: SipPath): void {
    this.#next()
    this.path = path
    this.#wait.connected()
    this.since = this.#clock.now()
    this.#settle()
  }

  #ping(path: SipPath): void {
    const ping = writePing(this.#settings, path, Buffer.from(this.#random.bytes(8)).toString('hex'))
    this.#plan(PATIENCE_MS, () => this.#down('the peer does not answer'))
    this.#stopPing = retransmit(
      this.#clock,
      () => path.send(ping) && path.transport !== 'UDP',
      T2_MS,
      () => {},
    )
  }

  /** Whatever the peer says, it is there. */
  #heard(message: SipMessage, path: SipPath): void {
    this.#stopPing()
    if (this.path === null) this.#up(path)
    if (this.#settings.pingMs > 0) this.#plan(this.#settings.pingMs, () => this.#ping(path))
    this.#events.onMessage(message, path)
  }

  #down(reason: string): void {
    this.close()
    this.lastError = reason
    this.#plan(this.#wait.lost(), () => this.open())
    this.#events.onDown(reason)
  }

  #plan(afterMs: number, run: () => void): void {
    this.#next()
    this.#next = this.#clock.after(afterMs, run)
  }
}
