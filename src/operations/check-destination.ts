/** Guards of one item: where an account may send to and when, which memory alone can tell, and what it counts for. */
import { ITEM_ERRORS } from '../contract/error-texts.ts'
import { ItemRefused } from '../contract/refused.ts'
import type { Phone } from '../domain/phone.ts'
import type { TrafficKind } from '../domain/traffic.ts'
import type { Scope } from './planned.ts'

/** Throws an ItemRefused for a number that the account may not write to or call. Simulated phones are nobody's. */
export function checkDestination({ account, key, directory, now }: Scope, kind: TrafficKind, phone: Phone): void {
  const { guards } = directory
  if (key.test) return
  if (!guards.allowsCountry(account.settings, phone)) throw new ItemRefused(ITEM_ERRORS.countryNotAllowed)
  if (guards.isStopped(account.id, kind, phone, now)) throw new ItemRefused(ITEM_ERRORS.destinationStopped)
}

/** Throws an ItemRefused where the account wants messages refused that would have to wait for the end of quiet hours. */
export function checkQuietHours({ account, key, directory }: Scope, phone: Phone, at: number): void {
  const { guards } = directory
  if (key.test || guards.quietHoursOf(account.settings)?.action !== 'refuse') return
  if (guards.quietUntil(account.settings, phone, at) !== null) throw new ItemRefused(ITEM_ERRORS.quietHours)
}

/** The limits that a message or call to this phone counts for, as a field of what is to be accepted. */
export function countsOf({ usage }: Scope, kind: TrafficKind, phone: Phone): { readonly counts?: readonly number[] } {
  return usage === null ? {} : { counts: usage.placesOf(kind, phone) }
}
