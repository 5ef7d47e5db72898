/**
 * Reads pages of growing tables. Conditions without an index look at a bounded number of rows, so that a search does
 * not slow down messages: such a page may be short although more pages follow.
 */
import type { DatabaseSync } from 'node:sqlite'
import type { AccountId } from '../../../domain/ids/account-id.ts'
import { formsOf } from '../../../domain/numbers/phone.ts'
import { MAX_PAGE_BYTES, takeFitting } from '../../../domain/structures/answer-size.ts'
import type { PageQuery } from '../../../ports/records/pages.ts'
import type { Cell } from '../../rows/cells/cell.ts'
import { MAX_SEEN, type PageOfCells, sizeOfCells, withoutCutOff } from '../../rows/cells/page-cells.ts'
import { idsOfTimes } from '../../rows/messages/ids-of-time.ts'
import { openInbound } from '../../rows/messages/inbound-row.ts'
import { clientIdsOf, matchConditions } from '../../rows/messages/message-match.ts'
import { HAS_CARRIER, MESSAGE_COLUMNS, memberOfJourney, openHook } from '../../rows/messages/message-row.ts'
import { PAGE_COLUMNS } from '../../rows/messages/page-row.ts'
import { openReport } from '../../rows/reports/report-row.ts'
import { keysOfPhone } from '../../vault/phone-hash.ts'
import { HOOK_SQL } from '../reports/claim-reports.ts'
import type { Session } from '../session/session.ts'
import { type IdSpan, newestIds } from '../statement/id-ranges.ts'
import { SqlStatement } from '../statement/statement.ts'

const MATCH = {
  contains: (column: string) => `instr(${column}, ?) > 0`,
  channel: `json_extract(plan, '$[' || ${memberOfJourney('step')} || '].channel')`,
  carrier: HAS_CARRIER,
}

interface Source {
  /** The column to page by, and the columns to read. */
  readonly key: string
  /** Several rows may share a key and then stay on one page. */
  readonly isShared?: true
  readonly columns: string
  readonly from: string
  /** Only keys below. Not a condition: SQLite uses one upper bound, and filters by others. */
  readonly before?: number
  /** Conditions served by an index. */
  readonly indexed: readonly Condition[]
  readonly others: readonly Condition[]
}

type Condition = readonly [sql: string, ...values: Cell[]]

export function page(session: Session): (query: PageQuery) => PageOfCells {
  const find = findPage(session)
  const open = rowOpeners(session)
  return (query) => {
    const { rows, next } = find(query)
    const openRow = open[query.of]
    return { rows: openRow === undefined ? rows : rows.map(openRow), next }
  }
}

type OpenRow = (row: readonly Cell[]) => readonly Cell[]

/** Open the sealed cells of a row. */
function rowOpeners(session: Session): Readonly<Partial<Record<PageQuery['of'], OpenRow>>> {
  const { vault } = session
  const openListed: OpenRow = (row) => openReport(row, vault)
  return {
    messages: ([key = null, ...row]) => [key, ...openHook(row, vault), null],
    'failed reports': openListed,
    'waiting reports': openListed,
    inbound: (row) => openInbound(row, vault),
  }
}

