/**
 * Answers of lookup services, in memory for a time. Bounded: the oldest answers make room for new ones. Numbers are
 * kept as they are, so they are forgotten with the process, and on request.
 */
import type { Phone } from '../domain/phone.ts'
import type { NumberAnswer } from '../ports/lookup.ts'

export class NumberCache {
  readonly #max: number
  /** The oldest first. */
  readonly #answers = new Map<Phone, NumberAnswer>()

  constructor(max: number) {
    this.#max = max
  }

  /** Returns an answer that was given after `since`, milliseconds; null if there is none. */
  find(phone: Phone, since: number): NumberAnswer | null {
    const answer = this.#answers.get(phone)
    return answer !== undefined && answer.at > since ? answer : null
  }

  keep(phone: Phone, answer: NumberAnswer): void {
    this.#answers.delete(phone)
    this.#answers.set(phone, answer)
    for (const oldest of this.#answers.keys()) {
      if (this.#answers.size <= this.#max) break
      this.#answers.delete(oldest)
    }
  }

  forget(phone: Phone): void {
    this.#answers.delete(phone)
  }
}
