/**
 * Reads pages of growing tables. Reads the newest rows of every bucket that may have some, and merges them. Conditions
 * without an index look at a bounded number of rows, so that a search does not slow down messages: such a page may be
 * short although more pages follow.
 */
import type { AccountId } from '../../../domain/ids/account-id.ts'
import { BUCKETS, bucketOf } from '../../../domain/ids/message-id.ts'
import { formsOf, type Phone } from '../../../domain/numbers/phone.ts'
import { MAX_PAGE_BYTES, takeFitting } from '../../../domain/structures/answer-size.ts'
import type { PageQuery } from '../../../ports/records/pages.ts'
import { TooMuchToRead } from '../../../ports/records/store-errors.ts'
import type { Clock } from '../../../ports/system/clock.ts'
import type { Vault } from '../../../ports/system/vault.ts'
import type { Cell, Value } from '../../rows/cells/cell.ts'
import { MAX_SEEN, type PageOfCells, withoutCutOff } from '../../rows/cells/page-cells.ts'
import { idsOfTimes } from '../../rows/messages/ids-of-time.ts'
import { openInbound } from '../../rows/messages/inbound-row.ts'
import { clientIdsOf, matchConditions } from '../../rows/messages/message-match.ts'
import { MESSAGE_COLUMNS, openHook } from '../../rows/messages/message-row.ts'
import { PAGE_COLUMNS } from '../../rows/messages/page-row.ts'
import { openReport } from '../../rows/reports/report-row.ts'
import { type HashPhone, keysOfPhone } from '../../vault/phone-hash.ts'
import type { Connection } from '../connection/connection.ts'
import { inBucket, rare, type SqlStatement } from '../connection/statement.ts'
import { HOOK_KEY } from '../reports/claim-reports.ts'

const MATCH = {
  contains: (column: string) => `strpos(${column}, ?) > 0`,
  channel: "(plan::json -> (journey::json ->> 'step')::int ->> 'channel')",
  carrier: 'strpos(journey, ?) > 0',
}

interface Source {
  /** The column to page by, and the columns to read. */
  readonly key: string
  /** Several rows may share a key and then stay on one page; this column orders them. */
  readonly sharedBy?: string
  readonly columns: string
  /** Bytes of its potentially long columns. */
  readonly size: string
  readonly from: string
  /** The buckets to read; null for a table without buckets. */
  readonly buckets: readonly number[] | null
  /** The condition of its partial index. */
  readonly only?: string
  /** What the index of the key begins with, after the bucket: a key is unique only among these rows. */
  readonly under?: readonly Condition[]
  /** Conditions served by an index. */
  readonly indexed: readonly Condition[]
  readonly others: readonly Condition[]
}

type Condition = readonly [sql: string, value: Value]

/** The key of a row, and its size. */
interface Place {
  readonly key: number
  readonly size: number
  readonly bucket: number | null
}

/** Of one bucket: its newest places, and the key down to which it was searched; rows below are unknown. */
interface Newest {
  readonly places: readonly Place[]
  readonly horizon: number | null
}

interface PageTools {
  readonly vault: Vault
  readonly hashPhone: HashPhone
  readonly clock: Clock
}

/** Buckets that one round trip reads, and how long a page may take in all. */
const BUCKETS_AT_A_TIME = 16
const MAX_PAGE_MS = 4_000

/** Rejects with TooMuchToRead. */
export async function page(
  connection: Connection,
  { vault, hashPhone, clock }: PageTools,
  query: PageQuery,
): Promise<PageOfCells> {
  const { rows, next } = await findPage(connection, sourceOf(query, hashPhone), query, clock)
  const openRow = OPENERS[query.of]
  return { rows: openRow === undefined ? rows : rows.map((row) => openRow(row, vault)), next }
}

type OpenRow = (row: readonly Cell[], vault: Vault) => readonly Cell[]

/** Opens the sealed cells of a row. */
const OPENERS: Readonly<Partial<Record<PageQuery['of'], OpenRow>>> = {
  messages: ([key = null, ...row], vault) => [key, ...openHook(row, vault), null],
  'failed reports': openReport,
  'waiting reports': openReport,
  inbound: openInbound,
}

async function findPage(connection: Connection, source: Source, query: PageQuery, clock: Clock): Promise<PageOfCells> {
  const buckets = source.buckets ?? [null]
  const seen = Math.max(query.limit, Math.ceil(MAX_SEEN / buckets.length))
  const newest: Newest[] = []
  const until = clock.monotonic() + MAX_PAGE_MS
  for (let at = 0; at < buckets.length; at += BUCKETS_AT_A_TIME) {
    if (clock.monotonic() > until) throw new TooMuchToRead()
    const some = buckets.slice(at, at + BUCKETS_AT_A_TIME)
    newest.push(...(await Promise.all(some.map((bucket) => newestOf(connection, source, bucket, seen, query)))))
  }
  const horizons = newest.flatMap(({ horizon }) => horizon ?? [])
  const horizon = horizons.length === 0 ? null : Math.max(...horizons)
  const known = newest.flatMap(({ places }) => places).filter(({ key }) => key >= (horizon ?? 0))
  const first = known.sort((a, b) => b.key - a.key).slice(0, query.limit)
  const { items, isAll } = takeFitting(first, MAX_PAGE_BYTES, ({ size }) => size)
  const rows = await rowsAt(connection, source, items)
  if (isAll && items.length < query.limit) return { rows, next: horizon }
  const whole = source.sharedBy === undefined ? rows : withoutCutOff(rows)
  return { rows: whole, next: Number(whole.at(-1)?.[0] ?? items.at(-1)?.key) }
}

