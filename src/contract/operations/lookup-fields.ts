/** The fields of `lookup` and of `hlr`, and the status words of `hlr`. */
import type { NumberStatus } from '../../domain/numbers/number-facts.ts'
import { ID_FIELD, optional, PHONE_FIELD } from '../fields/fields.ts'
import { seconds } from '../fields/kinds.ts'

/** How old an answer may be at most, seconds: a day. */
export const LOOKUP_MAX_AGE = 86_400

export const LOOKUP_FIELDS = [
  ID_FIELD,
  PHONE_FIELD,
  optional(
    'max_age',
    seconds(0, LOOKUP_MAX_AGE, LOOKUP_MAX_AGE),
    'Seconds: an answer that is not older is used again; 0 to ask anew in any case.',
  ),
] as const

/** Services with this operation name the state of a number as that of a message. */
export const HLR_STATUSES: Readonly<Record<NumberStatus, string>> = {
  reachable: 'DELIVERED',
  absent: 'UNDELIVERABLE',
  invalid: 'INVALID DESTINATION ADDRESS',
  unknown: 'UNKNOWN',
}
