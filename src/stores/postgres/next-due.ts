/**
 * When there may be something of a kind due in a bucket, so that a claim asks only those where there may be. What this node
 * writes is known at once; what others write, after the next look, which is never long ago.
 */

/** A bucket is looked at again after so long, whatever is known of it. */
export const LOOK_AGAIN_MS = 1_000

interface Known {
  /** Nothing that this node knows of is due earlier. */
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

  /** A look at the bucket begins: of these kinds only what is heard of from now on is known. */
  looking(bucket: number, kinds: readonly string[], now: number): void {
    const known = this.#buckets.get(bucket) ?? new Map<string, Known>()
    for (const kind of kinds) known.set(kind, { at: Number.POSITIVE_INFINITY, lookedAt: now })
    this.#buckets.set(bucket, known)
  }

  /** Something is due then, as was found or written. */
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

  /** The earliest of these kinds in this bucket, and `now` where it is not known what waits; infinity when nothing does. */
  earliest(bucket: number, kinds: readonly string[], now: number): number {
    const known = this.#buckets.get(bucket)
    return Math.min(...kinds.map((kind) => known?.get(kind)?.at ?? now))
  }
}
