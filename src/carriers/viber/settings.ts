/** The settings of a Viber carrier. */
import { readSettings } from '../shared/read-settings.ts'
import {
  address,
  COMMON_SETTINGS,
  choice,
  group,
  HTTP_LINK_SETTINGS,
  listOf,
  mapOf,
  optionalGroup,
  text,
  webhookToken,
  whole,
} from '../shared/setting-kinds.ts'
import { APPROVED_TEMPLATE } from './approved-template.ts'

export type ViberSettings = ReturnType<typeof readViberSettings>
/** The names in callbacks: Viber documents them for partners only, and they differ. */
export type CallbackFields = ViberSettings['callbackFields']

const MAX_SERVICE_ID = Number.MAX_SAFE_INTEGER
const MAX_TEMPLATES = 10_000

function named(description: string, standard: string) {
  return text(description, { default: standard })
}

export const VIBER_SETTINGS = group(
  {
    serviceId: whole(1, MAX_SERVICE_ID, 'Id of your service; Viber shows one sender name per service.'),
    webhookToken: webhookToken('A random text of your own, the end of the webhook `PUBLIC_URL/carriers/viber/TOKEN`.'),
    services: mapOf(
      whole(1, MAX_SERVICE_ID, 'Id of the service.'),
      'Services of single senders: `{"Example Shop": 4322}`.',
    ),
    label: choice(
      ['transaction', 'promotion'],
      'Label of texts; messages with images and buttons are always promotions, because Viber accepts no others.',
      'transaction',
    ),
    templates: listOf(
      APPROVED_TEMPLATE,
      MAX_TEMPLATES,
      'templates',
      'Approved transactional texts: `[{"text": "Your code is {{pin}}.", "type": 1701, "message": {…}}]`.',
    ),
    callbackFields: optionalGroup(
      {
        token: named('Field with the message token.', 'message_token'),
        status: named('Field with the status.', 'message_status'),
        delivered: named('Status of a delivered message, in any letter case.', 'delivered'),
        seen: named('Status of a message that was read.', 'seen'),
        expired: named('Status of an expired message.', 'expired'),
        unsubscribed: named('Status of a recipient who leaves.', 'unsubscribed'),
        subscribed: named('Status of a recipient who returns.', 'subscribed'),
        received: named('Status of what a recipient writes, if it has one.', 'received'),
        phone: named('Field with the phone of the recipient.', 'phone_number'),
        service: named('Field with the service.', 'service_id'),
        text: named('Field with the text.', 'message.text'),
        time: named('Field with the time of the event, in milliseconds or seconds since 1970.', 'message_time'),
      },
      'Names in your callbacks, if they differ.',
    ),
    baseUrl: address('Address of the API.', { default: 'https://services.viber.com' }),
    ...HTTP_LINK_SETTINGS,
    ...COMMON_SETTINGS,
  },
  'Viber, a chat app.',
  'Viber',
)

/** @throws Error that names the invalid setting: `callbackFields.token: should be …`. */
export function readViberSettings(json: unknown) {
  return readSettings(VIBER_SETTINGS, json)
}
