/**
 * Answers of lookup services, in memory for a time. Each account has its own, so that none learns what another one
 * asked, or gets what only the services of another one say. All forms of a number have one answer. Bounded: the oldest
 * answers make room for new ones. Numbers are kept as they are, so they are forgotten with the process, and on request.
 */
import type { AccountId } from '../../domain/ids/account-id.ts'
import { formsOf, type Phone } from '../../domain/numbers/phone.ts'
import type { Carrier } from '../../ports/carriers/carrier.ts'
import type { NumberAnswer } from '../../ports/carriers/lookup.ts'

interface Kept {
  readonly accountId: AccountId
  readonly phone: Phone
  readonly answer: NumberAnswer
  /** The carrier that answered. */
  readonly carrier: Carrier
}

export class NumberCache {
  readonly #max: number
  /** The oldest first. */
  readonly #answers = new Map<string, Kept>()
  readonly #accountsOf = new Map<Phone, Set<AccountId>>()

  constructor(max: number) {
    this.#max = max
  }

  /** Returns an answer to the account that was given after `since`, milliseconds; null if there is none. */
  find({ accountId, phone }: Pick<Kept, 'accountId' | 'phone'>, since: number): Kept | null {
    const kept = this.#answers.get(nameOf(accountId, phone))
    return kept !== undefined && kept.answer.at > since ? kept : null
  }

  keep(kept: Kept): void {
    const { accountId } = kept
    const [phone] = formsOf(kept.phone)
    this.#drop(accountId, phone)
    this.#answers.set(nameOf(accountId, phone), kept)
    this.#accountsOf.set(phone, (this.#accountsOf.get(phone) ?? new Set()).add(accountId))
    for (const oldest of this.#answers.values()) {
      if (this.#answers.size <= this.#max) break
      this.#drop(oldest.accountId, oldest.phone)
    }
  }

  /** Drops the answers to all accounts. */
  forget(phone: Phone): void {
    for (const accountId of [...(this.#accountsOf.get(formsOf(phone)[0]) ?? [])]) this.#drop(accountId, phone)
  }

  #drop(accountId: AccountId, of: Phone): void {
    const [phone] = formsOf(of)
    this.#answers.delete(nameOf(accountId, phone))
    const accounts = this.#accountsOf.get(phone)
    accounts?.delete(accountId)
    if (accounts?.size === 0) this.#accountsOf.delete(phone)
  }
}

function nameOf(accountId: AccountId, phone: Phone): string {
  return `${accountId} ${formsOf(phone)[0]}`
}
