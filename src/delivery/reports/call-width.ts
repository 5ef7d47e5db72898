/**
 * How many calls at a time a receiver gets. Each success allows one more, each failure halves them, and from then
 * on as many successes as there are calls at a time allow one more. A slow success allows one less: a receiver that
 * works on a few calls at a time keeps the others waiting, at last beyond the time limit of a call, and what it then
 * has done is sent again.
 */

/** A third of the time limit of a call (http/hooks/post-hook.ts). */
export const SLOW_MS = 3_300

interface WidthRules {
  /** Slow successes leave so many. */
  readonly first: number
  readonly max: number
}

export class CallWidth {
  readonly #rules: WidthRules
  #width: number
  /** Above it, one success is not enough for one more call. */
  #safeWidth: number
  /** Successes since the width changed. */
  #successes = 0

  constructor(rules: WidthRules) {
    this.#rules = rules
    this.#width = rules.first
    this.#safeWidth = rules.max
  }

  get calls(): number {
    return this.#width
  }

  /** `tookMs`: the call. */
  succeeded(tookMs: number): void {
    this.#successes += 1
    if (tookMs >= SLOW_MS) {
      if (this.#width > this.#rules.first) this.#set(this.#width - 1)
      this.#safeWidth = this.#width
    } else if (this.#width < this.#safeWidth || this.#successes >= this.#width) {
      this.#set(this.#width + 1)
    }
  }

  failed(): void {
    this.#set(this.#width >> 1)
    this.#safeWidth = this.#width
  }

  #set(width: number): void {
    this.#width = Math.min(this.#rules.max, Math.max(1, width))
    this.#successes = 0
  }
}
