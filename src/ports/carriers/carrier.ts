/**
 * The port for carriers. A carrier takes submissions of one channel, returns a verdict for every part, and passes
 * receipts to the inbox. It keeps its own connections alive and does not depend on plans, prices or stores.
 */
import type { Registration } from '../../domain/accounts/sender.ts'
import type { RoutedChannel } from '../../domain/channels/channel.ts'
import type { MessageId } from '../../domain/ids/message-id.ts'
import type { InboundContent } from '../../domain/inbound/inbound-message.ts'
import type { ReceiptOutcome, Verdict } from '../../domain/message/journey-event.ts'
import type { Content } from '../../domain/message/message.ts'
import type { NumberFacts } from '../../domain/numbers/number-facts.ts'
import type { Phone } from '../../domain/numbers/phone.ts'
import type { ChatTemplate } from '../../domain/text/template.ts'
import type { CarrierUser, CarrierUserId } from './user-store.ts'

export interface Carrier {
  /** Assigned by the operator, unique in the installation. */
  readonly id: string
  readonly channel: RoutedChannel
  /** Maximum parts in flight, or answered and not yet recorded, at one time. Limits what a crash can send twice. */
  readonly window: number
  /**
   * Parts of the window that are kept for accounts that had nothing waiting, while others wait. Worth it if the carrier
   * has a queue of its own, in which they go first; none if absent.
   */
  readonly reserved?: number
  /** Whether it sends to user ids (domain/numbers/phone.ts). Absent: to phones only. */
  readonly takesUserIds?: true
  /** When it counts as degraded; by default after five answers or five seconds. */
  readonly degradedAfter?: DegradedAfter
  /** Begins to connect and returns at once; a carrier that cannot be reached keeps retrying. */
  start(inbox: Inbox): void
  /**
   * Sends the requested parts. Never rejects: returns one verdict per entry of `submission.parts`, in that order, in
   * bounded time.
   */
  submit(submission: Submission): Promise<readonly Verdict[]>
  /** Asks the carrier to cancel what it has not delivered yet. Absent if the protocol cannot. Never rejects. */
  revoke?(revocation: Revocation): Promise<Revoked>
  /** Answers the carrier's HTTP request to `/carriers/{id}`. Absent if receipts come another way. Never rejects. */
  answerWebhook?(request: WebhookRequest): Promise<WebhookAnswer>
  /**
   * Returns the refusal of a request that is invalid whatever its body; null if the body decides. Called before the
   * body is read.
   */
  refuseWebhook?(head: WebhookHead): WebhookAnswer | null
  /** Maximum bytes of the body of a webhook call; 1 MiB if absent. */
  readonly maxWebhookBytes?: number
  /** Returns the messenger's list of templates as last loaded; null before that. Absent if there is no list. */
  templates?(): ListedTemplates | null
  /** Submits a text for the messenger's approval. Absent if that is not possible. Never rejects. */
  submitTemplate?(draft: TemplateDraft): Promise<TemplateAnswer>
  /** Asks the service about a number, in bounded time. Only carriers of lookups have it. Never rejects. */
  lookUp?(phone: Phone): Promise<LookupVerdict>
  state(): CarrierState
  /** Returns the balance of our account at the carrier, as last asked. Absent if the carrier is not asked. */
  balance?(): CarrierBalance
  /** Asks for it now, in bounded time. Absent as `balance`. Never rejects. */
  askBalance?(): Promise<CarrierBalance>
  /** Registers our webhooks at the carrier, in bounded time. Absent if the settings do not say how. Never rejects. */
  register?(): Promise<readonly RegisteredWebhook[]>
  /** As `up` of the state, if that is much to gather: it is asked for each message. */
  readonly isUp?: boolean
  /** Begins planned attempts to connect now. Absent if there are none to plan. */
  connectNow?(): void
  /** Takes nothing more, waits for parts in flight (bounded), closes. */
  stop(): Promise<void>
}

export type LookupVerdict =
  | { readonly kind: 'answered'; readonly facts: NumberFacts }
  | Extract<Verdict, { readonly kind: 'slow' | 'unclear' | 'unreachable' }>

/**
 * A carrier is degraded once it has asked to slow down so many times in a row, or for so many seconds, without taking
 * anything: messages that have another carrier use that.
 */
export interface DegradedAfter {
  readonly answers: number
  readonly seconds: number
}

export interface Submission {
  readonly messageId: MessageId
  /** Index of the step in its plan; with `messageId` it identifies the submission across tries. */
  readonly step: number
  /** Whose it is (domain/message/message.ts): in a carrier that must slow down, tenants take turns. */
  readonly tenant: number
  /** 1 on the first try of this step. */
  readonly attempt: number
  readonly phone: Phone
  readonly sender: string
  /** What the sender is registered with in the country of the phone; absent for nothing. */
  readonly registration?: Registration
  readonly content: Content
  /** Indexes of the parts to send: all on the first try, later those not yet taken. Always [0] outside SMS. */
  readonly parts: readonly number[]
  /** Remaining lifetime of the step, at least 1. */
  readonly lifetimeSeconds: number
  /** For calls: how long the phone rings. Absent for the carrier's setting. */
  readonly ringSeconds?: number
  /** Whether the carrier has reported it as `closed`: only a form that needs no message of the recipient is left. */
  readonly closed?: true
  /**
   * Whether another carrier could take it now. Called by a carrier that must slow down and has not sent it, to return
   * it instead of letting it wait. Absent: none could.
   */
  readonly anotherLeft?: () => boolean
  /**
   * Whether the account may still send, and the recipient has not opted out since. Called by a carrier before it sends
   * what had to wait. Absent: it may.
   */
  readonly maySend?: () => boolean
}

