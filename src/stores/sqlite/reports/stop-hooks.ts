/** Hooks that answered 410. They are not part of the directory, so that stopping one causes no reload. */
import { hookOf } from '../../../domain/reports/report-schedule.ts'
import { MAX_STOPPED_HOOKS } from '../../../domain/reports/stopped-hook.ts'
import type { ReportResult } from '../../../ports/records/pending-report.ts'
import { REPLACE_STOP } from '../../rows/setup/stopped-hooks.ts'
import type { Session } from '../session/session.ts'
import { SqlStatement } from '../statement/statement.ts'

/** Stops the hook of a report. */
export function stopHook({
  database,
}: Session): (result: Pick<ReportResult, 'messageId' | 'number' | 'at' | 'test'>) => void {
  const addressOf = new SqlStatement<[accountId: number, address: string]>(
    database,
    'SELECT account_id, address FROM report WHERE msg_id = ? AND number = ?',
  )
  const put = new SqlStatement(
    database,
    `INSERT INTO stopped_hook (account_id, address, stopped, test, changed_at) VALUES (?, ?, 1, ?, ?)
     ON CONFLICT (account_id, address) ${REPLACE_STOP}`,
  )
  const trim = new SqlStatement(
    database,
    `DELETE FROM stopped_hook WHERE account_id = ?1 AND address IN (SELECT address FROM stopped_hook
       WHERE account_id = ?1 ORDER BY changed_at DESC LIMIT 100 OFFSET ${MAX_STOPPED_HOOKS})`,
  )
  return ({ messageId, number, at, test = false }) => {
    const hook = addressOf.first(messageId, number)
    if (hook === undefined) return
    const [accountId, address] = hook
    put.run(accountId, hookOf(address), Number(test), at)
    trim.run(accountId)
  }
}
