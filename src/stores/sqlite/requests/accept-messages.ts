/** Admits one client request on SQLite, whole or not at all: reads facts when they are needed, then writes the rows. */
import type { UsageWindow, Used } from '../../../domain/guards/guards.ts'
import type { AccountId } from '../../../domain/ids/account-id.ts'
import type { MessageId } from '../../../domain/ids/message-id.ts'
import type {
  AcceptOutcome,
  AcceptRequest,
  ItemOutcome,
  RecalledRequest,
  RequestKey,
} from '../../../ports/stores/intake-store.ts'
import { Admission, type AdmissionFacts, type AdmissionRows, type AdmissionTools } from '../../admission/admission.ts'
import type { AdmissionOrder } from '../../admission/admission-order.ts'
import { type AnsweredRow, recallRequest, refuseIfFull } from '../../admission/answered-requests.ts'
import type { TemplateRow } from '../../admission/template-registry.ts'
import type { FindUsed } from '../../admission/usage-meter.ts'
import type { Session } from '../session/session.ts'
import { SqlStatement } from '../statement/statement.ts'
import { insertMessage } from './stored-message.ts'

/**
 * The requests of one transaction, admitted one after the other. Their rows are written together, before the commit and
 * before any other command, which may read them.
 */
export class Requests {
  readonly #tools: AdmissionTools
  readonly #write: (rows: AdmissionRows) => void
  #admission: Admission | null = null

  constructor(session: Session) {
    const { ledger, vault, node } = session
    this.#tools = { facts: admissionFacts(session), ledger, vault, node }
    this.#write = writeRows(session)
  }

  /** Returns null in the ordinary case: every item is a message that was accepted. */
  admit(order: AdmissionOrder): AcceptOutcome | null {
    this.#admission ??= new Admission(this.#tools)
    const outcome = this.#admission.admit(order)
    return outcome.kind === 'executed' && outcome.outcomes.every(isAcceptedMessage) ? null : outcome
  }

  /** Writes the rows. */
  flush(): void {
    const admission = this.#admission
    if (admission === null) return
    this.#admission = null
    this.#write(admission.rows())
  }

  /** Drops unwritten rows, so that no later command writes them. */
  clear(): void {
    this.#admission = null
  }
}

function isAcceptedMessage(outcome: ItemOutcome): boolean {
  return outcome.kind === 'accepted' && outcome.call === null
}

/** Returns the outcome of a request whose items are messages that were accepted. */
export function allAccepted({ items }: AcceptRequest): AcceptOutcome {
  const outcomes = items.flatMap((item): readonly ItemOutcome[] =>
    item.kind === 'message' ? [{ kind: 'accepted', messageId: item.message.id, call: null }] : [],
  )
  return { kind: 'executed', outcomes }
}

/** Admits lines of a bulk up to the first that pauses its run; returns the outcomes of those that were processed. */
export function admitLines(session: Session): (order: AdmissionOrder) => readonly ItemOutcome[] {
  const { ledger, vault, node } = session
  const facts = admissionFacts(session)
  const write = writeRows(session)
  return (order) => {
    const admission = new Admission({ facts, ledger, vault, node })
    const outcomes = admission.admitLines(order)
    write(admission.rows())
    return outcomes
  }
}

/**
 * Returns the answer if the request is not to be executed: it was executed before, or there is no room for its answer.
 */
export function recall({ database, vault }: Session) {
  const find = findAnswered({ database })
  const used = findUsed({ database })
  return (accountId: number, request: RequestKey, now: number): RecalledRequest | null =>
    recallRequest(find(accountId, request.key), request, vault, now) ?? refuseIfFull(request, used)
}

function findAnswered({ database }: Pick<Session, 'database'>) {
  const find = new SqlStatement<[...AnsweredRow]>(
    database,
    `SELECT account_id, key, body_hash, draft, outcomes, keep_until FROM idempotency WHERE account_id = ? AND key = ?`,
  )
  return (accountId: number, key: string): AnsweredRow | undefined => find.first(accountId, key)
}

/** Returns what was used in each of these windows, which an account counts towards. */
export function usageIn(session: Session) {
  const find = findUsed(session)
  return (_accountId: AccountId, windows: readonly UsageWindow[]): readonly Used[] => windows.map(find)
}

