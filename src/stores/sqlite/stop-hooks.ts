/** Hooks that answered 410. They are not part of the directory, so that stopping one causes no reload. */
import { hookOf } from '../../domain/report-schedule.ts'
import { type HookStop, MAX_STOPPED_HOOKS } from '../../domain/stopped-hook.ts'
import type { HookStopQuery } from '../../ports/report-store.ts'
import { MAX_LISTED_STOPS, readHookStop, STOPPED_HOOK_COLUMNS, type StoppedHookRow } from '../rows/stopped-hooks.ts'
import type { Session } from './session.ts'
import { Statement } from './statement.ts'

/** Stops the hook of a report. */
export function stopHook({ database }: Session): (msgId: number, number: number, at: number) => void {
  const addressOf = new Statement<[accountId: number, address: string]>(
    database,
    'SELECT account_id, address FROM report WHERE msg_id = ? AND number = ?',
  )
  const put = new Statement(
    database,
    `INSERT INTO stopped_hook (account_id, address, stopped, changed_at) VALUES (?, ?, 1, ?)
     ON CONFLICT (account_id, address) DO UPDATE SET stopped = 1, changed_at = excluded.changed_at`,
  )
  const trim = new Statement(
    database,
    `DELETE FROM stopped_hook WHERE account_id = ?1 AND address IN (SELECT address FROM stopped_hook
       WHERE account_id = ?1 ORDER BY changed_at DESC LIMIT 100 OFFSET ${MAX_STOPPED_HOOKS})`,
  )
  return (msgId, number, at) => {
    const hook = addressOf.first(msgId, number)
    if (hook === undefined) return
    const [accountId, address] = hook
    put.run(accountId, hookOf(address), at)
    trim.run(accountId)
  }
}

/** Newest first. */
export function stoppedHooks({ database }: Session): (query: HookStopQuery) => HookStop[] {
  const select = `SELECT ${STOPPED_HOOK_COLUMNS} FROM stopped_hook`
  const order = `ORDER BY changed_at DESC LIMIT ${MAX_LISTED_STOPS}`
  const all = new Statement<StoppedHookRow>(database, `${select} WHERE changed_at >= ? ${order}`)
  const own = new Statement<StoppedHookRow>(database, `${select} WHERE account_id = ? AND changed_at >= ? ${order}`)
  return ({ accountId, since }) => (accountId === null ? all.all(since) : own.all(accountId, since)).map(readHookStop)
}
