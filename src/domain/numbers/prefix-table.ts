/** A table of number prefixes; the longest matching prefix wins. The empty prefix matches every number. */
import type { CountryCode } from 'libphonenumber-js/core'
import metadata from 'libphonenumber-js/min/metadata'

export class PrefixTable<T> {
  /** Found by a number: a text of the first digits would be made, hashed and compared for each length. */
  readonly #byKey = new Map<number, T>()
  /** Whether there are prefixes of so many digits. */
  readonly #lengths: boolean[] = []

  /** `prefix` has at most 15 digits. */
  set(prefix: string, value: T): void {
    this.#byKey.set(keyOf(prefix, prefix.length), value)
    while (this.#lengths.length <= prefix.length) this.#lengths.push(false)
    this.#lengths[prefix.length] = true
  }

  get(prefix: string): T | undefined {
    return this.#byKey.get(keyOf(prefix, prefix.length))
  }

  /** Returns the value of the longest prefix of a phone; undefined if none matches. */
  find(phone: string): T | undefined {
    return this.findWhere(phone, (value) => value)
  }

  /**
   * Returns the first defined result of `choose`, from the longest matching prefix down; undefined if there is none.
   */
  findWhere<R>(phone: string, choose: (value: T) => R | undefined): R | undefined {
    const digits = prefixDigitsOf(phone)
    let length = Math.min(digits.length, this.#lengths.length - 1)
    for (let key = keyOf(digits, length); length >= 0; length -= 1) {
      const value = this.#lengths[length] === true ? this.#byKey.get(key) : undefined
      const chosen = value === undefined ? undefined : choose(value)
      if (chosen !== undefined) return chosen
      key = Math.floor(key / 10)
    }
    return undefined
  }

  /** Returns the values of every prefix of a phone, the longest first. */
  all(phone: string): readonly T[] {
    const values: T[] = []
    this.findWhere(phone, (value) => {
      values.push(value)
      return undefined
    })
    return values
  }
}

/** Returns the digits of a phone; of a user id, which begins with a letter, the calling code of its country. */
export function prefixDigitsOf(phone: string): string {
  if (!(phone.charCodeAt(0) > NINE)) return phone
  const plan: readonly unknown[] = metadata.countries[phone.slice(0, 2) as CountryCode] ?? []
  return String(plan[0] ?? '')
}

/** Returns the first digits as a number, after a 1, so that zeros at their beginning count. */
function keyOf(digits: string, length: number): number {
  let key = 1
  for (let index = 0; index < length; index += 1) key = key * 10 + digits.charCodeAt(index) - ZERO
  return key
}

const ZERO = 0x30
const NINE = 0x39
