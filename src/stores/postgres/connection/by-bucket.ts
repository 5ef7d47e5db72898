/** Groups things by bucket and returns them in bucket order. */
export class ByBucket<Thing> {
  readonly #buckets = new Map<number, Thing[]>()

  /** @param bucketOf of one of them. */
  static of<Thing>(things: Iterable<Thing>, bucketOf: (thing: Thing) => number): ByBucket<Thing> {
    const buckets = new ByBucket<Thing>()
    for (const thing of things) buckets.add(bucketOf(thing), thing)
    return buckets
  }

  add(bucket: number, ...things: readonly Thing[]): void {
    const gathered = this.#buckets.get(bucket)
    if (gathered === undefined) this.#buckets.set(bucket, [...things])
    else gathered.push(...things)
  }

  /** Locks taken in this order cannot deadlock. */
  entries(): readonly (readonly [bucket: number, things: readonly Thing[]])[] {
    return [...this.#buckets].sort(([a], [b]) => a - b)
  }
}
