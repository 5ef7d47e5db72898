/** Inbound keywords such as STOP that change nothing, for the log and for alarms. */
import type { LostKeywords } from '../../domain/alarms/alarm-conditions.ts'
import type { Clock } from '../../ports/system/clock.ts'
import type { Log } from '../../ports/system/log.ts'
import type { LostKeyword } from './opt-out-keywords.ts'

/** How long one counts as a condition: longer than the interval of the checks. Its alarm stays open for a day. */
const COUNTED_MS = 600_000

interface Lost extends LostKeywords {
  /** Monotonic, of the last one. */
  readonly at: number
}

export class LostKeywordCount {
  readonly #clock: Clock
  readonly #log: Log
  /** By carrier. */
  readonly #lost = new Map<string, Lost>()

  constructor({ clock, log }: { readonly clock: Clock; readonly log: Log }) {
    this.#clock = clock
    this.#log = log
  }

  add(keywords: readonly LostKeyword[]): void {
    for (const { carrierId, reason } of keywords) {
      const count = (this.#lost.get(carrierId)?.count ?? 0) + 1
      this.#lost.set(carrierId, { carrierId, count, reason, at: this.#clock.monotonic() })
      this.#log.warn({ carrier: carrierId, reason }, 'an opt-out keyword changed nothing')
    }
  }

  /** Returns those of the last minutes, one entry for each carrier. */
  recent(): readonly LostKeywords[] {
    const since = this.#clock.monotonic() - COUNTED_MS
    return [...this.#lost.values()].filter(({ at }) => at > since)
  }
}
