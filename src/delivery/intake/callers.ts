/**
 * API callers that wait, for a bounded time, until the first step of a message was taken or has failed. In a cluster
 * another node may process the message, so the store is polled, once for all callers.
 */
import type { MessageId } from '../../domain/ids/message-id.ts'
import type { Message } from '../../domain/message/message.ts'
import type { Cancel, Clock } from '../../ports/system/clock.ts'

type Load = (ids: readonly MessageId[]) => Promise<readonly Message[]>

/** Polling interval, milliseconds. */
const POLL_EVERY_MS = 250

interface Caller {
  readonly answer: (message: Message | null) => void
  readonly cancel: Cancel
}

export class Callers {
  readonly #clock: Clock
  readonly #waiting = new Map<MessageId, Caller[]>()

  readonly #load: Load | null
  #polling = false

  /** `load` reads messages from a store that other nodes write to; null without a cluster. */
  constructor(clock: Clock, load: Load | null) {
    this.#clock = clock
    this.#load = load
  }

  /** Resolves with the message once it is answered; null after `withinMs`. */
  wait(message: Message, withinMs: number): Promise<Message | null> {
    if (isAnswered(message)) return Promise.resolve(message)
    return new Promise((answer) => {
      const caller: Caller = { answer, cancel: this.#clock.after(withinMs, () => this.#giveUp(message.id, caller)) }
      this.#waiting.set(message.id, [...(this.#waiting.get(message.id) ?? []), caller])
      if (this.#load !== null) this.#pollSoon(this.#load)
    })
  }

  /** Answers the callers of a message, if it is answered now. */
  notify(message: Message): void {
    if (this.#waiting.size === 0) return
    const callers = this.#waiting.get(message.id)
    if (callers === undefined || !isAnswered(message)) return
    this.#waiting.delete(message.id)
    for (const caller of callers) {
      caller.cancel()
      caller.answer(message)
    }
  }

  #pollSoon(load: Load): void {
    if (this.#polling || this.#waiting.size === 0) return
    this.#polling = true
    this.#clock.after(POLL_EVERY_MS, async () => {
      // The next poll may succeed.
      for (const message of await load([...this.#waiting.keys()]).catch(() => [])) this.notify(message)
      this.#polling = false
      this.#pollSoon(load)
    })
  }

  #giveUp(id: MessageId, caller: Caller): void {
    const others = (this.#waiting.get(id) ?? []).filter((each) => each !== caller)
    if (others.length > 0) this.#waiting.set(id, others)
    else this.#waiting.delete(id)
    caller.answer(null)
  }
}

function isAnswered(message: Message): boolean {
  return message.journey.step > 0 || message.journey.phase !== 'open'
}
