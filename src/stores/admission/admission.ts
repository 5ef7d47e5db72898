/**
 * Admits client requests: decides each item from stored facts and collects the rows to write. A failed item leaves no
 * rows, so nothing needs to be rolled back. Both stores use it; each reads the facts in its own way.
 */
import { pausesRun } from '../../domain/bulk/bulk-lines.ts'
import type { UsageLimit } from '../../domain/guards/guards.ts'
import type { AccountId } from '../../domain/ids/account-id.ts'
import type { MessageId } from '../../domain/ids/message-id.ts'
import type { CallContent, Content } from '../../domain/message/message.ts'
import { NO_MESSAGE } from '../../domain/money/ledger.ts'
import type { AcceptOutcome, ItemOutcome, LookupItem } from '../../ports/stores/intake-store.ts'
import type { Vault } from '../../ports/system/vault.ts'
import type { Cell } from '../rows/cells/cell.ts'
import type { MessageRow } from '../rows/messages/message-row.ts'
import type { Ledger } from '../rows/money/ledger.ts'
import { toChargeCells } from '../rows/money/posting-row.ts'
import type { CountRow } from '../rows/statistics/message-total.ts'
import type { AdmissionItem, AdmissionOrder, CallItem, MessageItem } from './admission-order.ts'
import { AnsweredRequests, type AnsweredRow, type FindAnswered } from './answered-requests.ts'
import { lineOutcome } from './line-results.ts'
import { type TemplateFacts, TemplateRegistry, type TemplateRows } from './template-registry.ts'
import { type FindUsed, UsageMeter, type UsageRow } from './usage-meter.ts'

/** What is stored. Admission itself tracks what earlier requests of the transaction changed. */
export interface AdmissionFacts {
  readonly answered: FindAnswered
  readonly used: FindUsed
  readonly templates: TemplateFacts
  /** Returns the message that was accepted under a unique client id. */
  readonly unique: (accountId: number, key: string) => RepeatedMessage | null
  /** Returns the calls to a phone after a time, of all accounts; milliseconds. */
  readonly calls: (phone: string, since: number) => readonly PhoneCall[]
}

export interface RepeatedMessage {
  readonly messageId: MessageId
  readonly parts: number
}

export interface PhoneCall {
  readonly accountId: number
  readonly code: string
  /** Milliseconds. */
  readonly at: number
}

export interface AdmissionRows {
  readonly messages: readonly MessageRow[]
  /** Message id, node, channel, tenant, due at. */
  readonly due: readonly MessageCells[]
  /** Message id, code, sealed URL, expiry. */
  readonly links: readonly MessageCells[]
  /** Account, client id, message id, parts. */
  readonly uniqueIds: readonly AccountCells[]
  /** Message id, phone, account, code, time. */
  readonly codes: readonly MessageCells[]
  readonly usage: readonly UsageRow[]
  readonly templates: TemplateRows
  readonly answered: readonly AnsweredRow[]
  /** For the statistics. */
  readonly counts: readonly CountRow[]
}

type MessageCells = readonly [msgId: MessageId, ...cells: readonly Cell[]]
export type AccountCells = readonly [accountId: AccountId, ...cells: readonly Cell[]]

export interface AdmissionTools {
  readonly facts: AdmissionFacts
  readonly ledger: Ledger
  readonly vault: Vault
  /** The node that holds messages that do not wait. */
  readonly node: number
}

const NO_TEMPLATES: TemplateRows = { added: [], removed: [] }

export class Admission {
  readonly #tools: AdmissionTools
  readonly #answered: AnsweredRequests
  readonly #meter: UsageMeter
  /** Of the first template on. */
  #templates: TemplateRegistry | null = null
  readonly #unique = new Map<string, RepeatedMessage | null>()
  /** Stored calls to a phone, since a time. */
  readonly #calls = new Map<string, { readonly since: number; readonly calls: readonly PhoneCall[] }>()
  /** Calls of this admission to a phone. */
  readonly #made = new Map<string, PhoneCall[]>()
  readonly #messages: MessageRow[] = []
  readonly #due: MessageCells[] = []
  readonly #links: MessageCells[] = []
  readonly #uniqueIds: AccountCells[] = []
  readonly #codes: MessageCells[] = []
  readonly #counts: CountRow[] = []

