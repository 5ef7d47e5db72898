/**
 * The operations that a client may ask for. Sends are generated, one for each type of
 * send-types.ts. What the spec does not have is an extension of it (docs/reference/extensions.md).
 */
import type { MessageChannel } from '../../domain/channels/channel.ts'
import {
  CHATAPP_FIELDS,
  CHATAPP_LIFETIME_FIELD,
  EVENT_LIST_FIELDS,
  type Field,
  HOOK_REPLAY_FIELDS,
  ID_FIELD,
  INBOUND_LIST_FIELDS,
  MESSAGE_NAMING_FIELDS,
  PHONE_FIELD,
  RCS_FIELDS,
  SEND_TYPE_FIELD,
  SENDING_FIELDS,
  SMS_FIELDS,
  SMS_LIFETIME_FIELD,
  TEMPLATE_FIELDS,
  TEMPLATE_LIST_FIELDS,
  TEMPLATE_NAMING_FIELDS,
} from '../fields/fields.ts'
import { channelsOf, SEND_TYPES, SPEC_CHAIN } from '../fields/send-types.ts'
import {
  BULK_CREATE_FIELDS,
  BULK_ERRORS_FIELDS,
  BULK_LIST_FIELDS,
  BULK_NAMING_FIELDS,
  BULK_START_FIELDS,
} from './bulk-fields.ts'
import { HOOK_CREATE_FIELDS, HOOK_NAMING_FIELDS, HOOK_UPDATE_FIELDS } from './hook-fields.ts'
import { LOOKUP_FIELDS } from './lookup-fields.ts'
import { RICH_FIELD } from './rich-fields.ts'
import { STATISTICS_FIELDS } from './statistics-fields.ts'
import { VERIFY_CHECK_FIELDS, VERIFY_START_FIELDS } from './verify-fields.ts'

export interface OperationSchema {
  readonly type: string
  readonly summary: string
  readonly fields: readonly Field[]
  /** The operations whose fields it takes too: those of the one that this field names. */
  readonly like?: { readonly field: string; readonly operations: readonly OperationSchema[] }
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
}

export interface SendSchema extends OperationSchema {
  /** Of the steps, in their order. */
  readonly channels: readonly MessageChannel[]
  /** Whether the chat-app and SMS steps may have lifetimes of their own. */
  readonly lifetimes: boolean
}

const CHANNEL_FIELDS: Readonly<Record<MessageChannel, readonly Field[]>> = {
  rcs: RCS_FIELDS,
  chatapp: CHATAPP_FIELDS,
  sms: SMS_FIELDS,
}

const LIFETIME_FIELDS: Readonly<Record<MessageChannel, readonly Field[]>> = {
  rcs: [],
  chatapp: [CHATAPP_LIFETIME_FIELD],
  sms: [SMS_LIFETIME_FIELD],
}

const NAMES: Readonly<Record<MessageChannel, string>> = { rcs: 'RCS', chatapp: 'the chat app', sms: 'SMS' }

export const CALL_FIELDS = [ID_FIELD, PHONE_FIELD] as const

export const PRICE_FIELDS = [SEND_TYPE_FIELD] as const

export const SEND_SCHEMAS: readonly SendSchema[] = SEND_TYPES.map(send)

export const OPERATION_SCHEMAS: readonly OperationSchema[] = [
  ...SEND_SCHEMAS,
  plain('call/otp', 'Call a phone from a number whose last digits are the code', CALL_FIELDS, 'CallResult'),
  plain('template/create', 'Create an SMS template', TEMPLATE_FIELDS, 'Template'),
  plain('template/chatapp/list', 'List the chat-app templates of the account', [], 'ChatTemplates'),
  plain('balance', 'Read the balance of the account', [], 'BalanceResult'),
  {
    ...plain('price', 'Ask what a send would cost, sending nothing', PRICE_FIELDS, 'PriceResult'),
    like: { field: SEND_TYPE_FIELD.name, operations: SEND_SCHEMAS },
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

export const OPERATION_TYPES: readonly string[] = OPERATION_SCHEMAS.map((schema) => schema.type)

function send(type: string): SendSchema {
  const channels = channelsOf(type)
  const lifetimes = type !== SPEC_CHAIN
  const fields = channels.flatMap((each) => [...CHANNEL_FIELDS[each], ...(lifetimes ? LIFETIME_FIELDS[each] : [])])
  return {
    type,
    summary: summaryOf(channels),
    fields: [ID_FIELD, PHONE_FIELD, ...fields, ...(type === 'sms' ? [] : [RICH_FIELD]), ...SENDING_FIELDS],
    result: 'SendResult',
    channels,
    lifetimes,
  }
}

function summaryOf(channels: readonly MessageChannel[]): string {
  const [first, ...later] = channels.map((channel) => NAMES[channel])
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
