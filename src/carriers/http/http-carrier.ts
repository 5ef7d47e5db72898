/**
 * A carrier with a plain HTTP interface, defined by settings alone: templates make the requests, and the settings
 * define what the answers and the webhook calls mean. Messages cannot be revoked.
 */
import { MESSAGE_CHANNELS, type MessageChannel, type RoutedChannel } from '../../domain/channels/channel.ts'
import type { Verdict } from '../../domain/message/journey-event.ts'
import { gravestOf } from '../../domain/message/verdicts.ts'
import { INBOUND_PATH, webhookAddress } from '../../domain/network/webhook-address.ts'
import type {
  Carrier,
  CarrierBalance,
  CarrierReceipt,
  CarrierState,
  Inbox,
  RegisteredWebhook,
  Submission,
  WebhookAnswer,
  WebhookHead,
  WebhookRequest,
} from '../../ports/carriers/carrier.ts'
import { HttpClient, type HttpResult } from '../../wire/http-client.ts'
import type { CarrierTools } from '../shared/carrier-tools.ts'
import { HttpLink } from '../shared/http-link.ts'
import { WrongSetting } from '../shared/read-settings.ts'
import { receiveInbound, receiveReceipts } from '../shared/webhook.ts'
import { BalanceWatch } from './balance.ts'
import { urlUseOf } from './calls/call-settings.ts'
import { type CallbackAddresses, callbackAddresses } from './calls/callbacks.ts'
import { type CallReader, HttpCalls } from './calls/open-call.ts'
import { readInbound } from './read-inbound.ts'
import { readReceipts } from './read-receipt.ts'
import { registerWebhooks } from './register.ts'
import { fitRegisteredTemplate } from './registered-templates.ts'
import type { RequestSettings } from './request-settings.ts'
import { type HttpSettings, type InboundSettings, type ReceiptSettings, readHttpSettings } from './settings.ts'
import { valuesOf, valuesOfCarrier } from './submission-values.ts'
import { readHttpAnswer, writeRequest } from './submit.ts'
import { spreadVerdicts, type Verdicts } from './whole-text.ts'

/** @throws Error that names the invalid setting. */
export function createHttpCarrier(
  setup: { id: string; channel: RoutedChannel; settings: unknown },
  tools: CarrierTools,
): Carrier {
  const channel = MESSAGE_CHANNELS.find((each) => each === setup.channel)
  if (channel === undefined) throw new Error('channel: should be rcs, chatapp or sms')
  const settings = readHttpSettings(setup.settings)
  if ((tools.publicUrl ?? null) === null) checkWithoutPublicUrl(settings)
  return new HttpCarrier(setup.id, channel, settings, tools)
}

/** Throws WrongSetting if a request or a proof names the address of a webhook. */
export function checkWithoutPublicUrl({ callbacks, receipt, inbound }: HttpSettings): void {
  const uses = [
    ...callbacks.map((name) => ({ path: 'request', what: `{{${name}}} ` })),
    ...Object.entries({ receipt, inbound }).flatMap(([name, call]) => {
      const use = call === null ? null : urlUseOf(call.auth)
      return use === null ? [] : [{ path: `${name}.auth.${use.path}`, what: use.what }]
    }),
  ]
  for (const { path, what } of uses) {
    throw new WrongSetting(path, `${what}needs POSTHORN_PUBLIC_URL, the public address of the gateway`)
  }
}

const NOT_FOUND: WebhookAnswer = { status: 404, body: 'not found' }

/** Wait between attempts to record receipts that the inbox did not take. */
const RETRY_MS = 1_000
const MAX_TRIES = 60
/** To hosts that publish certificates. */
const WEB_CONNECTIONS = 2

class HttpCarrier implements Carrier {
  readonly id: string
  readonly channel: MessageChannel
  readonly window: number
  /** Absent when the carrier makes no calls. */
  readonly answerWebhook?: (request: WebhookRequest) => Promise<WebhookAnswer>
  readonly refuseWebhook?: (head: WebhookHead) => WebhookAnswer | null
  /** Absent when the settings do not say how to ask. */
  readonly balance?: () => CarrierBalance
  readonly askBalance?: () => Promise<CarrierBalance>
  readonly register?: () => Promise<readonly RegisteredWebhook[]>
  readonly #settings: HttpSettings
  readonly #tools: CarrierTools
  readonly #link: HttpLink
  readonly #callbacks: CallbackAddresses
  readonly #receiptCalls: HttpCalls | null
  readonly #inboundCalls: HttpCalls | null
  readonly #balance: BalanceWatch | null
  /** Opened for the first certificate of a webhook. */
  #web: HttpClient | null = null
  #registering: Promise<readonly RegisteredWebhook[]> | null = null
  #inbox: Inbox | null = null

