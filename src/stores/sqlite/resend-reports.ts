/** HOME, once more: failed reports become pending again because an operator wants it. */
import { REPORT_LIFETIME_MS } from '../../domain/report-schedule.ts'
import type { Change } from '../../ports/store.ts'
import type { Session } from './session.ts'
import { Statement } from './statement.ts'

/** Of one call: a change must not hold up the messages. */
const MOST_RESENT = 10_000

export type Resending = Extract<Change, { kind: 'resend reports' }>

/** The number of reports; those of one message go one after the other. */
export function resendReports({ database }: Session): (wish: Resending) => number {
  return ({ messageId, accountId, address, at }) => {
    const revived = new Statement<[msgId: number]>(
      database,
      `UPDATE report SET state = 'pending', node = 0, due_at = NULL, tries = 0, ends_at = ?4 WHERE (msg_id, number) IN (
         SELECT msg_id, number FROM report
         WHERE state = 'failed' AND body <> '' AND (?1 IS NULL OR msg_id = ?1) AND (?2 IS NULL OR account_id = ?2)
           AND (?3 IS NULL OR address = ?3) LIMIT ${MOST_RESENT})
       RETURNING msg_id`,
    ).all(messageId, accountId, address, at + REPORT_LIFETIME_MS)
    const first = new Statement(
      database,
      `UPDATE report SET due_at = ? WHERE msg_id = ? AND state = 'pending' AND due_at IS NULL AND node = 0
       AND number = (SELECT min(number) FROM report AS other WHERE other.msg_id = report.msg_id AND state = 'pending')`,
    )
    for (const msgId of new Set(revived.map(([id]) => id))) first.run(at, msgId)
    return revived.length
  }
}
