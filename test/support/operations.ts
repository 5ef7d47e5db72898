/** Operations that the demo account may ask for, whole and right, for tests to change one thing of. */
import { codeOf } from '../../src/contract/request/error-codes.ts'

export const PHONE = 491701234500
/** Its operator is served by no call route. */
export const UNSERVED_PHONE = 491701234507

export const rcs = (fields: object = {}) => ({
  type: 'rcs',
  id: 1,
  phone: PHONE,
  rcs_signature: 'RCSTest',
  rcs_message: 'Hello',
  ...fields,
})

export const chatapp = (fields: object = {}) => ({
  type: 'chatapp',
  id: 1,
  phone: PHONE,
  chatapp_type: 'text',
  chatapp_signature: 'ChatTest',
  chatapp_message: 'Hello',
  ...fields,
})

export const chain = (fields: object = {}) => ({
  ...rcs(),
  ...chatapp(),
  type: 'rcs+chatapp+sms',
  sms_signature: 'SMSTest',
  sms_message: 'Hello',
  ...fields,
})

export const sms = (fields: object = {}) => ({
  type: 'sms',
  id: 1,
  phone: PHONE,
  sms_signature: 'SMSTest',
  sms_message: 'Hello',
  ...fields,
})

/** Any send, by its type. */
export const send = (type: string, fields: object = {}) => {
  const all = { rcs: rcs(), chatapp: chatapp(), sms: sms() }
  const parts = type.split('+').map((channel) => all[channel as keyof typeof all])
  return { ...Object.assign({}, ...parts), type, ...fields }
}

/** What a failed operation is answered; the field is the one with which the text begins. */
/** Texts that do not begin with the field that they are about. */
const FIELDS: Readonly<Record<string, string>> = {
  'Invalid phone number': 'phone',
  'Inbound message not found': 'reply_to',
  'Verification not found': 'verify_id',
  'Hook not found': 'hook_id',
  'Bulk not found': 'bulk_id',
}

export const itemError = (
  error: string,
  data: object = {},
  field = FIELDS[error] ?? /^([a-z_]+): /.exec(error)?.[1],
) => ({
  success: false,
  error,
  code: codeOf(error),
  data,
  ...(field === undefined ? {} : { field }),
})

export const call = (fields: object = {}) => ({ type: 'call/otp', id: 1, phone: PHONE, ...fields })
