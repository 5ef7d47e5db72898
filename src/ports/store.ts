/**
 * The hole in the wall for databases, in verbs of the journey. Every promise resolves once its change is on disk (fsync)
 * and rejects with a StoreError when nothing of it was written. Calls made while a commit is under way share the next
 * one, in the order in which they were made. No verb reads or writes one row where a batch would do.
 *
 * Open messages and pending reports are either held by one node, which has them in memory, or wait in the store for
 * their due time. A node that opens the store gets a number of its own; what a vanished node held is due at once.
 */
import type { AccountId } from '../domain/account.ts'
import type { AdminToken, AdminUser } from '../domain/admin-user.ts'
import type { CallQuery, CallTotal } from '../domain/call-statistics.ts'
import type { DirectoryRows } from '../domain/directory.ts'
import type { Pots } from '../domain/ledger.ts'
import type { ChargeTotal } from '../domain/margin.ts'
import type { Message } from '../domain/message.ts'
import type { MessageId } from '../domain/message-id.ts'
import type { Micros } from '../domain/money.ts'
import type { Month } from '../domain/month.ts'
import type { OptOut } from '../domain/opt-out.ts'
import type { Phone } from '../domain/phone.ts'
import type { CallContent } from '../domain/plan.ts'
import type { InstallationRetention } from '../domain/retention.ts'
import type { Sender } from '../domain/sender.ts'
import type { AccountMonth } from '../domain/statement.ts'
import type { StoppedHook } from '../domain/stopped-hook.ts'
import type { ChatTemplate, SmsTemplate } from '../domain/template.ts'
import type { Traffic, TrafficCount } from '../domain/traffic.ts'
import type { Turn } from '../domain/turn.ts'
import type { UsageGuard, UsageLimit } from '../domain/usage.ts'
import type { AccountChange, KeyUse } from './account-change.ts'
import type { MoneyChange, Months } from './book.ts'
import type { CarrierReceipt, InboundArrival, InboundMessage, SettledKey } from './carrier.ts'
import type { ChangeRecord, ExecutedRequest } from './change-record.ts'
import type { Clustered } from './cluster.ts'
import type { DueClaim, DueClaimed, QueueOrder } from './due-claim.ts'
import type { Forgotten, ForgottenNote } from './forgetting.ts'
import type { GuardChange } from './guard-change.ts'
import type { LoginChange } from './login-change.ts'
import type { MessageName } from './message-name.ts'
import type { Page, PageQuery, PageRows } from './pages.ts'
import type { ReportFilter, ReportTally } from './pending-report.ts'
import type { Overtaker, ReceiptAddress } from './receipt-address.ts'
import type { ReportStore } from './report-store.ts'
import type { RoutingChange } from './routing-change.ts'
import type { Sealing, SealingChange } from './sealing.ts'
import type { ClickCount, ShortLink } from './short-link.ts'
import type { TemplateItem } from './template-items.ts'
import type { Trace } from './trace.ts'

export interface Store extends ReportStore, Sealing, Clustered {
  // IN: what clients ask.

  /** Executes one client request whole or not at all. */
  accept(request: AcceptRequest): Promise<AcceptOutcome>
  /** What `accept` would answer to a request that was executed under this key; null when none was. */
  recall(accountId: AccountId, request: RequestKey, now: number): Promise<RecalledRequest | null>
  /**
   * The messages that a client of this account names, each as recorded and without what its steps carry; null for none.
   * Of several with the same id of the client's it is the newest. Same order as asked.
   */
  findMessages(accountId: AccountId, names: readonly MessageName[]): Promise<readonly (Message | null)[]>
  /** Reserves `count` message counters (domain/message-id.ts); the first of them. Never given out again. */
  reserveIds(count: number): Promise<number>

  // OUT and TURN: delivery.

