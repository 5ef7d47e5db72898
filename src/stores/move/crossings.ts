/**
 * The tables of an installation in the order in which a move copies them: referenced tables first. Columns are copied
 * by name unless listed here. A test checks that every table and column of both databases is covered.
 */
import { BUCKETS } from '../../domain/ids/message-id.ts'
import { TOTAL_KEY, TOTAL_SUMS } from '../rows/statistics/message-total.ts'

/** How PostgreSQL finds the bucket of a row; `every`: the row is stored in all of them. */
export type BucketRule = 'account' | 'message' | 'bulk' | 'carrier' | 'inbound' | 'carrier id' | 'usage' | 'every'

export interface Crossing {
  readonly table: string
  /** Null for a table that has no buckets. */
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
  /** Columns of only one database that are written by other means. */
  readonly apart?: readonly string[]
  /** Rows may be large: copies only few at a time. */
  readonly large?: true
}

/** Functions that SQLite gets for the move. */
export const JOURNEY_OBJECT = 'journey_object'
export const JOURNEY_LIST = 'journey_list'

/** No node holds anything any more, and held messages are due. */
const NOT_HELD = { node: '0', due_at: 'CASE WHEN node = 0 THEN due_at ELSE 0 END' }

const DUE = { ...NOT_HELD, tenant: 'CASE WHEN node = 0 THEN tenant ELSE 0 END' }

