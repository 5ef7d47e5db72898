/** The channels by which a simulated phone writes, and the names of the simulated WhatsApp number. */
/** `chatapp` is Viber. */
export const REPLY_CHANNELS = ['rcs', 'chatapp', 'sms', 'whatsapp'] as const
export type ReplyChannel = (typeof REPLY_CHANNELS)[number]

/** The sender name of the number in the sandbox, and Meta's id of the number. */
export const WHATSAPP_SENDER = 'WhatsAppTest'
export const WHATSAPP_NUMBER_ID = '5550100'

/** Returns a number as recipients see it. */
export function displayedNumber(phoneNumberId: string): string {
  return `1555${phoneNumberId}`
}

/** Returns Meta's id of a displayed number. */
export function idOfNumber(number: string): string {
  return number.slice('1555'.length)
}
