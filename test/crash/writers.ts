/**
 * Senders of inbound messages, while the gateway runs and crashes. Their network repeats each part until it is
 * acknowledged; it cannot know whether an answer was lost or never given.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Random } from '../../src/ports/system/random.ts'
import type { Smsc } from '../../src/simulator/smpp/smsc.ts'
import { deliverText } from '../support/deliver-sm.ts'

const BETWEEN_TRIES_MS = 20
const AT_ONCE = 4

export class Writers {
  /** Their messages whose arrival was acknowledged. */
  readonly written: string[] = []
  readonly #smsc: Smsc
  readonly #random: Random
  #senders = 0

  constructor(smsc: Smsc, random: Random) {
    this.#smsc = smsc
    this.#random = random
  }

  /** Resolves once all of them have arrived. */
  async write(count: number): Promise<void> {
    const left = Array.from({ length: count }, () => this.#draw()).values()
    const each = async (): Promise<void> => {
      for (const { sender, parts } of left) await this.#bring(sender, parts)
    }
    await Promise.all(Array.from({ length: AT_ONCE }, each))
  }

  #draw(): { readonly sender: string; readonly parts: readonly string[] } {
    this.#senders += 1
    const sender = String(37_120_000_000 + this.#senders)
    const parts = Array.from({ length: 1 + this.#random.below(3) }, (_, index) => `${sender} ${index} `)
    return { sender, parts }
  }

  async #bring(sender: string, parts: readonly string[]): Promise<void> {
    for (const [index, text] of parts.entries()) {
      const joined = parts.length === 1 ? null : { reference: 1, total: parts.length, number: index + 1 }
      while (!(await this.#arrives(deliverText(text, joined, sender)))) await pause(BETWEEN_TRIES_MS)
    }
    this.written.push(parts.join(''))
  }

  async #arrives(message: ReturnType<typeof deliverText>): Promise<boolean> {
    const outcome = await this.#smsc.deliver(message)
    return outcome.kind === 'answered' && outcome.answer.status === 0
  }
}
