/** Forgetting goes a slice at a time, so that others get their turn between two of them. */
export interface ForgetSlice {
  /** How many were forgotten. */
  readonly done: number
  /** Where the next slice begins; null when this was the last. */
  readonly next: number | null
}

/** All slices, one after the other; how many were forgotten in them. */
export async function forgetAll(slice: (after: number) => Promise<ForgetSlice>): Promise<number> {
  let sum = 0
  for (let after: number | null = 0; after !== null; ) {
    const { done, next }: ForgetSlice = await slice(after)
    sum += done
    after = next
  }
  return sum
}
