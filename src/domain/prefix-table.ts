/** A table of number prefixes; the longest matching prefix wins. The empty prefix matches every number. */
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

  /** Returns the value of the longest prefix of `digits`; undefined if none matches. */
  find(digits: string): T | undefined {
    return this.findWhere(digits, (value) => value)
  }

  /**
   * Returns the first defined result of `choose`, from the longest matching prefix down; undefined if there is none.
   */
  findWhere<R>(digits: string, choose: (value: T) => R | undefined): R | undefined {
    for (const length of this.#lengths) {
      const value = this.#byPrefix.get(digits.slice(0, length))
      const chosen = value === undefined ? undefined : choose(value)
      if (chosen !== undefined) return chosen
    }
    return undefined
  }

  /** Returns the values of every prefix of `digits`, the longest first. */
  all(digits: string): readonly T[] {
    let values: T[] = []
    for (const length of this.#lengths) {
      const value = this.#byPrefix.get(digits.slice(0, length))
      if (value === undefined) continue
      if (values.length === 0) values = [value]
      else values.push(value)
    }
    return values
  }
}
