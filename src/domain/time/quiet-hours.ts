/**
 * Quiet hours: local times at which recipients must not get messages. If a country has several zones, it is quiet while
 * it is quiet in any of them.
 */
import { countryOf } from '../numbers/country.ts'
import type { Phone } from '../numbers/phone.ts'
import { changeOfOffset, localMinute } from './local-time.ts'
import { zonesOf } from './time-zones.ts'

export interface QuietHours {
  /** Minutes since midnight, from 0 to 1439: when they begin, in the recipient's local time. */
  readonly fromMinute: number
  /** When they end; on the next day if it is before `fromMinute`. */
  readonly toMinute: number
  /** `wait`: messages are accepted and wait for the end. `refuse`: messages are refused until the end. */
  readonly action: 'wait' | 'refuse'
}

const MINUTE_MS = 60_000
const DAY_MINUTES = 1_440
/** Every zone of a country ends its quiet hours at most this often before there is a common hour, or none at all. */
const MAX_ENDS = 50

/** Returns the zones of a number's country; `otherwise` for a number of no country. */
export function zonesOfPhone(phone: Phone, otherwise: string): readonly string[] {
  const country = countryOf(phone)
  const zones = country === null ? [] : zonesOf(country)
  return zones.length > 0 ? zones : [otherwise]
}

/**
 * Returns when the quiet hours of these zones end, milliseconds; null if it is not quiet in any of them. If the zones
 * have no common hour that is not quiet, only the first zone counts.
 */
export function quietUntil(quiet: QuietHours, zones: readonly string[], now: number): number | null {
  const end = endOfAll(quiet, zones, now) ?? endOfAll(quiet, zones.slice(0, 1), now) ?? now
  return end > now ? end : null
}

function endOfAll(quiet: QuietHours, zones: readonly string[], now: number): number | null {
  let at = now
  for (let ends = 0; ends < MAX_ENDS; ends += 1) {
    const zone = zones.find((each) => isQuiet(quiet, each, at))
    if (zone === undefined) return at
    at = endIn(quiet, zone, at)
  }
  return null
}

function isQuiet({ fromMinute, toMinute }: QuietHours, zone: string, at: number): boolean {
  const minute = localMinute(zone, at)
  if (fromMinute <= toMinute) return fromMinute <= minute && minute < toMinute
  return fromMinute <= minute || minute < toMinute
}

/** Returns the first time after `at` that is not quiet. A clock change that skips the end of quiet hours ends them. */
function endIn(quiet: QuietHours, zone: string, at: number): number {
  const minute = localMinute(zone, at)
  const left = quiet.toMinute > minute ? quiet.toMinute - minute : quiet.toMinute + DAY_MINUTES - minute
  const end = at + Math.round(left * MINUTE_MS)
  const change = changeOfOffset(zone, at, end)
  if (change === null) return end
  return isQuiet(quiet, zone, change) ? endIn(quiet, zone, change) : change
}
