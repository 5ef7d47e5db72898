/** Examples of operations, made from the table of fields: each has what is required, and what is of interest. */
import { FORM_LIST } from '../../src/contract/channels/channel-forms.ts'
import { type Field, PHONE_FIELD } from '../../src/contract/fields/fields.ts'
import { schemaOf } from '../../src/contract/operations/operation-schemas.ts'

const TEXT = 'Your parcel arrives today.'

/** A value for each field of the examples. Fields without one are left out. */
const VALUES: Readonly<Record<string, unknown>> = {
  id: 17,
  phone: 491701234501,
  ...Object.assign({}, ...FORM_LIST.map((form) => form.example)),
  hook: 'https://shop.example/reports',
  template: 'Your code is {{code}}.',
  name: 'code',
  msg_id: 65,
  hook_id: 1,
  after: 200,
}

/** Of operations whose table of fields does not say enough. */
const SPECIAL: Readonly<Record<string, object>> = {
  price: { send_type: 'sms', phone: VALUES[PHONE_FIELD.name], sms_signature: 'SMSTest', sms_message: TEXT },
  status: { msg_id: VALUES['msg_id'] },
  statistics: { from: '2026-11-01', through: '2026-11-30', resolution: 'day', by: ['channel'] },
  cancel: { msg_id: VALUES['msg_id'] },
  'posting/list': { after: '4711', limit: 100 },
  'statement/get': { month: '2026-11' },
  'verify/start': {
    phone: VALUES[PHONE_FIELD.name],
    channels: ['call', 'rcs', 'sms'],
    text: 'Your code for Example Shop is {code}.',
    rcs_signature: 'RCSTest',
    sms_signature: 'SMSTest',
    hook: VALUES['hook'],
  },
  'verify/check': { verify_id: VALUES['msg_id'], code: '482913' },
  'verify/resend': { verify_id: VALUES['msg_id'] },
  'template/delete': { name: VALUES['name'] },
  'hook/create': { hook: VALUES['hook'], events: ['message.status', 'link.clicked'], description: 'orders' },
  'hook/replay': { hook: VALUES['hook'], since: '2026-03-01T08:00:00Z' },
  'bulk/create': {
    id: 'spring',
    message: { type: 'sms', sms_signature: 'SMSTest', sms_message: 'Hello {{name}}, your voucher is {{code}}.' },
    pace: 50,
  },
  'bulk/start': { bulk_id: VALUES['msg_id'], start_at: '2026-03-01T09:00:00+02:00' },
  'bulk/pause': { bulk_id: VALUES['msg_id'] },
  'bulk/stop': { bulk_id: VALUES['msg_id'] },
  'bulk/status': { bulk_id: VALUES['msg_id'] },
  'bulk/errors': { bulk_id: VALUES['msg_id'], after: VALUES['after'] },
  'event/list': { after: '200', limit: 100 },
}

/** Returns an operation of the type as it stands in `data`. */
export function exampleOf(type: string): object {
  const fields = schemaOf(type)?.fields ?? []
  return { type, ...(SPECIAL[type] ?? Object.fromEntries(fields.flatMap(memberOf))) }
}

function memberOf({ name }: Field): readonly (readonly [string, unknown])[] {
  return name in VALUES ? [[name, VALUES[name]]] : []
}
