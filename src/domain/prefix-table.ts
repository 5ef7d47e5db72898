/** A table of number prefixes in which the longest that fits wins. The empty prefix fits every number. */
export class PrefixTable<T> {
  readonly #byPrefix = new Map<string, T>()
  #lengths: readonly number[] = []

  set(prefix: string, value: T): void {
    this.#byPrefix.set(prefix, value)
    if (!this.#lengths.includes(prefix.length)) {
      this.#lengths = [...this.#lengths, prefix.length].sort((a, b) => b - a)
    }
  }

  get(prefix: string): T | undefined {
    return this.#byPrefix.get(prefix)
  }

  /** The value of the longest prefix of `digits`; undefined when none fits. */
  find(digits: string): T | undefined {
    return this.findWhere(digits, (value) => value)
  }

  /** What is chosen of the value of the longest prefix from which something can be chosen; undefined when of none. */
  findWhere<R>(digits: string, choose: (value: T) => R | undefined): R | undefined {
    for (const length of this.#lengths) {
      const value = this.#byPrefix.get(digits.slice(0, length))
      const chosen = value === undefined ? undefined : choose(value)
      if (chosen !== undefined) return chosen
    }
    return undefined
  }

  /** The values of every prefix of `digits`, that of the longest first. */
  all(digits: string): readonly T[] {
    return this.#lengths.flatMap((length) => this.#byPrefix.get(digits.slice(0, length)) ?? [])
  }
}
