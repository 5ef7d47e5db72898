/**
 * User ids: what WhatsApp calls users who keep their phone number to themselves (`US.13491208655302741918`). A user id
 * takes the place of the phone wherever a recipient is kept, and has the form of no phone
 * (docs/decisions/0051-user-ids-in-the-place-of-phones.md).
 */
import type { CountryCode } from 'libphonenumber-js/core'
import metadata from 'libphonenumber-js/min/metadata'

/** The country, a dot, and at most 128 letters and digits. */
export const USER_ID_FORM = /^[A-Z]{2}\.(?:ENT\.)?[A-Za-z0-9]{1,128}$/
const NINE = 0x39

/** Returns whether it is a user id in the place of a phone. */
export function isUserId(phone: string): boolean {
  return phone.charCodeAt(0) > NINE
}

/** Returns the country with which a user id begins. */
export function countryOfUserId(userId: string): string {
  return userId.slice(0, 2)
}

/** Returns the digits by which prefixes are found: those of a phone; of a user id the calling code of its country. */
export function prefixDigitsOf(phone: string): string {
  if (!isUserId(phone)) return phone
  const plan: readonly unknown[] = metadata.countries[countryOfUserId(phone) as CountryCode] ?? []
  return String(plan[0] ?? '')
}

/** The members of a report or answer that name the recipient, who has no name after an erasure. */
export function recipientFacts(phone: string): { readonly phone: number | null; readonly user_id?: string } {
  if (isUserId(phone)) return { phone: null, user_id: phone }
  return { phone: phone === '' ? null : Number(phone) }
}
