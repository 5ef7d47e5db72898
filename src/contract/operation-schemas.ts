/**
 * The operations that a client may ask for. A chain is an entry of this table and nothing else: its `type` joins the
 * channels of its steps in order.
 */
import type { MessageChannel } from '../domain/channel.ts'
import {
  CHATAPP_FIELDS,
  CHATAPP_LIFETIME_FIELD,
  type Field,
  ID_FIELD,
  PHONE_FIELD,
  RCS_FIELDS,
  SENDING_FIELDS,
  SMS_FIELDS,
  TEMPLATE_FIELDS,
} from './fields.ts'

export interface OperationSchema {
  readonly type: string
  readonly summary: string
  readonly fields: readonly Field[]
  /** The steps of a send; null for the other operations. */
  readonly channels: readonly MessageChannel[] | null
  /** Name of the shape of a successful result. */
  readonly result: 'SendResult' | 'CallResult' | 'Template' | 'ChatTemplates' | 'Balance'
}

const CHANNEL_FIELDS: Readonly<Record<MessageChannel, readonly Field[]>> = {
  rcs: RCS_FIELDS,
  chatapp: CHATAPP_FIELDS,
  sms: SMS_FIELDS,
}

export const CALL_FIELDS = [ID_FIELD, PHONE_FIELD] as const

export const OPERATION_SCHEMAS: readonly OperationSchema[] = [
  send(['rcs'], 'Send an RCS message'),
  send(['chatapp'], 'Send a chat-app message'),
  send(['rcs', 'chatapp', 'sms'], 'Send by RCS; by the chat app if that fails; by SMS if that fails too'),
  plain('call/otp', 'Call a phone from a number whose last digits are the code', CALL_FIELDS, 'CallResult'),
  plain('template/create', 'Create an SMS template', TEMPLATE_FIELDS, 'Template'),
  plain('template/chatapp/list', 'List the chat-app templates of the account', [], 'ChatTemplates'),
  plain('balance', 'Read the balance of the account', [], 'Balance'),
]

export const OPERATION_TYPES: readonly string[] = OPERATION_SCHEMAS.map((schema) => schema.type)

function send(channels: readonly MessageChannel[], summary: string): OperationSchema {
  const alone = channels.length === 1 && channels[0] === 'chatapp' ? [CHATAPP_LIFETIME_FIELD] : []
  return {
    type: channels.join('+'),
    summary,
    fields: [ID_FIELD, PHONE_FIELD, ...channels.flatMap((each) => CHANNEL_FIELDS[each]), ...alone, ...SENDING_FIELDS],
    channels,
    result: 'SendResult',
  }
}

function plain(
  type: string,
  summary: string,
  fields: readonly Field[],
  result: OperationSchema['result'],
): OperationSchema {
  return { type, summary, fields, channels: null, result }
}