/** Reads only the rows that are on the page. */
async function rowsAt(connection: Connection, source: Source, places: readonly Place[]): Promise<PageOfCells['rows']> {
  const { read } = statementsOf(source)
  const found = await Promise.all(
    Map.groupBy(places, ({ bucket }) => bucket)
      .entries()
      .map(([bucket, ofBucket]) => {
        const keys = [...new Set(ofBucket.map(({ key }) => key))]
        return connection.query(read, ...(bucket === null ? [] : [bucket]), ...underOf(source), keys)
      }),
  )
  return found.flat().sort(([a], [b]) => Number(b) - Number(a))
}

async function newestOf(
  connection: Connection,
  source: Source,
  bucket: number | null,
  seen: number,
  { after, limit: most }: PageQuery,
): Promise<Newest> {
  const { others, indexed } = source
  const values = [
    ...(bucket === null ? [] : [bucket]),
    ...underOf(source),
    after ?? Number.MAX_SAFE_INTEGER,
    seen,
    ...indexed.map(([, value]) => value),
  ]
  const { select, edge } = statementsOf(source)
  const [found, edges] = await Promise.all([
    connection.query(select, ...values, ...others.map(([, value]) => value), most),
    others.length === 0 ? [] : connection.query(edge, ...values),
  ])
  const places = found.map(([key, size]) => ({ key: Number(key), size: Number(size), bucket }))
  const horizon = places.length === most ? places.at(-1)?.key : edges[0]?.[0]
  return { places, horizon: horizon === undefined ? null : Number(horizon) }
}

function underOf({ under = [] }: Source): readonly Value[] {
  return under.map(([, value]) => value)
}

const made = new Map<
  string,
  { readonly select: SqlStatement; readonly edge: SqlStatement; readonly read: SqlStatement }
>()

function statementsOf(source: Source) {
  const { key, sharedBy, columns, size, from, buckets, only, under = [], indexed, others } = source
  const conditions = [under, indexed, others].map((some) => some.map(([sql]) => sql).join(' '))
  const name = [from, key, only, ...conditions].join(' / ')
  const known = made.get(name)
  if (known !== undefined) return known
  const make = buckets === null ? rare : inBucket
  let place = buckets === null ? 0 : 1
  const next = () => `$${++place}`
  const within = under.map(([sql]) => sql.replace('?', next))
  const always = [...(buckets === null ? [] : ['bucket = $1']), ...within, ...(only === undefined ? [] : [only])]
  const keys = `$${place + 1}`
  const [before, seen] = [next(), next()]
  const where = [...always, `${key} < ${before}`, ...indexed.map(([sql]) => sql.replace('?', next))].join(' AND ')
  const order = `${key} DESC${sharedBy === undefined ? '' : `, ${sharedBy} DESC`}`
  const scan = `FROM ${from} WHERE ${where} ORDER BY ${order}`
  const edge = make(`SELECT ${key} ${scan} LIMIT 1 OFFSET ${seen}::bigint - 1`)
  const filter = others.map(([sql]) => sql.replace('?', next)).join(' AND ')
  const select = make(
    `SELECT ${key}, ${size} FROM (SELECT * ${scan} LIMIT ${seen}) AS seen
     ${filter === '' ? '' : `WHERE ${filter}`} ORDER BY ${order} LIMIT ${next()}`,
  )
  const those = [...always, `${key} = ANY (${keys}::bigint[])`].join(' AND ')
  const read = make(`SELECT ${key}, ${columns} FROM ${from} WHERE ${those} ORDER BY ${order}`)
  made.set(name, { select, edge, read })
  return { select, edge, read }
}

/** SQL for the bytes of these columns; others are short. */
function sizeOf(...columns: readonly string[]): string {
  return ['100', ...columns.map((column) => `coalesce(octet_length(${column}), 0)`)].join(' + ')
}

