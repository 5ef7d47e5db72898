/** Lists of numbers: those that nobody is written to at, and those that no automatic stop may touch. */
import type { Phone } from './phone.ts'
import { PrefixTable } from './prefix-table.ts'

export interface ListedNumber {
  /** `deny`: filtered, whoever asks. `allow`: never stopped for its pattern of traffic. */
  readonly list: 'deny' | 'allow'
  /** Of the phone, or what numbers begin with; at least one digit. */
  readonly digits: string
  /** True: this phone alone. False: every number that begins so. */
  readonly whole: boolean
  /** Why, for operators; may be empty. */
  readonly note: string
}

/** Both lists. Where both have a number, the longer entry counts, and among equal ones `deny`. */
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
