/**
 * IN: one client request, whole or not at all. Every item is decided before anything of it is written, so that an item
 * which fails leaves no trace and nothing has to be taken back.
 */
import { toMicros } from '../../domain/money.ts'
import { type CallContent, partsOf } from '../../domain/plan.ts'
import type {
  AcceptItem,
  AcceptOutcome,
  AcceptRequest,
  ItemOutcome,
  RecalledRequest,
  RequestKey,
} from '../../ports/store.ts'
import type { TemplateItem } from '../../ports/template-items.ts'
import type { Vault } from '../../ports/vault.ts'
import { calledUnder, uniqueKeyOf } from '../rows/apart-from-tests.ts'
import { MESSAGE_COLUMNS, type MessageColumns, type MessageRow, toMessageRow } from '../rows/message-row.ts'
import { HELD_ROW, waitingRow } from '../rows/place.ts'
import { type FlatRows, flatten, rowsOf } from './flat-rows.ts'
import { keepText } from './message-text.ts'
import { Meter, type Tally } from './meter.ts'
import type { Session } from './session.ts'
import { Statement } from './statement.ts'
import { TemplateBook } from './template-book.ts'

/** An AcceptRequest as it crosses to the engine: what goes to disk is made into cells on the way. */
export interface AcceptOrder extends Omit<AcceptRequest, 'items'> {
  readonly items: readonly ItemOrder[]
}

type CallItem = Extract<AcceptItem, { kind: 'call' }>
interface CallTerms extends Pick<CallItem, 'candidates' | 'codesSince' | 'limit'> {
  readonly calledUnder: string
}

type StoredItem = Extract<AcceptItem, { kind: 'message' | 'call' }>

type ItemOrder =
  | readonly ['message', ...StoredOrder, links: FlatRows, uniqueKey: string | null, parts: number]
  | readonly ['call', ...StoredOrder, terms: CallTerms]
  | readonly ['template', item: TemplateItem]
  | readonly ['balance']

type StoredOrder = readonly [
  row: MessageRow,
  holdMicros: number,
  channel: string,
  tenant: number,
  dueAt: number,
  waits: boolean,
  /** Null where nothing is limited. */
  counts: readonly number[] | null,
]

type LinkRow = [code: string, url: string, expiresAt: number]

type OrderOf<Kind extends ItemOrder[0]> = Extract<ItemOrder, readonly [Kind, ...unknown[]]>

export function toAcceptOrder(request: AcceptRequest): AcceptOrder {
  return { ...request, items: request.items.map((item) => toItemOrder(item, request.now)) }
}

function toItemOrder(item: AcceptItem, now: number): ItemOrder {
  switch (item.kind) {
    case 'message': {
      const links = flatten(item.links.map(({ code, url, expiresAt }) => [code, url, expiresAt]))
      const uniqueKey = uniqueKeyOf(item.message, item.uniqueId)
      return ['message', ...toStoredOrder(item, now), links, uniqueKey, partsOf(item.message.plan)]
    }
    case 'call': {
      const { candidates, codesSince, limit, message } = item
      return ['call', ...toStoredOrder(item, now), { candidates, codesSince, limit, calledUnder: calledUnder(message) }]
    }
    case 'template':
    case 'template list':
    case 'template removal':
      return ['template', item]
    case 'balance':
      return ['balance']
  }
}

function toStoredOrder(
  { message, waits, counts }: Pick<StoredItem, 'message' | 'waits' | 'counts'>,
  now: number,
): StoredOrder {
  const { plan, journey } = message
  const channel = plan[journey.step]?.channel ?? ''
  const { tenant, dueAt } = waits ? waitingRow(message, now) : HELD_ROW
  return [toMessageRow(message), journey.heldMicros, channel, tenant, dueAt, waits, counts ?? null]
}

