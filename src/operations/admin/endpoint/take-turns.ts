/** Serializes operators' changes in one gateway, so that none of them meets a concurrent change. */
import type { Store } from '../../../ports/stores/store.ts'

const last = new WeakMap<Store, Promise<unknown>>()

/** Runs the work after all earlier work has finished. */
export function takeTurn<T>(store: Store, work: () => Promise<T>): Promise<T> {
  const turn = (last.get(store) ?? Promise.resolve()).then(work)
  last.set(
    store,
    turn.catch(() => {}),
  )
  return turn
}