  constructor(id: string, channel: MessageChannel, settings: HttpSettings, tools: CarrierTools) {
    this.id = id
    this.channel = channel
    this.window = settings.window
    this.#settings = settings
    this.#tools = tools
    this.#callbacks = callbackAddresses({ carrierId: id, publicUrl: tools.publicUrl ?? null, ...settings })
    const { origin } = settings.request
    this.#link = new HttpLink({ carrierId: id, settings, probe: () => this.#link.ping(origin) }, tools)
    const balance = this.#watchBalance()
    this.#balance = balance
    if (balance !== null) {
      this.balance = () => balance.state
      this.askBalance = () => balance.ask()
    }
    if (settings.register !== null) this.register = () => this.#register()
    const address = webhookAddress(id, tools.publicUrl ?? null)
    const { receipt, inbound } = settings
    const around = { address, clock: tools.clock, get: (url: string) => this.#get(url) }
    const toInbound = { ...around, address: address + INBOUND_PATH }
    this.#receiptCalls = receipt && new HttpCalls(receipt, around, this.#readersOf(receipt, inbound))
    this.#inboundCalls = inbound && new HttpCalls(inbound, toInbound, [this.#inboundReader(inbound)])
    if (receipt !== null || inbound !== null) {
      this.answerWebhook = (request) => this.#answerWebhook(request)
      this.refuseWebhook = (head) => this.#refuseWebhook(head)
    }
  }

  start(inbox: Inbox): void {
    this.#inbox = inbox
    this.#link.start()
    this.#balance?.start()
  }

  async submit(submission: Submission): Promise<readonly Verdict[]> {
    const { parts } = submission
    const inParts = this.channel === 'sms' && this.#settings.longText === 'parts'
    const spreading = { carrierId: this.id, perPart: this.#settings.receipt?.perPart === true }
    if (inParts) {
      const answers = await Promise.all(parts.map((part) => this.#submit(submission, part)))
      return answers.flatMap(
        (answer, index) => spreadVerdicts(answer, parts.slice(index, index + 1), spreading).verdicts,
      )
    }
    const { verdicts, receipts } = spreadVerdicts(await this.#submit(submission, null), parts, spreading)
    if (receipts.length > 0) await this.#recordReceipts(receipts, 1)
    return verdicts
  }

  state(): CarrierState {
    return this.#link.state()
  }

  connectNow(): void {
    this.#link.connectNow()
  }

  async stop(): Promise<void> {
    this.#balance?.stop()
    await Promise.all([this.#link.stop(), this.#web?.close()])
  }

  #get(url: string): Promise<HttpResult> {
    const { requestTimeoutMs: timeoutMs } = this.#settings
    this.#web ??= new HttpClient({ connections: WEB_CONNECTIONS, timeoutMs }, this.#tools.clock)
    return this.#web.send({ method: 'GET', url })
  }

  /** Returns one verdict, or one for each entry of the answer. */
  async #submit(submission: Submission, part: number | null): Promise<Verdicts> {
    let answered: Verdicts | null = null
    const verdict = await this.#link.submit(async () => {
      answered = await this.#send(submission, part)
      return gravestOf(answered) ?? answered[0]
    })
    return answered ?? [verdict]
  }

  async #send(submission: Submission, part: number | null): Promise<Verdicts> {
    const { content } = submission
    if (content.kind === 'call') return [{ kind: 'refused', status: 'REJECTED', reason: 'HTTP carries no calls' }]
    const template = fitRegisteredTemplate(this.#settings, submission.sender, content.text.toWellFormed())
    if (template === null) return [{ kind: 'refused', status: 'REJECTED', reason: 'its text fits no template' }]
    const around = { template, settings: this.#settings, callbacks: this.#callbacks, now: this.#tools.clock.now() }
    const values = valuesOf(submission, content, part, around)
    const request = writeRequest(this.#settings.request, values, around.now)
    if (request === null) return [{ kind: 'refused', status: 'REJECTED', reason: 'its address cannot be written' }]
    const result = await this.#link.send(request)
    const answer = result.kind === 'silent' ? result : { ...result, body: this.#withoutSecrets(result.body) }
    const tried = { ref: values.ref, isRepeat: submission.attempt > 1 }
    const answers = readHttpAnswer(answer, this.#settings.answer, tried)
    if (answers.some(({ isIdMissing }) => isIdMissing)) {
      this.#tools.log.warn({ carrier: this.id }, 'a message was taken without an id: its receipts cannot be matched')
    }
    const [{ verdict }, ...others] = answers
    if (others.length > 0) return [verdict, ...others.map((each) => each.verdict)]
    if (verdict.kind !== 'unclear' || this.#settings.answer.id !== null) return [verdict]
    // The carrier may have it, under our reference. One receipt cannot stand for several parts before they are taken.
    return [part === null && submission.parts.length > 1 ? verdict : { ...verdict, ref: values.ref }]
  }

  #watchBalance(): BalanceWatch | null {
    const { balance } = this.#settings
    if (balance === null) return null
    return new BalanceWatch(
      { carrierId: this.id, settings: balance },
      (request) => this.#sendAside(request, 'balance'),
      this.#tools,
    )
  }

  /** Operators who ask at the same time share one registration. */
  #register(): Promise<readonly RegisteredWebhook[]> {
    const { register: settings } = this.#settings
    if (settings === null) return Promise.resolve([])
    const send = (request: RequestSettings, name: string) => this.#sendAside(request, `${this.id}/${name}`)
    const hide = (text: string) => this.#withoutSecrets(text)
    this.#registering ??= registerWebhooks({ settings, callbacks: this.#callbacks, send, hide }).finally(() => {
      this.#registering = null
    })
    return this.#registering
  }

  /** Sends a request about no message, whose result says nothing about submissions. */
  async #sendAside(settings: RequestSettings, name: string): Promise<HttpResult | null> {
    const now = this.#tools.clock.now()
    const request = writeRequest(settings, valuesOfCarrier({ callbacks: this.#callbacks, now, name }), now)
    return request === null ? null : this.#link.sendUntracked(request)
  }

  /** Some services repeat the key in their errors, which clients and operators read. */
  #withoutSecrets(answer: string): string {
    return this.#settings.hidden.reduce((text, secret) => text.replaceAll(secret, '<secret>'), answer)
  }

  #refuseWebhook(head: WebhookHead): WebhookAnswer | null {
    const { calls, path } = this.#callsTo(head)
    return calls === null ? NOT_FOUND : calls.refuse({ ...head, path })
  }

  async #answerWebhook(request: WebhookRequest): Promise<WebhookAnswer> {
    const { calls, path } = this.#callsTo(request)
    return calls === null ? NOT_FOUND : calls.answer({ ...request, path })
  }

  /** Returns the webhook of a call, and the path below it. */
  #callsTo({ path }: Pick<WebhookHead, 'path'>) {
    const isInbound =
      path === INBOUND_PATH || path.startsWith(`${INBOUND_PATH}/`) || path.startsWith(`${INBOUND_PATH}?`)
    return isInbound
      ? { calls: this.#inboundCalls, path: path.slice(INBOUND_PATH.length) }
      : { calls: this.#receiptCalls, path }
  }

  /** Inbound messages that a word distinguishes may come to the address of receipts. */
  #readersOf(receipt: ReceiptSettings, inbound: InboundSettings | null): readonly CallReader[] {
    const reader = { settings: receipt, take: (items: readonly unknown[]) => this.#takeReceipts(items, receipt) }
    return inbound === null || inbound.when === null ? [reader] : [reader, this.#inboundReader(inbound)]
  }

  #inboundReader(settings: InboundSettings): CallReader {
    return { settings, take: (items) => this.#takeInbound(items, settings) }
  }

  async #takeReceipts(items: readonly unknown[], settings: ReceiptSettings): Promise<WebhookAnswer> {
    const found = items.map((item) => readReceipts(item, settings))
    if (found.includes(null)) return { status: 400, body: 'ids and statuses differ in number' }
    const receipts = found.flatMap((each) => each ?? []).map((receipt) => ({ carrierId: this.id, ...receipt }))
    return receiveReceipts(this.#inbox, receipts, settings.answer)
  }

  async #takeInbound(items: readonly unknown[], settings: InboundSettings): Promise<WebhookAnswer> {
    const around = { carrierId: this.id, senders: this.#settings.senders, now: this.#tools.clock.now() }
    const arrivals = items.flatMap((item) => readInbound(item, settings, around))
    return receiveInbound(this.#inbox, arrivals, settings.answer)
  }

  /** They are stored as early receipts until the turn that records their refs. */
  async #recordReceipts(receipts: readonly CarrierReceipt[], tries: number): Promise<void> {
    const { status } = await receiveReceipts(this.#inbox, receipts)
    if (status === 200) return
    if (tries === MAX_TRIES) this.#tools.log.error({ carrier: this.id }, 'receipts of further parts were not recorded')
    else this.#tools.clock.after(RETRY_MS, () => void this.#recordReceipts(receipts, tries + 1))
  }
}
