/** Things gathered under the buckets that they belong to, handed out in the order of the buckets. */
export class ByBucket<Thing> {
  readonly #buckets = new Map<number, Thing[]>()

  add(bucket: number, ...things: readonly Thing[]): void {
    const gathered = this.#buckets.get(bucket)
    if (gathered === undefined) this.#buckets.set(bucket, [...things])
    else gathered.push(...things)
  }

  /** Locks that are taken in this order never wait for each other in a circle. */
  entries(): readonly (readonly [bucket: number, things: readonly Thing[]])[] {
    return [...this.#buckets].sort(([a], [b]) => a - b)
  }
}
