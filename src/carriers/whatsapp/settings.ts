/** The settings of a WhatsApp carrier. */
import { readSettings } from '../shared/read-settings.ts'
import {
  address,
  COMMON_SETTINGS,
  filledMapOf,
  flag,
  group,
  HTTP_LINK_SETTINGS,
  SECRET,
  seconds,
  text,
  textOf,
} from '../shared/setting-kinds.ts'

export type WhatsAppSettings = ReturnType<typeof readWhatsAppSettings>

function id(description: string) {
  return textOf(/^\d{1,32}$/, 'text of digits', description)
}

export const WHATSAPP_SETTINGS = group(
  {
    wabaId: id('Id of the WhatsApp Business Account, which owns the templates.'),
    senders: filledMapOf(
      id('Phone-number id of the sender.'),
      'should name a phone-number id for each sender',
      'Phone-number id of each sender name: `{"Shop": "106540352242922"}`; other names cannot send.',
    ),
    accessToken: textOf(
      /^[\x21-\x7e]+$/,
      'ASCII text without spaces',
      'Token that may send, and with `whatsapp_business_management` submit templates.',
      SECRET,
    ),
    appSecret: text("Secret of Meta's app, which signs the calls of its webhook.", SECRET),
    verifyToken: text('A text of your own for Meta, with the webhook `PUBLIC_URL/carriers/meta`.', SECRET),
    marketingMessages: flag(
      "Sends templates of the category marketing by Meta's Marketing Messages API, to which the account must be admitted.",
      false,
    ),
    templateRefreshSeconds: seconds(
      60,
      86_400,
      'How often templates are read; also soon after Meta reports a change.',
      600,
    ),
    version: textOf(/^v\d{1,3}\.\d$/, 'a version of the Graph API such as v23.0', 'Version of the Graph API.', {
      default: 'v23.0',
    }),
    baseUrl: address('Address of the API.', { default: 'https://graph.facebook.com' }),
    ...HTTP_LINK_SETTINGS,
    ...COMMON_SETTINGS,
  },
  'WhatsApp, a chat app.',
  'WhatsApp',
)

/** @throws Error that names the invalid setting: `senders.Shop: should be …`. */
export function readWhatsAppSettings(json: unknown) {
  return readSettings(WHATSAPP_SETTINGS, json)
}
