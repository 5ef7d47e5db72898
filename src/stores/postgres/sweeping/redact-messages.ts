/**
 * Deletes data of ended messages: their texts, what only served their delivery, or all of it. Postings stay. Each
 * action is idempotent. The caller ensures that the messages are not open and have no report pending.
 */
import { TEST_MARK } from '../../rows/cells/apart-from-tests.ts'
import type { Cell } from '../../rows/cells/cell.ts'
import { withoutTexts } from '../../rows/erasure/without-texts.ts'
import type { SweepAction } from '../../rows/setup/retention-rules.ts'
import { ByBucket } from '../connection/by-bucket.ts'
import { inBucket, type Statement, typesOf, unnest } from '../connection/statement.ts'
import type { Session } from '../session/session.ts'

const THESE = 'WHERE bucket = $1 AND msg_id = ANY ($2::bigint[])'

const DROP_TEXTS = inBucket(`DELETE FROM message_text ${THESE}`)
const WORDS = inBucket<[msgId: number, plan: string, journey: string]>(
  `SELECT msg_id, plan, journey FROM message ${THESE} ORDER BY msg_id FOR NO KEY UPDATE`,
)
/** The version grows, so that a state in memory never overwrites it. */
const BARE = inBucket(
  `UPDATE message SET plan = new.plan, journey = new.journey, version = version + 1
   FROM ${unnest(typesOf('message', 'msg_id, plan, journey'), 2)}
   WHERE message.bucket = $1 AND message.msg_id = new.msg_id`,
)
const CLEAR_EVENTS = inBucket(`UPDATE event SET detail = '' ${THESE} AND detail <> ''`)
const CLEAR_REPORTS = inBucket(`UPDATE report SET body = '', detail = '', try_log = NULL ${THESE} AND body <> ''`)
const CLEAR_LINKS = inBucket(`UPDATE link SET url = '', expires_at = least(expires_at, $3) ${THESE} AND url <> ''`)
const DROP_EXPIRED_LINKS = inBucket(`DELETE FROM link ${THESE} AND expires_at <= $3`)
const DROP_REPORTS = inBucket(`DELETE FROM report ${THESE}`)
const DROP_REFS = inBucket(`DELETE FROM part_ref ${THESE}`)
const DROP_UNIQUE = inBucket(
  `DELETE FROM unique_id USING message WHERE unique_id.bucket = $1 AND message.bucket = $1
   AND message.msg_id = ANY ($2::bigint[]) AND unique_id.account_id = message.account_id
   AND unique_id.client_id IN (message.client_id, '${TEST_MARK}' || message.client_id) AND unique_id.msg_id = message.msg_id`,
)
const deletion = (table: string) => inBucket(`DELETE FROM ${table} ${THESE}`)
const DROP_NAMES: readonly Statement[] = [deletion('link'), deletion('call_code'), DROP_UNIQUE]
const DROP_EVENTS = deletion('event')
/** The message itself last. */
const DROP_RECORDS: readonly Statement[] = [...DROP_NAMES, ...['message_text', 'message'].map(deletion)]

/** Whether rows of an ended message will soon be dropped with their partition and need not be deleted one by one. */
export type IsLeft = (table: 'report' | 'part_ref' | 'event', msgId: number) => boolean

export async function applyAction(
  session: Session,
  bucket: number,
  action: SweepAction,
  ids: readonly number[],
  now: number,
  isLeft: IsLeft = () => false,
): Promise<void> {
  if (ids.length === 0) return
  if (action === 'texts') {
    await dropTexts(session, bucket, ids, now)
    return
  }
  const dropRows = (table: Parameters<IsLeft>[0], drop: Statement) => {
    const rows = ids.filter((id) => !isLeft(table, id))
    if (rows.length > 0) session.write(drop, bucket, rows)
  }
  dropRows('report', DROP_REPORTS)
  dropRows('part_ref', DROP_REFS)
  session.write(DROP_EXPIRED_LINKS, bucket, ids, now)
  if (action !== 'records') return
  dropRows('event', DROP_EVENTS)
  for (const drop of DROP_RECORDS) session.write(drop, bucket, ids)
}

/** Deletes what finds the messages or must not be assigned again: links, codes of calls, client ids. */
export function dropNames(session: Session, bucket: number, ids: readonly number[]): void {
  for (const drop of DROP_NAMES) session.write(drop, bucket, ids)
}

/** Deletes contents, carriers' texts, bodies of reports and targets of links. */
async function dropTexts(session: Session, bucket: number, ids: readonly number[], now: number): Promise<void> {
  const bare: Cell[][] = []
  for (const [msgId, plan, journey] of await session.query(WORDS, bucket, ids)) {
    const without = withoutTexts([plan, journey])
    if (without !== null) bare.push([msgId, ...without])
  }
  session.write(DROP_TEXTS, bucket, ids)
  session.update(
    BARE,
    ByBucket.of(bare, () => bucket),
  )
  session.write(CLEAR_EVENTS, bucket, ids)
  session.write(CLEAR_REPORTS, bucket, ids)
  session.write(DROP_EXPIRED_LINKS, bucket, ids, now)
  session.write(CLEAR_LINKS, bucket, ids, now)
}
