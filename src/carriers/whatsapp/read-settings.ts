/** The settings of a WhatsApp carrier. */
import { SettingReader } from '../setting-reader.ts'

export interface WhatsAppSettings {
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
  readonly window: number
  readonly requestTimeoutMs: number
}

/** @throws Error that names the invalid setting: `senders.Shop: should be …`. */
export function readWhatsAppSettings(json: unknown): WhatsAppSettings {
  const settings = new SettingReader(json)
  const read: WhatsAppSettings = {
    baseUrl: settings.address('baseUrl', 'https://graph.facebook.com'),
    version: readVersion(settings),
    wabaId: readId(settings, 'wabaId'),
    senders: settings.map('senders', readId),
    accessToken: readToken(settings),
    appSecret: settings.text('appSecret'),
    verifyToken: settings.text('verifyToken'),
    templateRefreshSeconds: settings.wholeNumber('templateRefreshSeconds', 60, 86_400, 600),
    window: settings.wholeNumber('window', 1, 1_000, 32),
    requestTimeoutMs: settings.wholeNumber('requestTimeoutMs', 100, 120_000, 15_000),
  }
  if (read.senders.size === 0) throw settings.wrong('senders', 'should name a phone-number id for each sender')
  settings.end()
  return read
}

function readVersion(settings: SettingReader): string {
  const version = settings.text('version', 'v23.0')
  if (/^v\d{1,3}\.\d$/.test(version)) return version
  throw settings.wrong('version', 'should be a version of the Graph API such as v23.0')
}

function readId(settings: SettingReader, name: string): string {
  const id = settings.text(name)
  if (/^\d{1,32}$/.test(id)) return id
  throw settings.wrong(name, 'should be text of digits')
}

function readToken(settings: SettingReader): string {
  const token = settings.text('accessToken')
  if (/^[\x21-\x7e]+$/.test(token)) return token
  throw settings.wrong('accessToken', 'should be ASCII text without spaces')
}
