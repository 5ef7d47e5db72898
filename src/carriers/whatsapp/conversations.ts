/**
 * Conversations in which a recipient has written to a number within 24 hours: they may be sent any content. Learned
 * from the webhook and kept in memory only: after a restart messages are sent by templates until the recipient writes
 * again.
 */
import { formsOf, type Phone } from '../../domain/numbers/phone.ts'
import type { Clock } from '../../ports/system/clock.ts'
import { RecentMap } from '../shared/recent-map.ts'
import type { Conversation } from './read-inbound.ts'

const OPEN_MS = 86_400_000
/** Meta's clock decides: the end of the period is not used, because the clocks may differ. */
const MARGIN_MS = 60_000
const MAX_ENTRIES = 200_000

export class Conversations {
  readonly #open: RecentMap<true>
  readonly #clock: Clock

  constructor(clock: Clock) {
    this.#clock = clock
    this.#open = new RecentMap(clock, MAX_ENTRIES)
  }

  isOpen(conversation: Conversation): boolean {
    return this.#open.get(keyOf(conversation)) === true
  }

  /** @param at when the recipient wrote, milliseconds. */
  open(conversation: Conversation, at: number): void {
    const now = this.#clock.now()
    const until = Math.min(at, now) + OPEN_MS - MARGIN_MS
    if (until > now) this.#open.set(keyOf(conversation), true, until)
  }

  close(conversation: Conversation): void {
    this.#open.delete(keyOf(conversation))
  }
}

function keyOf({ phoneNumberId, phone }: Conversation): string {
  // Meta may name the recipient by another form of the phone than messages.
  return `${phoneNumberId} ${formsOf(phone as Phone)[0]}`
}
