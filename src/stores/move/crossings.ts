/**
 * The tables of an installation in the order in which a move copies them: referenced tables first. Columns that both
 * databases have are copied by name unless listed here; those of one database are written by other means.
 */
import { BUCKETS } from '../../domain/ids/message-id.ts'
import { TOTAL_KEY, TOTAL_SUMS } from '../rows/statistics/message-total.ts'
import { findTable, TABLES, type TableName } from '../tables/all-tables.ts'
import type { BucketRule, StoreKind } from '../tables/declaration.ts'

export interface Crossing {
  readonly table: TableName
  readonly bucket: BucketRule | null
  /** The SQL that reads a column from SQLite. */
  readonly fromSqlite?: Readonly<Record<string, string>>
  /** The function of SQLite through which it writes a column. */
  readonly intoSqlite?: Readonly<Record<string, string>>
  /** The SQL that reads a column from PostgreSQL. */
  readonly fromPostgres?: Readonly<Record<string, string>>
  /** What SQLite reads instead of the table, with its key. */
  readonly sqliteRows?: string
  /** What PostgreSQL reads instead of the table, in the order of this key. */
  readonly postgresRows?: { readonly from: string; readonly key: readonly string[] }
  /** Which rows PostgreSQL reads, if the table may hold obsolete ones. */
  readonly postgresWhere?: string
  /** Rows may be large: copies only few at a time. */
  readonly large?: true
}

/** Functions that SQLite gets for the move. */
export const JOURNEY_OBJECT = 'journey_object'
export const JOURNEY_LIST = 'journey_list'

/** No node holds anything any more, and held messages are due. */
const NOT_HELD = { node: '0', due_at: 'CASE WHEN node = 0 THEN due_at ELSE 0 END' }

const DUE = { ...NOT_HELD, tenant: 'CASE WHEN node = 0 THEN tenant ELSE 0 END' }

const OTHERWISE: Partial<Readonly<Record<TableName, Omit<Crossing, 'table' | 'bucket'>>>> = {
  operators: { large: true },
  admin_request: { large: true },
  message_total: {
    // Gateways of earlier versions wrote sums over the accounts of each bucket.
    postgresRows: {
      from: `(SELECT ${TOTAL_KEY}, ${TOTAL_SUMS.join(', ')} FROM message_total WHERE account_id > 0
        UNION ALL SELECT ${TOTAL_KEY}, ${TOTAL_SUMS.map((sum) => `sum(${sum})::bigint`).join(', ')}
        FROM message_total WHERE account_id = 0 GROUP BY ${TOTAL_KEY}) AS totals`,
      key: TOTAL_KEY.split(', '),
    },
  },
  account_balance: { fromSqlite: { postings: '0' } },
  // SQLite numbers all postings in one sequence, PostgreSQL per account: both renumber copied rows in order.
  posting: { fromPostgres: { posting_id: 'NULL' } },
  message: {
    // PostgreSQL stores journeys as objects only.
    fromSqlite: { journey: `${JOURNEY_OBJECT}(journey)` },
    intoSqlite: { journey: JOURNEY_LIST },
  },
  message_text: {
    large: true,
    // Short contents are in the message's row there. Moved contents are all in message_text.
    sqliteRows: `(SELECT msg_id, sealed FROM message_text
      UNION ALL SELECT msg_id, contents FROM message WHERE contents IS NOT NULL)`,
  },
  event: {
    // The history of a message may outlast it there, until its partition is dropped.
    postgresWhere:
      'EXISTS (SELECT 1 FROM message WHERE message.bucket = event.bucket AND message.msg_id = event.msg_id)',
  },
  due: { fromSqlite: DUE, fromPostgres: DUE },
  report: { fromSqlite: NOT_HELD, fromPostgres: NOT_HELD },
  bulk_lines: { large: true },
  part_ref: {
    // If a carrier reused an id, the newest row counts.
    postgresRows: {
      from: `(SELECT DISTINCT ON (carrier_id, ref) * FROM part_ref
        ORDER BY carrier_id, ref, msg_id DESC, step DESC, part DESC) AS newest`,
      key: ['carrier_id', 'ref'],
    },
  },
  // SQLite assigns early receipts of another node to its next gateway. Here that is any dead node.
  early_receipt: { fromPostgres: { node: 'greatest(node, 1)' } },
  idempotency: { large: true },
  sweep_mark: {
    // SQLite has one sweep position: the lowest of all buckets.
    postgresRows: {
      from: `(SELECT action, days, CASE WHEN count(*) = ${BUCKETS} THEN min(msg_id) ELSE 0 END AS msg_id,
          max(furthest) AS furthest
        FROM sweep_mark GROUP BY action, days) AS marks`,
      key: ['action', 'days'],
    },
  },
}

export const CROSSINGS: readonly Crossing[] = TABLES.sqlite
  .filter(({ only, stays }) => only === undefined && stays === undefined)
  .map(({ name, bucket }) => ({ table: name as TableName, bucket, ...OTHERWISE[name as TableName] }))

/** Returns the SQL that reads each column of the target from the source. */
export function readingOf(crossing: Crossing, source: StoreKind): readonly (readonly [column: string, sql: string])[] {
  const instead = (source === 'sqlite' ? crossing.fromSqlite : crossing.fromPostgres) ?? {}
  const there = findTable(source, crossing.table).columns.map(({ name }) => name)
  return findTable(source === 'sqlite' ? 'postgres' : 'sqlite', crossing.table).columns.flatMap(({ name }) => {
    if (name === 'bucket' || (instead[name] === undefined && !there.includes(name))) return []
    return [[name, instead[name] ?? `"${name}"`] as const]
  })
}