export const CROSSINGS: readonly Crossing[] = [
  // With the sealing key: processes with another key are refused from then on.
  { table: 'meta', bucket: null, apart: ['node', 'next_counter'] },
  whole('account'),
  whole('account_hooks'),
  whole('api_key'),
  whole('sender'),
  whole('price'),
  whole('carrier'),
  whole('pool'),
  whole('inbound_number'),
  whole('route'),
  whole('cost'),
  { table: 'operators', bucket: null, large: true },
  whole('chat_template'),
  { table: 'stopped_hook', bucket: null, apart: ['hash'] },
  whole('guard_settings'),
  whole('listed_number'),
  whole('traffic_alarm'),
  whole('notification_target'),
  whole('alarm_rule'),
  whole('alarm'),
  whole('notification'),
  whole('traffic'),
  whole('admin_user'),
  whole('admin_token'),
  whole('passkey'),
  whole('login_tally'),
  whole('login_network'),
  whole('one_time_token'),
  whole('audit'),
  whole('carrier_user'),
  { table: 'admin_request', bucket: null, large: true },
  { table: 'sms_template', bucket: 'account' },
  { table: 'opt_out', bucket: 'account' },
  { table: 'call_total', bucket: 'account' },
  {
    table: 'message_total',
    bucket: 'account',
    // Gateways of earlier versions wrote sums over the accounts of each bucket.
    postgresRows: {
      from: `(SELECT ${TOTAL_KEY}, ${TOTAL_SUMS.join(', ')} FROM message_total WHERE account_id > 0
        UNION ALL SELECT ${TOTAL_KEY}, ${TOTAL_SUMS.map((sum) => `sum(${sum})::bigint`).join(', ')}
        FROM message_total WHERE account_id = 0 GROUP BY ${TOTAL_KEY}) AS totals`,
      key: TOTAL_KEY.split(', '),
    },
  },
  { table: 'link_total', bucket: 'account' },
  { table: 'usage', bucket: 'usage' },
  { table: 'inbound_message', bucket: 'inbound' },
  { table: 'inbound_part', bucket: 'carrier' },
  { table: 'inbound_key', bucket: 'carrier' },
  { table: 'account_balance', bucket: 'account', fromSqlite: { postings: '0' } },
  { table: 'posting_total', bucket: 'account' },
  { table: 'closed_month', bucket: 'account' },
  // SQLite numbers all postings in one sequence, PostgreSQL per account: both renumber copied rows in order.
  { table: 'posting', bucket: 'account', fromPostgres: { posting_id: 'NULL' } },
  {
    table: 'message',
    bucket: 'message',
    apart: ['contents'],
    // PostgreSQL stores journeys as objects only.
    fromSqlite: { journey: `${JOURNEY_OBJECT}(journey)` },
    intoSqlite: { journey: JOURNEY_LIST },
  },
  {
    table: 'message_text',
    bucket: 'message',
    large: true,
    // Short contents are in the message's row there. Moved contents are all in message_text.
    sqliteRows: `(SELECT msg_id, sealed FROM message_text
      UNION ALL SELECT msg_id, contents FROM message WHERE contents IS NOT NULL)`,
  },
  {
    table: 'event',
    bucket: 'message',
    // The history of a message may outlast it there, until its partition is dropped.
    postgresWhere:
      'EXISTS (SELECT 1 FROM message WHERE message.bucket = event.bucket AND message.msg_id = event.msg_id)',
  },
  { table: 'due', bucket: 'message', fromSqlite: DUE, fromPostgres: DUE },
  { table: 'report', bucket: 'message', fromSqlite: NOT_HELD, fromPostgres: NOT_HELD },
  { table: 'event_feed', bucket: 'account' },
  { table: 'bulk', bucket: 'bulk' },
  { table: 'bulk_lines', bucket: 'bulk', large: true },
  { table: 'bulk_phone', bucket: 'bulk' },
  { table: 'bulk_error', bucket: 'bulk' },
  { table: 'bulk_total', bucket: 'bulk' },
  { table: 'link', bucket: 'message' },
  { table: 'call_code', bucket: 'message' },
  {
    table: 'part_ref',
    bucket: 'message',
    // If a carrier reused an id, the newest row counts.
    postgresRows: {
      from: `(SELECT DISTINCT ON (carrier_id, ref) * FROM part_ref
        ORDER BY carrier_id, ref, msg_id DESC, step DESC, part DESC) AS newest`,
      key: ['carrier_id', 'ref'],
    },
  },
  {
    table: 'early_receipt',
    bucket: 'carrier id',
    // SQLite assigns early receipts of another node to its next gateway. Here that is any dead node.
    fromPostgres: { node: 'greatest(node, 1)' },
  },
  { table: 'idempotency', bucket: 'account', large: true },
  { table: 'unique_id', bucket: 'account' },
  { table: 'sweep_skipped', bucket: 'message' },
  {
    table: 'sweep_mark',
    bucket: 'every',
    // SQLite has one sweep position: the lowest of all buckets.
    postgresRows: {
      from: `(SELECT action, days, CASE WHEN count(*) = ${BUCKETS} THEN min(msg_id) ELSE 0 END AS msg_id,
          max(furthest) AS furthest
        FROM sweep_mark GROUP BY action, days) AS marks`,
      key: ['action', 'days'],
    },
  },
]

/** Tables that describe how one database is operated; the other creates its own. Counts are summed up before. */
export const STAYING = {
  sqlite: ['moving', 'sqlite_sequence', 'message_count'],
  postgres: ['moving', 'schema_version', 'message_counter', 'node', 'lease', 'carrier_slot', 'rewind'],
} as const

function whole(table: string): Crossing {
  return { table, bucket: null }
}

/** Returns the SQL that reads each column of the target from the source. Throws if the two do not match. */
export function readingOf(
  { table, apart = [] }: Crossing,
  instead: Readonly<Record<string, string>>,
  sourceColumns: readonly string[],
  targetColumns: readonly string[],
): readonly (readonly [column: string, sql: string])[] {
  return targetColumns
    .filter((column) => column !== 'bucket' && !apart.includes(column))
    .map((column) => {
      if (instead[column] === undefined && !sourceColumns.includes(column)) {
        throw new Error(`no reading is defined for the column ${column} of ${table}`)
      }
      return [column, instead[column] ?? `"${column}"`] as const
    })
}
