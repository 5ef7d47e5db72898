/** The settings of a Viber carrier. */
import { type HttpLinkSettings, readHttpLinkSettings } from '../shared/http-link.ts'
import { SettingReader } from '../shared/setting-reader.ts'
import { type ApprovedTemplate, readApprovedTemplate } from './approved-template.ts'

export interface ViberSettings extends HttpLinkSettings {
  /** Without a trailing slash. */
  readonly baseUrl: string
  /** The service of senders that `services` does not name. Viber shows one sender name per service. */
  readonly serviceId: number
  readonly services: ReadonlyMap<string, number>
  readonly label: 'transaction' | 'promotion'
  /** A text that fits one is sent by it, as transactional. */
  readonly templates: readonly ApprovedTemplate[]
  /** Secret in the address that Viber calls, `/carriers/{id}/{webhookToken}`: its calls carry no signature. */
  readonly webhookToken: string
  readonly callbackFields: CallbackFields
}

/** The names in callbacks: Viber documents them for partners only, and they differ. */
export interface CallbackFields {
  /** The field with the message token. */
  readonly token: string
  /** The field with the status. */
  readonly status: string
  /** The values of the status; case-insensitive. */
  readonly delivered: string
  readonly seen: string
  readonly expired: string
  readonly unsubscribed: string
  readonly subscribed: string
  /** The value of a call with what a recipient wrote, if it has a status at all. */
  readonly received: string
  /** The fields of inbound calls: the recipient's phone, the service and the text. */
  readonly phone: string
  readonly service: string
  readonly text: string
}

const MAX_SERVICE_ID = Number.MAX_SAFE_INTEGER

/** @throws Error that names the invalid setting: `callbackFields.token: should be …`. */
export function readViberSettings(json: unknown): ViberSettings {
  const settings = new SettingReader(json)
  const read: ViberSettings = {
    baseUrl: settings.address('baseUrl', 'https://services.viber.com'),
    serviceId: settings.wholeNumber('serviceId', 1, MAX_SERVICE_ID),
    services: settings.map('services', (services, sender) => services.wholeNumber(sender, 1, MAX_SERVICE_ID)),
    label: settings.oneOf('label', ['transaction', 'promotion'], 'transaction'),
    templates: settings.list('templates', readApprovedTemplate),
    webhookToken: settings.webhookToken('webhookToken'),
    callbackFields: readCallbackFields(settings.optionalGroup('callbackFields')),
    ...readHttpLinkSettings(settings),
  }
  settings.end()
  return read
}

function readCallbackFields(fields: SettingReader): CallbackFields {
  const read = {
    token: fields.text('token', 'message_token'),
    status: fields.text('status', 'message_status'),
    delivered: fields.text('delivered', 'delivered'),
    seen: fields.text('seen', 'seen'),
    expired: fields.text('expired', 'expired'),
    unsubscribed: fields.text('unsubscribed', 'unsubscribed'),
    subscribed: fields.text('subscribed', 'subscribed'),
    received: fields.text('received', 'received'),
    phone: fields.text('phone', 'phone_number'),
    service: fields.text('service', 'service_id'),
    text: fields.text('text', 'message.text'),
  }
  fields.end()
  return read
}
