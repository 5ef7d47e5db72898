/**
 * Chat messages over the WhatsApp Cloud API: recipients who wrote within 24 hours get any content, all others get
 * messages that fit an approved template. Statuses arrive at the webhook. Messages cannot be revoked and have no
 * lifetime.
 */
import type { Verdict } from '../../domain/message/journey-event.ts'
import type { TextContent } from '../../domain/message/message.ts'
import { type Phone, readUserId } from '../../domain/numbers/phone.ts'
import type {
  Carrier,
  CarrierState,
  Inbox,
  LateAnswer,
  ListedTemplates,
  Submission,
  TemplateAnswer,
  TemplateDraft,
  WebhookAnswer,
  WebhookHead,
  WebhookRequest,
} from '../../ports/carriers/carrier.ts'
import type { HttpRequest, HttpResult } from '../../wire/http-client.ts'
import type { CarrierTools } from '../shared/carrier-tools.ts'
import { HttpLink } from '../shared/http-link.ts'
import { KnownUsers } from '../shared/known-users.ts'
import { onPlain } from '../shared/plain-content.ts'
import { RecentMap } from '../shared/recent-map.ts'
import { receiveReceipts } from '../shared/webhook.ts'
import { Conversations } from './conversations.ts'
import { fitFirst } from './fit-template.ts'
import { namesInAnswer, nameUsers } from './name-users.ts'
import type { Conversation, WrittenMessage } from './read-inbound.ts'
import { readWhatsAppCall, refuseWhatsAppCall, type WhatsAppNews } from './read-receipt.ts'
import { readWhatsAppSettings, type WhatsAppSettings } from './settings.ts'
import {
  type Addressing,
  readGraphAnswer,
  type SubmitAnswer,
  writeFreeMessage,
  writeRichMessage,
  writeTemplateMessage,
} from './submit.ts'
import { TemplateCache } from './template-cache.ts'

/** @throws Error that names the invalid setting. */
export function createWhatsAppCarrier(setup: { id: string; settings: unknown }, tools: CarrierTools): Carrier {
  return new WhatsAppCarrier(setup.id, readWhatsAppSettings(setup.settings), tools)
}

/** A page of templates with long bodies and examples. */
const MAX_ANSWER_BYTES = 2 * 1024 * 1024

/** Meta calls with up to 3 MB. */
const MAX_WEBHOOK_BYTES = 3 * 1024 * 1024

const MAX_REMEMBERED = 50_000
const UNCLEAR_KEPT_MS = 86_400_000
const MAX_KEY = 200
/** Meta repeats calls that were not acknowledged for seven days. */
const REPEATED_FOR_MS = 7 * 86_400_000

class WhatsAppCarrier implements Carrier {
  readonly id: string
  readonly channel = 'chatapp'
  readonly takesUserIds = true
  readonly window: number
  readonly maxWebhookBytes = MAX_WEBHOOK_BYTES
  readonly #settings: WhatsAppSettings
  readonly #link: HttpLink
  readonly #templates: TemplateCache
  readonly #conversations: Conversations
  readonly #clock: CarrierTools['clock']
  /** By Posthorn's reference: messages whose answer did not arrive. */
  readonly #unclear: RecentMap<Omit<LateAnswer, 'carrierId' | 'ref'>>
  readonly #users: KnownUsers
  readonly #log: CarrierTools['log']
  #inbox: Inbox | null = null

