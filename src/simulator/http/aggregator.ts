/**
 * A simulated aggregator on loopback: a plain JSON interface with a bearer key, and receipts in lists with an HMAC.
 * docs/guides/adding-a-carrier.md adds this one. It does not detect repeated messages; the phone decides what happens.
 */
import { createHmac } from 'node:crypto'
import type { MessageChannel } from '../../domain/channels/channel.ts'
import type { Clock } from '../../ports/system/clock.ts'
import type { Random } from '../../ports/system/random.ts'
import { asText, type JsonObject, optionalText, parseJsonObject } from '../../wire/json.ts'
import { BoundedMap } from '../phones/bounded-map.ts'
import { type MessageScript, type PlannedReceipt, scriptOf } from '../phones/phones.ts'
import type { PhoneTraffic } from '../phones/traffic.ts'
import type { DoubleAnswer, DoubleRequest } from '../server/http-double.ts'
import { ReceiptPlayer } from '../server/receipt-player.ts'
import { startWebhookDouble, type WebhookDouble } from '../server/webhook-double.ts'

export interface AggregatorDoubleOptions {
  readonly clock: Clock
  readonly random: Random
  readonly traffic: PhoneTraffic
  readonly channel: MessageChannel
  /** A free port if absent. */
  readonly port?: number
}

/** Messages go to `/v2/messages`. */
export interface AggregatorDouble extends WebhookDouble {
  readonly apiKey: string
  /** Signs the receipts. */
  readonly webhookSecret: string
}

export async function startAggregatorDouble(options: AggregatorDoubleOptions): Promise<AggregatorDouble> {
  const aggregator = new Aggregator(options)
  const { player } = aggregator
  const double = await startWebhookDouble((request) => aggregator.answer(request), player, options.port)
  return {
    ...double,
    apiKey: aggregator.apiKey,
    webhookSecret: aggregator.webhookSecret,
  }
}

const MAX_TEXT = 2_000
const MAX_VALIDITY_SECONDS = 259_200

const STATES: Readonly<Record<PlannedReceipt['outcome'], string>> = {
  delivered: 'DELIVERED',
  read: 'SEEN',
  expired: 'EXPIRED',
  undeliverable: 'FAILED',
}

class Aggregator {
  readonly player: ReceiptPlayer
  readonly apiKey: string
  readonly webhookSecret: string
  readonly #traffic: PhoneTraffic
  readonly #channel: MessageChannel
  readonly #seen = new BoundedMap<string, true>()
  readonly #run: string
  #taken = 0

  constructor({ clock, random, traffic, channel }: AggregatorDoubleOptions) {
    const secret = () => Buffer.from(random.bytes(24)).toString('base64url')
    this.#traffic = traffic
    this.#channel = channel
    this.apiKey = secret()
    this.webhookSecret = secret()
    this.#run = secret().slice(0, 8)
    this.player = new ReceiptPlayer(clock)
  }

  async answer({ method, path, headers, body }: DoubleRequest): Promise<DoubleAnswer | 'hold'> {
    if (path !== '/v2/messages') return problem(404, 'no_such_path')
    if (method !== 'POST') return problem(405, 'use_post')
    if (headers.authorization !== `Bearer ${this.apiKey}`) return problem(401, 'wrong_key')
    const message = parseJsonObject(body)
    if (message === null || !isValid(message)) return problem(422, 'invalid_message')
    const phone = asText(message['to']).slice(1)
    const script = scriptOf(phone)[this.#channel]
    if (!script.reachable) return problem(422, 'unknown_subscriber')
    const name = asText(message['client_ref'])
    if (script.firstAnswer !== 'taken' && !this.#seen.has(name)) {
      this.#seen.set(name, true)
      return script.firstAnswer === 'silent' ? 'hold' : { ...problem(429, 'too_fast'), headers: { 'retry-after': '1' } }
    }
    return this.#take(message, phone, script)
  }

  async #take(message: JsonObject, phone: string, script: MessageScript): Promise<DoubleAnswer> {
    this.#taken += 1
    const id = `${this.#run}-${this.#taken}`
    this.#traffic.add({
      channel: this.#channel,
      phone,
      sender: asText(message['from']),
      text: asText(message['text']),
      image: optionalText(message['image_url']),
      button: optionalText(message['button_title']),
      link: optionalText(message['button_url']),
      ref: id,
    })
    const { receipts, deliveredAfterLifetimeMs, receiptsFirst } = script
    const lifeMs = Number(message['validity']) * 1000
    const playback = this.player.play({
      receipts,
      lateDeliveryMs: deliveredAfterLifetimeMs === null ? null : lifeMs + deliveredAfterLifetimeMs,
      write: (outcome) => {
        const body = JSON.stringify({ results: [{ message: { id }, state: STATES[outcome], reason: outcome }] })
        const signature = createHmac('sha256', this.webhookSecret).update(body).digest('hex')
        return { headers: { 'content-type': 'application/json', 'x-signature': `sha256=${signature}` }, body }
      },
    })
    if (receiptsFirst) await playback.firstAnswer
    return { status: 202, body: JSON.stringify({ messages: [{ id, state: 'QUEUED' }] }) }
  }
}

function isValid({ to, from, text, image_url, client_ref, validity }: JsonObject): boolean {
  const isThere = (value: unknown, max: number) => typeof value === 'string' && value !== '' && value.length <= max
  return (
    /^\+\d{7,15}$/.test(asText(to)) &&
    isThere(from, 100) &&
    (isThere(text, MAX_TEXT) || (text === undefined && isThere(image_url, MAX_TEXT))) &&
    isThere(client_ref, 40) &&
    typeof validity === 'number' &&
    validity >= 60 &&
    validity <= MAX_VALIDITY_SECONDS
  )
}

function problem(status: number, code: string): DoubleAnswer {
  return { status, body: JSON.stringify({ error: { code } }) }
}
