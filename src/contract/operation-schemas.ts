/**
 * The operations that a client may ask for. Sends are generated: each channel alone and every chain of them in any order,
 * whose `type` joins the channels of its steps. Three of the sends are the spec's, the others are extensions of it.
 */
import { MESSAGE_CHANNELS, type MessageChannel } from '../domain/channel.ts'
import {
  CHATAPP_FIELDS,
  CHATAPP_LIFETIME_FIELD,
  type Field,
  ID_FIELD,
  PHONE_FIELD,
  RCS_FIELDS,
  SENDING_FIELDS,
  SMS_FIELDS,
  SMS_LIFETIME_FIELD,
  TEMPLATE_FIELDS,
} from './fields.ts'

export interface OperationSchema {
  readonly type: string
  readonly summary: string
  readonly fields: readonly Field[]
  /** Null for operations that send no message. */
  readonly send: SendSchema | null
  /** Name of the shape of a successful result. */
  readonly result: 'SendResult' | 'CallResult' | 'Template' | 'ChatTemplates' | 'BalanceResult'
}

export interface SendSchema {
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

/** The chain of the spec (2.3): all fields but the lifetimes of its later steps. */
const SPEC_CHAIN = 'rcs+chatapp+sms'

export const CALL_FIELDS = [ID_FIELD, PHONE_FIELD] as const

export const OPERATION_SCHEMAS: readonly OperationSchema[] = [
  ...chainsOf(MESSAGE_CHANNELS)
    .toSorted((a, b) => a.length - b.length)
    .map(send),
  plain('call/otp', 'Call a phone from a number whose last digits are the code', CALL_FIELDS, 'CallResult'),
  plain('template/create', 'Create an SMS template', TEMPLATE_FIELDS, 'Template'),
  plain('template/chatapp/list', 'List the chat-app templates of the account', [], 'ChatTemplates'),
  plain('balance', 'Read the balance of the account', [], 'BalanceResult'),
]

export const OPERATION_TYPES: readonly string[] = OPERATION_SCHEMAS.map((schema) => schema.type)

/** Every order of every choice of the channels. */
function chainsOf(channels: readonly MessageChannel[]): MessageChannel[][] {
  return channels.flatMap((first) => {
    const others = channels.filter((channel) => channel !== first)
    return [[first], ...chainsOf(others).map((rest) => [first, ...rest])]
  })
}

function send(channels: readonly MessageChannel[]): OperationSchema {
  const type = channels.join('+')
  const lifetimes = type !== SPEC_CHAIN
  const fields = channels.flatMap((each) => [...CHANNEL_FIELDS[each], ...(lifetimes ? LIFETIME_FIELDS[each] : [])])
  return {
    type,
    summary: summaryOf(channels),
    fields: [ID_FIELD, PHONE_FIELD, ...fields, ...SENDING_FIELDS],
    send: { channels, lifetimes },
    result: 'SendResult',
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
  return { type, summary, fields, send: null, result }
}
