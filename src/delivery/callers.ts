/** The callers who wait, for a bounded time, until the first step of a message was taken or has failed. */
import type { Message } from '../domain/message.ts'
import type { MessageId } from '../domain/message-id.ts'
import type { Cancel, Clock } from '../ports/clock.ts'

interface Caller {
  readonly answer: (message: Message | null) => void
  readonly cancel: Cancel
}

export class Callers {
  readonly #clock: Clock
  readonly #waiting = new Map<MessageId, Caller[]>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** The message once it is answered; null after `withinMs`. */
  wait(message: Message, withinMs: number): Promise<Message | null> {
    if (isAnswered(message)) return Promise.resolve(message)
    return new Promise((answer) => {
      const caller: Caller = { answer, cancel: this.#clock.after(withinMs, () => this.#giveUp(message.id, caller)) }
      this.#waiting.set(message.id, [...(this.#waiting.get(message.id) ?? []), caller])
    })
  }

  tell(message: Message): void {
    if (this.#waiting.size === 0) return
    const callers = this.#waiting.get(message.id)
    if (callers === undefined || !isAnswered(message)) return
    this.#waiting.delete(message.id)
    for (const caller of callers) {
      caller.cancel()
      caller.answer(message)
    }
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
