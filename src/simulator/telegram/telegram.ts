/**
 * A simulated Telegram Gateway on loopback: takes codes, refuses phones without Telegram, gives the fee of what expires
 * back, and reports with the signature of the real one. A phone has Telegram if it has the chat app.
 */
import { createHash, createHmac } from 'node:crypto'
import type { Clock } from '../../ports/system/clock.ts'
import type { Random } from '../../ports/system/random.ts'
import { asText, type JsonObject, parseJsonObject } from '../../wire/json.ts'
import { BoundedMap } from '../phones/bounded-map.ts'
import { type PlannedReceipt, scriptOf } from '../phones/phones.ts'
import type { PhoneTraffic } from '../phones/traffic.ts'
import type { DoubleAnswer, DoubleRequest } from '../server/http-double.ts'
import { type Playback, ReceiptPlayer, type WebhookCall } from '../server/receipt-player.ts'
import { startWebhookDouble, type WebhookDouble } from '../server/webhook-double.ts'

export interface TelegramDouble extends WebhookDouble {
  /** A secret of this instance; belongs in the carrier's settings. */
  readonly token: string
}

interface Tools {
  readonly clock: Clock
  readonly random: Random
  readonly traffic: PhoneTraffic
}

const COST = 0.01

const STATUSES: Readonly<Record<PlannedReceipt['outcome'], string>> = {
  delivered: 'delivered',
  read: 'read',
  expired: 'expired',
  undeliverable: 'expired',
}

export async function startTelegramDouble(tools: Tools): Promise<TelegramDouble> {
  const telegram = new Telegram(tools)
  const double = await startWebhookDouble((request) => telegram.answer(request), telegram.player)
  return { ...double, token: telegram.token }
}

class Telegram {
  readonly token: string
  readonly player: ReceiptPlayer
  readonly #tools: Tools
  readonly #seen = new BoundedMap<string, true>()
  readonly #playbacks = new BoundedMap<string, Playback>()

  constructor(tools: Tools) {
    this.#tools = tools
    this.token = Buffer.from(tools.random.bytes(24)).toString('base64url')
    this.player = new ReceiptPlayer(tools.clock)
  }

  async answer({ method, path, headers, body }: DoubleRequest): Promise<DoubleAnswer | 'hold'> {
    if (method !== 'POST') return failed('METHOD_INVALID')
    if (headers.authorization !== `Bearer ${this.token}`) return failed('ACCESS_TOKEN_INVALID')
    const request = parseJsonObject(body) ?? {}
    if (path === '/sendVerificationMessage') return this.#send(request)
    return path === '/revokeVerificationMessage' ? this.#revoke(request) : failed('UNKNOWN_METHOD')
  }

  #revoke(request: JsonObject): DoubleAnswer {
    this.#playbacks.get(asText(request['request_id']))?.cancel()
    return { status: 200, body: '{"ok":true,"result":true}' }
  }

  async #send(request: JsonObject): Promise<DoubleAnswer | 'hold'> {
    const wrong = faultIn(request)
    if (wrong !== null) return failed(wrong)
    const phone = asText(request['phone_number']).slice(1)
    const script = scriptOf(phone).chatapp
    if (!script.reachable) return failed('PHONE_NUMBER_NOT_FOUND')
    const name = `${phone} ${asText(request['payload'])}`
    if (script.firstAnswer !== 'taken' && !this.#seen.has(name)) {
      this.#seen.set(name, true)
      return script.firstAnswer === 'silent' ? 'hold' : failed('FLOOD_WAIT_1')
    }
    return this.#take(request, phone)
  }

  async #take(request: JsonObject, phone: string): Promise<DoubleAnswer> {
    const { random, traffic } = this.#tools
    const id = `req-${Buffer.from(random.bytes(12)).toString('hex')}`
    traffic.add({
      channel: 'telegram',
      phone,
      sender: asText(request['sender_username']),
      text: asText(request['code']),
      ref: id,
    })
    const { receipts, deliveredAfterLifetimeMs, receiptsFirst } = scriptOf(phone).chatapp
    const lifeMs = Number(request['ttl']) * 1_000
    // What is not delivered in time expires.
    const all = receipts.length > 0 ? receipts : [{ outcome: 'expired' as const, afterMs: lifeMs }]
    const status = { request_id: id, phone_number: request['phone_number'], request_cost: COST }
    const playback = this.player.play({
      receipts: all,
      lateDeliveryMs: deliveredAfterLifetimeMs === null ? null : lifeMs + deliveredAfterLifetimeMs,
      write: (outcome) => this.#report({ ...status, payload: request['payload'] }, STATUSES[outcome]),
    })
    this.#playbacks.set(id, playback)
    if (receiptsFirst) await playback.firstAnswer
    return { status: 200, body: JSON.stringify({ ok: true, result: { ...status, remaining_balance: 100 } }) }
  }

  #report(status: object, word: string): WebhookCall {
    const seconds = Math.floor(this.#tools.clock.now() / 1_000)
    const body = JSON.stringify({
      ...status,
      ...(word === 'expired' ? { is_refunded: true } : {}),
      delivery_status: { status: word, updated_at: seconds },
    })
    const key = createHash('sha256').update(this.token).digest()
    const signature = createHmac('sha256', key).update(`${seconds}\n${body}`).digest('hex')
    const signed = { 'x-request-timestamp': String(seconds), 'x-request-signature': signature }
    return { headers: { 'content-type': 'application/json', ...signed }, body }
  }
}

/** Returns the error of the real service; null for a request that is right. */
function faultIn({ phone_number: phone, code, ttl, callback_url: callback, payload }: JsonObject): string | null {
  if (typeof phone !== 'string' || !/^\+\d{7,15}$/.test(phone)) return 'PHONE_NUMBER_INVALID'
  if (typeof code !== 'string' || !/^\d{4,8}$/.test(code)) return 'CODE_INVALID'
  if (!Number.isInteger(ttl) || Number(ttl) < 30 || Number(ttl) > 3_600) return 'TTL_INVALID'
  if (typeof callback !== 'string' || callback.length > 256) return 'CALLBACK_URL_INVALID'
  return typeof payload === 'string' && Buffer.byteLength(payload) <= 128 ? null : 'PAYLOAD_INVALID'
}

function failed(error: string): DoubleAnswer {
  return { status: 200, body: JSON.stringify({ ok: false, error }) }
}
