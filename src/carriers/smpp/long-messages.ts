/**
 * What people write, made whole: the parts of a long message are kept until all of them are there. Holds a bounded number
 * of characters for a bounded time; what never becomes whole is handed on with a mark for what is missing.
 */
import type { InboundMessage } from '../../ports/carrier.ts'
import type { Concatenation } from '../../wire/smpp/concatenation.ts'

/** A message that is kept here no longer, and how to keep it again: when it could not be recorded. */
export interface WholeMessage {
  readonly message: InboundMessage
  readonly putBack: () => void
}

interface Open {
  /** As of the part that came last. */
  readonly message: Omit<InboundMessage, 'text'>
  readonly total: number
  readonly texts: ReadonlyMap<number, string>
  readonly size: number
  readonly since: number
}

/** How long the first part waits for the last. */
export const KEPT_MS = 600_000
const MOST_CHARACTERS = 4_000_000
/** Parts are told from one another by this at the least, however short their texts. */
const PART_CHARACTERS = 100
const MISSING = '[…]'

export class LongMessages {
  /** In the order of their first parts. */
  readonly #open = new Map<string, Open>()
  #size = 0

  get isEmpty(): boolean {
    return this.#open.size === 0
  }

  /** Whole by now, or null. */
  add(part: InboundMessage, joined: Concatenation | null): WholeMessage | null {
    if (joined === null) return { message: part, putBack: () => {} }
    const { reference, total, number } = joined
    const { text, ...message } = part
    const key = JSON.stringify([part.sender, part.recipient, reference, total])
    const before = this.#open.get(key)
    const texts = new Map(before?.texts).set(number, text)
    const size = texts.values().reduce((sum, each) => sum + each.length + PART_CHARACTERS, 0)
    const open = { message, total, texts, size, since: before?.since ?? part.at }
    this.#size += size - (before?.size ?? 0)
    this.#open.set(key, open)
    return texts.size === total ? this.#whole(key, open) : null
  }

  /** Those that have waited too long by `now`, or have no room: to be handed on as they are. */
  overdue(now: number): readonly WholeMessage[] {
    let tooMuch = this.#size - MOST_CHARACTERS
    const overdue: WholeMessage[] = []
    for (const [key, open] of this.#open) {
      if (tooMuch <= 0 && open.since + KEPT_MS > now) break
      tooMuch -= open.size
      overdue.push(this.#whole(key, open))
    }
    return overdue
  }

  /** All of them as they are, for a carrier that stops. */
  all(): readonly WholeMessage[] {
    return [...this.#open].map(([key, open]) => this.#whole(key, open))
  }

  #whole(key: string, open: Open): WholeMessage {
    const { message, total, texts } = open
    const text = Array.from({ length: total }, (_, index) => texts.get(index + 1) ?? MISSING).join('')
    this.#open.delete(key)
    this.#size -= open.size
    const putBack = (): void => {
      if (this.#open.has(key)) return
      this.#open.set(key, open)
      this.#size += open.size
    }
    return { message: { ...message, text }, putBack }
  }
}
