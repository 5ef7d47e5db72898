/** Send items as a client writes them, complete; a test changes what its story is about. */
type Item = Readonly<Record<string, unknown>>

const RCS = {
  rcs_signature: 'RCSTest',
  rcs_message: 'Hello by RCS',
}
const CHATAPP = {
  chatapp_type: 'text',
  chatapp_signature: 'ChatTest',
  chatapp_message: 'Hello by chat app',
}
const SMS = {
  sms_signature: 'SMSTest',
  sms_message: 'Hello by SMS',
}

export function rcsItem(phone: string, change: Item = {}): Item {
  return { type: 'rcs', phone, ...RCS, ...change }
}

export function chatappItem(phone: string, change: Item = {}): Item {
  return { type: 'chatapp', phone, ...CHATAPP, ...change }
}

export function chainItem(phone: string, change: Item = {}): Item {
  return { type: 'rcs+chatapp+sms', phone, ...RCS, ...CHATAPP, ...SMS, ...change }
}

export function smsItem(phone: string, change: Item = {}): Item {
  return { type: 'sms', phone, ...SMS, ...change }
}