function findPage({ database, hashPhone }: Session): (query: PageQuery) => PageOfCells {
  const sourceIn = { messages: messagesIn(database), postings: postingsIn(database) }
  return (query) => {
    const source =
      query.of === 'messages'
        ? sourceIn.messages(query)
        : query.of === 'postings'
          ? sourceIn.postings(query)
          : sourceOf(query, hashPhone)
    const { key, columns, from, indexed, others } = source
    const before = Math.min(query.after ?? Number.MAX_SAFE_INTEGER, source.before ?? Number.MAX_SAFE_INTEGER)
    const where = [`${key} < ?`, ...indexed.map(([sql]) => sql)].join(' AND ')
    const values = [before, ...indexed.flatMap(([, ...given]) => given)]
    const seen = `SELECT * FROM ${from} WHERE ${where} ORDER BY ${key} DESC LIMIT ${MAX_SEEN}`
    const filter = others.length === 0 ? '' : `WHERE ${others.map(([sql]) => sql).join(' AND ')}`
    const found = new SqlStatement(
      database,
      `SELECT ${key}, ${columns} FROM (${seen}) ${filter} ORDER BY ${key} DESC LIMIT ?`,
    ).iterate(...values, ...others.flatMap(([, ...given]) => given), query.limit)
    const { items: rows, isAll } = takeFitting(found, MAX_PAGE_BYTES, sizeOfCells)
    if (!isAll || rows.length === query.limit) return endPage(source.isShared === true ? withoutCutOff(rows) : rows)
    if (others.length === 0) return { rows, next: null }
    const last = new SqlStatement<[key: number]>(
      database,
      `SELECT ${key} FROM ${from} WHERE ${where} ORDER BY ${key} DESC LIMIT 1 OFFSET ${MAX_SEEN - 1}`,
    ).first(...values)
    return { rows, next: last?.[0] ?? null }
  }
}

function endPage(rows: PageOfCells['rows']): PageOfCells {
  return { rows, next: Number(rows.at(-1)?.[0]) }
}

type QueryOf<Of extends PageQuery['of']> = Extract<PageQuery, { of: Of }>

function sourceOf(
  query: QueryOf<'failed reports' | 'waiting reports' | 'inbound' | 'opt-outs' | 'audit'>,
  hashPhone: Session['hashPhone'],
): Source {
  switch (query.of) {
    case 'failed reports':
      return {
        key: 'msg_id',
        isShared: true,
        columns: PAGE_COLUMNS[query.of],
        from: 'report',
        indexed: [["state = 'failed' AND 0 <> ?", 1], ...given(['account_id = ?', query.accountId])],
        others: [],
      }
    case 'waiting reports':
      return {
        key: 'msg_id',
        isShared: true,
        columns: PAGE_COLUMNS[query.of],
        from: 'report INDEXED BY report_of_hook',
        indexed: [
          ["state = 'pending' AND node = 0 AND due_at IS NOT NULL AND account_id = ?", query.accountId],
          [`${HOOK_SQL} = ?`, query.hook],
        ],
        others: [],
      }
    case 'inbound':
      return {
        key: query.accountId === null ? 'inbound_id' : 'event_id',
        columns: PAGE_COLUMNS[query.of],
        from: 'inbound_message',
        indexed: given(['account_id = ?', query.accountId]),
        others:
          query.sender === undefined
            ? []
            : [
                among(
                  'sender',
                  formsOf(query.sender).flatMap((form) => [form, `+${form}`]),
                ),
              ],
      }
    case 'opt-outs': {
      const { accountId, phone } = query
      const ofPhone: Condition[] = phone === null ? [] : [among('phone', keysOfPhone(phone, hashPhone))]
      return {
        key: 'opt_out_id',
        columns: PAGE_COLUMNS[query.of],
        from: 'opt_out',
        indexed: [...given(['account_id = ?', accountId]), ...ofPhone],
        others: [],
      }
    }
    case 'audit':
      return {
        key: 'audit_id',
        columns: PAGE_COLUMNS[query.of],
        // Forces an index: SQLite would rather scan the whole log than sort the matches.
        from: `audit${query.subjects !== null ? ' INDEXED BY audit_of_subject' : query.actors !== null ? ' INDEXED BY audit_of_actor' : ''}`,
        indexed: given(
          ['subject IN (SELECT value FROM json_each(?))', query.subjects && JSON.stringify(query.subjects)],
          ['actor IN (SELECT value FROM json_each(?))', query.actors && JSON.stringify(query.actors)],
        ),
        others: given(
          ['action IN (SELECT value FROM json_each(?))', query.actions ? JSON.stringify(query.actions) : null],
          ['at >= ?', query.from ?? null],
          ['at < ?', query.until ?? null],
        ),
      }
  }
}

