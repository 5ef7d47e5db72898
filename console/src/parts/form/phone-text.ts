/** Phone numbers, and user ids in their place, as users type them. */

/** No number with its country code is shorter. */
const MIN_DIGITS = 7

/** Whether it cannot be a whole number or user id. Numbers are found as a whole: their last digits are not indexed. */
export function isTooShort(phone: string): boolean {
  return !/^[A-Z]{2}\./.test(phone) && phone.replace(/\D/g, '').length < MIN_DIGITS
}