  constructor(tools: AdmissionTools) {
    const { facts, vault } = tools
    this.#tools = tools
    this.#meter = new UsageMeter(facts.used)
    this.#answered = new AnsweredRequests(facts.answered, vault, this.#meter)
  }

  admit(order: AdmissionOrder): AcceptOutcome {
    const earlier = this.#answered.find(order)
    if (earlier !== null) return earlier
    const outcomes = order.items.map((item) => this.#take(order, item))
    this.#answered.keep(order, outcomes)
    return { kind: 'executed', outcomes }
  }

  /** Admits lines of a bulk up to the first that pauses its run; returns the outcomes of those that were processed. */
  admitLines(order: AdmissionOrder): readonly ItemOutcome[] {
    const outcomes: ItemOutcome[] = []
    for (const item of order.items) {
      const outcome = this.#take(order, item)
      outcomes.push(outcome)
      if (pausesRun(lineOutcome(outcome))) break
    }
    return outcomes
  }

  /** Returns the rows to write. */
  rows(): AdmissionRows {
    return {
      messages: this.#messages,
      due: this.#due,
      links: this.#links,
      uniqueIds: this.#uniqueIds,
      codes: this.#codes,
      usage: this.#meter.rows(),
      templates: this.#templates?.rows() ?? NO_TEMPLATES,
      answered: this.#answered.rows(),
      counts: this.#counts,
    }
  }

  #take(order: AdmissionOrder, item: AdmissionItem): ItemOutcome {
    switch (item.kind) {
      case 'message':
        return this.#message(order, item)
      case 'call':
        return this.#call(order, item)
      case 'balance':
        return { kind: 'balance', availableMicros: this.#tools.ledger.available(order.accountId) }
      case 'lookup':
        return this.#lookup(order, item)
      default:
        this.#templates ??= new TemplateRegistry(this.#tools.facts.templates, this.#tools.vault)
        return this.#templates.take(order.accountId, item)
    }
  }

  #message(order: AdmissionOrder, item: MessageItem): ItemOutcome {
    const { row, uniqueKey, links, parts } = item
    const [messageId, accountId] = row
    const earlier = uniqueKey === null ? null : this.#repeated(accountId, uniqueKey)
    if (earlier !== null) return { kind: 'repeated', ...earlier }
    const refused = this.#refusal(order, item)
    if (refused !== null) return refused
    this.#keep(order, item, row)
    if (uniqueKey !== null) {
      this.#unique.set(`${accountId} ${uniqueKey}`, { messageId, parts })
      this.#uniqueIds.push([accountId, uniqueKey, messageId, parts])
    }
    for (const [code, url, expiresAt] of links) {
      this.#links.push([messageId, code, this.#tools.vault.seal(url), expiresAt])
    }
    return accepted(messageId, null)
  }

