/** The fields of verifications. */
import { CHANNELS, type MessageChannel } from '../../domain/channels/channel.ts'
import { SMS } from '../../domain/channels/sms.ts'
import { FORM_LIST } from '../channels/channel-forms.ts'
import { type Field, ID_FIELD, mandatory, optional, PHONE_FIELD } from '../fields/fields.ts'
import { CODE, choice, HOOK, IP_ADDRESS, listOf, NUMBER, seconds, sender, text, whole } from '../fields/kinds.ts'
import { VERIFY_LANGUAGES } from './verify-texts.ts'

/** What holds of a verification whose client does not ask for anything else. */
export const VERIFY_DEFAULTS = { channels: ['sms'], length: 6, lifetime: 600, language: 'en' } as const

const MIN_CODE_DIGITS = 4
const MAX_CODE_DIGITS = 8
const VERIFY_LIFETIME_MIN_SECONDS = 60
const VERIFY_LIFETIME_MAX_SECONDS = 3_600
/** Its SMS has at most 10 parts, whatever its characters are. */
const VERIFY_TEXT_MAX = 300

type SignatureField = Field<`${MessageChannel}_signature`, string, false>

const SIGNATURE_FIELDS: readonly SignatureField[] = FORM_LIST.map(({ channel, called }) => {
  const unless = channel === SMS.name ? ' unless the account has a default sender' : ''
  const description = `Approved sender name of ${called}; required with \`${channel}\`${unless}.`
  return optional(`${channel}_signature`, sender(channel), description)
})

export const VERIFY_START_FIELDS = [
  ID_FIELD,
  PHONE_FIELD,
  optional(
    'channels',
    listOf(CHANNELS, VERIFY_DEFAULTS.channels),
    'Channels in the order in which they are tried: the next one follows when one fails, after 30 seconds of a call, and after 60 seconds of a message that is not delivered.',
  ),
  optional(
    'length',
    whole(MIN_CODE_DIGITS, MAX_CODE_DIGITS, VERIFY_DEFAULTS.length),
    'Digits of the code in a text. Those of a call are the last digits of its number.',
  ),
  optional(
    'lifetime',
    seconds(VERIFY_LIFETIME_MIN_SECONDS, VERIFY_LIFETIME_MAX_SECONDS, VERIFY_DEFAULTS.lifetime),
    'Seconds within which the code must be checked.',
  ),
  optional('text', text(VERIFY_TEXT_MAX), 'Text of the message with `{code}` in place of the code.'),
  optional('language', choice(VERIFY_LANGUAGES), 'Language of the text if there is none in `text`; `en` by default.'),
  ...SIGNATURE_FIELDS,
  optional('ip', IP_ADDRESS, "The end user's IP address, to limit how many verifications one user starts."),
  optional('hook', HOOK, 'Address for the report of how the verification ended; `feed:` keeps it for event/list.'),
] as const

const VERIFY_ID_FIELD = mandatory('verify_id', NUMBER, '`verify_id` of the answer to `verify/start`.')

export const VERIFY_RESEND_FIELDS = [ID_FIELD, VERIFY_ID_FIELD] as const

export const VERIFY_CHECK_FIELDS = [
  ID_FIELD,
  VERIFY_ID_FIELD,
  mandatory('code', CODE, 'What the recipient has typed: digits in a string.'),
] as const
