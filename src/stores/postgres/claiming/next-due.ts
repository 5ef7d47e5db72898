/**
 * When something of a kind may be due in a bucket, so that a claim reads only the buckets that may have something. This
 * node knows its own writes at once and those of others after the next look, at most a second later.
 */

/** How long the state of a bucket is trusted. */
export const LOOK_AGAIN_MS = 1_000

interface Known {
  /** Nothing known to this node is due earlier. */
  at: number
  readonly lookedAt: number
}

export class NextDue {
  /** Of each bucket, by kind. */
  readonly #buckets = new Map<number, Map<string, Known>>()

  /** Whether something of these kinds may be due in the bucket by `now`. */
  mayHave(bucket: number, kinds: readonly string[], now: number): boolean {
    const known = this.#buckets.get(bucket)
    return kinds.some((kind) => {
      const { at, lookedAt } = known?.get(kind) ?? { at: now, lookedAt: now }
      return at <= now || Math.abs(now - lookedAt) >= LOOK_AGAIN_MS
    })
  }

  /** A look at the bucket begins: forgets these kinds, except for what is reported from now on. */
  looking(bucket: number, kinds: readonly string[], now: number): void {
    const known = this.#buckets.get(bucket) ?? new Map<string, Known>()
    for (const kind of kinds) known.set(kind, { at: Number.POSITIVE_INFINITY, lookedAt: now })
    this.#buckets.set(bucket, known)
  }

  /** Something is due at this time, as found or written. */
  expect(bucket: number, kind: string, at: number): void {
    const known = this.#buckets.get(bucket)?.get(kind)
    if (known !== undefined && at < known.at) known.at = at
  }

  /** Anything may have changed there. */
  forget(bucket: number): void {
    this.#buckets.delete(bucket)
  }

  forgetAll(): void {
    this.#buckets.clear()
  }

  /** Returns the earliest time of these kinds in this bucket; `now` if unknown, infinity if nothing waits. */
  earliest(bucket: number, kinds: readonly string[], now: number): number {
    const known = this.#buckets.get(bucket)
    return Math.min(...kinds.map((kind) => known?.get(kind)?.at ?? now))
  }
}
