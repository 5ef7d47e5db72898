/**
 * Keeps a way to the peer open: finds where it is, dials one address after the other, asks whether anybody is there, and after a
 * loss begins again by itself, ever more slowly until a connection has lasted. Promises nothing about what was on the way when
 * it was lost.
 */
import type { CarrierLink } from '../../ports/carrier.ts'
import type { Cancel, Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import { type SipHost, SipLocator, type SipTarget } from '../../wire/sip/locate.ts'
import type { SipMessage } from '../../wire/sip/message.ts'
import { retransmit, T2_MS } from '../../wire/sip/retransmit.ts'
import { dialSip, type SipPath, type SipPeer } from '../../wire/sip/transport.ts'
import { ReconnectWait } from '../reconnect-wait.ts'
import { writePing } from './write-ping.ts'

export interface LinkSettings extends Omit<SipPeer, 'host' | 'port' | 'name'> {
  /** The peer and those that stand in for it, the best first. */
  readonly hosts: readonly SipHost[]
  /** Name servers; none for those of the system. */
  readonly dnsServers: readonly string[]
  readonly domain: string
  readonly publicHost: string | null
  /** Silence after which the peer is asked whether it is there; 0 for never: an open socket is believed then. */
  readonly pingMs: number
}

export interface LinkEvents {
  onUp(path: SipPath): void
  onMessage(message: SipMessage, path: SipPath): void
  onDown(reason: string): void
}

/** For the connection, and again for the answer to a ping. */
const PATIENCE_MS = 5_000
const LONGEST_WAIT_MS = 30_000
/** Reasons that are shown of one round. */
const MAX_FAILURES = 3

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
  readonly #locator: SipLocator
  /** Addresses that were not tried yet since a way was open. */
  #targets: SipTarget[] = []
  /** Why the addresses tried before could not be reached. */
  #failures: string[] = []
  /** Counts searches for addresses: what an older one finds comes too late. */
  #search = 0
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
    this.#locator = new SipLocator(settings.dnsServers, () => tools.random.below(1_000_000) / 1_000_000)
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
    this.#plan(PATIENCE_MS, () => this.#down('DNS does not answer'))
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
    this.#plan(PATIENCE_MS, () => this.#lose('the peer did not take the connection'))
    this.#hangUp = dialSip(
      { ...this.#settings, ...target },
      {
        onOpen: (path) => (this.#settings.pingMs === 0 ? this.#up(path) : this.#ping(path)),
        onMessage: (message, path) => this.#heard(message, path),
        onDown: (reason) => this.#lose(reason),
        onNonsense: () => {
          this.misunderstood += 1
        },
      },
    )
  }

  /** The way, after waiting for a dialling under way; null when the peer cannot be reached at the moment. */
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
    this.#plan(PATIENCE_MS, () => this.#lose('the peer does not answer'))
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

  /** Another address may do, unless this one was up: then the best one may be there again. */
  #lose(reason: string): void {
    this.#failures.push(reason)
    if (this.path !== null || this.#targets.length === 0) {
      this.#down(this.#failures.slice(0, MAX_FAILURES).join('; '))
      return
    }
    this.#stopPing()
    this.#hangUp()
    this.lastError = reason
    this.#dialNext()
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
