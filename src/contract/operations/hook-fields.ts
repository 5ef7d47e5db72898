/** The fields and results of the operations with which a client manages its hooks. */
import { REPORT_TYPES } from '../../domain/reports/report.ts'
import { mandatory, optional } from '../fields/fields.ts'
import { ADDRESS, listOf, NUMBER, text } from '../fields/kinds.ts'

const DESCRIPTION_MAX = 200

const EVENTS = listOf(REPORT_TYPES)
const EVENTS_TEXT = 'Types of reports that the hook gets.'
const DESCRIPTION = optional('description', text(DESCRIPTION_MAX), 'What the hook is for, shown in lists.')

export const HOOK_NAMING_FIELDS = [mandatory('hook_id', NUMBER, '`hook_id` of the hook.')] as const

export const HOOK_CREATE_FIELDS = [
  mandatory('hook', ADDRESS, 'Address that reports are posted to.'),
  optional('events', EVENTS, `${EVENTS_TEXT} Without it: all.`),
  DESCRIPTION,
] as const

export const HOOK_UPDATE_FIELDS = [
  ...HOOK_NAMING_FIELDS,
  optional('hook', ADDRESS, 'New address. Reports that wait already go to the old one.'),
  optional('events', EVENTS, `${EVENTS_TEXT} Without it they stay as they are.`),
  DESCRIPTION,
] as const

const time = { type: 'string', format: 'date-time' }
const hookId = { type: 'integer', minimum: 1, maximum: 30_000, description: 'Identifier of the hook in the account.' }
const secret = {
  type: 'string',
  pattern: '^whsec_',
  description: 'Signs the reports of this hook. It is shown only here.',
}

/** What `hook/list` and `hook/update` say of a hook. */
export const HOOK_MEMBERS = {
  hook_id: hookId,
  hook: { type: 'string', format: 'uri' },
  events: {
    type: ['array', 'null'],
    items: { enum: REPORT_TYPES },
    description: 'Types of reports that it gets; null for all.',
  },
  description: { type: ['string', 'null'] },
  stopped: { type: 'boolean', description: 'Whether it answered 410 and gets no reports until it is updated.' },
  old_secret_until: {
    anyOf: [time, { type: 'null' }],
    description: 'Until when the secret before the newest signs as well; null if it does not.',
  },
  created_at: time,
}

export const HOOK_CREATED_MEMBERS = { hook_id: hookId, secret }
export const HOOK_ROTATED_MEMBERS = {
  ...HOOK_CREATED_MEMBERS,
  old_secret_until: { ...time, description: 'Until when the old secret signs as well.' },
}
export const HOOK_DELETED_MEMBERS = { hook_id: hookId }
export const HOOK_TESTED_MEMBERS = {
  hook_id: hookId,
  webhook_id: { type: 'string', description: '`webhook-id` of the report.' },
}
