/** What a sender is by its form: a phone number, a short code or a name. */

/** Numbers up to this length are short codes. */
const MAX_SHORT_CODE = 6

/** Digits are a number, long or short; anything else is a name. */
export function formOfSender(sender: string): 'number' | 'shortCode' | 'name' {
  if (!/^\d{1,15}$/.test(sender)) return 'name'
  return sender.length <= MAX_SHORT_CODE ? 'shortCode' : 'number'
}
