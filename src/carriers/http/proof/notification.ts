/**
 * Notifications of Amazon SNS: signed with a certificate that SNS publishes, and sent only once the webhook has
 * confirmed its subscription.
 */
import { type KeyObject, verify, X509Certificate } from 'node:crypto'
import Type, { type StaticDecode } from 'typebox'
import type { Clock } from '../../../ports/system/clock.ts'
import type { HttpResult } from '../../../wire/http-client.ts'
import { isJsonObject, type JsonObject, parseJson } from '../../../wire/json.ts'
import { RecentMap } from '../../shared/recent-map.ts'
import { group, seconds, textOf } from '../../shared/setting-kinds.ts'
import { isRecent, MAX_AGE_SECONDS } from './freshness.ts'

const MAX_TOPICS = 10
const TOPIC = /^arn:(aws|aws-cn|aws-us-gov):sns:([a-z]{2}[a-z0-9-]{3,30}):\d{12}:[\w-]{1,256}(?:\.fifo)?$/
const CERTIFICATE = /^\/SimpleNotificationService-[0-9a-f]{1,64}\.pem$/
/** Signed fields, in their order; missing ones are left out. */
const FIELDS = ['Message', 'MessageId', 'Subject', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type']
const HASHES: Readonly<Record<string, string>> = { '1': 'sha1', '2': 'sha256' }
const MAX_CERTIFICATES = 10
const CERTIFICATE_KEPT_MS = 86_400_000

const TOPICS = Type.Array(textOf(TOPIC, 'an ARN such as arn:aws:sns:eu-west-1:123456789012:receipts', 'A topic.'), {
  minItems: 1,
  maxItems: MAX_TOPICS,
  of: 'topics',
  description: 'Topics whose notifications are accepted.',
})

export const NOTIFICATION = group(
  {
    kind: Type.Literal('sns'),
    topics: TOPICS,
    maxAgeSeconds: seconds(1, MAX_AGE_SECONDS, 'How old a notification may be.', 86_400),
  },
  'A notification of Amazon SNS, whose message has the items; subscriptions are confirmed.',
)

export type NotificationSettings = StaticDecode<typeof NOTIFICATION>

/** Requests an address. */
export type Get = (url: string) => Promise<HttpResult>

/** `later`: SNS should repeat the call. */
export type OpenedNotification =
  | { readonly kind: 'message'; readonly content: unknown }
  | { readonly kind: 'confirmed' | 'later' | 'refused' }

/** The notifications to one webhook. */
export class Notifications {
  readonly #settings: NotificationSettings
  readonly #clock: Clock
  readonly #get: Get
  /** By the addresses of their certificates. */
  readonly #keys: RecentMap<KeyObject>

  constructor(settings: NotificationSettings, clock: Clock, get: Get) {
    this.#settings = settings
    this.#clock = clock
    this.#get = get
    this.#keys = new RecentMap(clock, MAX_CERTIFICATES)
  }

  /** Opens the JSON of a call. */
  async open(json: unknown): Promise<OpenedNotification> {
    const { topics, maxAgeSeconds } = this.#settings
    if (!isJsonObject(json)) return { kind: 'refused' }
    const { Type: type, TopicArn: topic, Timestamp: time, SigningCertURL: certificate } = json
    // What is not text is not signed: it must not count as text here either.
    if (typeof topic !== 'string' || typeof time !== 'string') return { kind: 'refused' }
    const host = topics.includes(topic) ? hostOf(topic) : null
    const url = host === null ? null : urlAt(host, certificate)
    if (host === null || url === null || !CERTIFICATE.test(url.pathname)) return { kind: 'refused' }
    if (!isRecent(time, 'iso', maxAgeSeconds, this.#clock.now())) return { kind: 'refused' }
    const key = await this.#keyAt(url)
    if (key === null) return { kind: 'later' }
    if (!isSigned(json, key)) return { kind: 'refused' }
    switch (type) {
      case 'Notification':
        return { kind: 'message', content: parseJson(String(json['Message'])) }
      case 'SubscriptionConfirmation':
        return this.#confirm(json, host)
      default:
        return { kind: type === 'UnsubscribeConfirmation' ? 'confirmed' : 'refused' }
    }
  }

  async #keyAt({ href, origin, pathname }: URL): Promise<KeyObject | null> {
    const known = this.#keys.get(href)
    if (known !== undefined) return known
    const answer = await this.#get(origin + pathname)
    const key = answer.kind === 'answered' && answer.status === 200 ? keyOf(answer.body, this.#clock.now()) : null
    if (key !== null) this.#keys.set(href, key, this.#clock.now() + CERTIFICATE_KEPT_MS)
    return key
  }

  async #confirm({ SubscribeURL: address }: JsonObject, host: string): Promise<OpenedNotification> {
    const url = urlAt(host, address)
    if (url === null || url.searchParams.get('Action') !== 'ConfirmSubscription') return { kind: 'refused' }
    const answer = await this.#get(url.href)
    return { kind: answer.kind === 'answered' && answer.status === 200 ? 'confirmed' : 'later' }
  }
}

/** Returns the host of SNS in the region of a topic. */
function hostOf(topic: string): string | null {
  const [, partition, region] = TOPIC.exec(topic) ?? []
  return region === undefined ? null : `sns.${region}.amazonaws.com${partition === 'aws-cn' ? '.cn' : ''}`
}

/** Returns null for an address elsewhere. */
function urlAt(host: string, address: unknown): URL | null {
  const url = typeof address === 'string' ? URL.parse(address) : null
  return url?.origin === `https://${host}` && url.username + url.password === '' ? url : null
}

/** Returns null for what is no certificate, or no longer or not yet one. @param now milliseconds. */
function keyOf(pem: string, now: number): KeyObject | null {
  try {
    const { validFromDate, validToDate, publicKey } = new X509Certificate(pem)
    return validFromDate.getTime() <= now && now <= validToDate.getTime() ? publicKey : null
  } catch {
    return null
  }
}

function isSigned(json: JsonObject, key: KeyObject): boolean {
  const hash = HASHES[String(json['SignatureVersion'])]
  const signature = json['Signature']
  if (hash === undefined || typeof signature !== 'string') return false
  const lines = FIELDS.flatMap((name) => (typeof json[name] === 'string' ? [name, json[name]] : []))
  try {
    return verify(hash, Buffer.from(`${lines.join('\n')}\n`), key, Buffer.from(signature, 'base64'))
  } catch {
    return false
  }
}
