/** The fields of the operations about bulks. */
import { DEFAULT_PACE, MAX_PACE } from '../../domain/bulk/bulk.ts'
import { ID_FIELD, isSent, mandatory, optional } from '../fields/fields.ts'
import { AFTER, FLAG, type Kind, NUMBER, TIME, whole } from '../fields/kinds.ts'
import { isObject, type RequestObject } from '../request/envelope.ts'
import { notASend } from '../request/error-texts.ts'
import { ItemRefused } from '../request/refused.ts'

/** Of one page of refused lines. */
const MAX_ERRORS_LISTED = 1_000
const DEFAULT_ERRORS_LISTED = 100
const MAX_BULKS_LISTED = 50
const DEFAULT_BULKS_LISTED = 20

/** Fields that the lines or the start of the bulk say, or that are about one recipient. */
const OF_LINES = ['phone', 'id', 'send_at', 'reply_to'] as const

/** A send operation without what its lines say. */
const MESSAGE: Kind<RequestObject> = {
  read(raw, name) {
    if (!isObject(raw) || OF_LINES.some((each) => isSent(raw[each]))) throw new ItemRefused(notASend(name, OF_LINES))
    return raw
  },
  schema: () => ({
    type: 'object',
    additionalProperties: true,
    examples: [{ type: 'sms', sms_signature: 'SMSTest', sms_message: 'Hello {{name}}' }],
  }),
}

export const BULK_CREATE_FIELDS = [
  ID_FIELD,
  mandatory(
    'message',
    MESSAGE,
    'A send without `phone`, `id`, `send_at` and `reply_to`. Its texts may have placeholders such as `{{name}}`, which the lines fill; `\\{{name}}` is no placeholder.',
  ),
  optional('pace', whole(1, MAX_PACE, DEFAULT_PACE), 'Messages per second.'),
  optional(
    'skip_duplicates',
    FLAG,
    'Drops lines whose phone, in any form, an earlier line of the bulk has, and counts them as `duplicates`.',
  ),
] as const

const BULK_ID_FIELD = mandatory('bulk_id', NUMBER, '`bulk_id` of the answer to `bulk/create`.')

export const BULK_NAMING_FIELDS = [ID_FIELD, BULK_ID_FIELD] as const

export const BULK_START_FIELDS = [
  ...BULK_NAMING_FIELDS,
  optional('start_at', TIME, 'Time to begin, up to 35 days ahead. Without it, or with a past time: now.'),
  optional(
    'ignore_balance',
    FLAG,
    'Starts although the balance does not cover the estimate; the bulk pauses when the money is used up.',
  ),
] as const

export const BULK_ERRORS_FIELDS = [
  ...BULK_NAMING_FIELDS,
  optional('after', AFTER, 'Number of a line; the list continues after it. 0: from the beginning.'),
  optional('limit', whole(1, MAX_ERRORS_LISTED, DEFAULT_ERRORS_LISTED), 'Maximum number of lines.'),
] as const

export const BULK_LIST_FIELDS = [
  optional('after', AFTER, '`bulk_id` of a bulk; the list continues with older ones. 0: from the newest.'),
  optional('limit', whole(1, MAX_BULKS_LISTED, DEFAULT_BULKS_LISTED), 'Maximum number of bulks.'),
] as const

export { DEFAULT_BULKS_LISTED, DEFAULT_ERRORS_LISTED }