  /**
   * Writes turns, each whole: journey, timeline, postings, reports, refs. A turn is refused as stale, alone, when the
   * stored version is not the one before it; a turn that is already stored (same version, written by an earlier try of
   * this very call) counts as written.
   */
  record(turns: readonly RecordedTurn[]): Promise<RecordOutcome>
  /**
   * Finds the messages that receipts belong to. A receipt whose ref is not known is parked, on disk, until a turn
   * brings the ref (then `record` hands it back) or PARKED_FOR_MS have passed. Same order as asked; null is parked.
   */
  matchReceipts(receipts: readonly CarrierReceipt[], now: number): Promise<readonly (ReceiptAddress | null)[]>
  /**
   * Keeps what people wrote to our numbers. What has come under the same key, and whose key was not settled since, is
   * kept already. A part waits until all of its message are there, or for INBOUND_PARTS_KEPT_MS, after which `sweep`
   * keeps the message as far as it came. `settled` is done first.
   */
  recordInbound(arrivals: readonly InboundArrival[], settled: readonly SettledKey[]): Promise<void>
  /**
   * Takes hold of up to `limit` open messages that are due by `now` or were held by a dead node, and of up to `limit` that
   * stand in queues from which this node can take them, fairly by tenant. Returns again what a dead node was handed by
   * `record` and may not have recorded.
   */
  claimDue(claim: DueClaim): Promise<DueClaimed>
  /** Gives messages back to wait for their due time, unchanged: for a node that has no room or goes. */
  letGo(ids: readonly MessageId[]): Promise<void>
  /**
   * Puts messages that this node holds into queues (due-claim.ts). Returns those that were passed over because they have
   * gone on since, or are not held by this node.
   */
  enqueue(orders: readonly QueueOrder[]): Promise<readonly MessageId[]>
  loadMessages(ids: readonly MessageId[]): Promise<readonly Message[]>
  /** All opt-outs of these people from these accounts, in any order. */
  findOptOuts(people: readonly Pick<OptOut, 'accountId' | 'phone'>[]): Promise<readonly OptOut[]>

  // HOME: links; reports are in ReportStore.

  /** How the reports of an account's messages went; in any order, nothing for messages without reports. */
  tallyReports(accountId: AccountId, ids: readonly MessageId[]): Promise<readonly ReportTally[]>
  findLinks(codes: readonly string[]): Promise<readonly ShortLink[]>
  /** Adds to the counts. Answers with the codes that a person has now clicked and no recorded turn has told of yet. */
  countClicks(clicks: readonly ClickCount[], now: number): Promise<readonly string[]>

  // Set-up and reading.

  loadDirectory(): Promise<DirectoryRows>
  /** Grows whenever anybody, another process included, changes what `loadDirectory` shows. Cheap. */
  directoryRevision(): Promise<number>
  /**
   * One change of an operator, whole or not at all, with what is to be written down beside it. Rejects with a
   * ChangeRefused whose text the operator may read. Answers with the id of a created account, the number of resent reports
   * or what login-change.ts says, otherwise null.
   */
  change<C extends Change>(change: C, record?: ChangeRecord): Promise<ChangeAnswer<C>>
  /** What became of a request to the admin API; null when it was not executed. */
  findRequest(actor: string, key: string): Promise<ExecutedRequest | null>
  /** Keeps the answer to a request that was executed; it may hold secrets that were shown once. */
  keepAnswer(actor: string, key: string, answer: string): Promise<void>
  page<Of extends PageQuery['of']>(query: Extract<PageQuery, { of: Of }>): Promise<Page<PageRows[Of]>>
  /** Notes when keys were last used; keys that are gone are passed over. Leaves the directory's revision as it is. */
  noteKeyUses(uses: readonly KeyUse[]): Promise<void>
  potsOf(accountId: AccountId): Promise<Pots | null>
  trace(id: MessageId): Promise<Trace | null>
  /** The last `most` of what people wrote, the newest first. */
  inboundMessages(most: number): Promise<readonly InboundMessage[]>
  /** What a month was for an account. */
  accountMonth(accountId: AccountId, month: Month): Promise<AccountMonth>
  /** Charges of all accounts. */
  chargeTotals(months: Months): Promise<readonly ChargeTotal[]>
  /** Calls of some days, added up; sorted by what they are added up by. */
  callTotals(query: CallQuery): Promise<readonly CallTotal[]>
  /**
   * Checks the whole book: pots and totals against postings, postings against messages, closed months against what they
   * were when they were closed. Empty when it is right. Never holds others up: it reads bit by bit.
   */
  verifyLedger(): Promise<readonly string[]>
  /**
   * Forgets a phone, in slices: of ended messages to it nothing stays but their walk and their money, what the person
   * wrote goes, opt-outs hold on under a keyed hash. Changes nothing while something is in the way.
   */
  forget(phone: Phone, now: number): Promise<Forgotten>
  /**
   * Closes months (book.ts) and ends what is past its keeping, in slices, so that nobody waits for it: texts and records
   * of ended messages as their accounts keep them, settled reports, carriers' ids, links, what people wrote and its keys,
   * answers under idempotency keys, parked receipts, used call codes, what was counted for limits.
   */
  sweep(now: number, keeping: InstallationRetention): Promise<void>
  counts(): Promise<StoreCounts>
  /** How many reports of the filter failed, and how many wait in the store; each up to MAX_COUNTED_REPORTS. */
  countReports(filter: ReportFilter): Promise<{ readonly failed: number; readonly waiting: number }>
  /** Rejects while the store cannot write, as far as it knows: disk full, file read-only. */
  checkWrites(): Promise<void>
  /** Adds to what went to prefixes; answers with the pattern of each, in that order. Forgets those that nothing went to for long. */
  countTraffic(counts: readonly TrafficCount[]): Promise<readonly Traffic[]>
  /** Waits for what is under way and closes. Held messages and reports stay held; the next node finds them due. */
  close(): Promise<void>
}

