/**
 * Logs denied requests for operators; callers see only `Access denied`. Each cause is logged when it first occurs and
 * then at most once a minute with its count.
 */
import { type ApiKey, keyIdOf } from '../../domain/accounts/api-key.ts'
import type { KeyRefusal } from '../../domain/directory/directory.ts'
import type { Clock } from '../../ports/system/clock.ts'
import type { Log } from '../../ports/system/log.ts'

const PERIOD_MS = 60_000

interface Period {
  /** Monotonic milliseconds. */
  readonly since: number
  /** Denials since the last log line. */
  count: number
}

export class Denials {
  readonly #clock: Clock
  readonly #log: Log
  readonly #periods = new Map<KeyRefusal, Period>()

  constructor({ clock, log }: { readonly clock: Clock; readonly log: Log }) {
    this.#clock = clock
    this.#log = log
  }

  note(cause: KeyRefusal, key: ApiKey | null): void {
    const now = this.#clock.monotonic()
    const period = this.#periods.get(cause)
    if (period !== undefined && now - period.since < PERIOD_MS) {
      period.count += 1
      return
    }
    const who = key === null ? {} : { account: key.accountId, key: key.name, keyId: keyIdOf(key) }
    this.#log.warn({ cause, ...who, count: (period?.count ?? 0) + 1 }, 'access denied')
    this.#periods.set(cause, { since: now, count: 0 })
  }
}
