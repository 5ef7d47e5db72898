/** Phone numbers, and user ids in their place, as users type them. */

/** No number with its country code is shorter. */
const MIN_DIGITS = 7

/** Whether the text begins as a user id. */
export function isUserId(text: string): boolean {
  return /^\s*[A-Z]{2}\./.test(text)
}

/** Whether it cannot be a whole number or user id. Numbers are found as a whole: their last digits are not indexed. */
export function isTooShort(phone: string): boolean {
  return !isUserId(phone) && phone.replace(/\D/g, '').length < MIN_DIGITS
}