  /** Picks the first candidate number whose code the phone did not get recently. */
  #call(order: AdmissionOrder, item: CallItem): ItemOutcome {
    const { row, candidates, codesSince, limit, calledUnder: phone } = item
    const [messageId, accountId] = row
    if (!canPay(this.#tools.ledger, item)) return { kind: 'unpaid' }
    const made = this.#callsTo(phone, Math.min(codesSince, limit.since))
    const own = made.filter((call) => call.accountId === accountId && call.at > limit.since)
    if (own.length >= limit.max) return { kind: 'too many calls' }
    const used = new Set(made.filter(({ at }) => at > codesSince).map(({ code }) => code))
    const call = candidates.find(({ code }) => !used.has(code))
    if (call === undefined) return { kind: 'no number free' }
    const refused = this.#refusal(order, item)
    if (refused !== null) return refused
    this.#keep(order, item, withCall(item, call))
    this.#codes.push([messageId, phone, accountId, call.code, order.now])
    const before = this.#made.get(phone) ?? []
    this.#made.set(phone, [...before, { accountId, code: call.code, at: order.now }])
    return accepted(messageId, call)
  }

  #lookup(order: AdmissionOrder, { priceMicros, charge, counts = [] }: LookupItem): ItemOutcome {
    const { accountId, now } = order
    const { ledger } = this.#tools
    if (ledger.spendable(accountId) < priceMicros) return { kind: 'unpaid' }
    const limits = limitsOf(order, counts)
    const reached = this.#meter.reached(limits, priceMicros, 0)
    if (reached !== null) return { kind: 'limited', ...reached }
    this.#meter.count(limits, priceMicros, 0)
    ledger.move('hold', accountId, NO_MESSAGE, priceMicros, now)
    ledger.charge(accountId, NO_MESSAGE, priceMicros, now, toChargeCells(charge))
    return { kind: 'charged' }
  }

  /** Returns why the account may not send this now; null if it may. */
  #refusal(order: AdmissionOrder, item: MessageItem | CallItem) {
    const { counts, holdMicros } = item
    if (!canPay(this.#tools.ledger, item)) return { kind: 'unpaid' } as const
    const reached = counts === null ? null : this.#meter.reached(limitsOf(order, counts), holdMicros)
    return reached === null ? null : ({ kind: 'limited', ...reached } as const)
  }

  #keep(order: AdmissionOrder, item: MessageItem | CallItem, row: MessageRow): void {
    const { holdMicros, channel, tenant, dueAt, waits, counts, asked } = item
    const [messageId, accountId] = row
    const { ledger, node } = this.#tools
    this.#messages.push(row)
    if (asked !== null) this.#counts.push(asked)
    this.#due.push([messageId, waits ? 0 : node, channel, tenant, dueAt])
    if (holdMicros > 0) ledger.move('hold', accountId, messageId, holdMicros, order.now)
    if (counts !== null) this.#meter.count(limitsOf(order, counts), holdMicros)
  }

  #repeated(accountId: number, key: string): RepeatedMessage | null {
    const name = `${accountId} ${key}`
    const known = this.#unique.get(name)
    if (known !== undefined) return known
    const stored = this.#tools.facts.unique(accountId, key)
    this.#unique.set(name, stored)
    return stored
  }

  /** Includes calls of this admission. Accounts differ in how far back they look. */
  #callsTo(phone: string, since: number): readonly PhoneCall[] {
    let stored = this.#calls.get(phone)
    if (stored === undefined || stored.since > since) {
      stored = { since, calls: this.#tools.facts.calls(phone, since) }
      this.#calls.set(phone, stored)
    }
    return [...stored.calls, ...(this.#made.get(phone) ?? [])]
  }
}

/**
 * Returns whether the account can pay the item. Decided before its limits and calls are looked at, so that requests
 * without money neither read nor lock them. Free messages require an existing account too.
 */
export function canPay(ledger: Ledger, { row: [, accountId], holdMicros }: MessageItem | CallItem): boolean {
  return ledger.spendable(accountId) >= holdMicros || holdMicros <= 0
}

function limitsOf({ limits = [] }: AdmissionOrder, places: readonly number[]): readonly UsageLimit[] {
  return places.map((place) => {
    const limit = limits[place]
    if (limit === undefined) throw new RangeError('a message refers to a limit that the request does not have')
    return limit
  })
}

/** Returns the row of the message with the chosen number in the contents of its steps. */
function withCall({ row, callStep }: CallItem, call: CallContent): MessageRow {
  const contents: readonly Content[] = JSON.parse(row.at(-1) as string)
  return row.with(-1, JSON.stringify(contents.with(callStep, call))) as MessageRow
}

function accepted(messageId: MessageId, call: CallContent | null): ItemOutcome {
  return { kind: 'accepted', messageId, call }
}
