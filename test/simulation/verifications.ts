/**
 * The verifications of a simulated world, in a third of the worlds: what users type, and what their clients are
 * answered. It draws from a source of its own, so that the other worlds stay as they were.
 */
import type { MessageId } from '../../src/domain/ids/message-id.ts'
import type { Message, Plan } from '../../src/domain/message/message.ts'
import { checkResult } from '../../src/domain/message/verification.ts'
import type { CodeCheck } from '../../src/ports/hooks/outbox.ts'
import { Luck } from './luck.ts'

const CODE = '482913'

export class Verifications {
  /** Checks that were answered `approved`. */
  readonly approved = new Map<MessageId, number>()
  readonly #isActive: boolean
  readonly #luck: Luck
  #checks = 0

  constructor(seed: number) {
    this.#isActive = seed % 3 === 1
    this.#luck = new Luck(seed + 1_000_000)
  }

  /** Whether the message with this number is a verification. */
  isOne(counter: number): boolean {
    return this.#isActive && counter % 3 === 0
  }

  withCode(plan: Plan): Plan {
    return plan.map((step) => ({ ...step, content: { kind: 'text', text: `Your code is ${CODE}.`, code: CODE } }))
  }

  /** Returns up to four checks, often of the same verification. */
  draw(recent: readonly Message[]): readonly CodeCheck[] {
    const open = recent.filter(({ journey }) => journey.verification !== undefined)
    if (open.length === 0 || !this.#luck.chance(40)) return []
    const { id } = this.#luck.pick(open)
    return Array.from({ length: 1 + this.#luck.below(4) }, () => {
      this.#checks += 1
      const messageId = this.#luck.chance(70) ? id : this.#luck.pick(open).id
      return { messageId, code: this.#luck.chance(50) ? CODE : '000000', checkId: `check-${this.#checks}` }
    })
  }

  note(checks: readonly CodeCheck[], results: readonly (Message | undefined)[]): void {
    for (const [index, { messageId, checkId, code }] of checks.entries()) {
      const verification = results[index]?.journey.verification
      if (verification === undefined) throw new Error(`${messageId} was checked and has no verification`)
      if (checkResult(verification, checkId) !== 'approved') continue
      if (code !== CODE) throw new Error(`a wrong code of ${messageId} was approved`)
      this.approved.set(messageId, (this.approved.get(messageId) ?? 0) + 1)
    }
  }
}