/** How long a receipt waits for its ref, milliseconds. Carriers answer a submission within seconds. */
export const PARKED_FOR_MS = 3_600_000

/** How long calls are remembered, milliseconds: `codesSince` and `limit.since` look no further back than this. */
export const CALLS_KEPT_MS = 86_400_000

/** How long calls stay in the statistics, days. */
export const CALLS_COUNTED_DAYS = 800

/** The store could not do it, and did nothing: disk full, connection lost. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
}

/** The database cannot be reached now, or cannot take writes now: waiting may help. */
export class StoreUnavailable extends StoreError {}

/** A change of an operator that breaks a rule: an unknown account, a name that is taken. */
export class ChangeRefused extends Error {
  override readonly name: string = 'ChangeRefused'
}

/** A change that was made from an older directory than the stored one: look again. */
export class ChangeOvertaken extends ChangeRefused {
  override readonly name = 'ChangeOvertaken'
}

export interface AcceptRequest {
  readonly accountId: AccountId
  readonly now: number
  /** Null when the client sent no key. */
  readonly idempotency: Idempotency | null
  /** What items count for; absent where nothing is limited. */
  readonly limits?: readonly UsageLimit[]
  /** In the order of the request; what fails alone leaves the others untouched. */
  readonly items: readonly AcceptItem[]
}

export interface RequestKey {
  /** As the client chose it. */
  readonly key: string
  /** SHA-256 of the body: the same key with another body is a conflict. */
  readonly bodyHash: string
}

export interface Idempotency extends RequestKey {
  /** What the caller needs besides the outcomes to write the answer again; kept and handed back as it is. */
  readonly draft: string
  /** Milliseconds: until when the key is remembered. */
  readonly keepUntil: number
}

export type AcceptItem =
  /** Holds the money, stores the message held by this node or (`waits`) for whoever has room, and its short links. */
  | {
      readonly kind: 'message'
      readonly message: Message
      readonly waits: boolean
      readonly links: readonly ShortLink[]
      /** Account setting: a clientId seen before sends nothing. */
      readonly uniqueId: boolean
      readonly counts?: Counts
    }
  /** The same for a call; the calling number is the first candidate whose code the phone was not given lately. */
  | {
      readonly kind: 'call'
      /** Its only step is a call; the store puts the chosen candidate in as content. */
      readonly message: Message
      readonly waits: boolean
      readonly candidates: readonly CallContent[]
      /** Milliseconds: codes given to this phone after this are not given again. */
      readonly codesSince: number
      /** At most `most` calls to the phone by this account after `since`. */
      readonly limit: { readonly most: number; readonly since: number }
      readonly counts?: Counts
    }
  | TemplateItem
  | { readonly kind: 'balance' }

