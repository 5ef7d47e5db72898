/** Deny and allow lists of numbers. */
import { formsOf, type Phone } from './phone.ts'
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

/**
 * Both lists. If a number is on both, in any of its forms, the longer entry wins; if they are equal, `deny` wins.
 */
export class NumberLists {
  readonly #phones = new Map<string, ListedNumber['list']>()
  readonly #prefixes = new PrefixTable<Pick<ListedNumber, 'list' | 'digits'>>()

  constructor(numbers: readonly ListedNumber[]) {
    for (const { list, digits, whole } of numbers) {
      if (whole) {
        const [first] = formsOf(digits as Phone)
        if (this.#phones.get(first) !== 'deny') this.#phones.set(first, list)
      } else if (this.#prefixes.get(digits)?.list !== 'deny') this.#prefixes.set(digits, { list, digits })
    }
  }

  listOf(phone: Phone): ListedNumber['list'] | null {
    const forms = formsOf(phone)
    const whole = this.#phones.get(forms[0])
    if (whole !== undefined) return whole
    const found = forms.flatMap((form) => this.#prefixes.find(form) ?? [])
    const longest = Math.max(...found.map(({ digits }) => digits.length))
    const lists = found.filter(({ digits }) => digits.length === longest).map(({ list }) => list)
    return lists.includes('deny') ? 'deny' : (lists[0] ?? null)
  }
}
