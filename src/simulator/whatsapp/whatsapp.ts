/**
 * A simulated WhatsApp Cloud API on loopback: messages, templates in pages, signed webhooks. Accepts any content for
 * recipients who have written within 24 hours, and otherwise only approved templates with all their parameters.
 */

import { createHmac } from 'node:crypto'
import { isUserId } from '../../domain/numbers/phone.ts'
import type { Clock } from '../../ports/system/clock.ts'
import type { Random } from '../../ports/system/random.ts'
import { asText, isJsonObject, type JsonObject, optionalText, parseJsonObject } from '../../wire/json.ts'
import { BoundedMap } from '../phones/bounded-map.ts'
import { type PlannedReceipt, scriptOf } from '../phones/phones.ts'
import { displayedNumber, idOfNumber } from '../phones/reply-channels.ts'
import type { PhoneArrival, PhoneTraffic, ShownSuggestion } from '../phones/traffic.ts'
import { waIdOf } from '../phones/wa-id.ts'
import type { DoubleAnswer, DoubleRequest } from '../server/http-double.ts'
import { ReceiptPlayer, type WebhookCall } from '../server/receipt-player.ts'
import { startWebhookDouble, type WebhookDouble } from '../server/webhook-double.ts'
import { type CloudTemplate, readCloudMessage, type ShownMessage } from './cloud-message.ts'
import { isSameName, readNewTemplate, templateNameOf } from './cloud-template.ts'

export interface WhatsAppDoubleOptions {
  readonly clock: Clock
  readonly random: Random
  readonly traffic: PhoneTraffic
  /** A free port if absent. */
  readonly port?: number
}

export interface WhatsAppDouble extends WebhookDouble {
  readonly accessToken: string
  readonly appSecret: string
  readonly wabaId: string
  /** As Meta stores them; the next listing shows changes. */
  readonly templates: CloudTemplate[]
  /** Listings of a first page so far. */
  readonly listings: () => number
  /** Requests to the Marketing Messages API so far. */
  readonly marketingSends: () => number
  /** Templates submitted so far, new or edited. */
  readonly submissions: readonly JsonObject[]
  /** Leaves submissions of templates without an answer. */
  setAnswersLost(lost: boolean): void
  /** A recipient writes to one of the numbers, and may quote a message. Resolves when the webhook has answered. */
  write(phone: string, phoneNumberId: string, text: string, quotedRef?: string): Promise<void>
  /** Ends the 24 hours in which a number may send anything to a phone. */
  close(phone: string, phoneNumberId: string): void
  /** Names a phone otherwise than it is dialled. */
  setWaId(phone: string, waId: string): void
  /** A recipient taps a button of a message. Resolves when the webhook has answered. */
  tap(arrival: Pick<PhoneArrival, 'phone' | 'sender' | 'ref'>, tapped: ShownSuggestion): Promise<void>
  /** Meta's id of a message that the phone got; `messageId` as the client knows it. Undefined if there is none. */
  refOf(phone: string, messageId: string): string | undefined
  /** Calls with any other news of a field. Resolves when the webhook has answered. */
  notify(field: string, value: object): Promise<void>
  /** Reports that a template has changed. */
  reportTemplateChange(): Promise<void>
  /** Invalidates the access token, or restores it. */
  setTokenGood(good: boolean): void
}

export async function startWhatsAppDouble(options: WhatsAppDoubleOptions): Promise<WhatsAppDouble> {
  const meta = new Meta(options)
  const double = await startWebhookDouble((request) => meta.answer(request), meta.player, options.port)
  return {
    ...double,
    accessToken: meta.accessToken,
    appSecret: meta.appSecret,
    wabaId: WABA_ID,
    templates: meta.templates,
    listings: () => meta.listings,
    marketingSends: () => meta.marketingSends,
    submissions: meta.submissions,
    setAnswersLost: (lost) => {
      meta.isAnswerLost = lost
    },
    write: (...text) => meta.write(...text),
    close: (phone, phoneNumberId) => meta.close(phone, phoneNumberId),
    setWaId: (phone, waId) => meta.waIds.set(phone, waId),
    tap: (arrival, tapped) => meta.tap(arrival, tapped),
    refOf: (phone, messageId) => meta.refs.get(`${phone} ${messageId}`),
    notify: (field, value) => meta.notify(field, value),
    reportTemplateChange: () => meta.notify('message_template_status_update', { event: 'APPROVED' }),
    setTokenGood: (good) => {
      meta.isTokenGood = good
    },
  }
}

