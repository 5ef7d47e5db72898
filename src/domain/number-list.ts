/** Deny and allow lists of numbers. */
import type { Phone } from './phone.ts'
import { PrefixTable } from './prefix-table.ts'

export interface ListedNumber {
  /** `deny`: filtered for every sender. `allow`: never stopped for its pattern of traffic. */
  readonly list: 'deny' | 'allow'
  /** The whole number or its first digits; at least one digit. */
  readonly digits: string
  /** True: only this phone. False: every number with this prefix. */
  readonly whole: boolean
  /** For operators; may be empty. */
  readonly note: string
}

/** Both lists. If a number is on both, the longer entry wins; if they are equal, `deny` wins. */
export class NumberLists {
  readonly #phones = new Map<string, ListedNumber['list']>()
  readonly #prefixes = new PrefixTable<ListedNumber['list']>()

  constructor(numbers: readonly ListedNumber[]) {
    for (const { list, digits, whole } of numbers) {
      const table = whole ? this.#phones : this.#prefixes
      if (table.get(digits) !== 'deny') table.set(digits, list)
    }
  }

  listOf(phone: Phone): ListedNumber['list'] | null {
    return this.#phones.get(phone) ?? this.#prefixes.find(phone) ?? null
  }
}
