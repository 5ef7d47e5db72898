/** Long work in slices, so that the page stays usable. */
const SLICE_MS = 20

/** Lets the browser draw and take input every few milliseconds. */
export async function runBetweenFrames<T>(work: Generator<undefined, T>): Promise<T> {
  let until = performance.now() + SLICE_MS
  let next = work.next()
  while (next.done !== true) {
    if (performance.now() > until) {
      await new Promise((resolve) => setTimeout(resolve))
      until = performance.now() + SLICE_MS
    }
    next = work.next()
  }
  return next.value
}
