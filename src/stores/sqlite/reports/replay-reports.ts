/** Sends failed reports of an account again, on the client's request. */
import type { AccountId } from '../../../domain/ids/account-id.ts'
import type { MessageId } from '../../../domain/ids/message-id.ts'
import { NUMBERS_PER_HOOK } from '../../../domain/reports/client-hook.ts'
import { REPORT_LIFETIME_MS } from '../../../domain/reports/report-schedule.ts'
import { HOOK_STOP_LASTS_MS } from '../../../domain/reports/stopped-hook.ts'
import { MAX_REPLAYED, MAX_REPLAYED_HOOKS, type ReplayRequest } from '../../../ports/stores/replay-store.ts'
import { freeFirst } from '../../commands/reports/resend-reports.ts'
import type { Session } from '../session/session.ts'
import type { RunCommand } from '../statement/run-command.ts'
import { SqlStatement } from '../statement/statement.ts'

/** As in the index. */
const HOOK = `substr(address, 1, instr(address || '?', '?') - 1)`
const FAILED = `FROM report WHERE state = 'failed' AND body <> '' AND position IS NULL AND account_id = ?`

/** Reports to a hook that the client has deleted are never sent. */
const TO_KNOWN_HOOK = `(number < ${NUMBERS_PER_HOOK} OR number / ${NUMBERS_PER_HOOK} IN (
  SELECT hook.value ->> 'id' FROM account_hooks, json_each(hooks, '$.hooks') AS hook WHERE account_id = ?))`

/** Reads only what it sends again, and skips from hook to hook along the index, however many reports have failed. */
export function replayReports({ database }: Session, run: RunCommand): (request: ReplayRequest) => number {
  const revive = new SqlStatement<[msgId: MessageId]>(
    database,
    `UPDATE report SET state = 'pending', node = 0, due_at = NULL, tries = 0, ends_at = ? WHERE (msg_id, number) IN (
       SELECT msg_id, number ${FAILED} AND ${HOOK} = ? AND created_at >= ? AND ${TO_KNOWN_HOOK}
       ORDER BY created_at, msg_id, number LIMIT ?)
     RETURNING msg_id`,
  )
  const isStopped = new SqlStatement(
    database,
    'SELECT 1 FROM stopped_hook WHERE account_id = ? AND address = ? AND stopped = 1 AND changed_at > ?',
  )
  const hooksOf = failedHooks(database)
  return ({ accountId, hook, since, at }) => {
    let count = 0
    for (const each of hook === null ? hooksOf(accountId) : [hook]) {
      if (count >= MAX_REPLAYED) break
      if (isStopped.first(accountId, each, at - HOOK_STOP_LASTS_MS) !== undefined) continue
      const revived = revive.all(at + REPORT_LIFETIME_MS, accountId, each, since ?? 0, accountId, MAX_REPLAYED - count)
      run(freeFirst(revived.flat(), at))
      count += revived.length
    }
    return count
  }
}

/** Returns the hooks of an account that have failed reports; a bounded number. */
function failedHooks(database: Session['database']): (accountId: AccountId) => Iterable<string> {
  const next = new SqlStatement<[hook: string]>(
    database,
    `SELECT ${HOOK} ${FAILED} AND ${HOOK} > ? ORDER BY ${HOOK} LIMIT 1`,
  )
  return function* hooks(accountId) {
    for (let seen = 0, last = ''; seen < MAX_REPLAYED_HOOKS; seen += 1) {
      const hook = next.first(accountId, last)?.[0]
      if (hook === undefined) return
      yield hook
      last = hook
    }
  }
}