export interface Revocation {
  readonly messageId: MessageId
  readonly step: number
  readonly phone: Phone
  readonly sender: string
  /** The carrier's ids of the parts that it took. */
  readonly refs: readonly string[]
}

/** The result of a revocation; `detail` in the carrier's own words, for the timeline. */
export interface Revoked {
  readonly asked: boolean
  readonly detail: string
}

/** A delivery receipt for one part. */
export interface CarrierReceipt {
  readonly carrierId: string
  /** The carrier's id of the part, from its verdict. */
  readonly ref: string
  readonly outcome: ReceiptOutcome
  /** The carrier's own words, for the timeline: `stat:UNDELIV err:001`. */
  readonly detail: string
  /**
   * The carrier's billing category of the part, which selects its cost (domain/money/cost.ts). Absent if the carrier
   * reports none.
   */
  readonly category?: string
}

/** A message from a recipient to one of our numbers. */
export interface InboundMessage {
  readonly carrierId: string
  /** As written by the carrier: usually E.164 digits, or a user id (domain/numbers/phone.ts). */
  readonly sender: string
  /** The messenger's id of the sender. Absent if it names none. */
  readonly userId?: string
  /** Our number or name. */
  readonly recipient: string
  /** The sender names of this number, if they differ from the number; the carrier knows them then. */
  readonly senders?: readonly string[] | SendersExcept
  /**
   * Set if the messenger itself reports that the recipient opts out or in, by a button or a setting; otherwise the text
   * decides.
   */
  readonly consent?: 'stop' | 'start'
  /** The payload of a tapped button; its caption is the text. */
  readonly payload?: string
  /** Set for a location or a file, whose text is `textOf` (domain/inbound/inbound-message.ts) or a caption. */
  readonly content?: InboundContent
  /** The carrier's id of this message, by which an answer quotes it. Absent if answers quote none. */
  readonly ref?: string
  /** The carrier's id of our message that this one quotes. Absent if the carrier does not name it. */
  readonly quotes?: string
  /** How many parts it was sent in; absent for one. */
  readonly parts?: number
  /** The whole text, of all parts; `[…]` replaces parts that never arrived. */
  readonly text: string
  /** Milliseconds: when its last part arrived. */
  readonly at: number
}

/**
 * Every approved sender of the channel that is routed to the carrier, except these: for a number or agent shared by
 * many.
 */
interface SendersExcept {
  readonly except: readonly string[]
}

/** How long the first part of a long message waits for the last, milliseconds. */
export const INBOUND_PARTS_KEPT_MS = 86_400_000

/** How long a settled key is kept, for arrivals that were read before and are recorded late, milliseconds. */
export const INBOUND_KEYS_LINGER_MS = 60_000

/** How many arrivals are recorded together: more of them are recorded, and acknowledged, in several steps. */
export const INBOUND_TOGETHER = 100

/** An inbound message as a carrier brings it: whole, or one part. */
export interface InboundArrival extends InboundMessage {
  /** Null for a whole message. The text of a part may begin or end in the middle of a character. */
  readonly part: InboundPart | null
  /** The same whenever the carrier repeats the arrival because it was not acknowledged. At most 200 characters. */
  readonly key: string
  /** Milliseconds: until when it may be repeated. */
  readonly keyUntil: number
}

interface InboundPart {
  /** The same in all parts of one message. */
  readonly reference: number
  readonly total: number
  /** From 1. */
  readonly number: number
}

export type InboundKey = Pick<InboundArrival, 'carrierId' | 'key'>

/** A key that the store has, until this time, milliseconds: an arrival from before then is a repeat. */
export interface KeptInboundKey extends InboundKey {
  readonly keepUntil: number
}

/**
 * A key that was acknowledged to the carrier at this time, milliseconds: an arrival read before then is still a repeat.
 */
export interface SettledKey extends InboundKey {
  readonly at: number
}

/** A carrier's late answer that it took parts, after `submit` had to call them unclear. */
export interface LateAnswer {
  readonly carrierId: string
  readonly messageId: MessageId
  readonly step: number
  readonly parts: readonly number[]
  readonly ref: string
}

