/**
 * Distinguishes a trunk that bars one number from a trunk that refuses every call. 403, 406, 488 and similar statuses
 * may mean either: they concern the number until several different numbers in a row were refused; from then on they are
 * a fault of the carrier, and its breaker counts them. A call that rings, or an answer about the called phone, ends the
 * run.
 */
import type { Verdict } from '../../domain/message/journey-event.ts'

/** Different numbers in a row. */
const MAX_NUMBERS = 5

export class RefusalRun {
  readonly #phones = new Set<string>()

  /** Returns the verdict for the call to `phone`, without `aboutMessage` once the fault is the carrier's. */
  judge(phone: string, verdict: Verdict): Verdict {
    if (verdict.kind === 'taken' || verdict.kind === 'refused') this.#phones.clear()
    if (verdict.kind !== 'unreachable' || verdict.aboutMessage !== true) return verdict
    if (this.#phones.size < MAX_NUMBERS) this.#phones.add(phone)
    return this.#phones.size < MAX_NUMBERS ? verdict : { kind: 'unreachable', reason: verdict.reason }
  }
}
