/** Times of Jasmin's requests: `sdt` in the format of SMPP, and `schedule_at` of a batch. */
import { readTimeIn } from '../../domain/time/read-time.ts'
import { readSmppTime } from '../../wire/smpp/smpp-time.ts'

/** Returns milliseconds since 1970; null for a time that does not exist. */
export function readScheduledTime(text: string, now: number): number | null {
  // Jasmin reads a relative time without its last three digits.
  return readSmppTime(text.replace(/\d{3}R$/, '000R'), now)
}

/** Returns in how many seconds a batch is sent; null for another text. */
export function readCountdown(text: string, zone: string, now: number): number | null {
  const [, seconds] = /^(\d{1,9})s$/.exec(text) ?? []
  if (seconds !== undefined) return Number(seconds)
  const at = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text) ? readTimeIn(zone, text) : null
  return at === null ? null : (at - now) / 1000
}