export interface Inbox {
  /** Resolves once the receipts are on disk: only then may they be acknowledged to the carrier. */
  receive(receipts: readonly CarrierReceipt[]): Promise<void>
  /** Resolves once these parts of inbound messages are on disk. Arrivals under a stored key are repeats. */
  receiveInbound(arrivals: readonly InboundArrival[]): Promise<void>
  /** These arrivals were acknowledged to the carrier: later arrivals under their keys are new ones. */
  settle(keys: readonly SettledKey[]): void
  /** Applies the answer to the message, so that it is not sent again if there is still time, and its receipts match. */
  resolveUnclear(answer: LateAnswer): void
  /** Resolves once the phones of these users are on disk, and opt-outs of either name hold for the other. */
  rememberUsers(users: readonly CarrierUser[]): Promise<void>
  /** Returns the phones of users whom the messenger names by their ids, in that order; null for an unknown one. */
  findUsers(ids: readonly CarrierUserId[]): Promise<readonly (Phone | null)[]>
  /** Resolves once all opt-outs of a user's former phone hold for the new one too, with their origin and time. */
  copyOptOuts(from: Phone, to: Phone): Promise<void>
  /**
   * The carrier was asked to slow down and keeps the submission for now; `reason` in its own words. Returns whether
   * messages that have another carrier should use that.
   */
  slowed(carrierId: string, reason: string): boolean
}

/** The same object until the carrier loads the list again. */
export interface ListedTemplates {
  /** All of them may send with each of the templates. */
  readonly senders: readonly string[]
  readonly templates: readonly ListedTemplate[]
}

interface ListedTemplate {
  readonly text: string
  readonly status: ChatTemplate['status']
  /** The messenger's own reason why it cannot be sent; null if there is none. */
  readonly reason: string | null
}

/** A text for the messenger to approve, with its surroundings. */
export interface TemplateDraft {
  readonly sender: string
  readonly text: string
  /** The messenger's name: with `language` it identifies the template. */
  readonly name: string
  readonly language: string
  readonly category: 'utility' | 'marketing'
  /** An example value for each placeholder of the text. */
  readonly examples: Readonly<Record<string, string>>
  readonly footer?: string | undefined
  /** How long the messenger tries to deliver messages with it; the messenger's default if absent. */
  readonly lifetimeSeconds?: number | undefined
  /** Captions of buttons that answer. */
  readonly replies?: readonly string[] | undefined
  /** A button that opens an address; a placeholder at the end of the address has an example too. */
  readonly button?:
    | { readonly caption: string; readonly link: string; readonly example?: string | undefined }
    | undefined
}

/** `unclear`: it may or may not have arrived; submitting it again never makes a second one. */
export type TemplateAnswer =
  | { readonly kind: 'taken'; readonly status: ChatTemplate['status'] }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'unclear'; readonly reason: string }

/** The last error of a carrier or of one of its connections. */
export interface CarrierFault {
  /** Contains no phone and no text; null if there was none. */
  readonly lastError: string | null
  /** Milliseconds: when it occurred. */
  readonly lastErrorAt: number | null
}

export interface CarrierState extends CarrierFault {
  readonly up: boolean
  /** Milliseconds: since when. */
  readonly since: number
  /** Parts in flight now. */
  readonly inFlight: number
  /** Configured maximum of parts per second; null for no limit. */
  readonly throughput: number | null
  /** Each of its connections, always in the same order. */
  readonly links: readonly CarrierLink[]
}

/** The result of one request that registers a webhook. */
export interface RegisteredWebhook {
  /** Its place in the settings: `requests.0`. */
  readonly request: string
  /** Whether the carrier has the webhook now. */
  readonly done: boolean
  /** The carrier's answer, without our addresses. */
  readonly detail: string
}

/** What our account at a carrier has left. */
export interface CarrierBalance {
  /** A decimal number in the carrier's unit; null before the first answer with one. */
  readonly amount: string | null
  /** In the carrier's words; null if it names none. */
  readonly currency: string | null
  /** Milliseconds: when the amount came; null before. */
  readonly at: number | null
  /** An amount below it is too low; null without such a limit. */
  readonly low: number | null
  /** Why the last request brought no amount; null if it did. Contains no secret. */
  readonly error: string | null
}

/** One connection of a carrier, or the one endpoint of an HTTP service. */
export interface CarrierLink extends CarrierFault {
  /** Unique within the carrier: `transceiver 1`. */
  readonly name: string
  /** `connecting`: an attempt is in progress. `down`: waiting for the next attempt. */
  readonly state: 'up' | 'connecting' | 'down'
  /** Milliseconds: since when it is up, or not up. */
  readonly since: number
  /** Unanswered parts on it, and the maximum. */
  readonly inFlight: number
  readonly window: number
  /** Milliseconds: when the next attempt to connect begins; null while none is planned. */
  readonly nextTryAt: number | null
  /** How many messages of the peer were invalid, entirely or in part; only grows. Webhook requests count elsewhere. */
  readonly protocolErrors: number
}

export interface WebhookHead {
  readonly method: string
  /** The rest of the address after `/carriers/{id}`, with its query. */
  readonly path: string
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>
}

export interface WebhookRequest extends WebhookHead {
  readonly body: Uint8Array
}

export interface WebhookAnswer {
  readonly status: number
  readonly body: string
  /** `text/plain` when absent. */
  readonly contentType?: string
}