export function acceptMessages(session: Session): (order: AcceptOrder) => AcceptOutcome {
  const requests = new Requests(session)
  const intake = new Intake(session)
  const meter = new Meter(session)
  return (order) => {
    const { accountId, idempotency, now } = order
    const earlier = idempotency === null ? null : requests.find(accountId, idempotency, now)
    if (earlier !== null) return earlier
    const tally = meter.open(order.limits)
    intake.begin()
    const outcomes = order.items.map((item) => intake.take(order, item, tally))
    tally?.write()
    if (order.idempotency !== null) requests.keep(order, outcomes)
    return { kind: 'executed', outcomes }
  }
}

/** Whether a request was executed before, by its key. */
export function recall(
  session: Session,
): (accountId: number, request: RequestKey, now: number) => RecalledRequest | null {
  const requests = new Requests(session)
  return (accountId, request, now) => requests.find(accountId, request, now)
}

/** The idempotency keys and what was answered under them: sealed, for codes of calls are in it. */
class Requests {
  readonly #vault: Vault
  readonly #find: Statement<[bodyHash: string, draft: string, outcomes: string, keepUntil: number]>
  readonly #keep: Statement

  constructor({ database, vault }: Session) {
    this.#vault = vault
    this.#find = new Statement(
      database,
      'SELECT body_hash, draft, outcomes, keep_until FROM idempotency WHERE account_id = ? AND key = ?',
    )
    this.#keep = new Statement(
      database,
      `INSERT OR REPLACE INTO idempotency (account_id, key, body_hash, draft, outcomes, keep_until)
       VALUES (?, ?, ?, ?, ?, ?)`,
    )
  }

  find(accountId: number, request: RequestKey, now: number): RecalledRequest | null {
    const kept = this.#find.first(accountId, request.key)
    if (kept === undefined) return null
    const [bodyHash, draft, outcomes, keepUntil] = kept
    if (keepUntil <= now) return null
    if (bodyHash !== request.bodyHash) return { kind: 'conflict' }
    const open = (text: string) => this.#vault.openText(text)
    return { kind: 'replayed', draft: open(draft), outcomes: JSON.parse(open(outcomes)) }
  }

  keep({ accountId, idempotency }: AcceptOrder, outcomes: readonly ItemOutcome[]): void {
    if (idempotency === null) return
    const { key, bodyHash, draft, keepUntil } = idempotency
    const seal = (text: string) => this.#vault.seal(text)
    this.#keep.run(accountId, key, bodyHash, seal(draft), seal(JSON.stringify(outcomes)), keepUntil)
  }
}

/** Takes items in, one after the other. */
class Intake {
  readonly #session: Session
  readonly #insertMessage: Statement
  readonly #keepText: ReturnType<typeof keepText>
  readonly #insertDue: Statement
  readonly #insertLink: Statement
  readonly #findUniqueId: Statement<[msgId: number, parts: number]>
  readonly #insertUniqueId: Statement
  readonly #countCalls: Statement<[calls: number]>
  readonly #usedCodes: Statement<[code: string]>
  readonly #insertCode: Statement
  readonly #templates: TemplateBook

