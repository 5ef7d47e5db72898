/**
 * Who has written to which of our numbers within 24 hours, and may so be sent anything. Learned from the webhook and kept
 * in memory only: after a restart messages go out by templates until a person writes again.
 */
import type { Clock } from '../../ports/clock.ts'
import { RecentMap } from '../recent-map.ts'
import type { Conversation } from './read-inbound.ts'

const OPEN_MS = 86_400_000
/** Meta's clock decides: close to the end we do not rely on ours. */
const MARGIN_MS = 60_000
const MOST = 200_000

export class Conversations {
  readonly #open: RecentMap<true>
  readonly #clock: Clock

  constructor(clock: Clock) {
    this.#clock = clock
    this.#open = new RecentMap(clock, MOST)
  }

  isOpen(conversation: Conversation): boolean {
    return this.#open.get(keyOf(conversation)) === true
  }

  /** @param at when the person wrote, milliseconds. */
  open(conversation: Conversation, at: number): void {
    const now = this.#clock.now()
    const until = Math.min(at, now) + OPEN_MS - MARGIN_MS
    if (until > now) this.#open.set(keyOf(conversation), true, until)
  }

  close(conversation: Conversation): void {
    this.#open.delete(keyOf(conversation))
  }
}

function keyOf({ phoneNumberId, person }: Conversation): string {
  return `${phoneNumberId} ${person}`
}
