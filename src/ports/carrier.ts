/**
 * The hole in the wall for carriers. A carrier takes submissions of one channel, answers each with a verdict for every
 * part, and hands receipts to the inbox. It keeps its own connections alive and knows nothing of plans, prices or stores.
 */
import type { Channel } from '../domain/channel.ts'
import type { ReceiptOutcome, Verdict } from '../domain/journey-event.ts'
import type { MessageId } from '../domain/message-id.ts'
import type { Phone } from '../domain/phone.ts'
import type { Content } from '../domain/plan.ts'
import type { ChatTemplate } from '../domain/template.ts'

export interface Carrier {
  /** The operator's name for it, unique in the installation. */
  readonly id: string
  readonly channel: Channel
  /** Parts that may be on the wire, or answered and not yet recorded, at one time. Bounds what a crash can send twice. */
  readonly window: number
  /** When it counts as degraded; by default after five answers or five seconds. */
  readonly degradedAfter?: DegradedAfter
  /** Begins to connect and returns at once; a carrier that cannot be reached keeps trying by itself. */
  start(inbox: Inbox): void
  /** Sends the asked parts. Never rejects: one verdict for each of `submission.parts`, in that order, in bounded time. */
  submit(submission: Submission): Promise<readonly Verdict[]>
  /** Asks the carrier to forget what it has not delivered yet. Absent where the protocol cannot. Never rejects. */
  revoke?(revocation: Revocation): Promise<Revoked>
  /** Answers a call of the carrier to `/carriers/{id}`. Absent where receipts come another way. Never rejects. */
  answerWebhook?(request: WebhookRequest): Promise<WebhookAnswer>
  /** The refusal of a call that cannot be right whatever its body says; null when the body decides. Asked before it is read. */
  refuseWebhook?(head: WebhookHead): WebhookAnswer | null
  /** The texts in the messenger's list, as last asked for; null before it has answered. Absent where there is no list. */
  templates?(): ListedTemplates | null
  /** Hands a text in for the messenger's approval. Absent where there is no way to. Never rejects. */
  submitTemplate?(draft: TemplateDraft): Promise<TemplateAnswer>
  state(): CarrierState
  /** Takes no more, waits for what is on the wire (bounded), closes. */
  stop(): Promise<void>
}

/**
 * A carrier is degraded once it has asked to slow down so many times in a row, or for so many seconds, without taking
 * anything: what has another way takes that.
 */
export interface DegradedAfter {
  readonly answers: number
  readonly seconds: number
}

export interface Submission {
  readonly messageId: MessageId
  /** Index of the step in its plan; with `messageId` it names the submission the same on every try. */
  readonly step: number
  /** 1 on the first try of this step. */
  readonly attempt: number
  readonly phone: Phone
  readonly sender: string
  readonly content: Content
  /** Indexes of the parts to send: all on the first try, later those not yet taken. Always [0] outside SMS. */
  readonly parts: readonly number[]
  /** What is left of the step's lifetime, at least 1. */
  readonly lifetimeSeconds: number
  /** For calls: how long the phone rings. Absent for as long as the carrier is set to. */
  readonly ringSeconds?: number
  /**
   * Whether another carrier could take it now: asked by a carrier that is told to slow down and has not sent it, to give it
   * back rather than let it wait. Never, if absent.
   */
  readonly anotherLeft?: () => boolean
}

export interface Revocation {
  readonly messageId: MessageId
  readonly step: number
  readonly phone: Phone
  readonly sender: string
  /** The carrier's ids of the parts that it took. */
  readonly refs: readonly string[]
}

/** What came of asking; `detail` in the carrier's own words, for the timeline. */
export interface Revoked {
  readonly asked: boolean
  readonly detail: string
}

/** News of a part from its carrier. */
export interface CarrierReceipt {
  readonly carrierId: string
  /** The id that the carrier gave the part in its verdict. */
  readonly ref: string
  readonly outcome: ReceiptOutcome
  /** The carrier's own words, for the timeline: `stat:UNDELIV err:001`. */
  readonly detail: string
  /** What the carrier bills the part as, by which its cost is found (domain/cost.ts). Absent when the carrier does not say. */
  readonly category?: string
}

/** What a person wrote to one of our numbers. */
export interface InboundMessage {
  readonly carrierId: string
  /** As the carrier writes it: mostly E.164 digits. */
  readonly sender: string
  /** Our number or name. */
  readonly recipient: string
  /** The names that this number sends under, where they are others than the number; the carrier knows them then. */
  readonly senders?: readonly string[] | SendersExcept
  /** Set when the messenger itself says that the recipient opts out or in, by a button or a setting; otherwise the text decides. */
  readonly consent?: 'stop' | 'start'
  /** What a tapped button stands for, beside its caption, which is the text. */
  readonly payload?: string
  /** Whole, whatever number of parts it came in; `[…]` stands for those that never came. */
  readonly text: string
  /** Milliseconds: when its last part came. */
  readonly at: number
}

