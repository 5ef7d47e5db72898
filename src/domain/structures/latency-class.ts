/** Classes of times to delivery, so that percentiles can be estimated from counts of each class. */

/** Upper bounds of the classes, milliseconds; a longer time belongs to the last class. */
const BOUNDS: readonly number[] = [
  ...[100, 250, 500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000],
  ...[180_000, 600_000, 1_800_000, 7_200_000, 28_800_000, 86_400_000, 259_200_000],
]

/** Returns the class of a time in milliseconds: an index from 0 to 15. */
export function latencyClass(ms: number): number {
  const index = BOUNDS.findIndex((bound) => ms <= bound)
  return index === -1 ? BOUNDS.length - 1 : index
}

/**
 * Estimates the time, in milliseconds, within which this share of the messages was delivered, interpolated within its
 * class. Null if nothing was delivered.
 *
 * @param counts of messages, by class.
 * @param share from 0 to 1.
 */
export function percentile(counts: ReadonlyMap<number, number>, share: number): number | null {
  let total = 0
  for (const count of counts.values()) total += count
  if (total === 0) return null
  let below = 0
  for (const [index, bound] of BOUNDS.entries()) {
    const count = counts.get(index) ?? 0
    if (count > 0 && below + count >= share * total) {
      const from = BOUNDS[index - 1] ?? 0
      return from + (bound - from) * Math.max(0, (share * total - below) / count)
    }
    below += count
  }
  return BOUNDS.at(-1) ?? null
}
