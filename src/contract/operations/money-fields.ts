/** The fields and results of `posting/list` and `statement/get`. */
import { isTimeZone, ZONE_PATTERN, ZONE_RULE } from '../../domain/time/local-time.ts'
import { type Month, readMonth } from '../../domain/time/month.ts'
import { mandatory, optional } from '../fields/fields.ts'
import { CURSOR, type Kind, whole } from '../fields/kinds.ts'
import { notAMonth, wrongRange } from '../request/error-texts.ts'
import { ItemRefused } from '../request/refused.ts'

export const DEFAULT_POSTINGS = 100
const MAX_POSTINGS = 500

const MONTH: Kind<Month> = {
  read(raw, name) {
    const month = typeof raw === 'string' ? readMonth(raw) : null
    if (month === null) throw new ItemRefused(notAMonth(name))
    return month
  },
  schema: () => MONTH_SCHEMA,
}

const ZONE: Kind<string> = {
  read(raw, name) {
    if (typeof raw === 'string' && ZONE_FORM.test(raw) && isTimeZone(raw)) return raw
    throw new ItemRefused(wrongRange(name, ZONE_RULE))
  },
  schema: () => ({ type: 'string', pattern: ZONE_PATTERN, default: 'UTC', examples: ['Europe/Berlin'] }),
}
const ZONE_FORM = new RegExp(ZONE_PATTERN)

const MONTH_SCHEMA = { type: 'string', pattern: '^20[0-9]{2}-(0[1-9]|1[0-2])$', examples: ['2026-11'] }

export const POSTING_LIST_FIELDS = [
  optional('after', CURSOR, '`next` of an earlier answer: the list continues with older postings.'),
  optional('limit', whole(1, MAX_POSTINGS, DEFAULT_POSTINGS), 'Maximum number of postings.'),
] as const

export const STATEMENT_FIELDS = [
  mandatory('month', MONTH, 'Year and month, such as 2026-11.'),
  optional('zone', ZONE, 'Time zone of the month, such as Europe/Berlin.'),
] as const

const money = (description: string) => ({ type: 'number', description })
const time = { type: 'string', format: 'date-time' }
const count = (description: string) => ({ type: 'integer', minimum: 0, description })
const maybe = (type: string, description: string) => ({ type: [type, 'null'], description })
const list = (description: string, properties: Readonly<Record<string, object>>) => ({
  type: 'array',
  description,
  items: { type: 'object', required: Object.keys(properties), properties },
})

const CHANNEL = maybe('string', 'The channel, of a charge; `lookup` of a number lookup.')
const OPERATOR = maybe('string', 'MCC and MNC, of a charge; null if unknown.')
const NOTE = maybe('string', 'Why it was posted, as its author wrote.')
const AMOUNT = money('A correction may be below zero, the others are not.')

export const POSTINGS_MEMBERS = {
  postings: list('The newest first.', {
    at: time,
    kind: { enum: ['top-up', 'correction', 'hold', 'charge', 'release'] },
    amount: AMOUNT,
    msg_id: maybe('integer', 'The message that it is for; null for none.'),
    channel: CHANNEL,
    operator: OPERATOR,
    parts: maybe('integer', 'Parts of the message, of a charge.'),
    note: NOTE,
  }),
  next: maybe(
    'string',
    'The `after` of the next request; null if these are the last. A page may be short although more follow.',
  ),
}

export const STATEMENT_MEMBERS = {
  month: MONTH_SCHEMA,
  zone: { type: 'string', description: 'The time zone of the month.' },
  first_month: { ...MONTH_SCHEMA, description: 'No month before it has postings; at most this one.' },
  closed: { type: 'boolean', description: 'Whether nothing more is posted in the month.' },
  opening: money('The balance at its beginning, with what was held.'),
  top_ups: money('What was paid in.'),
  corrections: money('With refunds of messages; below zero if more was taken away than added.'),
  charges: money('What messages, calls and lookups cost.'),
  closing: money('Opening, top-ups and corrections, less charges.'),
  lines: list('The charges.', {
    channel: maybe('string', 'The channel; null for old charges.'),
    operator: maybe('string', 'MCC and MNC; null if unknown.'),
    messages: count('Messages charged.'),
    parts: count('Their parts.'),
    amount: money('Their price.'),
  }),
  payments: list('Top-ups and corrections: the first ones, as many as an answer holds.', {
    at: time,
    kind: { enum: ['top-up', 'correction'] },
    amount: AMOUNT,
    note: NOTE,
  }),
}
