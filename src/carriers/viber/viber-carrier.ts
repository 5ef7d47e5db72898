/**
 * Chat messages over Viber Business Messages: messages are sent over HTTPS, callbacks arrive at the webhook. Viber
 * identifies the client by its IP address and the sender's service. Messages cannot be revoked.
 */
import type { Verdict } from '../../domain/message/journey-event.ts'
import type {
  Carrier,
  CarrierState,
  InboundArrival,
  Inbox,
  Submission,
  TemplateAnswer,
  WebhookAnswer,
  WebhookHead,
  WebhookRequest,
} from '../../ports/carriers/carrier.ts'
import type { CarrierTools } from '../shared/carrier-tools.ts'
import { HttpLink } from '../shared/http-link.ts'
import { onPlain, withoutRich } from '../shared/plain-content.ts'
import { receiveInbound, receiveReceipts } from '../shared/webhook.ts'
import { fitApproved } from './approved-template.ts'
import { fitImage, fitRich } from './fit-rich.ts'
import { readViberCall, refuseViberCall, type ViberInbound } from './read-receipt.ts'
import { readViberSettings, type ViberSettings } from './settings.ts'
import { readViberAnswer, writeViberMessage } from './submit.ts'

/** @throws Error that names the invalid setting. */
export function createViberCarrier(setup: { id: string; settings: unknown }, tools: CarrierTools): Carrier {
  return new ViberCarrier(setup.id, readViberSettings(setup.settings), tools)
}

const HOW_TEMPLATES_ARE_APPROVED =
  'Viber approves templates for partners only, not over this interface: have the partner of the service approve the text, ' +
  'add it to "templates" in the carrier\'s settings, then run chat-template approve'

/** How long Viber may repeat a call. */
const REPEATED_FOR_MS = 86_400_000

const LAST_SEQ = 2 ** 31 - 1

class ViberCarrier implements Carrier {
  readonly id: string
  readonly channel = 'chatapp'
  readonly window: number
  readonly #settings: ViberSettings
  readonly #link: HttpLink
  readonly #clock: CarrierTools['clock']
  #inbox: Inbox | null = null
  #seq = 0

  constructor(id: string, settings: ViberSettings, tools: CarrierTools) {
    this.id = id
    this.window = settings.window
    this.#settings = settings
    this.#clock = tools.clock
    this.#link = new HttpLink({ carrierId: id, settings, probe: () => this.#link.ping(settings.baseUrl) }, tools)
  }

  start(inbox: Inbox): void {
    this.#inbox = inbox
    this.#link.start()
  }

  async submit(submission: Submission): Promise<readonly Verdict[]> {
    const verdict = await this.#link.submit(() => this.#submit(submission))
    return submission.parts.map(() => verdict)
  }

  refuseWebhook(head: WebhookHead): WebhookAnswer | null {
    return refuseViberCall(head, this.#settings.webhookToken)
  }

  async answerWebhook(request: WebhookRequest): Promise<WebhookAnswer> {
    const call = readViberCall(request, this.#settings.webhookToken, this.#settings.callbackFields)
    if (call.kind === 'answer') return call.answer
    if (call.kind === 'receipt') return receiveReceipts(this.#inbox, [{ carrierId: this.id, ...call.receipt }])
    return receiveInbound(this.#inbox, [this.#arrivalOf(call.inbound)])
  }

  async submitTemplate(): Promise<TemplateAnswer> {
    return { kind: 'refused', reason: HOW_TEMPLATES_ARE_APPROVED }
  }

  state(): CarrierState {
    return this.#link.state()
  }

  connectNow(): void {
    this.#link.connectNow()
  }

  stop(): Promise<void> {
    return this.#link.stop()
  }

  #arrivalOf({ phone, serviceId, text, consent, at, key }: ViberInbound): InboundArrival {
    const { services, serviceId: shared } = this.#settings
    const named = [...services].flatMap(([sender, id]) => (id === serviceId ? sender : []))
    // The service that all other senders use, or an unknown one: then all of them are meant.
    const isShared = serviceId === null || serviceId === shared
    const now = this.#clock.now()
    return {
      carrierId: this.id,
      sender: phone,
      recipient: String(serviceId ?? shared),
      senders: isShared ? { except: [...services.keys()].filter((sender) => !named.includes(sender)) } : named,
      text,
      ...(consent === null ? {} : { consent }),
      at: Math.min(at ?? now, now),
      part: null,
      key,
      keyUntil: now + REPEATED_FOR_MS,
    }
  }

  async #submit(submission: Submission): Promise<Verdict> {
    const { sender } = submission
    if (submission.content.kind === 'call')
      return { kind: 'refused', status: 'REJECTED', reason: 'Viber carries no calls' }
    const fitting = fitRich(submission.content)
    const content = fitImage(fitting ?? withoutRich(submission.content))
    if (content === null)
      return {
        kind: 'refused',
        status: 'REJECTED',
        reason: 'a text with an image needs a button, or at most 1,000 characters with its address',
      }
    const { baseUrl, services, serviceId, label, templates } = this.#settings
    this.#seq = this.#seq === LAST_SEQ ? 1 : this.#seq + 1
    const addressing = { serviceId: services.get(sender) ?? serviceId, label, seq: this.#seq }
    const result = await this.#link.send({
      method: 'POST',
      url: `${baseUrl}/vibersrvc/1/send_message`,
      headers: { 'content-type': 'application/json' },
      body: writeViberMessage(submission, content, addressing, fitApproved(templates, content)),
    })
    const verdict = readViberAnswer(result)
    return fitting === null ? onPlain(verdict, 'Viber cannot show it') : verdict
  }
}