const WABA_ID = '102030405060708'
const OPEN_MS = 86_400_000
const MAX_PAGE_SIZE = 100
const FIRST_TEMPLATE_ID = 900_000_000_000_000

class Meta {
  readonly player: ReceiptPlayer
  readonly accessToken: string
  readonly appSecret: string
  readonly templates: CloudTemplate[] = []
  readonly submissions: JsonObject[] = []
  /** By phone and Posthorn's message id: Meta's ids of messages that arrived. */
  readonly refs = new BoundedMap<string, string>()
  /** Names that differ from those of `waIdOf`. */
  readonly waIds = new BoundedMap<string, string>()
  listings = 0
  marketingSends = 0
  isAnswerLost = false
  isTokenGood = true
  readonly #clock: Clock
  readonly #random: Random
  readonly #traffic: PhoneTraffic
  readonly #seen = new BoundedMap<string, true>()
  /** By number and phone: when the recipient wrote last. */
  readonly #written = new BoundedMap<string, number>()

  constructor({ clock, random, traffic }: WhatsAppDoubleOptions) {
    this.#clock = clock
    this.#random = random
    this.#traffic = traffic
    this.accessToken = this.#secret()
    this.appSecret = this.#secret()
    this.player = new ReceiptPlayer(clock)
  }

  answer({ method, path, query, headers, body }: DoubleRequest): DoubleAnswer | 'hold' | Promise<DoubleAnswer> {
    const [, owner = '', what = ''] =
      /^\/v\d+\.\d\/(\d+)(?:\/(messages|marketing_messages|message_templates))?$/.exec(path) ?? []
    if (owner === '') return problem(400, 2500, 'Unknown path components')
    if (!this.isTokenGood || headers.authorization !== `Bearer ${this.accessToken}`) {
      return problem(401, 190, `Malformed access token ${headers.authorization?.slice('Bearer '.length)}`)
    }
    if (what === 'message_templates' && method === 'GET' && owner === WABA_ID) return this.#list(query)
    const request = parseJsonObject(body)
    if (what === '' || (what === 'message_templates' && owner === WABA_ID)) return this.#review(owner, method, request)
    const isMarketing = what === 'marketing_messages'
    if ((what !== 'messages' && !isMarketing) || method !== 'POST' || request === null) {
      return problem(400, 100, 'Invalid parameter')
    }
    if (isMarketing) this.marketingSends += 1
    return this.#send(owner, request, isMarketing)
  }

