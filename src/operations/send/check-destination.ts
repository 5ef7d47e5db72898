/**
 * Checks one item against the account's guards that need no store: destinations and quiet hours; and determines its
 * usage counters.
 */
import { ITEM_ERRORS } from '../../contract/request/error-texts.ts'
import { ItemRefused } from '../../contract/request/refused.ts'
import type { TrafficKind } from '../../domain/guards/traffic.ts'
import type { Phone } from '../../domain/numbers/phone.ts'
import type { AcceptItem } from '../../ports/stores/intake-store.ts'
import type { Scope } from '../request/planned.ts'

/** Throws ItemRefused for a number that the account may not reach. Simulated phones are exempt. */
export function checkDestination({ account, key, directory, now }: Scope, kind: TrafficKind, phone: Phone): void {
  const { guards } = directory
  if (key.test) return
  if (!guards.allowsCountry(account.settings, phone)) throw new ItemRefused(ITEM_ERRORS.countryNotAllowed)
  if (guards.isStopped(account.id, kind, phone, now)) throw new ItemRefused(ITEM_ERRORS.destinationStopped)
}

/** Throws ItemRefused during quiet hours if the account refuses messages then. */
export function checkQuietHours({ account, key, directory }: Scope, phone: Phone, at: number): void {
  const { guards } = directory
  if (key.test || guards.quietHoursOf(account.settings)?.action !== 'refuse') return
  if (guards.quietUntil(account.settings, phone, at) !== null) throw new ItemRefused(ITEM_ERRORS.quietHours)
}

/** Returns the usage counters of a message or call to this phone. */
export function countsOf({ usage }: Scope, kind: TrafficKind, phone: Phone): readonly number[] {
  return usage?.placesOf(kind, phone) ?? NONE
}

/** The same for a verification, which is limited by itself too. `address`: the end user's, null if unknown. */
export function countsOfVerification(
  { usage, account, tools }: Scope,
  kind: TrafficKind,
  { phone, address }: { readonly phone: Phone; readonly address: string | null },
): readonly number[] {
  if (usage === null) return NONE
  const { settings } = account
  const { limits } = tools
  const most = {
    perHour: settings.verifyPerHour,
    perHourToPhone: settings.verifyPerHourToPhone ?? limits.verifyPerHourToPhone,
    perHourFromAddress: settings.verifyPerHourFromAddress ?? limits.verifyPerHourFromAddress,
  }
  return [...usage.verifyPlacesOf(phone, address, most), ...usage.placesOf(kind, phone)]
}

/** Returns those of a lookup, whose price counts towards what the account may spend in a day. */
export function countsOfLookup({ usage }: Scope): readonly number[] {
  return usage?.spendPlaces() ?? NONE
}

/** Returns the item with its counters. What counts towards nothing has no field, so that nothing is read for it. */
export function withCounts<Item extends CountedItem>(item: Item, counts: readonly number[]): Item {
  return counts.length === 0 ? item : { ...item, counts }
}

type CountedItem = Extract<AcceptItem, { readonly kind: 'message' | 'call' | 'lookup' }>

const NONE: readonly number[] = []
