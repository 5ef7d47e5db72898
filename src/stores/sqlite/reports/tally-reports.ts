/** Counts the reports of messages by state. */
import type { AccountId } from '../../../domain/ids/account-id.ts'
import type { MessageId } from '../../../domain/ids/message-id.ts'
import type { ReportTally } from '../../../ports/records/pending-report.ts'
import type { Session } from '../session/session.ts'
import { Statement } from '../statement/statement.ts'

type Row = [state: ReportTally['state'], count: number, triedAt: number | null, detail: string]

export function tallyReports({
  database,
}: Session): (accountId: AccountId, ids: readonly MessageId[]) => readonly ReportTally[] {
  // With max(), SQLite takes the other columns from the same row.
  const tally = new Statement<Row>(
    database,
    'SELECT state, count(*), max(tried_at), detail FROM report WHERE msg_id = ? GROUP BY state',
  )
  return (_accountId, ids) =>
    ids.flatMap((messageId) =>
      tally.all(messageId).map(([state, count, triedAt, detail]) => ({ messageId, state, count, triedAt, detail })),
    )
}