/** Every approved sender of the channel that is routed to the carrier, but for these: a number or agent that many share. */
interface SendersExcept {
  readonly except: readonly string[]
}

/** How long the first part of a long message waits for the last, milliseconds. */
export const INBOUND_PARTS_KEPT_MS = 86_400_000

/** How long a key stays that is over, for what was read before that and is recorded late, milliseconds. */
export const INBOUND_KEYS_LINGER_MS = 60_000

/** What a carrier brings of what a person wrote: all of it, or one part. */
export interface InboundArrival extends InboundMessage {
  /** Null for all of it. The text of a part may begin or end in the middle of a character. */
  readonly part: InboundPart | null
  /** The same when the carrier brings the same again because it does not know that it arrived. 200 characters at most. */
  readonly key: string
  /** Milliseconds: until when it may. */
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

/** A key whose arrival the carrier knows of since then, milliseconds: what was read before is a repeat all the same. */
export interface SettledKey extends InboundKey {
  readonly at: number
}

/** A carrier's word that it took parts, which came after `submit` had to call them unclear. */
export interface LateAnswer {
  readonly carrierId: string
  readonly messageId: MessageId
  readonly step: number
  readonly parts: readonly number[]
  readonly ref: string
}

export interface Inbox {
  /** Resolves once the receipts are on disk: only then may the carrier be told that they arrived. */
  receive(receipts: readonly CarrierReceipt[]): Promise<void>
  /** The same for what people wrote, part by part; what was heard under the same key is on disk already. */
  hear(arrivals: readonly InboundArrival[]): Promise<void>
  /** The carrier knows that these arrived: what comes under their keys from then on is something new. */
  settle(keys: readonly SettledKey[]): void
  /** Tells the message, so that it is not sent once more where there is still time, and its receipts find it. */
  learn(answer: LateAnswer): void
  /**
   * The carrier was asked to slow down and keeps the submission for now; `reason` in its own words. Returns whether what
   * has another way should take that.
   */
  slowed(carrierId: string, reason: string): boolean
}

/** The same object until the carrier asks again. */
export interface ListedTemplates {
  /** All of them may send by each of the templates. */
  readonly senders: readonly string[]
  readonly templates: readonly ListedTemplate[]
}

interface ListedTemplate {
  readonly text: string
  readonly status: ChatTemplate['status']
  /** The messenger's own word for why it cannot be sent; null when it has none. */
  readonly reason: string | null
}

/** A text that the messenger is to approve, with what stands around it. */
export interface TemplateDraft {
  readonly sender: string
  readonly text: string
  /** The messenger's: with `language` it tells the template from all others. */
  readonly name: string
  readonly language: string
  readonly category: 'utility' | 'marketing'
  /** For each placeholder of the text what may stand there. */
  readonly examples: Readonly<Record<string, string>>
  readonly footer?: string | undefined
  /** How long the messenger tries to deliver what is sent by it; as the messenger sets it when absent. */
  readonly lifetimeSeconds?: number | undefined
  /** A button that opens an address; a placeholder at the end of the address has an example too. */
  readonly button?:
    | { readonly caption: string; readonly link: string; readonly example?: string | undefined }
    | undefined
}

/** `unclear`: nobody knows whether it arrived; handing it in again never makes a second one. */
export type TemplateAnswer =
  | { readonly kind: 'taken'; readonly status: ChatTemplate['status'] }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'unclear'; readonly reason: string }

export interface CarrierState {
  readonly up: boolean
  /** Milliseconds: since when. */
  readonly since: number
  /** Parts on the wire now. */
  readonly inFlight: number
  /** In words that name no phone and no text. */
  readonly lastError: string | null
  /** Parts a second that it is set to send at most; null for no limit. */
  readonly throughput: number | null
  /** Each of its connections, always in the same order. */
  readonly links: readonly CarrierLink[]
}

/** One connection of a carrier, or the one way that an HTTP service is reached by. */
export interface CarrierLink {
  /** Tells it from the carrier's others: `transceiver 1`. */
  readonly name: string
  /** `connecting`: it is being tried now. `down`: it is tried again after a wait. */
  readonly state: 'up' | 'connecting' | 'down'
  /** Milliseconds: since when it is up, or is not. */
  readonly since: number
  /** Parts on it that are not answered, and how many may be. */
  readonly inFlight: number
  readonly window: number
  /** Why it is not up, or why it was not the last time. */
  readonly lastError: string | null
  /** How often the peer said what makes no sense and was refused; only grows. Calls to a webhook are counted elsewhere. */
  readonly misunderstood: number
}

export interface WebhookHead {
  readonly method: string
  /** What follows `/carriers/{id}` in the address, with its query. */
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
