/** Phone numbers as users type them. */

/** No number with its country code is shorter. */
const MIN_DIGITS = 7

/** Whether it cannot be a whole number. Numbers are found as a whole: their last digits are not indexed. */
export function isTooShort(phone: string): boolean {
  return phone.replace(/\D/g, '').length < MIN_DIGITS
}