  write(phone: string, phoneNumberId: string, text: string, quotedRef?: string): Promise<void> {
    return this.#report(
      { phone, sender: phoneNumberId, ref: quotedRef ?? null },
      { type: 'text', text: { body: text } },
    )
  }

  close(phone: string, phoneNumberId: string): void {
    this.#written.delete(`${phoneNumberId} ${this.#waIdOf(phone)}`)
  }

  tap(arrival: Pick<PhoneArrival, 'phone' | 'sender' | 'ref'>, tapped: ShownSuggestion): Promise<void> {
    return this.#report({ ...arrival, sender: idOfNumber(arrival.sender) }, writeTap(tapped))
  }

  /** @param ref Meta's id of the message that it quotes; null without one. */
  async #report(
    { phone, sender, ref }: Pick<PhoneArrival, 'phone' | 'sender' | 'ref'>,
    message: object,
  ): Promise<void> {
    const now = this.#clock.now()
    this.#written.set(`${sender} ${this.#waIdOf(phone)}`, now)
    const number = displayedNumber(sender)
    const context = ref === null ? {} : { context: { from: number, id: ref } }
    const id = `wamid.${this.#secret()}`
    await this.notify('messages', {
      metadata: { display_phone_number: number, phone_number_id: sender },
      messages: [
        { ...this.#nameOf(phone, 'from', 'from_user_id'), id, timestamp: seconds(now), ...message, ...context },
      ],
    })
  }

  notify(field: string, value: object): Promise<void> {
    return this.player.play({
      receipts: [{ outcome: 'delivered', afterMs: 0 }],
      lateDeliveryMs: null,
      write: () => this.#sign(field, value),
    }).firstAnswer
  }

  #list(query: URLSearchParams): DoubleAnswer {
    const after = query.get('after')
    const start = after === null ? 0 : Number(Buffer.from(after, 'base64url').toString())
    if (start === 0) this.listings += 1
    const end = start + Math.min(Number(query.get('limit') ?? 25), MAX_PAGE_SIZE)
    const cursors = { before: cursor(start), after: cursor(end) }
    const next = end < this.templates.length ? { next: 'https://graph.facebook.com/…' } : {}
    return {
      status: 200,
      body: JSON.stringify({ data: this.templates.slice(start, end), paging: { cursors, ...next } }),
    }
  }

  /** Accepts a template for review, or new components for a rejected one. */
  #review(owner: string, method: string, request: JsonObject | null): DoubleAnswer | 'hold' {
    if (method !== 'POST' || request === null) return problem(400, 100, 'Invalid parameter')
    this.submissions.push(request)
    const edited = owner === WABA_ID ? null : this.templates.findIndex(({ id }) => id === owner)
    if (edited === -1) return problem(400, 100, 'Unsupported post request')
    const before = edited === null ? null : (this.templates[edited] ?? null)
    const template = readNewTemplate(before === null ? request : { ...templateNameOf(before), ...request }, before)
    if (typeof template === 'string') return refusal(2388043, 'Message template is not valid', template)
    if (before === null && this.templates.some((each) => isSameName(each, template))) {
      return refusal(2388024, 'Content in this language already exists', 'There is already a template of this name.')
    }
    const id = before?.id ?? String(FIRST_TEMPLATE_ID + this.submissions.length)
    this.templates.splice(edited ?? this.templates.length, edited === null ? 0 : 1, { ...template, id })
    if (this.isAnswerLost) return 'hold'
    const { status, category } = template
    return { status: 200, body: JSON.stringify(before === null ? { id, status, category } : { success: true }) }
  }

  #send(
    phoneNumberId: string,
    request: JsonObject,
    isMarketing: boolean,
  ): DoubleAnswer | 'hold' | Promise<DoubleAnswer> {
    const message = readCloudMessage(request, this.templates)
    if (typeof message === 'string') return problem(400, 100, message)
    if (isMarketing && message.category !== 'marketing') return problem(400, 131055, 'Method not allowed')
    if (message.problem !== null) return problem(400, ...message.problem)
    const { to } = message
    const script = scriptOf(to).chatapp
    if (!script.reachable) return problem(400, 131026, 'Message undeliverable')
    const name = `${to} ${JSON.stringify(request)}`
    if (script.firstAnswer !== 'taken' && !this.#seen.has(name)) {
      this.#seen.set(name, true)
      return script.firstAnswer === 'silent' ? 'hold' : problem(400, 130429, 'Rate limit hit')
    }
    return this.#take(phoneNumberId, message, request)
  }

  async #take(phoneNumberId: string, message: ShownMessage, request: JsonObject): Promise<DoubleAnswer> {
    const { to: phone, shown } = message
    const { biz_opaque_callback_data: opaque, context } = request
    const quotes = isJsonObject(context) ? optionalText(context['message_id']) : undefined
    const id = `wamid.${this.#secret()}`
    const wroteAt = this.#written.get(`${phoneNumberId} ${this.#waIdOf(phone)}`) ?? Number.NEGATIVE_INFINITY
    const isOpen = this.#clock.now() - wroteAt < OPEN_MS
    const isAllowed = message.isTemplate || isOpen
    const { category } = message
    const isFree = isOpen && (category === 'service' || category === 'utility')
    const type = isFree ? 'free_customer_service' : 'regular'
    const pricing = { billable: !isFree, pricing_model: 'PMP', type, category }
    const status = (fields: object) =>
      this.#sign('messages', {
        metadata: { phone_number_id: phoneNumberId },
        statuses: [
          {
            id,
            timestamp: seconds(this.#clock.now()),
            ...this.#nameOf(phone, 'recipient_id', 'recipient_user_id'),
            biz_opaque_callback_data: opaque,
            ...fields,
          },
        ],
      })
    if (isAllowed) {
      this.#traffic.add({
        channel: 'chatapp',
        phone,
        sender: displayedNumber(phoneNumberId),
        ref: id,
        quotes,
        ...shown,
      })
      this.refs.set(`${phone} ${asText(opaque).split('-', 1)[0]}`, id)
    }
    const { receipts, receiptsFirst } = scriptOf(phone).chatapp
    const playback = this.player.play({
      receipts: isAllowed ? receipts : [{ outcome: 'expired', afterMs: 0 }],
      lateDeliveryMs: null,
      write: (outcome) =>
        status(isAllowed ? { ...STATUSES[outcome], ...(BILLED.has(outcome) ? { pricing } : {}) } : CLOSED),
    })
    if (receiptsFirst) await playback.firstAnswer
    const contacts = [{ input: phone, ...this.#nameOf(phone, 'wa_id', 'user_id') }]
    return { status: 200, body: JSON.stringify({ messaging_product: 'whatsapp', contacts, messages: [{ id }] }) }
  }

  #sign(field: string, value: object): WebhookCall {
    const entry = [{ id: WABA_ID, changes: [{ field, value: { messaging_product: 'whatsapp', ...value } }] }]
    const body = JSON.stringify({ object: 'whatsapp_business_account', entry })
    const signature = createHmac('sha256', this.appSecret).update(body).digest('hex')
    return { headers: { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${signature}` }, body }
  }

  #waIdOf(phone: string): string {
    return this.waIds.get(phone) ?? waIdOf(phone)
  }

  /** Meta has a field for the phone of a user, and one for the id of a user who keeps it secret. */
  #nameOf(phone: string, ofPhone: string, ofUserId: string): Readonly<Record<string, string>> {
    return isUserId(phone) ? { [ofUserId]: phone } : { [ofPhone]: this.#waIdOf(phone) }
  }

  #secret(): string {
    return Buffer.from(this.#random.bytes(24)).toString('base64url')
  }
}

const failure = (code: number, title: string) => ({ status: 'failed', errors: [{ code, title }] })
const CLOSED = failure(131047, 'Re-engagement message')

const BILLED: ReadonlySet<PlannedReceipt['outcome']> = new Set(['delivered', 'read'])

const STATUSES: Readonly<Record<PlannedReceipt['outcome'], object>> = {
  delivered: { status: 'delivered' },
  read: { status: 'read' },
  expired: failure(131026, 'Message undeliverable'),
  undeliverable: failure(131026, 'Message undeliverable'),
}

/** Returns the message that reports a tap. */
function writeTap({ text, postback, reportedAs = 'button_reply' }: ShownSuggestion): object {
  if (reportedAs === 'button') return { type: 'button', button: { text, payload: postback } }
  if (reportedAs === 'location') return { type: 'location', location: SHARED_LOCATION }
  return { type: 'interactive', interactive: { type: reportedAs, [reportedAs]: { id: postback, title: text } } }
}

/** Where every simulated phone is. */
const SHARED_LOCATION = { latitude: 52.52, longitude: 13.405 }

function cursor(at: number): string {
  return Buffer.from(String(at)).toString('base64url')
}

function seconds(milliseconds: number): string {
  return String(Math.floor(milliseconds / 1000))
}

function problem(status: number, code: number, message: string): DoubleAnswer {
  return { status, body: JSON.stringify({ error: { message, type: 'OAuthException', code, fbtrace_id: 'A' } }) }
}

/** Meta's refusal of a template: the text for users is next to the message for programs. */
function refusal(error_subcode: number, error_user_title: string, error_user_msg: string): DoubleAnswer {
  const error = { message: 'Invalid parameter', type: 'OAuthException', code: 100, error_subcode, is_transient: false }
  return {
    status: 400,
    body: JSON.stringify({ error: { ...error, error_user_title, error_user_msg, fbtrace_id: 'A' } }),
  }
}
