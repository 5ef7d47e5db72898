/**
 * Connections to one carrier's HTTP service: counts submissions, tracks whether the service can be reached, and probes
 * it with growing waits while it cannot. Never rejects, and never holds a submission longer than its time limit.
 */
import type { Verdict } from '../../domain/message/journey-event.ts'
import type { CarrierState } from '../../ports/carriers/carrier.ts'
import type { Cancel } from '../../ports/system/clock.ts'
import { HttpClient, type HttpRequest, type HttpResult } from '../../wire/http-client.ts'
import type { CarrierTools } from './carrier-tools.ts'
import { LastError } from './last-error.ts'
import { ReconnectWait } from './reconnect-wait.ts'

export interface HttpLinkSetup {
  readonly carrierId: string
  /** The settings that all HTTP carriers have; the window is the number of connections. */
  readonly settings: HttpLinkSettings
  readonly maxAnswerBytes?: number
  /** Returns null if the service can work, else the reason why not. Must not reject. */
  readonly probe: () => Promise<string | null>
}

interface HttpLinkSettings {
  readonly window: number
  readonly requestTimeoutMs: number
}

const MAX_PAUSE_MS = 30_000
/** How long `stop` waits for submissions under way. */
const STOP_MS = 5_000

export class HttpLink {
  readonly #setup: HttpLinkSetup
  readonly #tools: CarrierTools
  readonly #client: HttpClient
  #phase: 'new' | 'open' | 'stopping' = 'new'
  #up = false
  #since: number
  readonly #lastError: LastError
  #inFlight = 0
  readonly #wait: ReconnectWait
  #probing = false
  #cancelProbe: Cancel | null = null
  #whenIdle: (() => void) | null = null
  #stopped: Promise<void> | null = null

  constructor(setup: HttpLinkSetup, tools: CarrierTools) {
    this.#setup = setup
    this.#tools = tools
    this.#since = tools.clock.now()
    this.#wait = new ReconnectWait(tools, MAX_PAUSE_MS)
    this.#lastError = new LastError(tools.clock)
    const { window: connections, requestTimeoutMs: timeoutMs } = setup.settings
    this.#client = new HttpClient({ connections, timeoutMs, maxAnswerBytes: setup.maxAnswerBytes }, tools.clock)
  }

  start(): void {
    if (this.#phase !== 'new') return
    this.#phase = 'open'
    void this.#probe()
  }

  /** Runs one submission. Returns the verdict of `send`, or `unclear` if it throws. */
  async submit(send: () => Promise<Verdict>): Promise<Verdict> {
    if (this.#phase !== 'open') return { kind: 'unreachable', reason: 'the carrier is not running' }
    this.#inFlight += 1
    try {
      const verdict = await send()
      if (verdict.kind !== 'unclear' && verdict.kind !== 'unreachable') this.#setUp(true)
      return verdict
    } catch (error) {
      const reason = error instanceof Error ? error.message : 'failed'
      this.#tools.log.error({ carrier: this.#setup.carrierId, reason }, 'submission failed')
      return { kind: 'unclear', reason }
    } finally {
      this.#inFlight -= 1
      if (this.#inFlight === 0) this.#whenIdle?.()
    }
  }

  /** Sends a request whose result does not change the state of the link: to another server, or for the probe. */
  sendUntracked(request: HttpRequest): Promise<HttpResult> {
    return this.#client.send(request)
  }

  /** Returns null if the server at the address answers HTTP, else the reason why not. */
  async ping(url: string): Promise<string | null> {
    const result = await this.sendUntracked({ method: 'HEAD', url })
    return result.kind === 'silent' ? result.reason : null
  }

  /** Sends a request to the service. The link goes down if no answer arrives. */
  async send(request: HttpRequest): Promise<HttpResult> {
    const result = await this.#client.send(request)
    if (result.kind === 'silent') {
      this.#lastError.note(result.reason)
      // One late answer says nothing about the others: the probe decides.
      if (result.timedOut) void this.#probe()
      else this.markDown(result.reason)
    }
    return result
  }

  /** Marks the service as unable to work, although it may answer. */
  markDown(reason: string): void {
    this.#lastError.note(reason)
    this.#setUp(false)
    this.#probeLater()
  }

  state(): CarrierState {
    const facts = { since: this.#since, inFlight: this.#inFlight, ...this.#lastError.fault }
    const state = this.#up ? 'up' : this.#probing ? 'connecting' : 'down'
    const { window } = this.#setup.settings
    const link = { name: 'http', state, window, protocolErrors: 0, nextTryAt: this.#wait.nextAt, ...facts } as const
    return { up: this.#up, ...facts, throughput: null, links: [link] }
  }

  /** Probes the service now, if it waits for the next probe. */
  connectNow(): void {
    this.#wait.hurry()
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stop()
    return this.#stopped
  }

  async #stop(): Promise<void> {
    this.#phase = 'stopping'
    this.#cancelProbe?.()
    if (this.#inFlight > 0) {
      await new Promise<void>((resolve) => {
        const cancel = this.#tools.clock.after(STOP_MS, resolve)
        this.#whenIdle = () => {
          cancel()
          resolve()
        }
      })
    }
    await this.#client.close()
    this.#setUp(false)
  }

  async #probe(): Promise<void> {
    if (this.#probing || this.#phase !== 'open') return
    this.#probing = true
    const wrong = await this.#setup.probe()
    this.#probing = false
    if (wrong !== null) this.markDown(wrong)
    else if (this.#phase === 'open') this.#setUp(true)
  }

  #probeLater(): void {
    if (this.#cancelProbe !== null || this.#phase !== 'open') return
    this.#cancelProbe = this.#wait.plan(this.#wait.lost(), () => {
      this.#cancelProbe = null
      void this.#probe()
    })
  }

  #setUp(up: boolean): void {
    if (this.#up === up) return
    this.#up = up
    this.#since = this.#tools.clock.now()
    if (up) this.#wait.connected()
    const fields = { carrier: this.#setup.carrierId, reason: up ? null : this.#lastError.text }
    if (up) this.#tools.log.info(fields, 'carrier is up')
    else if (this.#phase === 'open') this.#tools.log.warn(fields, 'carrier is down')
  }
}
