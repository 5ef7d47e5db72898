/** Size limits of answers. A list that would be larger ends early and continues on the next page. */

/** One list in the answer to a client, bytes. */
export const MAX_LIST_BYTES = 1024 * 1024
/** The lists of one answer to a client together, bytes. */
export const MAX_LISTS_BYTES = 16 * 1024 * 1024
/** One page of the admin API, bytes as stored. */
export const MAX_PAGE_BYTES = 4 * 1024 * 1024

export interface Fitting<T> {
  readonly items: readonly T[]
  /** False if there were more items, which did not fit. */
  readonly isAll: boolean
}

/** Takes items while they fit, and at least one, so that paging always advances. Reads no further. */
export function takeFitting<T>(items: Iterable<T>, maxBytes: number, sizeOf: (item: T) => number): Fitting<T> {
  const taken: T[] = []
  let bytes = 0
  for (const item of items) {
    bytes += sizeOf(item)
    if (bytes > maxBytes && taken.length > 0) return { items: taken, isAll: false }
    taken.push(item)
  }
  return { items: taken, isAll: true }
}
