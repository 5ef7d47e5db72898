/**
 * The callers who wait, for a bounded time, until the first step of a message was taken or has failed. Where other nodes may
 * do it, the store is looked at again and again, once for all of them.
 */
import type { Message } from '../domain/message.ts'
import type { MessageId } from '../domain/message-id.ts'
import type { Cancel, Clock } from '../ports/clock.ts'

type Look = (ids: readonly MessageId[]) => Promise<readonly Message[]>

/** How soon what another node has done is seen, milliseconds. */
const LOOK_EVERY_MS = 250

interface Caller {
  readonly answer: (message: Message | null) => void
  readonly cancel: Cancel
}

export class Callers {
  readonly #clock: Clock
  readonly #waiting = new Map<MessageId, Caller[]>()

  readonly #look: Look | null
  #looking = false

  /** `look` reads messages as they are in a store that others write to; null where nobody does. */
  constructor(clock: Clock, look: Look | null) {
    this.#clock = clock
    this.#look = look
  }

  /** The message once it is answered; null after `withinMs`. */
  wait(message: Message, withinMs: number): Promise<Message | null> {
    if (isAnswered(message)) return Promise.resolve(message)
    return new Promise((answer) => {
      const caller: Caller = { answer, cancel: this.#clock.after(withinMs, () => this.#giveUp(message.id, caller)) }
      this.#waiting.set(message.id, [...(this.#waiting.get(message.id) ?? []), caller])
      if (this.#look !== null) this.#lookSoon(this.#look)
    })
  }

  /** Answers the callers of a message that is answered now. */
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

  #lookSoon(look: Look): void {
    if (this.#looking || this.#waiting.size === 0) return
    this.#looking = true
    this.#clock.after(LOOK_EVERY_MS, async () => {
      // The next look may succeed.
      for (const message of await look([...this.#waiting.keys()]).catch(() => [])) this.notify(message)
      this.#looking = false
      this.#lookSoon(look)
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
