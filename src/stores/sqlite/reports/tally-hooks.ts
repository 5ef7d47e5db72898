/** Counts the reports of an account that wait or have failed, by hook. */
import type { AccountId } from '../../../domain/ids/account-id.ts'
import { type HookTally, MAX_TALLIED_REPORTS } from '../../../ports/records/pending-report.ts'
import type { Session } from '../session/session.ts'
import { Statement } from '../statement/statement.ts'

type Row = [hook: string, count: number, triedAt: number | null, detail: string]

export function tallyHooks({ database }: Session): (accountId: AccountId) => readonly HookTally[] {
  const tally = (state: HookTally['state']) => {
    // With max(), SQLite takes the other columns from the same row.
    const statement = new Statement<Row>(
      database,
      `SELECT hook, count(*), max(tried_at), detail FROM (
         SELECT substr(address, 1, instr(address || '?', '?') - 1) AS hook, tried_at, detail FROM report
         WHERE account_id = ? AND state = '${state}' AND body <> '' AND position IS NULL LIMIT ${MAX_TALLIED_REPORTS})
       GROUP BY hook`,
    )
    return (accountId: AccountId) =>
      statement.all(accountId).map(([hook, count, triedAt, detail]) => ({ hook, state, count, triedAt, detail }))
  }
  const [pending, failed] = [tally('pending'), tally('failed')]
  return (accountId) => [...pending(accountId), ...failed(accountId)]
}
