/** Files that the page of a new bulk passes to the page of the bulk, which uploads them. In memory only. */
import type { Recipients } from './recipient-fields.tsx'

const waiting = new Map<number, Recipients>()

export function passRecipients(bulk: number, recipients: Recipients): void {
  waiting.set(bulk, recipients)
}

/** Returns them once. */
export function takeRecipients(bulk: number): Recipients | null {
  const recipients = waiting.get(bulk) ?? null
  waiting.delete(bulk)
  return recipients
}