function findUsed({ database }: Pick<Session, 'database'>): FindUsed {
  const used = new SqlStatement<[messages: number | null, micros: number | null]>(
    database,
    'SELECT sum(messages), sum(micros) FROM usage WHERE account_id = ? AND key = ? AND slot >= ?',
  )
  return ({ accountId, key, since }) => {
    const [messages, micros] = used.first(accountId ?? 0, key, since) ?? [0, 0]
    return { messages: messages ?? 0, micros: micros ?? 0 }
  }
}

function admissionFacts({ database }: Session): AdmissionFacts {
  const unique = new SqlStatement<[msgId: MessageId, parts: number]>(
    database,
    'SELECT msg_id, parts FROM unique_id WHERE account_id = ? AND client_id = ?',
  )
  const calls = new SqlStatement<[accountId: number, code: string, at: number]>(
    database,
    'SELECT account_id, code, at FROM call_code WHERE phone = ? AND at > ?',
  )
  const templates = 'SELECT template_id, account_id, name, template FROM sms_template WHERE account_id = ?'
  const byName = new SqlStatement<[...TemplateRow]>(database, `${templates} AND name = ?`)
  const byId = new SqlStatement<[...TemplateRow]>(database, `${templates} AND template_id = ?`)
  const list = new SqlStatement<[...TemplateRow]>(
    database,
    `${templates} AND template_id > ? ORDER BY template_id LIMIT ?`,
  )
  const room = new SqlStatement<[count: number, bytes: number]>(
    database,
    'SELECT count(*), coalesce(sum(octet_length(template)), 0) FROM sms_template WHERE account_id = ?',
  )
  return {
    answered: findAnswered({ database }),
    unique: (accountId, key) => {
      const row = unique.first(accountId, key)
      return row === undefined ? null : { messageId: row[0], parts: row[1] }
    },
    calls: (phone, since) => calls.all(phone, since).map(([accountId, code, at]) => ({ accountId, code, at })),
    used: findUsed({ database }),
    templates: {
      find: (accountId, id, name) => (id === null ? byName.first(accountId, name) : byId.first(accountId, id)),
      list: (accountId, { after, maxBytes }, max) => {
        const rows: TemplateRow[] = []
        let bytes = 0
        for (const row of list.iterate(accountId, after ?? 0, max)) {
          rows.push(row)
          bytes += row[3].length
          if (bytes > maxBytes) break
        }
        return rows
      },
      room: (accountId) => {
        const [count, bytes] = room.first(accountId) ?? [0, 0]
        return { count, bytes }
      },
    },
  }
}

function writeRows(session: Session): (rows: AdmissionRows) => void {
  const { database, totals } = session
  const prepare = (sql: string) => new SqlStatement(database, sql)
  const insert = insertMessage(session)
  const insertDue = prepare('INSERT INTO due (msg_id, node, channel, tenant, due_at) VALUES (?, ?, ?, ?, ?)')
  const insertLink = prepare(
    'INSERT INTO link (msg_id, code, url, expires_at, human_clicks, bot_clicks, reported) VALUES (?, ?, ?, ?, 0, 0, 0)',
  )
  const insertUnique = prepare('INSERT INTO unique_id (account_id, client_id, msg_id, parts) VALUES (?, ?, ?, ?)')
  const insertCode = prepare('INSERT INTO call_code (msg_id, phone, account_id, code, at) VALUES (?, ?, ?, ?, ?)')
  const addUsage = prepare(
    `INSERT INTO usage (account_id, key, slot, messages, micros, keep_until) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET messages = messages + excluded.messages, micros = micros + excluded.micros,
       keep_until = max(keep_until, excluded.keep_until)`,
  )
  const removeTemplate = prepare('DELETE FROM sms_template WHERE template_id = ?')
  const insertTemplate = prepare(
    'INSERT INTO sms_template (template_id, account_id, name, template) VALUES (?, ?, ?, ?)',
  )
  const keepAnswered = prepare(
    `INSERT OR REPLACE INTO idempotency (account_id, key, body_hash, draft, outcomes, keep_until)
     VALUES (?, ?, ?, ?, ?, ?)`,
  )
  return ({ messages, due, links, uniqueIds, codes, usage, templates, answered, counts }) => {
    for (const row of messages) insert(row)
    for (const row of due) insertDue.run(...row)
    for (const row of links) insertLink.run(...row)
    for (const row of uniqueIds) insertUnique.run(...row)
    for (const row of codes) insertCode.run(...row)
    for (const row of usage) addUsage.run(...row)
    for (const [id] of templates.removed) removeTemplate.run(id)
    for (const row of templates.added) insertTemplate.run(...row)
    for (const row of answered) keepAnswered.run(...row)
    totals.count(counts)
  }
}
