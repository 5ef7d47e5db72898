/**
 * A simulated Viber Business Messages on loopback: `send_message` with its numeric answers, and callbacks keyed by
 * message tokens of nineteen digits. Like the real service, it does not detect repeated messages; the phone decides
 * what happens.
 */
import type { Clock } from '../../ports/system/clock.ts'
import type { Random } from '../../ports/system/random.ts'
import { asText, isJsonObject, type JsonObject, optionalText, parseJsonObject } from '../../wire/json.ts'
import { BoundedMap } from '../phones/bounded-map.ts'
import { type PlannedReceipt, scriptOf } from '../phones/phones.ts'
import type { PhoneTraffic } from '../phones/traffic.ts'
import type { DoubleAnswer, DoubleRequest } from '../server/http-double.ts'
import { ReceiptPlayer } from '../server/receipt-player.ts'
import { startWebhookDouble, type WebhookDouble } from '../server/webhook-double.ts'
import type { PhoneText } from '../smpp/phone-text.ts'

export interface ViberDoubleOptions {
  readonly clock: Clock
  readonly random: Random
  readonly traffic: PhoneTraffic
  /** A free port if absent. */
  readonly port?: number
}

export interface ViberDouble extends WebhookDouble {
  /** A secret of this instance; belongs in the carrier's settings. */
  readonly webhookToken: string
  /** A recipient writes to a service. Resolves when the webhook has answered. */
  write(text: PhoneText): Promise<void>
  /** The carrier's webhook without the token, which is added; before it is set, no callbacks are sent. */
  setWebhook(url: string): void
}

export async function startViberDouble(options: ViberDoubleOptions): Promise<ViberDouble> {
  const viber = new Viber(options)
  const double = await startWebhookDouble((request) => viber.answer(request), viber.player, options.port)
  const webhookToken = Buffer.from(options.random.bytes(24)).toString('base64url')
  return {
    ...double,
    webhookToken,
    write: (text) => viber.write(text),
    setWebhook: (url) => double.setWebhook(`${url}/${webhookToken}`),
  }
}

const TAKEN = 0
const BAD_DATA = 3
const NOT_A_USER = 9

/** Types that are promotion only, and types that require `#tracking_data`, which may be empty. */
const PROMOTIONAL: ReadonlySet<unknown> = new Set([207, 208, 209, 225])
const TRACKED: ReadonlySet<unknown> = new Set([206, 207, 208, 209])

/** The required fields of `message` by type. */
const WANTED: ReadonlyMap<unknown, readonly string[]> = new Map([
  [206, ['#txt']],
  [225, ['#txt']],
  [207, ['#img']],
  [208, ['#txt', '#img', '#caption', '#action']],
  [209, ['#txt', '#caption', '#action']],
  [1701, ['#template_id', '#template_lang']],
  [1702, ['#template_id', '#template_lang']],
])

class Viber {
  readonly player: ReceiptPlayer
  readonly #traffic: PhoneTraffic
  readonly #seen = new BoundedMap<string, true>()
  /** The first seven of nineteen digits, so that tokens of two runs differ. */
  readonly #tokenHead: number
  #taken = 0
  #written = 0

  constructor({ clock, random, traffic }: ViberDoubleOptions) {
    this.#traffic = traffic
    this.#tokenHead = 1_000_000 + random.below(8_000_000)
    this.player = new ReceiptPlayer(clock)
  }

  write({ from, to, text }: PhoneText): Promise<void> {
    this.#written += 1
    const call = { message_token: `${this.#tokenHead}9${this.#written}`, phone_number: from, service_id: Number(to) }
    return this.player.play({
      receipts: [{ outcome: 'delivered', afterMs: 0 }],
      lateDeliveryMs: null,
      write: () => ({
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...call, message: { text } }),
      }),
    }).firstAnswer
  }

  async answer({ method, path, body }: DoubleRequest): Promise<DoubleAnswer | 'hold'> {
    if (path !== '/vibersrvc/1/send_message') return { status: 404, body: '' }
    if (method !== 'POST') return { status: 405, body: '' }
    const request = parseJsonObject(body)
    if (request === null) return reply(BAD_DATA, 0)
    const { seq, dest, tag } = request
    if (!isValid(request)) return reply(BAD_DATA, seq)
    const phone = asText(dest)
    const script = scriptOf(phone).chatapp
    if (!script.reachable) return reply(NOT_A_USER, seq)
    const name = `${phone} ${asText(tag)}`
    if (script.firstAnswer !== 'taken' && !this.#seen.has(name)) {
      this.#seen.set(name, true)
      return script.firstAnswer === 'silent' ? 'hold' : { status: 429, body: '', headers: { 'retry-after': '1' } }
    }
    return this.#take(request, phone)
  }

  async #take(request: JsonObject, phone: string): Promise<DoubleAnswer> {
    this.#taken += 1
    const token = `${this.#tokenHead}${String(this.#taken).padStart(12, '0')}`
    const message = isJsonObject(request['message']) ? request['message'] : {}
    const sender = asText(request['service_id'])
    this.#traffic.add({
      channel: 'chatapp',
      phone,
      sender,
      text: asText(message['#txt']),
      image: optionalText(message['#img']),
      button: optionalText(message['#caption']),
      link: optionalText(message['#action']),
      ref: token,
    })
    const { receipts, deliveredAfterLifetimeMs, receiptsFirst } = scriptOf(phone).chatapp
    const lifeMs = Number(request['ttl']) * 1000
    const playback = this.player.play({
      receipts,
      lateDeliveryMs: deliveredAfterLifetimeMs === null ? null : lifeMs + deliveredAfterLifetimeMs,
      write: (outcome) => ({
        headers: { 'content-type': 'application/json' },
        body: `{"message_token":${token},"message_status":"${STATUSES[outcome]}","phone_number":"${phone}"}`,
      }),
    })
    if (receiptsFirst) await playback.firstAnswer
    return reply(TAKEN, request['seq'], token)
  }
}

const STATUSES: Readonly<Record<PlannedReceipt['outcome'], string>> = {
  delivered: 'delivered',
  read: 'seen',
  expired: 'expired',
  undeliverable: 'expired',
}

function isValid({ service_id, dest, seq, type, label, ttl, message }: JsonObject): boolean {
  const wanted = WANTED.get(type)
  return (
    isWhole(service_id, 1, Number.MAX_SAFE_INTEGER) &&
    isWhole(seq, 0, 2 ** 31) &&
    /^\d{7,15}$/.test(asText(dest)) &&
    (label === 'promotion' || (label === 'transaction' && !PROMOTIONAL.has(type))) &&
    isWhole(ttl, 30, 1_209_600) &&
    wanted !== undefined &&
    isJsonObject(message) &&
    (!TRACKED.has(type) || typeof message['#tracking_data'] === 'string') &&
    wanted.every((field) => isText(message[field], 2_048)) &&
    (message['#txt'] === undefined || isText(message['#txt'], 1_000)) &&
    (message['#caption'] === undefined || isText(message['#caption'], 30))
  )
}

function isText(value: unknown, max: number): boolean {
  return typeof value === 'string' && value !== '' && value.length <= max
}

function isWhole(value: unknown, min: number, max: number): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max
}

/** The token is written as digits: a double cannot hold it. */
function reply(status: number, seq: unknown, token = '0'): DoubleAnswer {
  return {
    status: 200,
    body: `{"status":${status},"seq":${typeof seq === 'number' ? seq : 0},"message_token":${token}}`,
  }
}