/** Messages are found by phone, by client id or by account, between the ids of the times. */
function messagesIn(database: DatabaseSync): (query: QueryOf<'messages'>) => Source {
  const [ofPhone, ofAccount] = [newestIds(database, 'message_of_phone'), newestIds(database, 'message_of_account')]
  const ofClient = newestOfClient(database)
  const idAt = ([sql, value]: readonly [sql: string, value: number]) =>
    new SqlStatement<[id: number]>(database, `SELECT ${sql}`).first(value)?.[0] ?? 0
  return ({ accountId, phone, status, match, after, limit }) => {
    const clientIds = clientIdsOf(match)
    const times = idsOfTimes(match)
    const from = times.from === null ? 0 : idAt(times.from)
    const end = times.before === null ? Number.MAX_SAFE_INTEGER : idAt(times.before)
    const others: readonly Condition[] = [
      ...(phone === null || clientIds === null ? [] : [['client_id IN (?, ?)', ...clientIds] as const]),
      ...(phone === null ? [] : given(['account_id = ?', accountId])),
      ...given(['status = ?', status]),
      ...matchConditions(match, MATCH),
    ]
    const before = Math.min(end, after ?? Number.MAX_SAFE_INTEGER)
    const span = { from, before, limit: others.length === 0 ? limit : MAX_SEEN }
    const ids = () => {
      if (phone !== null) return formsOf(phone).flatMap((form) => ofPhone(form, span))
      if (clientIds !== null) return ofClient(clientIds, accountId, span)
      return accountId === null ? null : ofAccount(accountId, span)
    }
    const named = ids()
    return {
      key: 'msg_id',
      columns: MESSAGE_COLUMNS,
      from: 'message',
      indexed: [...(named === null ? [] : [among('msg_id', named)]), ['msg_id >= ?', from]],
      before: end,
      others,
    }
  }
}

/** Returns more ids than the limit if several forms of the client id are used. */
function newestOfClient(
  database: DatabaseSync,
): (clientIds: readonly string[], accountId: AccountId | null, span: IdSpan) => readonly number[] {
  const select = 'SELECT msg_id FROM message INDEXED BY message_of_client WHERE client_id = ?'
  const newest = 'msg_id >= ? AND msg_id < ? ORDER BY msg_id DESC LIMIT ?'
  const ofAll = new SqlStatement<[id: number]>(database, `${select} AND ${newest}`)
  const ofAccount = new SqlStatement<[id: number]>(database, `${select} AND account_id = ? AND test = ? AND ${newest}`)
  return (clientIds, accountId, { from, before, limit }) => {
    const rows = clientIds.flatMap((clientId) =>
      accountId === null
        ? ofAll.all(clientId, from, before, limit)
        : [0, 1].flatMap((test) => ofAccount.all(clientId, accountId, test, from, before, limit)),
    )
    return rows.map(([id]) => id)
  }
}

function postingsIn(database: DatabaseSync): (query: QueryOf<'postings'>) => Source {
  const ofAccount = newestIds(database, 'posting_of_account')
  return ({ of, accountId, after, limit }) => {
    const span = { from: 0, before: after ?? Number.MAX_SAFE_INTEGER, limit }
    const indexed = accountId === null ? [] : [among('posting_id', ofAccount(accountId, span))]
    return { key: 'posting_id', columns: PAGE_COLUMNS[of], from: 'posting', indexed, others: [] }
  }
}

function among(key: string, ids: readonly (number | string)[]): Condition {
  return [`${key} IN (SELECT value FROM json_each(?))`, JSON.stringify(ids)]
}

function given(...conditions: readonly (readonly [sql: string, value: Cell])[]): readonly Condition[] {
  return conditions.filter(([, value]) => value !== null)
}