function sourceOf(query: PageQuery, hashPhone: HashPhone): Source {
  switch (query.of) {
    case 'messages': {
      const { accountId } = query
      const clientIds = clientIdsOf(query.match)
      const ofAccount = given(['account_id = ?', accountId])
      const ofClient = given(['client_id = ANY (?::text[])', clientIds])
      const times = idsOfTimes(query.match, 'bucket = $1')
      // Phones have an index of their own. Those of client ids and accounts begin with the account.
      const isIndexed = query.phone === null
      const ofIds = clientIds === null || accountId !== null ? ofClient : given([OF_ANY_ACCOUNT, clientIds])
      return {
        key: 'msg_id',
        columns: MESSAGE_COLUMNS,
        size: sizeOf('client_id', 'plan', 'hook', 'journey'),
        from: 'message',
        buckets: bucketsOf(query.accountId),
        indexed: [
          ...phoneIs(query.phone),
          ...(isIndexed ? [...ofAccount, ...ofIds] : []),
          ...(times.from === null ? [] : [[`msg_id >= ${times.from[0]}`, times.from[1]] as const]),
          ...(times.before === null ? [] : [[`msg_id < ${times.before[0]}`, times.before[1]] as const]),
        ],
        others: [
          ...(isIndexed ? [] : [...ofAccount, ...ofClient]),
          ...given(['status = ?', query.status]),
          ...matchConditions(query.match, MATCH),
        ],
      }
    }
    case 'postings':
      // Each account counts its own.
      return {
        ...ofAccount(query),
        key: 'posting_id',
        under: [['account_id = ?', query.accountId]],
        indexed: [],
        size: sizeOf('note'),
        from: 'posting',
      }
    case 'failed reports':
      return {
        ...ofAccount(query),
        key: 'msg_id',
        sharedBy: 'number',
        size: sizeOf('address', 'body', 'detail'),
        from: 'report',
        only: "state = 'failed'",
      }
    case 'waiting reports': {
      // A message may have reports to several hooks.
      return {
        ...ofAccount(query),
        key: 'msg_id',
        sharedBy: 'number',
        under: [
          ['account_id = ?', query.accountId],
          [`md5(?::text) = ${HOOK_KEY}`, query.hook],
        ],
        indexed: [],
        size: sizeOf('address', 'body', 'detail', 'try_log'),
        from: 'report',
        only: "state = 'pending' AND node = 0 AND due_at IS NOT NULL",
      }
    }
    case 'inbound':
      // Those of all accounts have an index over all buckets.
      return {
        ...ofAccount({ of: query.of, accountId: query.accountId }),
        ...(query.accountId === null
          ? { key: 'inbound_id', buckets: null }
          : { key: 'event_id', under: [['account_id = ?', query.accountId] as const] }),
        indexed: [],
        others: given(['sender = ANY (?::text[])', query.sender === undefined ? null : sendersOf(query.sender)]),
        size: sizeOf('sender', 'recipient', 'text', 'facts'),
        from: 'inbound_message',
      }
    case 'opt-outs': {
      const phones = query.phone === null ? null : keysOfPhone(query.phone, hashPhone)
      const { indexed, ...rest } = ofAccount(query)
      const ofPhone = given(['phone = ANY (?::text[])', phones])
      return { ...rest, key: 'opt_out_id', size: sizeOf(), from: 'opt_out', indexed: [...indexed, ...ofPhone] }
    }
    case 'audit':
      return {
        key: 'audit_id',
        columns: PAGE_COLUMNS[query.of],
        size: sizeOf('subject', 'before', 'after'),
        from: 'audit',
        buckets: null,
        indexed: given(['subject = ANY (?::text[])', query.subjects], ['actor = ANY (?::text[])', query.actors]),
        others: given(
          ['action = ANY (?::text[])', query.actions ?? null],
          ['at >= ?', query.from ?? null],
          ['at < ?', query.until ?? null],
        ),
      }
  }
}

function ofAccount({ of, accountId }: { of: keyof typeof PAGE_COLUMNS; accountId: AccountId | null }) {
  const indexed = given(['account_id = ?', accountId])
  return { columns: PAGE_COLUMNS[of], buckets: bucketsOf(accountId), indexed, others: [] }
}

function bucketsOf(accountId: AccountId | null): readonly number[] {
  return accountId === null ? Array.from({ length: BUCKETS }, (_, bucket) => bucket) : [bucketOf(accountId)]
}

/**
 * Looks each client id up for each account of the bucket, because its index begins with the account. Without the join
 * and the OFFSET, the database reads all messages of each account, or the index of the bucket as a whole.
 */
const OF_ANY_ACCOUNT = `msg_id = ANY (ARRAY (
    SELECT named.msg_id FROM account, unnest(?::text[]) AS wanted (id), LATERAL (
      SELECT msg_id FROM message AS of_account
      WHERE bucket = $1 AND of_account.account_id = account.account_id AND client_id = wanted.id OFFSET 0
    ) AS named WHERE account.account_id % ${BUCKETS} = $1))`

/** Carriers write E.164 digits, with or without a plus. */
function sendersOf(phone: Phone): readonly string[] {
  return formsOf(phone).flatMap((form) => [form, `+${form}`])
}

/** Most phones have one form: the index then returns their messages in order. */
function phoneIs(phone: Phone | null): readonly Condition[] {
  if (phone === null) return []
  const forms = formsOf(phone)
  return forms.length === 1 ? [['phone = ?', phone]] : [['phone = ANY (?::text[])', forms]]
}

function given(...conditions: readonly (readonly [sql: string, value: Value])[]): readonly Condition[] {
  return conditions.filter(([, value]) => value !== null)
}
