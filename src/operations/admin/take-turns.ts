/** Lets the operators' changes of one gateway come one after the other, so that none finds the directory changed by another. */
import type { Store } from '../../ports/store.ts'

const last = new WeakMap<Store, Promise<unknown>>()

/** Does the work after all that took a turn before it. */
export function takeTurn<T>(store: Store, work: () => Promise<T>): Promise<T> {
  const turn = (last.get(store) ?? Promise.resolve()).then(work)
  last.set(
    store,
    turn.catch(() => {}),
  )
  return turn
}
