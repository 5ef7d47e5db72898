/**
 * Keeps a path to the peer open: resolves its hosts, dials one address after the other, pings the peer, and after a
 * loss reconnects with growing waits. Messages that were under way when it was lost may be lost.
 */
import type { CarrierLink } from '../../ports/carriers/carrier.ts'
import type { Cancel, Clock } from '../../ports/system/clock.ts'
import type { Random } from '../../ports/system/random.ts'
import { type SipHost, SipLocator, type SipTarget } from '../../wire/sip/locate.ts'
import type { SipMessage } from '../../wire/sip/message.ts'
import { retransmit, T2_MS } from '../../wire/sip/retransmit.ts'
import { dialSip, type SipPath, type SipPeer } from '../../wire/sip/transport.ts'
import { LastError } from '../shared/last-error.ts'
import { ReconnectWait } from '../shared/reconnect-wait.ts'
import { writePing } from './write-ping.ts'

export interface LinkSettings extends Omit<SipPeer, 'host' | 'port' | 'name'> {
  /** The peer and its backups, in order of preference. */
  readonly hosts: readonly SipHost[]
  /** Name servers; empty for those of the system. */
  readonly dnsServers: readonly string[]
  readonly domain: string
  readonly publicHost: string | null
  /** Silence after which the peer is pinged; 0 for never: an open socket then counts as up. */
  readonly pingMs: number
}

export interface LinkEvents {
  onUp(path: SipPath): void
  onMessage(message: SipMessage, path: SipPath): void
  onDown(reason: string): void
}

/** Time limit for the connection, and again for the answer to a ping. */
const TIMEOUT_MS = 5_000
const MAX_WAIT_MS = 30_000
/** Reasons that are reported for one round. */
const MAX_FAILURES = 3

export class SipLink {
  /** Null while the link is not up. */
  path: SipPath | null = null
  /** Milliseconds: when the current state began. */
  since: number
  /** Why the last path was lost. */
  readonly lastError: LastError
  /** Number of received messages that were not SIP. */
  protocolErrors = 0
  readonly #settings: LinkSettings
  readonly #clock: Clock
  readonly #random: Random
  readonly #events: LinkEvents
  readonly #locator: SipLocator
  /** Addresses not tried yet since the link was last up. */
  #targets: SipTarget[] = []
  /** Why the addresses tried so far could not be reached. */
  #failures: string[] = []
  /** Number of the current search for addresses: results of older searches are ignored. */
  #search = 0
  #dialling = false
  #hangUp: () => void = () => {}
  /** The next action: a ping, a reconnect, or a time limit. */
  #next: Cancel = () => {}
  #stopPing: Cancel = () => {}
  readonly #wait: ReconnectWait
  /** Resolves when the current dialling has succeeded or failed. */
  #dialled = Promise.resolve()
  #settle: () => void = () => {}

  constructor(settings: LinkSettings, tools: { readonly clock: Clock; readonly random: Random }, events: LinkEvents) {
    this.#settings = settings
    this.#clock = tools.clock
    this.#random = tools.random
    this.#events = events
    this.since = tools.clock.now()
    this.#wait = new ReconnectWait(tools, MAX_WAIT_MS)
    this.lastError = new LastError(tools.clock)
    this.#locator = new SipLocator(settings.dnsServers, () => tools.random.below(1_000_000) / 1_000_000)
  }

  get state(): CarrierLink['state'] {
    if (this.path !== null) return 'up'
    return this.#dialling ? 'connecting' : 'down'
  }

  /** When the next attempt begins, milliseconds; null while none is planned. */
  get nextTryAt(): number | null {
    return this.#wait.nextAt
  }

  /** Ends the wait before the next attempt. */
  connectNow(): void {
    this.#wait.hurry()
  }

  open(): void {
    this.#dialling = true
    this.#dialled = new Promise((resolve) => {
      this.#settle = resolve
    })
    this.#plan(TIMEOUT_MS, () => this.#down('DNS does not answer'))
    this.#search += 1
    void this.#find(this.#search)
  }

  async #find(search: number): Promise<void> {
    const { hosts, transport } = this.#settings
    const found = await Promise.allSettled(hosts.map((host) => this.#locator.locate(host, transport)))
    if (search !== this.#search) return
    this.#targets = found.flatMap((each) => (each.status === 'fulfilled' ? each.value : []))
    const failure: unknown = found.find((each) => each.status === 'rejected')?.reason
    if (this.#targets.length === 0) this.#down((failure as Error).message)
    else this.#dialNext()
  }

  #dialNext(): void {
    const target = this.#targets.shift()
    if (target === undefined) return
    this.#plan(TIMEOUT_MS, () => this.#lost('the peer did not take the connection'))
    this.#hangUp = dialSip(
      { ...this.#settings, ...target },
      {
        onOpen: (path) => (this.#settings.pingMs === 0 ? this.#up(path) : this.#ping(path)),
        onMessage: (message, path) => this.#received(message, path),
        onDown: (reason) => this.#lost(reason),
        onNonsense: () => {
          this.protocolErrors += 1
        },
      },
    )
  }

  /** Returns the path, after waiting for a dialling under way; null if the peer cannot be reached at the moment. */
  async whenDialled(): Promise<SipPath | null> {
    await this.#dialled
    return this.path
  }

  close(): void {
    this.#search += 1
    this.#targets = []
    this.#failures = []
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
    this.#failures = []
    this.#wait.connected()
    this.since = this.#clock.now()
    this.#settle()
    this.#events.onUp(path)
  }

  #ping(path: SipPath): void {
    const ping = writePing(this.#settings, path, Buffer.from(this.#random.bytes(8)).toString('hex'))
    this.#plan(TIMEOUT_MS, () => this.#lost('the peer does not answer'))
    this.#stopPing = retransmit(
      this.#clock,
      () => path.send(ping) && path.transport !== 'UDP',
      T2_MS,
      () => {},
    )
  }

  /** Any message proves that the peer is reachable. */
  #received(message: SipMessage, path: SipPath): void {
    this.#stopPing()
    if (this.path === null) this.#up(path)
    if (this.#settings.pingMs > 0) this.#plan(this.#settings.pingMs, () => this.#ping(path))
    this.#events.onMessage(message, path)
  }

  /** Tries another address, unless this one was up: then the preferred address may be reachable again. */
  #lost(reason: string): void {
    this.#failures.push(reason)
    if (this.path !== null || this.#targets.length === 0) {
      this.#down(this.#failures.slice(0, MAX_FAILURES).join('; '))
      return
    }
    this.#stopPing()
    this.#hangUp()
    this.lastError.note(reason)
    this.#dialNext()
  }

  #down(reason: string): void {
    this.close()
    this.lastError.note(reason)
    this.#next = this.#wait.plan(this.#wait.lost(), () => this.open())
    this.#events.onDown(reason)
  }

  #plan(afterMs: number, run: () => void): void {
    this.#next()
    this.#next = this.#clock.after(afterMs, run)
  }
}
