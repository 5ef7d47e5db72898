/** How long a rotated secret stays valid beside its successor. */
import { readWhole, ruleOf, wholeNumber } from '../../../domain/text/schema-rule.ts'
import { checkField } from './field-refused.ts'

/** The default: a week. */
const STANDARD_SECONDS = 7 * 24 * 3600
const RANGE = wholeNumber(0, 365 * 24 * 3600)

/** Returns when the overlap ends, milliseconds. Throws ChangeRefused. */
export function overlapEnd(now: number, overlapSeconds = STANDARD_SECONDS): number {
  checkField('overlap_seconds', readWhole(overlapSeconds, RANGE) !== null, `must be ${ruleOf(RANGE)}`)
  return now + overlapSeconds * 1000
}
