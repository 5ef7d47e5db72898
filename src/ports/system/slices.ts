/** Divides long work into slices of a few milliseconds, so that the event loop serves other requests between them. */

/** Items of a slice. */
export const SLICE_ITEMS = 1_000

/** Work that yields wherever other work may run. Returns its result. */
export type SlicedWork<T> = Generator<undefined, T>

/** Resolves after the other work that waits in this thread has run. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve))
}

/** Runs one slice in each turn of the event loop. Rejects with what the work throws. */
export async function runInSlices<T>(work: SlicedWork<T>): Promise<T> {
  let next = work.next()
  while (next.done !== true) {
    await nextTurn()
    next = work.next()
  }
  return next.value
}

export function mapInSlices<T, R>(items: Iterable<T>, map: (item: T) => R): Promise<readonly R[]> {
  return runInSlices(mapSliced(items, map))
}

export async function filterInSlices<T>(items: Iterable<T>, isWanted: (item: T) => boolean): Promise<readonly T[]> {
  const wanted: T[] = []
  await mapInSlices(items, (item) => {
    if (isWanted(item)) wanted.push(item)
  })
  return wanted
}

function* mapSliced<T, R>(items: Iterable<T>, map: (item: T) => R): SlicedWork<readonly R[]> {
  const mapped: R[] = []
  for (const item of items) {
    mapped.push(map(item))
    if (mapped.length % SLICE_ITEMS === 0) yield
  }
  return mapped
}
