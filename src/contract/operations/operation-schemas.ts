/**
 * The operations that a client may ask for. Those of sends are made from the forms of their channels when they are
 * asked for. The spec has few of them; the others extend it.
 */
import { descriptorOf, MESSAGE_CHANNELS, type MessageChannel } from '../../domain/channels/channel.ts'
import type { ChannelForm } from '../channels/channel-form.ts'
import { CHANNEL_FORMS } from '../channels/channel-forms.ts'
import { channelsOf, SEND_TYPE, SPEC_CHAIN } from '../channels/send-types.ts'
import {
  EVENT_LIST_FIELDS,
  type Field,
  HOOK_REPLAY_FIELDS,
  ID_FIELD,
  INBOUND_LIST_FIELDS,
  MESSAGE_NAMING_FIELDS,
  mandatory,
  PHONE_FIELD,
  RECIPIENT_FIELD,
  SENDING_FIELDS,
  TEMPLATE_FIELDS,
  TEMPLATE_LIST_FIELDS,
  TEMPLATE_NAMING_FIELDS,
} from '../fields/fields.ts'
import { RICH_FIELD } from '../rich/rich-fields.ts'
import {
  BULK_CREATE_FIELDS,
  BULK_ERRORS_FIELDS,
  BULK_LIST_FIELDS,
  BULK_NAMING_FIELDS,
  BULK_START_FIELDS,
} from './bulk-fields.ts'
import { HOOK_CREATE_FIELDS, HOOK_NAMING_FIELDS, HOOK_UPDATE_FIELDS } from './hook-fields.ts'
import { LOOKUP_FIELDS } from './lookup-fields.ts'
import { POSTING_LIST_FIELDS, STATEMENT_FIELDS } from './money-fields.ts'
import { STATISTICS_FIELDS } from './statistics-fields.ts'
import { VERIFY_CHECK_FIELDS, VERIFY_RESEND_FIELDS, VERIFY_START_FIELDS } from './verify-fields.ts'

export interface OperationSchema {
  readonly type: string
  readonly summary: string
  readonly fields: readonly Field[]
  /** The field that names a send, whose fields it takes too. */
  readonly sendNamedBy?: string
  /** Name of the shape of a successful result. */
  readonly result:
    | 'SendResult'
    | 'CallResult'
    | 'Template'
    | 'Templates'
    | 'ChatTemplates'
    | 'BalanceResult'
    | 'PriceResult'
    | 'StatusResult'
    | 'CancelResult'
    | 'VerifyStartResult'
    | 'VerifyCheckResult'
    | 'VerifyResendResult'
    | 'Events'
    | 'InboundMessages'
    | 'ReplayResult'
    | 'LookupResult'
    | 'HlrResult'
    | 'HookCreated'
    | 'Hooks'
    | 'HookResult'
    | 'HookRotated'
    | 'HookDeleted'
    | 'HookTested'
    | 'BulkResult'
    | 'BulkErrorList'
    | 'Bulks'
    | 'StatisticsLines'
    | 'Postings'
    | 'Statement'
}

export interface SendSchema extends OperationSchema {
  /** Of the steps, in their order. */
  readonly channels: readonly MessageChannel[]
  /** Of each step: whether it may have a lifetime of its own. */
  readonly timed: readonly boolean[]
}

export const CALL_FIELDS = [ID_FIELD, PHONE_FIELD] as const

/** What a send would be, besides the fields of that send. */
const SEND_TYPE_FIELD = mandatory('send_type', SEND_TYPE, '`type` of the send.')

export const PRICE_FIELDS = [SEND_TYPE_FIELD] as const

