/** How old a call may be, and calls that may come only once. */
import { createHash } from 'node:crypto'
import Type from 'typebox'
import type { Clock } from '../../../ports/system/clock.ts'
import { RecentMap } from '../../shared/recent-map.ts'
import { choice, flag, seconds } from '../../shared/setting-kinds.ts'
import { place } from './place.ts'

/** Calls that are remembered, of each kind and carrier. */
const MAX_SEEN = 10_000
export const MAX_AGE_SECONDS = 604_800

const ONCE =
  'Refuse repeats of the last 10,000 calls that were acknowledged, while they are not too old; each gateway remembers its own, until it stops or the carrier is changed.'

export const ONCE_SETTINGS = { once: flag(ONCE, false) }

export const FRESHNESS_SETTINGS = {
  timestamp: Type.Optional(place('Where the time of the call is; it has to be signed.')),
  timestampUnit: choice(['s', 'ms', 'iso'], 'Seconds or milliseconds since 1970, or ISO 8601.', 's'),
  maxAgeSeconds: seconds(1, MAX_AGE_SECONDS, 'How much older or newer than now the time may be.', 300),
  nonce: Type.Optional(place('Where the id of the call is; with `once`, it has to be signed.')),
  ...ONCE_SETTINGS,
}

const TIMES = {
  s: /^\d{1,11}$/,
  ms: /^\d{1,14}$/,
  iso: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:?\d\d)$/,
}

/** @param now milliseconds. */
export function isRecent(time: string, unit: keyof typeof TIMES, maxAgeSeconds: number, now: number): boolean {
  if (!TIMES[unit].test(time)) return false
  const at = unit === 'iso' ? Date.parse(time) : Number(time) * (unit === 's' ? 1_000 : 1)
  return Math.abs(now - at) <= maxAgeSeconds * 1_000
}

/** The calls that were acknowledged, and those that are being recorded. */
export class SeenCalls {
  readonly #clock: Clock
  readonly #keys: RecentMap<true>
  readonly #current = new Set<string>()

  constructor(clock: Clock) {
    this.#clock = clock
    this.#keys = new RecentMap(clock, MAX_SEEN)
  }

  /** Begins a call: of equal ones that come at the same time, one alone is `new`. */
  begin(key: string): 'new' | 'current' | 'seen' {
    const hash = hashOf(key)
    if (this.#keys.get(hash) === true) return 'seen'
    if (this.#current.has(hash)) return 'current'
    this.#current.add(hash)
    return 'new'
  }

  /**
   * Ends a call that has begun. A time may be ahead by `seconds`, and the call be repeated as long after it.
   * @param acknowledged otherwise the carrier may repeat it.
   */
  end(key: string, seconds: number, acknowledged: boolean): void {
    const hash = hashOf(key)
    this.#current.delete(hash)
    if (acknowledged) this.#keys.set(hash, true, this.#clock.now() + 2_000 * seconds)
  }
}

function hashOf(key: string): string {
  return createHash('sha256').update(key).digest('base64')
}
