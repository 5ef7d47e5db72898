/** Reads which hooks reports wait for. */
import type { AccountId } from '../../../domain/ids/account-id.ts'
import { type HookWait, MAX_WAITS } from '../../../ports/records/pending-report.ts'
import { type SampleRow, selectSample, summariseWait } from '../../rows/reports/hook-wait.ts'
import type { Session } from '../session/session.ts'
import { SqlStatement } from '../statement/statement.ts'
import { HOOK_SQL, WAITING } from './claim-reports.ts'

type Waits = (accountId: AccountId | null) => readonly HookWait[]

/** Skips from hook to hook along the index, however many reports wait for each. */
export function hookWaits({ database }: Pick<Session, 'database'>): Waits {
  const next = (condition: string) =>
    new SqlStatement<[accountId: AccountId, hook: string]>(
      database,
      `SELECT account_id, ${HOOK_SQL} ${WAITING.replace('FROM report', 'FROM report INDEXED BY report_of_hook')}
       AND ${condition} ORDER BY account_id, ${HOOK_SQL} LIMIT 1`,
    )
  const nextOfAll = next(`(account_id, ${HOOK_SQL}) > (?, ?)`)
  const nextOfOne = next(`account_id = ? AND ${HOOK_SQL} > ?`)
  const sample = new SqlStatement<SampleRow>(
    database,
    selectSample(`${WAITING} AND account_id = ?1 AND ${HOOK_SQL} = ?2`),
  )
  return (accountId) => {
    const statement = accountId === null ? nextOfAll : nextOfOne
    const waits: HookWait[] = []
    let place = statement.first(accountId ?? 0, '')
    while (place !== undefined && waits.length < MAX_WAITS) {
      const [ofAccount, hook] = place
      const wait = summariseWait(sample.all(ofAccount, hook))
      if (wait !== null) waits.push({ accountId: ofAccount, hook, ...wait })
      place = statement.first(ofAccount, hook)
    }
    return waits
  }
}
