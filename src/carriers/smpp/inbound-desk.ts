/** What people write to our numbers: made whole, recorded, and only then answered to the carrier. */
import type { Inbox } from '../../ports/carrier.ts'
import type { Cancel, Clock } from '../../ports/clock.ts'
import { STATUS } from '../../wire/smpp/command-status.ts'
import { readUserData } from '../../wire/smpp/concatenation.ts'
import { readMessageText } from '../../wire/smpp/message-text.ts'
import type { DataMessage, ShortMessage } from '../../wire/smpp/pdu.ts'
import { LongMessages, type WholeMessage } from './long-messages.ts'
import { type Asked, answer, NewsBatch } from './news-batch.ts'

const LOOK_AGAIN_MS = 60_000

export class InboundDesk {
  readonly #carrierId: string
  readonly #clock: Clock
  readonly #long = new LongMessages()
  readonly #batch: NewsBatch<WholeMessage>
  readonly #hear: (whole: readonly WholeMessage[]) => Promise<void>
  readonly #failed: (error: unknown) => void
  #cancelLook: Cancel | null = null

  constructor(carrierId: string, inbox: Inbox, clock: Clock, failed: (error: unknown) => void) {
    this.#carrierId = carrierId
    this.#clock = clock
    this.#failed = failed
    this.#hear = async (whole) => {
      try {
        await inbox.hear(whole.map(({ message }) => message))
      } catch (error) {
        for (const { putBack } of whole) putBack()
        throw error
      }
    }
    this.#batch = new NewsBatch(this.#hear, failed)
  }

  take(message: ShortMessage | DataMessage, asked: Asked): void {
    const part = {
      carrierId: this.#carrierId,
      sender: message.source.digits,
      recipient: message.destination.digits,
      text: readMessageText(message),
      at: this.#clock.now(),
    }
    const whole = this.#long.add(part, readUserData(message).joined)
    if (whole !== null) {
      this.#batch.add(whole, asked)
      return
    }
    // Parts that are kept count as arrived: many carriers send the next one only after that.
    answer(asked, STATUS.ok)
    this.#passOn(this.#long.overdue(part.at))
    this.#cancelLook ??= this.#clock.after(LOOK_AGAIN_MS, () => this.#look())
  }

  /** Hands on what is not whole yet. */
  async stop(): Promise<void> {
    this.#cancelLook?.()
    await this.#passOn(this.#long.all())
  }

  #look(): void {
    this.#cancelLook = null
    this.#passOn(this.#long.overdue(this.#clock.now()))
    if (!this.#long.isEmpty) this.#cancelLook = this.#clock.after(LOOK_AGAIN_MS, () => this.#look())
  }

  async #passOn(whole: readonly WholeMessage[]): Promise<void> {
    if (whole.length > 0) await this.#hear(whole).catch(this.#failed)
  }
}
