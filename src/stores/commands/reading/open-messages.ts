/** Finds open messages of a bucket. */
import { OPEN_LOOKS, type OpenPage, type OpenQuery } from '../../../ports/stores/queued-store.ts'
import { OPEN_COLUMNS, type OpenRow, openPage } from '../../rows/messages/open-message.ts'
import { type Command, rows, withBucket } from '../statement/command.ts'
import { sql } from '../statement/sql.ts'

const OPEN = sql<OpenRow>(
  `SELECT ${OPEN_COLUMNS} FROM due JOIN message USING ({bucket,} msg_id) WHERE {bucket} msg_id > ? ORDER BY msg_id LIMIT ?`,
)

export function* openMessages(bucket: number, query: OpenQuery): Command<OpenPage> {
  return openPage(yield* withBucket(bucket, rows(OPEN, query.after, OPEN_LOOKS)), query)
}
