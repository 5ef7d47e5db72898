/** One value for each pair of labels, found by two look-ups. */
export class LabelPairs<Value> {
  readonly #create: () => Value
  readonly #values = new Map<string, Map<string, Value>>()

  /** `create` makes the first value of a pair. */
  constructor(create: () => Value) {
    this.#create = create
  }

  of(first: string, second: string): Value {
    let values = this.#values.get(first)
    if (values === undefined) {
      values = new Map()
      this.#values.set(first, values)
    }
    let value = values.get(second)
    if (value === undefined) {
      value = this.#create()
      values.set(second, value)
    }
    return value
  }

  /** Returns all values with their labels. */
  all(): readonly (readonly [first: string, second: string, value: Value])[] {
    return [...this.#values].flatMap(([first, values]) =>
      [...values].map(([second, value]) => [first, second, value] as const),
    )
  }
}
