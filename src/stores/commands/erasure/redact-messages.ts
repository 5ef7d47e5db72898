/**
 * Deletes data of ended messages of a bucket: their texts, what only served their delivery, or all of it. Postings
 * stay. Each action is idempotent. The caller ensures that the messages are not open and have no report pending.
 */
import { TEST_MARK } from '../../admission/admission-order.ts'
import { withoutTexts } from '../../rows/erasure/without-texts.ts'
import type { SweepAction } from '../../rows/setup/retention-rules.ts'
import type { TableName } from '../../tables/all-tables.ts'
import { type Command, rows, write } from '../statement/command.ts'
import { type Sql, STILL_PENDING, sql, update } from '../statement/sql.ts'

const THESE = 'WHERE {bucket} msg_id {any bigint}'

const BUSY = sql<[msgId: number]>(
  `SELECT msg_id FROM due ${THESE} UNION SELECT msg_id FROM report ${THESE} AND ${STILL_PENDING}`,
)
const WORDS = sql<[msgId: number, plan: string, journey: string]>(
  `SELECT msg_id, plan, journey FROM message ${THESE} ORDER BY msg_id {lock}`,
)
/** The version grows, so that a state in memory never overwrites it. */
const BARE = update('message', 'plan, journey', 'msg_id', 'version = version + 1')
const CLEAR_EVENTS = sql(`UPDATE event SET detail = '' ${THESE} AND detail <> ''`)
const CLEAR_REPORTS = sql(`UPDATE report SET body = '', detail = '', try_log = NULL ${THESE} AND body <> ''`)
const END_LINKS = sql(`UPDATE link SET expires_at = ? ${THESE} AND expires_at > CAST(? AS bigint)`)
const CLEAR_LINKS = sql(`UPDATE link SET url = '' ${THESE} AND url <> ''`)
const DROP_EXPIRED_LINKS = sql(`DELETE FROM link ${THESE} AND expires_at <= ?`)
const DROP_UNIQUE = sql(
  `DELETE FROM unique_id WHERE {bucket} (account_id, client_id, msg_id) IN
     (SELECT account_id, CASE test WHEN 1 THEN '${TEST_MARK}' || client_id ELSE client_id END, msg_id FROM message ${THESE})`,
)
export const DROP_TEXTS = deletion('message_text')
const DROP_REPORTS = deletion('report')
const DROP_REFS = deletion('part_ref')
const DROP_EVENTS = deletion('event')
const DROP_NAMES = [deletion('link'), deletion('call_code'), DROP_UNIQUE]
/** The message itself last. */
const DROP_RECORDS = [...DROP_NAMES, DROP_TEXTS, deletion('message')]

function deletion(table: TableName): Sql {
  return sql(`DELETE FROM ${table} ${THESE}`)
}

/** Whether rows of an ended message will soon be dropped with their partition and need not be deleted one by one. */
export type IsLeft = (table: 'report' | 'part_ref' | 'event', msgId: number) => boolean

/** Returns those that are open or have a report pending. */
export function* busyAmong(ids: readonly number[]): Command<ReadonlySet<number>> {
  return new Set(ids.length === 0 ? [] : (yield* rows(BUSY, ids, ids)).flat())
}

/** What each store does in its own way. */
export interface RedactTools {
  /** Delete the contents of messages. */
  readonly contents: readonly Sql[]
  readonly isLeft?: IsLeft
}

export function* redact(
  action: SweepAction,
  ids: readonly number[],
  now: number,
  { contents, isLeft = () => false }: RedactTools,
): Command<void> {
  if (ids.length === 0) return
  if (action === 'texts') {
    for (const drop of contents) yield* write(drop, [ids])
    yield* dropTexts(ids, now)
    return
  }
  yield* dropRows('report', DROP_REPORTS)
  yield* dropRows('part_ref', DROP_REFS)
  yield* write(DROP_EXPIRED_LINKS, [ids, now])
  if (action !== 'records') return
  yield* dropRows('event', DROP_EVENTS)
  for (const drop of DROP_RECORDS) yield* write(drop, [ids])

  function* dropRows(table: Parameters<IsLeft>[0], drop: Sql): Command<void> {
    const left = ids.filter((id) => !isLeft(table, id))
    if (left.length > 0) yield* write(drop, [left])
  }
}

/** Deletes what finds the messages or must not be assigned again: links, codes of calls, client ids. */
export function* dropNames(ids: readonly number[]): Command<void> {
  for (const drop of DROP_NAMES) yield* write(drop, [ids])
}

/** Deletes carriers' texts, bodies of reports and targets of links. */
function* dropTexts(ids: readonly number[], now: number): Command<void> {
  const bare = (yield* rows(WORDS, ids)).flatMap(([msgId, ...words]) => {
    const without = withoutTexts(words)
    return without === null ? [] : [[...without, msgId]]
  })
  yield* write(BARE, ...bare)
  yield* write(CLEAR_EVENTS, [ids])
  yield* write(CLEAR_REPORTS, [ids])
  yield* write(DROP_EXPIRED_LINKS, [ids, now])
  yield* write(END_LINKS, [now, ids, now])
  yield* write(CLEAR_LINKS, [ids])
}
