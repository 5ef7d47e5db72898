/**
 * RCS over Google RCS for Business, REST v1: messages and revocations are sent over HTTPS with a bearer token, events
 * arrive at the webhook.
 */
import type { Verdict } from '../../domain/message/journey-event.ts'
import type { TextContent } from '../../domain/message/message.ts'
import type {
  Carrier,
  CarrierState,
  InboundArrival,
  Inbox,
  Revocation,
  Revoked,
  Submission,
  WebhookAnswer,
  WebhookHead,
  WebhookRequest,
} from '../../ports/carriers/carrier.ts'
import type { HttpRequest, HttpResult } from '../../wire/http-client.ts'
import type { CarrierTools } from '../shared/carrier-tools.ts'
import { HttpLink } from '../shared/http-link.ts'
import { onPlain, withoutRich } from '../shared/plain-content.ts'
import { RecentMap } from '../shared/recent-map.ts'
import { receiveInbound, receiveReceipts } from '../shared/webhook.ts'
import { Capabilities } from './capabilities.ts'
import { messageUuid } from './message-uuid.ts'
import { type RbmCall, readRbmCall, refuseRbmCall } from './read-receipt.ts'
import { regionOf } from './regions.ts'
import { type RbmSettings, readRbmSettings } from './settings.ts'
import { fitFeatures, needsFeatures, readRbmAnswer, writeAgentMessage } from './submit.ts'
import { TokenSource } from './token.ts'

/** @throws Error that names the invalid setting. */
export function createRbmCarrier(setup: { id: string; settings: unknown }, tools: CarrierTools): Carrier {
  return new RbmCarrier(setup.id, readRbmSettings(setup.settings), tools)
}

/**
 * Google repeats events for seven days. A repeat of an event that was forgotten is recorded again, which has no effect.
 */
const MAX_EVENTS = 50_000
const EVENTS_KEPT_MS = 7 * 86_400_000

/**
 * What is signed is inside the JSON, which is parsed first: 1 MiB without a right signature cost 20 ms and more, of
 * which 1 ms was the signature. The longest reply of a user needs a quarter of this.
 */
const MAX_WEBHOOK_BYTES = 64 * 1024

class RbmCarrier implements Carrier {
  readonly id: string
  readonly channel = 'rcs'
  readonly window: number
  readonly maxWebhookBytes = MAX_WEBHOOK_BYTES
  readonly #settings: RbmSettings
  readonly #link: HttpLink
  readonly #tokens: TokenSource
  readonly #clock: CarrierTools['clock']
  readonly #capabilities: Capabilities
  readonly #events: RecentMap<true>
  #inbox: Inbox | null = null