  constructor(id: string, settings: WhatsAppSettings, tools: CarrierTools) {
    this.id = id
    this.window = settings.window
    this.#settings = settings
    this.#clock = tools.clock
    this.#conversations = new Conversations(tools.clock)
    this.#unclear = new RecentMap(tools.clock, MAX_REMEMBERED)
    this.#users = new KnownUsers(id, tools.clock)
    this.#log = tools.log
    const probe = () => this.#templates.refresh()
    this.#link = new HttpLink({ carrierId: id, settings, maxAnswerBytes: MAX_ANSWER_BYTES, probe }, tools)
    this.#templates = new TemplateCache(
      id,
      settings,
      (request) => this.#withToken(request, (each) => this.#link.sendUntracked(each)),
      tools,
    )
  }

  start(inbox: Inbox): void {
    this.#inbox = inbox
    this.#link.start()
    this.#templates.start()
  }

  async submit(submission: Submission): Promise<readonly Verdict[]> {
    const { messageId, step, parts } = submission
    const ownRef = `${messageId}-${step}`
    const verdict = await this.#link.submit(() => this.#submit(submission, ownRef))
    if (verdict.kind === 'taken') this.#unclear.delete(ownRef)
    else if (verdict.kind === 'unclear') {
      this.#unclear.set(ownRef, { messageId, step, parts }, this.#clock.now() + UNCLEAR_KEPT_MS)
    }
    return parts.map(() => verdict)
  }

  refuseWebhook(head: WebhookHead): WebhookAnswer | null {
    return refuseWhatsAppCall(head)
  }

  async answerWebhook(request: WebhookRequest): Promise<WebhookAnswer> {
    const call = readWhatsAppCall(request, this.#settings)
    return call.kind === 'answer' ? call.answer : this.#take(call)
  }

  templates(): ListedTemplates | null {
    return this.#templates.listed
  }

  async submitTemplate(draft: TemplateDraft): Promise<TemplateAnswer> {
    if (this.#settings.senders.has(draft.sender)) return this.#templates.submit(draft)
    return { kind: 'refused', reason: `its settings have no phone-number id for ${draft.sender}` }
  }

  state(): CarrierState {
    return this.#link.state()
  }

  connectNow(): void {
    this.#link.connectNow()
  }

  stop(): Promise<void> {
    this.#templates.stop()
    return this.#link.stop()
  }

  async #submit({ content, sender, phone, closed }: Submission, ownRef: string): Promise<Verdict> {
    if (content.kind === 'call') return rejected('WhatsApp carries no calls')
    const phoneNumberId = this.#settings.senders.get(sender)
    if (phoneNumberId === undefined) return rejected('the sender has no phone-number id')
    const conversation = { phoneNumberId, phone }
    const quotedRef = content.quotes?.carrierId === this.id ? content.quotes.ref : undefined
    if (closed !== true && this.#conversations.isOpen(conversation)) {
      const answer = await this.#sendFree(phoneNumberId, { phone, ownRef, quotedRef }, content)
      if (answer.kind === 'verdict') return answer.verdict
      if (answer.kind === 'token') return this.#refuseToken(answer.words)
      if (answer.kind === 'opted out') return this.#optOut({ phone, sender, phoneNumberId }, answer.words)
      this.#conversations.close(conversation)
    }
    const { sendable } = this.#templates
    if (sendable === null) return { kind: 'unreachable', reason: 'the templates are not known yet' }
    const fitting = fitFirst(sendable, content)
    if (fitting === null || typeof fitting === 'string') {
      return rejected(`${fitting ?? 'no approved template fits'}, and the recipient has not written within 24 hours`)
    }
    const answer = readGraphAnswer(
      await this.#post(
        `${phoneNumberId}/${fitting.isMarketing && this.#settings.marketingMessages ? 'marketing_messages' : 'messages'}`,
        phone,
        writeTemplateMessage({ phone, ownRef }, fitting.template),
      ),
    )
    if (answer.kind === 'verdict') return answer.verdict
    if (answer.kind === 'opted out') return this.#optOut({ phone, sender, phoneNumberId }, answer.words)
    return answer.kind === 'token' ? this.#refuseToken(answer.words) : rejected(answer.words)
  }

  /** Sends the plain content of the step in place of rich content that WhatsApp cannot show or Meta refuses. */
  async #sendFree(phoneNumberId: string, addressing: Addressing, content: TextContent): Promise<SubmitAnswer> {
    const send = async (body: string) =>
      readGraphAnswer(await this.#post(`${phoneNumberId}/messages`, addressing.phone, body))
    if (content.rich === undefined) return send(writeFreeMessage(addressing, content))
    const written = writeRichMessage(addressing, content.rich, content)
    let reason = 'WhatsApp cannot show it'
    if (written !== null) {
      const answer = await send(written)
      const refusal = refusalIn(answer)
      if (refusal === null) return answer
      reason = refusal
    }
    const plain = await send(writeFreeMessage(addressing, content))
    return plain.kind === 'verdict' ? { ...plain, verdict: onPlain(plain.verdict, reason) } : plain
  }

  /** Records that the recipient has stopped the sender's messages, so that none is sent again. */
  async #optOut(
    {
      phone,
      sender,
      phoneNumberId,
    }: { readonly phone: string; readonly sender: string; readonly phoneNumberId: string },
    words: string,
  ): Promise<Verdict> {
    const at = this.#clock.now()
    const key = `stopped ${phoneNumberId} ${phone} ${at}`
    const arrival = { carrierId: this.id, sender: phone, recipient: phoneNumberId, senders: [sender], text: 'STOP', at }
    await this.#inbox
      ?.receiveInbound([{ ...arrival, consent: 'stop', part: null, key, keyUntil: at + REPEATED_FOR_MS }])
      .catch((error: Error) => this.#log.error({ error, carrier: this.id }, 'an opt-out could not be recorded'))
    return { kind: 'refused', status: 'UNDELIVERABLE', reason: words }
  }

  #refuseToken(words: string): Verdict {
    this.#link.markDown(words)
    return { kind: 'unreachable', reason: words }
  }

  async #take(news: WhatsAppNews): Promise<WebhookAnswer> {
    const inbox = this.#inbox
    if (inbox === null) return { status: 503, body: 'not running' }
    const named = await nameUsers(news, this.#users, inbox).catch(() => null)
    if (named === null) return { status: 503, body: 'not recorded' }
    const { written, closed } = named
    for (const message of written) {
      if (message.isWritten) for (const each of conversationsOf(message)) this.#conversations.open(each, message.at)
    }
    for (const each of closed.flatMap(conversationsOf)) this.#conversations.close(each)
    for (const words of news.accountErrors) this.#link.markDown(words)
    if (news.templatesChanged) this.#templates.refreshSoon()
    this.#resolveUnclear(news)
    const recorded = await this.#recordInbound(written)
    const receipts = news.receipts.map((receipt) => ({ carrierId: this.id, ...receipt }))
    return recorded ? receiveReceipts(this.#inbox, receipts) : { status: 503, body: 'not recorded' }
  }

  /** The answer to these messages was lost: they must not be sent again. */
  #resolveUnclear({ named }: WhatsAppNews): void {
    for (const { ownRef, ref } of named) {
      const unclear = this.#unclear.get(ownRef)
      if (unclear === undefined) continue
      this.#unclear.delete(ownRef)
      this.#inbox?.resolveUnclear({ carrierId: this.id, ...unclear, ref })
    }
  }

  /** Returns false if the messages could not be recorded. */
  async #recordInbound(written: readonly WrittenMessage[]): Promise<boolean> {
    const keyUntil = this.#clock.now() + REPEATED_FOR_MS
    const arrivals = written.flatMap((message) => {
      const { id, phone, userId, recipient, phoneNumberId, text, payload, content, quotes, consent, at, isWritten } =
        message
      if (text === '') return []
      const senders = [...this.#settings.senders].flatMap(([name, number]) => (number === phoneNumberId ? name : []))
      const from = { carrierId: this.id, sender: phone, recipient, senders }
      const ofUser = readUserId(userId) === null ? {} : { userId }
      const tapped = { ...(payload === '' ? {} : { payload }), ...(content === undefined ? {} : { content }) }
      const decided = { ...(consent === null ? {} : { consent }), ...(quotes === undefined ? {} : { quotes }) }
      const named = isWritten ? { ref: id } : {}
      return {
        ...from,
        ...ofUser,
        ...tapped,
        ...decided,
        text,
        at,
        part: null,
        key: id.slice(0, MAX_KEY),
        keyUntil,
        ...named,
      }
    })
    try {
      if (arrivals.length > 0) await this.#inbox?.receiveInbound(arrivals)
      return true
    } catch {
      return false
    }
  }

  /** The recipient's names in the answer are remembered, for what the recipient writes. */
  async #post(endpoint: string, phone: Phone, body: string): Promise<HttpResult> {
    const result = await this.#send(endpoint, body)
    const names = this.#inbox === null ? [] : namesInAnswer(result, phone)
    if (this.#inbox !== null && names.length > 0) {
      this.#users
        .remember(this.#inbox, names)
        .catch((error: Error) => this.#log.warn({ error, carrier: this.id }, 'the names of a user were not stored'))
    }
    return result
  }

  #send(endpoint: string, body: string): Promise<HttpResult> {
    const { baseUrl, version } = this.#settings
    const request: HttpRequest = {
      method: 'POST',
      url: `${baseUrl}/${version}/${endpoint}`,
      headers: { 'content-type': 'application/json' },
      body,
    }
    return this.#withToken(request, (each) => this.#link.send(each))
  }

  /** Meta's error for an unknown token contains the token, and operators read the error. */
  async #withToken(request: HttpRequest, send: (request: HttpRequest) => Promise<HttpResult>): Promise<HttpResult> {
    const { accessToken } = this.#settings
    const result = await send({ ...request, headers: { ...request.headers, authorization: `Bearer ${accessToken}` } })
    return result.kind === 'silent' ? result : { ...result, body: result.body.replaceAll(accessToken, '…') }
  }
}

/** A submission names its recipient by either name. */
function conversationsOf({ phoneNumberId, phone, userId }: WhatsAppNews['closed'][number]): readonly Conversation[] {
  return [phone, userId].filter((name) => name !== '').map((name) => ({ phoneNumberId, phone: name }))
}

function rejected(reason: string): Verdict {
  return { kind: 'refused', status: 'REJECTED', reason }
}

/** Returns why Meta rejects the content; null if it does not. */
function refusalIn(answer: SubmitAnswer): string | null {
  const verdict = answer.kind === 'verdict' ? answer.verdict : null
  return verdict?.kind === 'refused' && verdict.status === 'REJECTED' ? verdict.reason : null
}