/** Places in the request's `limits` that the item counts for, once it is accepted; it fails where there is no room in one. */
type Counts = readonly number[]

export type ItemOutcome =
  | { readonly kind: 'accepted'; readonly messageId: MessageId; readonly call: CallContent | null }
  /** Unique ids: this message was accepted before under the same clientId. `parts` are those of its plan. */
  | { readonly kind: 'repeated'; readonly messageId: MessageId; readonly parts: number }
  | { readonly kind: 'unpaid' }
  /** A limit was reached, by the number of messages or by the money that is held for them. */
  | { readonly kind: 'limited'; readonly guard: UsageGuard; readonly of: 'messages' | 'money' }
  | { readonly kind: 'too many calls' }
  | { readonly kind: 'no number free' }
  | { readonly kind: 'template created' }
  | { readonly kind: 'name taken' }
  /** The account has as many templates as it may have. */
  | { readonly kind: 'too many templates' }
  | { readonly kind: 'templates'; readonly templates: readonly SmsTemplate[] }
  | { readonly kind: 'template removed'; readonly template: SmsTemplate }
  | { readonly kind: 'no such template' }
  | { readonly kind: 'balance'; readonly availableMicros: Micros }

export type AcceptOutcome = { readonly kind: 'executed'; readonly outcomes: readonly ItemOutcome[] } | RecalledRequest

export type RecalledRequest =
  | { readonly kind: 'replayed'; readonly draft: string; readonly outcomes: readonly ItemOutcome[] }
  /** The idempotency key was used with another body. */
  | { readonly kind: 'conflict' }

export interface RecordedTurn {
  readonly turn: Turn
  /** True: this node keeps the message in memory for its next attempt. False: it waits in the store for its due time. */
  readonly held: boolean
  /** This node did not have the message in hand: should another node have it, it stays there, whatever `held` says. */
  readonly fromAfar?: boolean
  /** True: this node has the new reports in memory and sends them. False: they wait in the store. */
  readonly reportsHeld: boolean
  /** True: those that wait in the store are parked: not due before their end (report-schedule.ts), for `claimReportsOf`. */
  readonly reportsParked?: boolean
  /** The code of the short link that a `clicked` turn tells of. */
  readonly clickedCode: string | null
}

export interface RecordOutcome {
  /** Once for each turn that was refused: of a message they are the last ones of the call. */
  readonly stale: readonly MessageId[]
  /** Written, and still in the hands of another node (`fromAfar`). */
  readonly elsewhere: readonly MessageId[]
  /** Receipts that had come before the refs of these turns. */
  readonly overtakers: readonly Overtaker[]
  /** New reports that stand behind an unsettled one of the same message: not to be sent yet, whatever `reportsHeld` said. */
  readonly queuedReports: readonly { readonly messageId: MessageId; readonly number: number }[]
}

export type ChangeAnswer<C extends Change> = C extends {
  readonly kind: 'resend reports' | 'count login' | 'settle login'
}
  ? number
  : AccountId | null

/** What an operator can change. */
export type Change =
  | AccountChange
  | { readonly kind: 'set sender'; readonly sender: Sender }
  | { readonly kind: 'set chat template'; readonly template: ChatTemplate }
  | MoneyChange
  | { readonly kind: 'resume hook'; readonly hook: StoppedHook; readonly at: number }
  /**
   * Failed reports become pending again, due at `at`, as if never tried; of the pending ones, those that wait in the store
   * become due as well with `pending`. A bounded number; answers with it.
   */
  | ({ readonly kind: 'resend reports'; readonly pending: boolean; readonly at: number } & ReportFilter)
  | { readonly kind: 'set admin user'; readonly user: AdminUser }
  | { readonly kind: 'add admin token'; readonly token: AdminToken }
  | { readonly kind: 'remove admin token'; readonly user: string; readonly label: string }
  | LoginChange
  | GuardChange
  | ForgottenNote
  | SealingChange
  | RoutingChange
  /** In their order, and all or none of them; refused when the directory is no longer at this revision. */
  | { readonly kind: 'all'; readonly revision: number; readonly changes: readonly RoutingChange[] }

export interface StoreCounts {
  readonly open: number
  readonly pendingReports: number
  readonly failedReports: number
}
