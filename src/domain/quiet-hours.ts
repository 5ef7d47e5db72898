/**
 * Quiet hours: when people are not to be written to, by the clocks of where their number is from. Where a country has
 * several zones it is quiet as long as it is quiet in any of them.
 */
import { countryOf } from './country.ts'
import { changeOfOffset, localMinute } from './local-time.ts'
import type { Phone } from './phone.ts'
import { zonesOf } from './time-zones.ts'

export interface QuietHours {
  /** Minutes since midnight, from 0 to 1439: when they begin by the person's clock. */
  readonly fromMinute: number
  /** When they end; before `fromMinute` that is on the next day. */
  readonly toMinute: number
  /** `wait`: messages are accepted and wait for the end. `refuse`: they are not accepted meanwhile. */
  readonly action: 'wait' | 'refuse'
}

const MINUTE_MS = 60_000
const DAY_MINUTES = 1_440
/** Every zone of a country ends its quiet hours at most this often before there is an hour for all, or none at all. */
const MOST_ENDS = 50

/** The zones of a number: those of its country; `otherwise` for a number of no country. */
export function zonesOfPhone(phone: Phone, otherwise: string): readonly string[] {
  const country = countryOf(phone)
  const zones = country === null ? [] : zonesOf(country)
  return zones.length > 0 ? zones : [otherwise]
}

/**
 * When the quiet hours of these zones are over, milliseconds; null when it is not quiet in any of them. Where the zones
 * have no hour in common that is not quiet, the first of them counts alone.
 */
export function quietUntil(quiet: QuietHours, zones: readonly string[], now: number): number | null {
  const end = endOfAll(quiet, zones, now) ?? endOfAll(quiet, zones.slice(0, 1), now) ?? now
  return end > now ? end : null
}

function endOfAll(quiet: QuietHours, zones: readonly string[], now: number): number | null {
  let at = now
  for (let ends = 0; ends < MOST_ENDS; ends += 1) {
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

/** The first moment after `at` that is not quiet. Clocks that jump over the end of quiet hours end them as they jump. */
function endIn(quiet: QuietHours, zone: string, at: number): number {
  const minute = localMinute(zone, at)
  const left = quiet.toMinute > minute ? quiet.toMinute - minute : quiet.toMinute + DAY_MINUTES - minute
  const end = at + Math.round(left * MINUTE_MS)
  const change = changeOfOffset(zone, at, end)
  if (change === null) return end
  return isQuiet(quiet, zone, change) ? endIn(quiet, zone, change) : change
}
