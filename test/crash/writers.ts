/**
 * People who write to the gateway while it lives and dies. Their network brings each part until it is told that it has
 * arrived, and never knows whether an answer was lost or never given.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Random } from '../../src/ports/random.ts'
import type { Smsc } from '../../src/simulator/smsc.ts'
import { deliverText } from '../support/deliver-sm.ts'

const BETWEEN_TRIES_MS = 20
const AT_ONCE = 4

export class Writers {
  /** What they wrote, and the network was told that it arrived. */
  readonly written: string[] = []
  readonly #smsc: Smsc
  readonly #random: Random
  #people = 0

  constructor(smsc: Smsc, random: Random) {
    this.#smsc = smsc
    this.#random = random
  }

  /** Resolves once all of them have arrived. */
  async write(count: number): Promise<void> {
    const left = Array.from({ length: count }, () => this.#draw()).values()
    const each = async (): Promise<void> => {
      for (const { person, parts } of left) await this.#bring(person, parts)
    }
    await Promise.all(Array.from({ length: AT_ONCE }, each))
  }

  #draw(): { readonly person: string; readonly parts: readonly string[] } {
    this.#people += 1
    const person = String(37_120_000_000 + this.#people)
    const parts = Array.from({ length: 1 + this.#random.below(3) }, (_, index) => `${person} ${index} `)
    return { person, parts }
  }

  async #bring(person: string, parts: readonly string[]): Promise<void> {
    for (const [index, text] of parts.entries()) {
      const joined = parts.length === 1 ? null : { reference: 1, total: parts.length, number: index + 1 }
      while (!(await this.#arrives(deliverText(text, joined, person)))) await pause(BETWEEN_TRIES_MS)
    }
    this.written.push(parts.join(''))
  }

  async #arrives(message: ReturnType<typeof deliverText>): Promise<boolean> {
    const outcome = await this.#smsc.deliver(message)
    return outcome.kind === 'answered' && outcome.answer.status === 0
  }
}
