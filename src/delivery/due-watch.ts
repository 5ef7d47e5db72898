/**
 * The watch over what waits in the store: knows when the next message is due, claims it then, and claims what vanished
 * nodes have left. It asks only for channels that have room, and asks again when room was made.
 */
import { CHANNELS, type Channel } from '../domain/channel.ts'
import type { Message } from '../domain/message.ts'
import type { Cancel, Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { Store } from '../ports/store.ts'

const CLAIM_MOST = 500
/** Messages due within this time of each other are claimed together. */
const GATHER_MS = 20
const AFTER_FAILURE_MS = 1_000

export interface DueWatchHandlers {
  readonly openChannels: () => readonly Channel[]
  readonly claimed: (messages: readonly Message[]) => void
}

export class DueWatch {
  readonly #tools: { readonly store: Store; readonly clock: Clock; readonly log: Log }
  readonly #handlers: DueWatchHandlers
  #nextAt = Number.POSITIVE_INFINITY
  #timer: Cancel | null = null
  #claiming = false
  #again = false
  #shut: readonly Channel[] = []
  #stopped = false

  constructor(tools: { readonly store: Store; readonly clock: Clock; readonly log: Log }, handlers: DueWatchHandlers) {
    this.#tools = tools
    this.#handlers = handlers
  }

  get idle(): boolean {
    return !this.#claiming
  }

  /** Something is or will be due at this time, milliseconds. */
  expect(at: number): void {
    if (this.#stopped || at >= this.#nextAt) return
    this.#nextAt = at
    this.#timer?.()
    this.#timer = this.#tools.clock.after(Math.max(at - this.#tools.clock.now(), GATHER_MS), () => this.wake())
  }

  /** Something is due now. */
  wake(): void {
    this.#nextAt = Number.POSITIVE_INFINITY
    this.#timer?.()
    this.#timer = null
    if (this.#claiming) this.#again = true
    else void this.#claim()
  }

  /** Room was made in memory: channels that had none may have some now. */
  roomMade(): void {
    if (this.#shut.length === 0) return
    const open = this.#handlers.openChannels()
    if (this.#shut.some((channel) => open.includes(channel))) this.wake()
  }

  stop(): void {
    this.#stopped = true
    this.#timer?.()
  }

  async #claim(): Promise<void> {
    this.#claiming = true
    do {
      this.#again = false
      await this.#claimOnce().catch((error: Error) => {
        this.#tools.log.error({ error }, 'what is due cannot be claimed; trying again')
        this.expect(this.#tools.clock.now() + AFTER_FAILURE_MS)
      })
    } while (this.#again && !this.#stopped)
    this.#claiming = false
  }

  async #claimOnce(): Promise<void> {
    const channels = this.#handlers.openChannels()
    this.#shut = CHANNELS.filter((channel) => !channels.includes(channel))
    if (this.#stopped || channels.length === 0) return
    const now = this.#tools.clock.now()
    const { messages, nextDueAt } = await this.#tools.store.claimDue({ now, channels, limit: CLAIM_MOST })
    this.#handlers.claimed(messages)
    if (messages.length === CLAIM_MOST) this.#again = true
    else if (nextDueAt !== null) this.expect(nextDueAt)
  }
}
