/**
 * What requests use of their limits: read once per limit, counted in memory, written once. A request sees what earlier
 * ones in the transaction used.
 */
import {
  exceededBy,
  type UsageGuard,
  type UsageLimit,
  type UsageWindow,
  type Used,
} from '../../domain/guards/guards.ts'
import type { CellsOf } from '../rows/cells/cells-of.ts'

/** Returns what was used in the slots of a window before this transaction. */
export type FindUsed = (window: UsageWindow) => Used

export type UsageRow = Readonly<CellsOf<'usage', 'account_id, key, slot, messages, micros, keep_until'>>

/** What this transaction adds in one slot. */
interface Added {
  readonly window: UsageWindow
  messages: number
  micros: number
}

export class UsageMeter {
  readonly #find: FindUsed
  /** Stored usage, by limit and its first slot. */
  readonly #before = new Map<string, Used>()
  /** By limit, and then by slot. */
  readonly #added = new Map<string, Map<number, Added>>()

  constructor(find: FindUsed) {
    this.#find = find
  }

  /** Returns the limit that one more message of this price would exceed, or so many; null if none. */
  reached(
    limits: readonly UsageLimit[],
    micros: number,
    messages = 1,
  ): { readonly guard: UsageGuard; readonly of: 'messages' | 'money' } | null {
    for (const limit of limits) {
      const of = exceededBy(limit, this.usedOf(limit), { messages, micros })
      if (of !== null) return { guard: limit.guard, of }
    }
    return null
  }

  count(windows: readonly UsageWindow[], micros: number, messages = 1): void {
    for (const window of windows) {
      const slots = this.#added.get(nameOf(window)) ?? new Map<number, Added>()
      const added = slots.get(window.slot) ?? { window, messages: 0, micros: 0 }
      added.messages += messages
      added.micros += micros
      slots.set(window.slot, added)
      this.#added.set(nameOf(window), slots)
    }
  }

  rows(): readonly UsageRow[] {
    return [...this.#added.values()].flatMap((slots) =>
      [...slots.values()].map(({ window: { accountId, key, slot, keepUntil }, messages, micros }): UsageRow => {
        return [accountId ?? 0, key, slot, messages, micros, keepUntil]
      }),
    )
  }

  /** Includes what this transaction has added so far. */
  usedOf(window: UsageWindow): Used {
    let { messages, micros } = this.#usedBefore(window)
    for (const [slot, added] of this.#added.get(nameOf(window)) ?? []) {
      if (slot < window.since) continue
      messages += added.messages
      micros += added.micros
    }
    return { messages, micros }
  }

  #usedBefore(window: UsageWindow): Used {
    const name = `${window.since} ${nameOf(window)}`
    const known = this.#before.get(name)
    if (known !== undefined) return known
    const used = this.#find(window)
    this.#before.set(name, used)
    return used
  }
}

function nameOf({ accountId, key }: UsageWindow): string {
  return `${accountId ?? 0} ${key}`
}