  constructor(session: Session) {
    const { database } = session
    this.#session = session
    this.#insertMessage = new Statement(
      database,
      `INSERT INTO message (${MESSAGE_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    this.#keepText = keepText(session)
    this.#insertDue = new Statement(
      database,
      'INSERT INTO due (msg_id, node, channel, tenant, due_at) VALUES (?, ?, ?, ?, ?)',
    )
    this.#insertLink = new Statement(
      database,
      'INSERT INTO link (code, msg_id, url, expires_at, people, robots, told) VALUES (?, ?, ?, ?, 0, 0, 0)',
    )
    this.#findUniqueId = new Statement(
      database,
      'SELECT msg_id, parts FROM unique_id WHERE account_id = ? AND client_id = ?',
    )
    this.#insertUniqueId = new Statement(
      database,
      'INSERT INTO unique_id (account_id, client_id, msg_id, parts) VALUES (?, ?, ?, ?)',
    )
    this.#countCalls = new Statement(
      database,
      'SELECT count(*) FROM call_code WHERE phone = ? AND at > ? AND account_id = ?',
    )
    this.#usedCodes = new Statement(database, 'SELECT code FROM call_code WHERE phone = ? AND at > ?')
    this.#insertCode = new Statement(
      database,
      'INSERT INTO call_code (msg_id, phone, account_id, code, at) VALUES (?, ?, ?, ?, ?)',
    )
    this.#templates = new TemplateBook(session)
  }

  begin(): void {
    this.#templates.forget()
  }

  take(order: AcceptOrder, item: ItemOrder, tally: Tally | null): ItemOutcome {
    switch (item[0]) {
      case 'message':
        return this.#message(order, item, tally)
      case 'call':
        return this.#call(order, item, tally)
      case 'template':
        return this.#templates.take(order.accountId, item[1])
      case 'balance':
        return { kind: 'balance', availableMicros: toMicros(this.#session.purse.available(order.accountId)) }
    }
  }

  #message(order: AcceptOrder, item: OrderOf<'message'>, tally: Tally | null): ItemOutcome {
    const [, [msgId, accountId], holdMicros, , , , , counts, links, uniqueKey, parts] = item
    const earlier = uniqueKey === null ? undefined : this.#findUniqueId.first(accountId, uniqueKey)
    if (earlier !== undefined) return { kind: 'repeated', messageId: earlier[0], parts: earlier[1] } as ItemOutcome
    const reached = reachedBy(tally, counts, holdMicros)
    if (reached !== null) return reached
    if (!this.#canPay(accountId, holdMicros)) return { kind: 'unpaid' }
    this.#store(order, item, item[1], tally)
    if (uniqueKey !== null) this.#insertUniqueId.run(accountId, uniqueKey, msgId, parts)
    for (const [code, url, expiresAt] of rowsOf<LinkRow>(links, 3)) {
      this.#insertLink.run(code, msgId, this.#session.vault.seal(url), expiresAt)
    }
    return accepted(msgId, null)
  }

  #call(order: AcceptOrder, item: OrderOf<'call'>, tally: Tally | null): ItemOutcome {
    const [, row, holdMicros, , , , , counts, terms] = item
    const { candidates, codesSince, limit, calledUnder: phone } = terms
    const [msgId, accountId] = row
    const calls = this.#countCalls.first(phone, limit.since, accountId)?.[0] ?? 0
    if (calls >= limit.most) return { kind: 'too many calls' }
    const used = new Set(this.#usedCodes.all(phone, codesSince).map(([code]) => code))
    const call = candidates.find((candidate) => !used.has(candidate.code))
    if (call === undefined) return { kind: 'no number free' }
    const reached = reachedBy(tally, counts, holdMicros)
    if (reached !== null) return reached
    if (!this.#canPay(accountId, holdMicros)) return { kind: 'unpaid' }
    this.#store(order, item, row.with(-1, JSON.stringify([call])) as MessageRow, tally)
    this.#insertCode.run(msgId, phone, accountId, call.code, order.now)
    return accepted(msgId, call)
  }

  #canPay(accountId: number, holdMicros: number): boolean {
    return holdMicros === 0 || this.#session.purse.spendable(accountId) >= holdMicros
  }

  #store({ now }: AcceptOrder, item: OrderOf<'message' | 'call'>, row: MessageRow, tally: Tally | null): void {
    const [, [msgId, accountId], holdMicros, channel, tenant, dueAt, waits, counts] = item
    this.#insertMessage.run(...(row.slice(0, -1) as MessageColumns))
    this.#keepText(msgId, row.at(-1) as string)
    this.#insertDue.run(msgId, waits ? 0 : this.#session.node, channel, tenant, dueAt)
    if (holdMicros > 0) this.#session.purse.move('hold', accountId, msgId, holdMicros, now)
    if (tally !== null && counts !== null) tally.count(counts, holdMicros)
  }
}

function reachedBy(tally: Tally | null, counts: readonly number[] | null, holdMicros: number): ItemOutcome | null {
  const reached = tally === null || counts === null ? null : tally.reached(counts, holdMicros)
  return reached === null ? null : { kind: 'limited', ...reached }
}

function accepted(messageId: number, call: CallContent | null): ItemOutcome {
  return { kind: 'accepted', messageId, call } as ItemOutcome
}
