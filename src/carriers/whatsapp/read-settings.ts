/** The settings of a WhatsApp carrier. */
import { type HttpLinkSettings, readHttpLinkSettings } from '../shared/http-link.ts'
import { SettingReader } from '../shared/setting-reader.ts'

export interface WhatsAppSettings extends HttpLinkSettings {
  /** Without a trailing slash. */
  readonly baseUrl: string
  /** Version of the Graph API, `v23.0`. */
  readonly version: string
  /** The WhatsApp Business Account, which owns the templates. */
  readonly wabaId: string
  /** Sender → phone-number id. A sender that is not listed cannot send. */
  readonly senders: ReadonlyMap<string, string>
  readonly accessToken: string
  /** Signs Meta's webhook calls. */
  readonly appSecret: string
  /** A text chosen by the operator that Meta sends when it checks the webhook's address. */
  readonly verifyToken: string
  /** Interval of listing the templates. */
  readonly templateRefreshSeconds: number
}

/** @throws Error that names the invalid setting: `senders.Shop: should be …`. */
export function readWhatsAppSettings(json: unknown): WhatsAppSettings {
  const settings = new SettingReader(json)
  const read: WhatsAppSettings = {
    baseUrl: settings.address('baseUrl', 'https://graph.facebook.com'),
    version: settings.matching(
      'version',
      /^v\d{1,3}\.\d$/,
      'should be a version of the Graph API such as v23.0',
      'v23.0',
    ),
    wabaId: readId(settings, 'wabaId'),
    senders: settings.map('senders', readId),
    accessToken: settings.matching('accessToken', /^[\x21-\x7e]+$/, 'should be ASCII text without spaces'),
    appSecret: settings.text('appSecret'),
    verifyToken: settings.text('verifyToken'),
    templateRefreshSeconds: settings.wholeNumber('templateRefreshSeconds', 60, 86_400, 600),
    ...readHttpLinkSettings(settings),
  }
  if (read.senders.size === 0) throw settings.wrong('senders', 'should name a phone-number id for each sender')
  settings.end()
  return read
}

function readId(settings: SettingReader, name: string): string {
  return settings.matching(name, /^\d{1,32}$/, 'should be text of digits')
}
