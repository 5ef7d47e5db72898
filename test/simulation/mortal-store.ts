/** A store whose process can be killed: calls not yet sent are lost, the results of those under way are unknown. */
import type { Store } from '../../src/ports/stores/store.ts'
import type { Luck } from './luck.ts'

export interface MortalStore {
  readonly store: Store
  /** Calls without a result yet. */
  readonly pending: number
  readonly torn: boolean
  /**
   * Returns the object with all its methods disabled by the end: called afterwards, they do nothing and never return.
   */
  whileAlive<Thing extends object>(thing: Thing, verb: keyof Thing): Thing
  /** No call made before or after returns a result any more. */
  tear(): void
}

export function mortalStore(store: Store, random: Luck): MortalStore {
  let torn = false
  let pending = 0
  const call = async (verb: (...args: unknown[]) => Promise<unknown>, args: unknown[]): Promise<unknown> => {
    // A call on its way to the disk: a crash may come before it.
    for (let turns = random.below(3); turns > 0; turns -= 1) await new Promise((resolve) => setImmediate(resolve))
    if (torn) return new Promise(() => {})
    const answer = await verb.apply(store, args)
    return torn ? new Promise(() => {}) : answer
  }
  // Calls must reach the store in the order in which they were made, as they do in one queue.
  let last: Promise<unknown> = Promise.resolve()
  const inOrder = (verb: (...args: unknown[]) => Promise<unknown>, args: unknown[]): Promise<unknown> => {
    pending += 1
    const mine = last
      .then(() => call(verb, args))
      .finally(() => {
        pending -= 1
      })
    last = mine.catch(() => {})
    return mine
  }
  const proxy = new Proxy(store, {
    get: (target, name) => {
      // One gateway runs at a time.
      if (name === 'cluster') return null
      const member = Reflect.get(target, name) as unknown
      if (typeof member !== 'function') return member
      return (...args: unknown[]) => inOrder(member as (...args: unknown[]) => Promise<unknown>, args)
    },
  })
  return {
    store: proxy,
    get pending() {
      return pending
    },
    get torn() {
      return torn
    },
    whileAlive: (thing, verb) =>
      new Proxy(thing, {
        get: (target, name) => {
          const member = Reflect.get(target, name) as unknown
          if (typeof member !== 'function') return member
          if (name === verb && torn) return () => new Promise(() => {})
          return member.bind(target)
        },
      }),
    tear: () => {
      torn = true
    },
  }
}
