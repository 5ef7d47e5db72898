/** The fields of `lookup` and of `hlr`, its other name. */
import { ID_FIELD, optional, PHONE_FIELD } from './fields.ts'
import { seconds } from './kinds.ts'

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
