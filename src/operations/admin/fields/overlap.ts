/** How long a rotated secret stays valid beside its successor. */
import { checkField } from './field-refused.ts'

/** The default: a week. */
const STANDARD_SECONDS = 7 * 24 * 3600
const MAX_SECONDS = 365 * 24 * 3600

/** Returns when the overlap ends, milliseconds. Throws ChangeRefused. */
export function overlapEnd(now: number, overlapSeconds = STANDARD_SECONDS): number {
  const isGood = Number.isInteger(overlapSeconds) && overlapSeconds >= 0 && overlapSeconds <= MAX_SECONDS
  checkField('overlap_seconds', isGood, `must be a whole number from 0 to ${MAX_SECONDS}`)
  return now + overlapSeconds * 1000
}
