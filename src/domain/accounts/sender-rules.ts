/**
 * Countries that show no sender names, or registered ones alone. Only for warnings: rules change, and carriers know
 * more. Sources: AWS End User Messaging ("Sender IDs"), Telnyx ("Alphanumeric Sender ID"), SGNIC (Singapore's SSIR),
 * TRAI (India's DLT).
 */

import { type Country, countryName } from '../numbers/country.ts'
import { formOfSender } from '../numbers/sender-form.ts'
import type { Sender } from './sender.ts'

/** Names are refused, or replaced by a number. */
const WITHOUT_NAMES: ReadonlySet<Country> = new Set(['CA', 'CN', 'PR', 'US'])
/** Names that are not registered are refused, or marked as likely fraud. */
const REGISTERED_NAMES: ReadonlySet<Country> = new Set(['IN', 'SG'])

/** Returns why a name may not arrive in the country; null for a number, or if nothing is known against it. */
export function senderWarning({ name, registrations }: Sender, country: Country | null): string | null {
  if (country === null || formOfSender(name) !== 'name') return null
  const where = countryName(country)
  if (WITHOUT_NAMES.has(country)) return `${where} shows no sender names: use a number`
  const isRegistered = Object.keys(registrations[country] ?? {}).length > 0
  return REGISTERED_NAMES.has(country) && !isRegistered ? `${where} shows registered sender names only` : null
}

/** Returns the warnings for the countries that a sender is for; for one of all countries none. */
export function senderWarnings(sender: Sender): readonly string[] {
  if (sender.channel !== 'sms' || sender.members.length > 0) return []
  return (sender.countries ?? []).flatMap((country) => senderWarning(sender, country) ?? [])
}
