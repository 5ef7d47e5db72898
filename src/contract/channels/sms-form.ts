/** The fields of an SMS. */
import { mandatory, optional, SMS_TEXT_MAX } from '../fields/fields.ts'
import { sender, text } from '../fields/kinds.ts'
import { channelForm } from './channel-form.ts'

export const SMS_FIELDS = [
  optional(
    'sms_signature',
    sender('sms'),
    'Approved sender name: 3 to 11 GSM characters, or 3 to 15 digits. Required unless the account has a default sender.',
    { accountDefault: true },
  ),
  mandatory('sms_message', text(SMS_TEXT_MAX), 'SMS text of up to 10 parts.', { fitsSms: 'sent' }),
] as const

export const SMS_FORM = channelForm({
  channel: 'sms',
  called: 'SMS',
  about: 'the SMS',
  fields: SMS_FIELDS,
  timedInSpecChain: false,
  example: { sms_signature: 'SMSTest', sms_message: 'Your parcel arrives today.' },
  plainText: {},
  read: ({ smsSignature, smsMessage }) => ({ sender: smsSignature ?? '', content: { kind: 'text', text: smsMessage } }),
  maxText: () => null,
})
