/** The setting for carriers that write the senders of inbound messages without their country code. */
import { hasNationalNumbers } from '../../domain/numbers/phone.ts'
import type { SettingReader } from './setting-reader.ts'

/** Returns null if it is not set. Throws Error that names the setting. */
export function readNationalCountry(settings: SettingReader): string | null {
  if (!settings.has('nationalCountry')) return null
  const country = settings.ascii('nationalCountry', 2)
  if (hasNationalNumbers(country)) return country
  throw settings.wrong('nationalCountry', 'should be a country such as DE whose national numbers begin with a prefix')
}
