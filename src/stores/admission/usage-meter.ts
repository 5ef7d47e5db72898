/**
 * What requests use of their limits: read once for each limit, counted in memory, written once. A request knows what those
 * before it in the transaction have used.
 */
import type { UsageGuard, UsageLimit } from '../../domain/usage.ts'

export interface Used {
  readonly messages: number
  readonly micros: number
}

/** What was used of a limit in its slots, before this transaction. */
export type FindUsed = (limit: UsageLimit) => Used

export type UsageRow = readonly [
  /** 0 for a limit of all accounts together. */
  accountId: number,
  key: string,
  slot: number,
  messages: number,
  micros: number,
  keepUntil: number,
]

/** What this transaction adds in one slot. */
interface Added {
  readonly limit: UsageLimit
  messages: number
  micros: number
}

export class UsageMeter {
  readonly #find: FindUsed
  /** As it was before, by limit and its first slot. */
  readonly #before = new Map<string, Used>()
  /** By limit, and then by slot. */
  readonly #added = new Map<string, Map<number, Added>>()

  constructor(find: FindUsed) {
    this.#find = find
  }

  /** The limit that one more message of this price would exceed; null when there is room in all of them. */
  reached(
    limits: readonly UsageLimit[],
    micros: number,
  ): { readonly guard: UsageGuard; readonly of: 'messages' | 'money' } | null {
    for (const limit of limits) {
      const { guard, mostMessages, mostMicros } = limit
      const used = this.#usedOf(limit)
      if (mostMessages !== null && used.messages + 1 > mostMessages) return { guard, of: 'messages' }
      if (mostMicros !== null && used.micros + micros > mostMicros) return { guard, of: 'money' }
    }
    return null
  }

  count(limits: readonly UsageLimit[], micros: number): void {
    for (const limit of limits) {
      const slots = this.#added.get(nameOf(limit)) ?? new Map<number, Added>()
      const added = slots.get(limit.slot) ?? { limit, messages: 0, micros: 0 }
      added.messages += 1
      added.micros += micros
      slots.set(limit.slot, added)
      this.#added.set(nameOf(limit), slots)
    }
  }

  rows(): readonly UsageRow[] {
    return [...this.#added.values()].flatMap((slots) =>
      [...slots.values()].map(({ limit: { accountId, key, slot, keepUntil }, messages, micros }): UsageRow => {
        return [accountId ?? 0, key, slot, messages, micros, keepUntil]
      }),
    )
  }

  #usedOf(limit: UsageLimit): Used {
    let { messages, micros } = this.#usedBefore(limit)
    for (const [slot, added] of this.#added.get(nameOf(limit)) ?? []) {
      if (slot < limit.since) continue
      messages += added.messages
      micros += added.micros
    }
    return { messages, micros }
  }

  #usedBefore(limit: UsageLimit): Used {
    const name = `${limit.since} ${nameOf(limit)}`
    const known = this.#before.get(name)
    if (known !== undefined) return known
    const used = this.#find(limit)
    this.#before.set(name, used)
    return used
  }
}

function nameOf({ accountId, key }: UsageLimit): string {
  return `${accountId ?? 0} ${key}`
}
