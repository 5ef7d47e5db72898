/** Resends reports, or sends them at once, on an operator's request. */
import { NUMBERS_PER_HOOK } from '../../domain/client-hook.ts'
import type { MessageId } from '../../domain/message-id.ts'
import { REPORT_LIFETIME_MS } from '../../domain/report-schedule.ts'
import { HOOK_STOP_LASTS_MS } from '../../domain/stopped-hook.ts'
import type { ReportFilter } from '../../ports/pending-report.ts'
import { MAX_COUNTED_REPORTS, type ReportCounts } from '../../ports/query-store.ts'
import type { Change } from '../../ports/setup-store.ts'
import type { Session } from './session.ts'
import { Statement } from './statement.ts'

/** Per call: a change must not delay messages. */
const MAX_RESENT = 10_000

export type Resending = Extract<Change, { kind: 'resend reports' }>

/** Without a query, an address is a hook (`hookOf`): it stands for all its queries. */
const isTo = (given: string) =>
  `CASE instr(${given}, '?') WHEN 0 THEN substr(address, 1, instr(address || '?', '?') - 1) ELSE address END = ${given}`
/** Events of a feed are read, not sent. */
const OF_FILTER = `position IS NULL AND (?1 IS NULL OR msg_id = ?1) AND (?2 IS NULL OR account_id = ?2)
  AND (?3 IS NULL OR ${isTo('?3')}) AND (?4 IS NULL OR created_at >= ?4)`
/** Reports to a hook that its client has deleted are never sent. `of` may name the account. */
export const toKnownHook = (
  of = '',
) => `(number < ${NUMBERS_PER_HOOK} OR (account_id, number / ${NUMBERS_PER_HOOK}) IN (
  SELECT account_id, hook.value ->> 'id' FROM account_hooks, json_each(hooks, '$.hooks') AS hook ${of}))`
const FAILED = `FROM report WHERE state = 'failed' AND body <> '' AND ${OF_FILTER} AND ${toKnownHook()}`
/** ?5: stops before this time have expired. */
const IS_STOPPED = `EXISTS (SELECT 1 FROM stopped_hook AS hook WHERE hook.account_id = report.account_id AND hook.stopped = 1
  AND hook.address = substr(report.address, 1, instr(report.address || '?', '?') - 1) AND hook.changed_at > ?5)`
const WAITING = `FROM report WHERE state = 'pending' AND node = 0 AND due_at IS NOT NULL AND ${OF_FILTER}`

/** ?4: null for any account. */
const ONE = 'msg_id = ?1 AND number = ?2 AND position IS NULL AND (?4 IS NULL OR account_id = ?4)'
const HURRY_ONE = `UPDATE report SET due_at = ?3, parked = 0, tries = 0, ends_at = ?5
  WHERE ${ONE} AND state = 'pending' AND node = 0 AND due_at IS NOT NULL`
/** A gateway has it in memory, and tries it within seconds. */
const HELD_ONE = `SELECT 1 FROM report WHERE msg_id = ? AND number = ? AND account_id = coalesce(?, account_id)
  AND state = 'pending' AND node <> 0`
/** Also one that was delivered. */
const REVIVE_ONE = `UPDATE report SET state = 'pending', node = 0, due_at = NULL, tries = 0, ends_at = ?3
  WHERE ${ONE} AND state IN ('failed', 'sent') AND body <> '' AND ${toKnownHook()} AND NOT ${IS_STOPPED}`

/** Makes the first pending report of a message to each hook due. */
export const FREE_FIRST = `UPDATE report SET due_at = ? WHERE msg_id = ? AND state = 'pending' AND due_at IS NULL AND node = 0
  AND position IS NULL AND number IN (SELECT min(number) FROM report AS other
    WHERE other.msg_id = report.msg_id AND state = 'pending' AND position IS NULL GROUP BY number / ${NUMBERS_PER_HOOK})`

/** Returns the number of reports, excluding stopped hooks; the reports of one message go in order. */
export function resendReports({ database }: Session): (request: Resending) => number {
  const one = resendReport(database)
  return ({ messageId, accountId, address, since, pending, at, number }) => {
    if (messageId !== null && number !== undefined) return one({ messageId, accountId, number, at })
    const filter = [messageId, accountId, address, since]
    const hurried = pending
      ? new Statement(
          database,
          `UPDATE report SET due_at = ?5, parked = 0, tries = 0, ends_at = ?6 WHERE (msg_id, number) IN (
             SELECT msg_id, number ${WAITING} LIMIT ${MAX_RESENT})`,
        ).run(...filter, at, at + REPORT_LIFETIME_MS)
      : 0
    const revived = new Statement<[msgId: number]>(
      database,
      `UPDATE report SET state = 'pending', node = 0, due_at = NULL, tries = 0, ends_at = ?6 WHERE (msg_id, number) IN (
         SELECT msg_id, number ${FAILED} AND NOT ${IS_STOPPED} LIMIT ${MAX_RESENT}) RETURNING msg_id`,
    ).all(...filter, at - HOOK_STOP_LASTS_MS, at + REPORT_LIFETIME_MS)
    const first = new Statement(database, FREE_FIRST)
    for (const msgId of new Set(revived.map(([id]) => id))) first.run(at, msgId)
    return revived.length + hurried
  }
}

interface OneReport extends Pick<ReportFilter, 'accountId'> {
  readonly messageId: MessageId
  readonly number: number
  readonly at: number
}

function resendReport(database: Session['database']): (report: OneReport) => number {
  return ({ messageId, accountId, number, at }) => {
    const [endsAt, stopsSince] = [at + REPORT_LIFETIME_MS, at - HOOK_STOP_LASTS_MS]
    const hurried = new Statement(database, HURRY_ONE).run(messageId, number, at, accountId, endsAt)
    if (hurried > 0) return hurried
    if (new Statement(database, HELD_ONE).first(messageId, number, accountId) !== undefined) return 1
    const revived = new Statement(database, REVIVE_ONE)
    const count = revived.run(messageId, number, endsAt, accountId, stopsSince)
    if (count > 0) new Statement(database, FREE_FIRST).run(at, messageId)
    return count
  }
}

export function countReports({ database }: Session): (filter: ReportFilter & { readonly at: number }) => ReportCounts {
  const count = (from: string) =>
    new Statement<[count: number]>(database, `SELECT count(*) FROM (SELECT 1 ${from} LIMIT ${MAX_COUNTED_REPORTS})`)
  const [failed, waiting, stopped] = [count(FAILED), count(WAITING), count(`${FAILED} AND ${IS_STOPPED}`)]
  return ({ messageId, accountId, address, since, at }) => {
    const filter = [messageId, accountId, address, since]
    return {
      failed: failed.first(...filter)?.[0] ?? 0,
      waiting: waiting.first(...filter)?.[0] ?? 0,
      stopped: stopped.first(...filter, at - HOOK_STOP_LASTS_MS)?.[0] ?? 0,
    }
  }
}
