/** Claims reports to send: those that are due, and those whose hook can take them. */
import type { AccountId } from '../../../domain/ids/account-id.ts'
import type { HookClaim, PendingReport, ReportClaim, WaitingHook } from '../../../ports/records/pending-report.ts'
import { MAX_HOOKS_OF_ACCOUNT, MAX_WAITING_HOOKS } from '../../rows/reports/hook-wait.ts'
import { PENDING_REPORT_COLUMNS, type ReportRow, reportReader } from '../../rows/reports/report-row.ts'
import type { Session } from '../session/session.ts'
import { SqlStatement } from '../statement/statement.ts'

/** As in the index. */
export const HOOK_SQL = `substr(address, 1, instr(address || '?', '?') - 1)`
export const WAITING = `FROM report WHERE state = 'pending' AND node = 0 AND due_at IS NOT NULL`

/** Pending reports that one claim reads to find those of a dead node. */
const STRANDED_SLICE = 2_000

type Claimed = { readonly reports: PendingReport[]; readonly nextDueAt: number | null }

export function claimReports(session: Session): (claim: ReportClaim) => Claimed {
  const { database, node, vault } = session
  const due = new SqlStatement<ReportRow>(
    database,
    `SELECT ${PENDING_REPORT_COLUMNS} ${WAITING} AND due_at <= ? ORDER BY due_at LIMIT ?`,
  )
  const hold = new SqlStatement(database, 'UPDATE report SET node = ? WHERE msg_id = ? AND number = ?')
  const next = new SqlStatement<[dueAt: number]>(database, `SELECT due_at ${WAITING} ORDER BY due_at LIMIT 1`)
  const releaseStranded = releaseStrandedReports(session)
  return ({ now, limit }) => {
    const mayBeMore = releaseStranded()
    const rows = due.all(now, limit)
    for (const [msgId, number] of rows) hold.run(node, msgId, number)
    return { reports: rows.map(reportReader(vault)), nextDueAt: mayBeMore ? now : (next.first()?.[0] ?? null) }
  }
}

/**
 * Makes the reports due that a dead node held. Dead nodes have lower numbers. Reads the pending reports in slices, so
 * that a start does not wait for all of them: there is no index of reports by node, which each report would have to pay
 * for. Returns whether there are more to read.
 */
function releaseStrandedReports({ database, node }: Pick<Session, 'database' | 'node'>): () => boolean {
  const pending = new SqlStatement<[accountId: number, msgId: number, number: number, node: number]>(
    database,
    `SELECT account_id, msg_id, number, node FROM report INDEXED BY report_pending
     WHERE state = 'pending' AND (account_id, msg_id, number) > (?, ?, ?) ORDER BY account_id, msg_id, number LIMIT ?`,
  )
  const release = new SqlStatement(database, 'UPDATE report SET node = 0, due_at = 0 WHERE msg_id = ? AND number = ?')
  let last: readonly [accountId: number, msgId: number, number: number] | null = [0, 0, 0]
  return () => {
    if (last === null) return false
    const rows = pending.all(...last, STRANDED_SLICE)
    for (const [, msgId, number, holder] of rows) if (holder > 0 && holder < node) release.run(msgId, number)
    const [accountId = 0, msgId = 0, number = 0] = rows.at(-1) ?? []
    last = rows.length === STRANDED_SLICE ? [accountId, msgId, number] : null
    return last !== null
  }
}

export function claimReportsOf({ database, node, vault }: Session): (claim: HookClaim) => PendingReport[] {
  const find = new SqlStatement<ReportRow>(
    database,
    `SELECT ${PENDING_REPORT_COLUMNS} ${WAITING} AND account_id = ? AND ${HOOK_SQL} = ? AND (parked = 1 OR tried_at >= ?)
     ORDER BY msg_id LIMIT ?`,
  )
  const hold = new SqlStatement(database, 'UPDATE report SET node = ? WHERE msg_id = ? AND number = ?')
  return ({ accountId, hook, failedSince, limit }) => {
    const rows = find.all(accountId, hook, failedSince ?? Number.MAX_SAFE_INTEGER, limit)
    for (const [msgId, number] of rows) hold.run(node, msgId, number)
    return rows.map(reportReader(vault))
  }
}

/** Skips from hook to hook along the index, however many reports wait for each. */
export function waitingHooks({ database }: Session): () => WaitingHook[] {
  const nextOfAccount = new SqlStatement<[hook: string]>(
    database,
    `SELECT ${HOOK_SQL} ${WAITING} AND account_id = ? AND ${HOOK_SQL} > ? ORDER BY ${HOOK_SQL} LIMIT 1`,
  )
  const nextAccount = new SqlStatement<[accountId: AccountId]>(
    database,
    `SELECT account_id ${WAITING.replace('FROM report', 'FROM report INDEXED BY report_of_hook')} AND account_id > ?
     ORDER BY account_id LIMIT 1`,
  )
  const anyParked = new SqlStatement(
    database,
    `SELECT 1 ${WAITING} AND account_id = ? AND ${HOOK_SQL} = ? AND parked = 1 LIMIT 1`,
  )
  return () => {
    const hooks: WaitingHook[] = []
    for (let account = nextAccount.first(0); account !== undefined; account = nextAccount.first(account[0])) {
      const [accountId] = account
      for (let count = 0, last = ''; count < MAX_HOOKS_OF_ACCOUNT; count += 1) {
        const hook = nextOfAccount.first(accountId, last)?.[0]
        if (hook === undefined) break
        hooks.push({ accountId, hook, parked: anyParked.first(accountId, hook) !== undefined })
        last = hook
      }
      if (hooks.length >= MAX_WAITING_HOOKS) break
    }
    return hooks
  }
}