/** All operations but sends. */
export const OTHER_SCHEMAS: readonly OperationSchema[] = [
  plain('call/otp', 'Call a phone from a number whose last digits are the code', CALL_FIELDS, 'CallResult'),
  plain('template/create', 'Create an SMS template', TEMPLATE_FIELDS, 'Template'),
  plain('template/chatapp/list', 'List the chat-app templates of the account', [], 'ChatTemplates'),
  plain('balance', 'Read the balance of the account', [], 'BalanceResult'),
  plain('posting/list', 'List what was paid in, held, charged and released', POSTING_LIST_FIELDS, 'Postings'),
  plain('statement/get', 'Read the statement of a month', STATEMENT_FIELDS, 'Statement'),
  {
    ...plain('price', 'Ask what a send would cost, sending nothing', PRICE_FIELDS, 'PriceResult'),
    sendNamedBy: SEND_TYPE_FIELD.name,
  },
  plain(
    'template/list',
    'List the SMS templates of the account, up to 200 at a time',
    TEMPLATE_LIST_FIELDS,
    'Templates',
  ),
  plain('template/delete', 'Remove an SMS template', TEMPLATE_NAMING_FIELDS, 'Template'),
  plain('status', 'Ask how far a message has come', MESSAGE_NAMING_FIELDS, 'StatusResult'),
  plain('statistics', 'Ask how the messages of the account were delivered', STATISTICS_FIELDS, 'StatisticsLines'),
  plain('cancel', 'Take back a message that no carrier has yet', MESSAGE_NAMING_FIELDS, 'CancelResult'),
  plain(
    'verify/start',
    'Send a one-time code, by another channel if one fails',
    VERIFY_START_FIELDS,
    'VerifyStartResult',
  ),
  plain('verify/check', 'Check the code that the recipient has typed', VERIFY_CHECK_FIELDS, 'VerifyCheckResult'),
  plain('verify/resend', 'Send the code of a verification again', VERIFY_RESEND_FIELDS, 'VerifyResendResult'),
  plain('event/list', 'Read reports that are kept instead of being posted', EVENT_LIST_FIELDS, 'Events'),
  plain(
    'inbound/list',
    'List the messages that recipients wrote to the account',
    INBOUND_LIST_FIELDS,
    'InboundMessages',
  ),
  plain('hook/create', 'Create a hook that gets reports', HOOK_CREATE_FIELDS, 'HookCreated'),
  plain('hook/list', 'List the hooks of the account', [], 'Hooks'),
  plain('hook/update', 'Change a hook, or start it again', HOOK_UPDATE_FIELDS, 'HookResult'),
  plain('hook/rotate', 'Issue a new secret for a hook', HOOK_NAMING_FIELDS, 'HookRotated'),
  plain('hook/delete', 'Delete a hook', HOOK_NAMING_FIELDS, 'HookDeleted'),
  plain('hook/test', 'Post a test report to a hook', HOOK_NAMING_FIELDS, 'HookTested'),
  plain('hook/replay', 'Send failed reports again', HOOK_REPLAY_FIELDS, 'ReplayResult'),
  plain('lookup', 'Ask for the operator and the state of a number', LOOKUP_FIELDS, 'LookupResult'),
  plain('hlr', 'Ask the same, answered in the form of other services', LOOKUP_FIELDS, 'HlrResult'),
  plain('bulk/create', 'Prepare a send to many recipients, whose lines are uploaded', BULK_CREATE_FIELDS, 'BulkResult'),
  plain('bulk/start', 'Send the uploaded lines, or go on after a pause', BULK_START_FIELDS, 'BulkResult'),
  plain('bulk/pause', 'Send no more lines until the next start', BULK_NAMING_FIELDS, 'BulkResult'),
  plain(
    'bulk/stop',
    'End a bulk: the lines that wait are never sent, and messages that no carrier has are cancelled',
    BULK_NAMING_FIELDS,
    'BulkResult',
  ),
  plain('bulk/status', 'Ask how far a bulk has come', BULK_NAMING_FIELDS, 'BulkResult'),
  plain('bulk/errors', 'List the refused lines of a bulk, up to 10,000', BULK_ERRORS_FIELDS, 'BulkErrorList'),
  plain('bulk/list', 'List the bulks of the account, the newest first', BULK_LIST_FIELDS, 'Bulks'),
]

const OTHERS: ReadonlyMap<unknown, OperationSchema> = new Map(OTHER_SCHEMAS.map((schema) => [schema.type, schema]))

/** Of the types that were asked for: no more than there are. */
const SENDS = new Map<unknown, SendSchema>()

/** Returns the schema of a send by its type; null for what is not a send. */
export function sendSchemaOf(type: unknown): SendSchema | null {
  const known = SENDS.get(type)
  if (known !== undefined) return known
  const channels = channelsOf(type)
  if (channels === null) return null
  const schema = send(channels)
  SENDS.set(type, schema)
  return schema
}

/** Returns the schema of an operation by its type; null for what does not exist. */
export function schemaOf(type: unknown): OperationSchema | null {
  return OTHERS.get(type) ?? sendSchemaOf(type)
}

/** The types that an unknown one may have been meant to be; of chains there are too many to list. */
export const LISTED_TYPES: readonly string[] = [...MESSAGE_CHANNELS, ...OTHERS.keys()].map(String)

function send(channels: readonly MessageChannel[]): SendSchema {
  const type = channels.join('+')
  const timed = channels.map((each) => type !== SPEC_CHAIN || CHANNEL_FORMS[each].timedInSpecChain)
  const fields = channels.flatMap((each, index) => fieldsOf(CHANNEL_FORMS[each], timed[index] === true))
  const isRich = channels.some((each) => descriptorOf(each).isRich)
  return {
    type,
    summary: summaryOf(channels),
    fields: [ID_FIELD, RECIPIENT_FIELD, ...fields, ...(isRich ? [RICH_FIELD] : []), ...SENDING_FIELDS],
    result: 'SendResult',
    channels,
    timed,
  }
}

function fieldsOf({ fields, lifetime }: ChannelForm, timed: boolean): readonly Field[] {
  return timed ? [...fields, lifetime] : fields
}

function summaryOf(channels: readonly MessageChannel[]): string {
  const [first, ...later] = channels.map((channel) => CHANNEL_FORMS[channel].called)
  return [`Send by ${first}`, ...later.map((name) => `by ${name} if that fails`)].join('; ')
}

function plain(
  type: string,
  summary: string,
  fields: readonly Field[],
  result: OperationSchema['result'],
): OperationSchema {
  return { type, summary, fields, result }
}
