/**
 * What was used of the limits of one request: read once for each limit, counted in memory, written once. It knows what
 * earlier requests of the same transaction have written.
 */
import type { UsageGuard, UsageLimit } from '../../domain/usage.ts'
import type { Session } from './session.ts'
import { Statement } from './statement.ts'

interface Used {
  readonly limit: UsageLimit
  /** With what this request has used. */
  messages: number
  micros: number
  /** What this request has used. */
  newMessages: number
  newMicros: number
}

export class Meter {
  readonly #find: Statement<[messages: number | null, micros: number | null]>
  readonly #add: Statement

  constructor({ database }: Session) {
    this.#find = new Statement(
      database,
      'SELECT sum(messages), sum(micros) FROM usage WHERE account_id = ? AND key = ? AND slot >= ?',
    )
    this.#add = new Statement(
      database,
      `INSERT INTO usage (account_id, key, slot, messages, micros, keep_until) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET messages = messages + excluded.messages, micros = micros + excluded.micros`,
    )
  }

  /** Null where nothing is limited. */
  open(limits: readonly UsageLimit[] = []): Tally | null {
    return limits.length === 0 ? null : new Tally(limits, this)
  }

  usedOf(limit: UsageLimit): Used {
    const [messages, micros] = this.#find.first(limit.accountId ?? 0, limit.key, limit.since) ?? [0, 0]
    return { limit, messages: messages ?? 0, micros: micros ?? 0, newMessages: 0, newMicros: 0 }
  }

  write({ limit, newMessages, newMicros }: Used): void {
    if (newMessages === 0) return
    this.#add.run(limit.accountId ?? 0, limit.key, limit.slot, newMessages, newMicros, limit.keepUntil)
  }
}

export class Tally {
  readonly #limits: readonly UsageLimit[]
  readonly #meter: Meter
  readonly #used = new Map<number, Used>()

  constructor(limits: readonly UsageLimit[], meter: Meter) {
    this.#limits = limits
    this.#meter = meter
  }

  /** The limit that one more message of this price would be beyond; null when there is room in all of them. */
  reached(
    places: readonly number[],
    micros: number,
  ): { readonly guard: UsageGuard; readonly of: 'messages' | 'money' } | null {
    for (const place of places) {
      const { limit, ...used } = this.#usedAt(place)
      if (limit.mostMessages !== null && used.messages + 1 > limit.mostMessages)
        return { guard: limit.guard, of: 'messages' }
      if (limit.mostMicros !== null && used.micros + micros > limit.mostMicros)
        return { guard: limit.guard, of: 'money' }
    }
    return null
  }

  count(places: readonly number[], micros: number): void {
    for (const place of places) {
      const used = this.#usedAt(place)
      used.messages += 1
      used.micros += micros
      used.newMessages += 1
      used.newMicros += micros
    }
  }

  write(): void {
    for (const used of this.#used.values()) this.#meter.write(used)
  }

  #usedAt(place: number): Used {
    const known = this.#used.get(place)
    if (known !== undefined) return known
    const limit = this.#limits[place]
    if (limit === undefined) throw new RangeError('a message counts for a limit that the request does not have')
    const used = this.#meter.usedOf(limit)
    this.#used.set(place, used)
    return used
  }
}
