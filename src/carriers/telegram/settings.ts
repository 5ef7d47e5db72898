/** The settings of a carrier that sends codes by the Telegram Gateway. */
import Type from 'typebox'
import { readSettings } from '../shared/read-settings.ts'
import { address, COMMON_SETTINGS, group, HTTP_LINK_SETTINGS, SECRET, text, textOf } from '../shared/setting-kinds.ts'

export type TelegramSettings = ReturnType<typeof readTelegramSettings>

export const TELEGRAM_SETTINGS = group(
  {
    token: text('The API token of your account, which also signs reports.', SECRET),
    callbackUrl: textOf(
      /^https:\/\/\S{1,248}$/,
      'an https address of at most 256 characters',
      'Where Telegram reports deliveries: `PUBLIC_URL/carriers/{carrier}`. Telegram calls https addresses only.',
    ),
    senderUsername: Type.Optional(
      textOf(
        /^\w{4,32}$/,
        '4 to 32 letters, digits or _',
        'Name of a verified channel of yours that sends the codes. Without it: Telegram’s own.',
      ),
    ),
    baseUrl: address('Address of the API.', { default: 'https://gatewayapi.telegram.org' }),
    ...HTTP_LINK_SETTINGS,
    ...COMMON_SETTINGS,
  },
  'Telegram Gateway: one-time codes of verifications.',
  'Telegram',
)

/** @throws Error that names the invalid setting. */
export function readTelegramSettings(json: unknown) {
  return readSettings(TELEGRAM_SETTINGS, json)
}