  constructor(id: string, settings: RbmSettings, tools: CarrierTools) {
    this.id = id
    this.window = settings.window
    this.#settings = settings
    this.#clock = tools.clock
    this.#capabilities = new Capabilities({
      baseUrl: settings.baseUrl,
      batchUrl: (region) => settings.regionalUrls[region],
      keptSeconds: settings.capabilitySeconds,
      clock: tools.clock,
      call: (request) => this.#call(request),
    })
    this.#events = new RecentMap(tools.clock, MAX_EVENTS)
    this.#link = new HttpLink({ carrierId: id, settings, probe: () => this.#probe() }, tools)
    this.#tokens = new TokenSource(settings.serviceAccount, (request) => this.#link.sendUntracked(request), tools.clock)
  }

  start(inbox: Inbox): void {
    this.#inbox = inbox
    this.#link.start()
  }

  async submit(submission: Submission): Promise<readonly Verdict[]> {
    const verdict = await this.#link.submit(() => this.#submit(submission))
    // Google may have it, and names it so in its events.
    const named = verdict.kind === 'unclear' ? { ...verdict, ref: messageUuid(submission) } : verdict
    return submission.parts.map(() => named)
  }

  async revoke(revocation: Revocation): Promise<Revoked> {
    const { refs } = revocation
    // Google may have what it gave no clear answer to.
    const [first = messageUuid(revocation), ...others] = refs
    const results = await Promise.all([first, ...others].map((ref) => this.#revoke(revocation, ref)))
    return results.find((each) => !each.asked) ?? { asked: true, detail: results[0]?.detail ?? '' }
  }

  refuseWebhook(head: WebhookHead): WebhookAnswer | null {
    return refuseRbmCall(head)
  }

  async answerWebhook(request: WebhookRequest): Promise<WebhookAnswer> {
    const call = readRbmCall(request, this.#settings.clientToken)
    if (call.kind === 'answer') return call.answer
    const { eventId } = call
    if (this.#events.get(eventId) === true) return { status: 200, body: '' }
    const answer =
      call.kind === 'receipt'
        ? await receiveReceipts(this.#inbox, [{ carrierId: this.id, ...call.receipt }])
        : await receiveInbound(this.#inbox, [this.#arrivalOf(call)])
    if (answer.status === 200 && eventId !== '') this.#events.set(eventId, true, this.#clock.now() + EVENTS_KEPT_MS)
    return answer
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

  async #submit(submission: Submission): Promise<Verdict> {
    const { content } = submission
    if (content.kind === 'call') return { kind: 'refused', status: 'REJECTED', reason: 'RCS carries no calls' }
    const ref = messageUuid(submission)
    const agentId = this.#agentOf(submission)
    const { checkCapabilities } = this.#settings
    const question = { phone: submission.phone, agentId, ref, features: needsFeatures(content) }
    const features = checkCapabilities ? await this.#capabilities.find(question) : null
    if (features === false) return undeliverable('the phone has no RCS, by its capabilities')
    const fitting = fitFeatures(content, features)
    if (fitting === null) return undeliverable('the phone shows no rich cards, by its capabilities')
    const verdict = await this.#send(submission, fitting, ref)
    if (content.rich === undefined) return verdict
    if (fitting.rich === undefined) return onPlain(verdict, 'the phone does not support it, by its capabilities')
    if (verdict.kind !== 'refused' || verdict.status !== 'REJECTED') return verdict
    // Google refuses rich content that the device does not support. Under the same id, at most one of both arrives.
    return onPlain(await this.#send(submission, withoutRich(fitting), ref), verdict.reason)
  }

  async #send(submission: Submission, content: TextContent, ref: string): Promise<Verdict> {
    const { phone, sender, lifetimeSeconds } = submission
    const { trafficType = null, trafficTypes } = this.#settings
    const query = new URLSearchParams({ messageId: ref, agentId: this.#agentOf(submission) })
    const result = await this.#call({
      method: 'POST',
      url: `${this.#messagesOf(phone)}?${query}`,
      headers: { 'content-type': 'application/json' },
      body: writeAgentMessage(content, { lifetimeSeconds, trafficType: trafficTypes.get(sender) ?? trafficType }),
    })
    if (result instanceof Error) return { kind: 'unreachable', reason: result.message }
    const answer = readRbmAnswer(result, ref)
    if (answer.kind !== 'not permitted') return answer
    // The agent is not allowed to send any message: the next route must take it.
    this.#link.markDown(answer.reason)
    return { kind: 'unreachable', reason: answer.reason }
  }

  async #revoke(revocation: Revocation, ref: string): Promise<Revoked> {
    const query = new URLSearchParams({ agentId: this.#agentOf(revocation) })
    const url = `${this.#messagesOf(revocation.phone)}/${encodeURIComponent(ref)}?${query}`
    const result = await this.#call({ method: 'DELETE', url })
    if (result instanceof Error) return { asked: false, detail: result.message }
    if (result.kind === 'silent') return { asked: false, detail: result.reason }
    // 200 means that Google received the request, not that the message was still undelivered.
    return { asked: result.status === 200, detail: `HTTP ${result.status}` }
  }

  /**
   * One exchange with a bearer token, which is fetched again once if Google refuses it. Returns an Error if there is no
   * valid token.
   */
  async #call(request: HttpRequest): Promise<HttpResult | Error> {
    for (let tries = 1; ; tries += 1) {
      const token = await this.#tokens.get().catch((error: Error) => error)
      if (token instanceof Error) {
        this.#link.markDown(token.message)
        return token
      }
      const result = await this.#link.send({
        ...request,
        headers: { ...request.headers, authorization: `Bearer ${token}` },
      })
      if (result.kind === 'silent' || result.status !== 401) return result
      this.#tokens.forget(token)
      if (tries === 2) {
        this.#link.markDown('the access token is refused')
        return new Error('the access token is refused')
      }
    }
  }

  async #probe(): Promise<string | null> {
    const failure = await this.#tokens.get().then(
      () => null,
      (error: Error) => error.message,
    )
    return failure ?? this.#link.ping(this.#settings.baseUrl)
  }

  #arrivalOf({ inbound, eventId }: Extract<RbmCall, { kind: 'inbound' }>): InboundArrival {
    const { phone, agentId, text, payload, consent, content, at } = inbound
    const { agents } = this.#settings
    const region = regionOf(phone)
    const named = [...agents].flatMap(([sender, ids]) =>
      Object.values(ids).some((id) => bareAgent(id) === agentId) ? sender : [],
    )
    const shared = bareAgent(this.#settings.agentId)
    const others = [...agents].flatMap(([sender, ids]) =>
      ids[region] === undefined || named.includes(sender) ? [] : sender,
    )
    const now = this.#clock.now()
    return {
      carrierId: this.id,
      sender: phone,
      recipient: agentId,
      senders: agentId === shared || agentId === '' ? { except: others } : named,
      text,
      ...(payload === '' ? {} : { payload }),
      ...(consent === null ? {} : { consent }),
      ...(content === null ? {} : { content }),
      at: Math.min(at ?? now, now),
      part: null,
      key: eventId,
      keyUntil: now + EVENTS_KEPT_MS,
    }
  }

  #agentOf({ sender, phone }: Pick<Submission, 'sender' | 'phone'>): string {
    return this.#settings.agents.get(sender)?.[regionOf(phone)] ?? this.#settings.agentId
  }

  #messagesOf(phone: string): string {
    return `${this.#settings.baseUrl}/v1/phones/+${phone}/agentMessages`
  }
}

/** Events may name an agent with its domain, `example_agent@rbm.goog`. */
function bareAgent(agentId: string): string {
  return agentId.split('@', 1)[0] ?? ''
}

function undeliverable(reason: string): Verdict {
  return { kind: 'refused', status: 'UNDELIVERABLE', reason }
}
