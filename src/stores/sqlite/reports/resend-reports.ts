/** Resends reports, or sends them at once, on an operator's request. */
import type { MessageId } from '../../../domain/ids/message-id.ts'
import { NUMBERS_PER_HOOK } from '../../../domain/reports/client-hook.ts'
import { REPORT_LIFETIME_MS } from '../../../domain/reports/report-schedule.ts'
import { HOOK_STOP_LASTS_MS } from '../../../domain/reports/stopped-hook.ts'
import type { ReportFilter } from '../../../ports/records/pending-report.ts'
import { MAX_COUNTED_REPORTS, type ReportCounts } from '../../../ports/stores/query-store.ts'
import type { Change } from '../../../ports/stores/setup-store.ts'
import type { Cell } from '../../rows/cells/cell.ts'
import { TRY_LOG_BEFORE } from '../../rows/reports/report-row.ts'
import type { Session } from '../session/session.ts'
import { Statement } from '../statement/statement.ts'

/** Per call: a change must not delay messages. */
const MAX_RESENT = 10_000

export type Resending = Extract<Change, { kind: 'resend reports' }>

/** Without a query, an address is a hook (`hookOf`): it stands for all its queries. */
const isTo = (given: string) =>
  `CASE instr(${given}, '?') WHEN 0 THEN substr(address, 1, instr(address || '?', '?') - 1) ELSE address END = ${given}`
/**
 * Returns conditions for what is given alone, so that SQLite uses its index, with all of the parameters ?1 to ?5.
 * Events of a feed are read, not sent.
 */
function ofFilter({ messageId, accountId, address, since, until = null }: ReportFilter): string {
  const given = [
    ...(messageId === null ? [] : ['msg_id = ?1']),
    ...(accountId === null ? [] : ['account_id = ?2']),
    ...(address === null ? [] : [isTo('?3')]),
    ...(since === null ? [] : ['created_at >= ?4']),
    ...(until === null ? [] : ['created_at < ?5']),
  ]
  return ['position IS NULL', ...given, 'coalesce(?5, 0) IS NOT NULL'].join(' AND ')
}
/** Reports to a hook that its client has deleted are never sent. `of` may name the account. */
export const toKnownHook = (
  of = '',
) => `(number < ${NUMBERS_PER_HOOK} OR (account_id, number / ${NUMBERS_PER_HOOK}) IN (
  SELECT account_id, hook.value ->> 'id' FROM account_hooks, json_each(hooks, '$.hooks') AS hook ${of}))`
const failedOf = (filter: ReportFilter) =>
  `FROM report WHERE state = 'failed' AND body <> '' AND ${ofFilter(filter)} AND ${toKnownHook()}`
/** The parameter is a time: stops before it have expired. */
const isStopped = (
  since: string,
) => `EXISTS (SELECT 1 FROM stopped_hook AS hook WHERE hook.account_id = report.account_id AND hook.stopped = 1
  AND hook.address = substr(report.address, 1, instr(report.address || '?', '?') - 1) AND hook.changed_at > ${since})`
/** Most accounts have no stopped hook: their reports need no look. */
const OF_STOPPED = 'account_id IN (SELECT account_id FROM stopped_hook WHERE stopped = 1 AND changed_at > ?6)'
const waitingOf = (filter: ReportFilter) =>
  `FROM report WHERE state = 'pending' AND node = 0 AND due_at IS NOT NULL AND ${ofFilter(filter)}`

/** ?4: null for any account. */
const ONE = 'msg_id = ?1 AND number = ?2 AND position IS NULL AND (?4 IS NULL OR account_id = ?4)'
const HURRY_ONE = `UPDATE report SET due_at = ?3, parked = 0, tries = 0, ends_at = ?5
  WHERE ${ONE} AND state = 'pending' AND node = 0 AND due_at IS NOT NULL`
/** A gateway has it in memory, and tries it within seconds. */
const HELD_ONE = `SELECT 1 FROM report WHERE msg_id = ? AND number = ? AND account_id = coalesce(?, account_id)
  AND state = 'pending' AND node <> 0`
/** Also one that was delivered. */
const REVIVE_ONE = `UPDATE report SET state = 'pending', node = 0, due_at = NULL, tries = 0, ends_at = ?3,
    try_log = ${TRY_LOG_BEFORE}
  WHERE ${ONE} AND state IN ('failed', 'sent') AND body <> '' AND ${toKnownHook()} AND NOT ${isStopped('?5')}
  AND (?6 IS NULL OR tried_at = ?6)`

/** Makes the first pending report of a message to each hook due. */
export const FREE_FIRST = `UPDATE report SET due_at = ? WHERE msg_id = ? AND state = 'pending' AND due_at IS NULL AND node = 0
  AND position IS NULL AND number IN (SELECT min(number) FROM report AS other
    WHERE other.msg_id = report.msg_id AND state = 'pending' AND position IS NULL GROUP BY number / ${NUMBERS_PER_HOOK})`

/** Returns the number of reports, excluding stopped hooks; the reports of one message go in order. */
export function resendReports({ database }: Session): (request: Resending) => number {
  const one = resendReport(database)
  return (request) => {
    const { messageId, accountId, address, since, until = null, pending, at, number, triedAt = null } = request
    if (messageId !== null && number !== undefined) return one({ messageId, accountId, number, at, triedAt })
    const filter = [messageId, accountId, address, since, until]
    const hurried = pending
      ? new Statement(
          database,
          `UPDATE report SET due_at = ?6, parked = 0, tries = 0, ends_at = ?7 WHERE (msg_id, number) IN (
             SELECT msg_id, number ${waitingOf(request)} LIMIT ${MAX_RESENT})`,
        ).change(...filter, at, at + REPORT_LIFETIME_MS)
      : 0
    const revived = new Statement<[msgId: number]>(
      database,
      `UPDATE report SET state = 'pending', node = 0, due_at = NULL, tries = 0, ends_at = ?7 WHERE (msg_id, number) IN (
         SELECT msg_id, number ${failedOf(request)} AND NOT ${isStopped('?6')} LIMIT ${MAX_RESENT}) RETURNING msg_id`,
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
  readonly triedAt: number | null
}

function resendReport(database: Session['database']): (report: OneReport) => number {
  return ({ messageId, accountId, number, at, triedAt }) => {
    const [endsAt, stopsSince] = [at + REPORT_LIFETIME_MS, at - HOOK_STOP_LASTS_MS]
    const hurried = new Statement(database, HURRY_ONE).change(messageId, number, at, accountId, endsAt)
    if (hurried > 0) return hurried
    if (new Statement(database, HELD_ONE).first(messageId, number, accountId) !== undefined) return 1
    const revived = new Statement(database, REVIVE_ONE)
    const count = revived.change(messageId, number, endsAt, accountId, stopsSince, triedAt)
    if (count > 0) new Statement(database, FREE_FIRST).run(at, messageId)
    return count
  }
}

export function countReports({ database }: Session): (filter: ReportFilter & { readonly at: number }) => ReportCounts {
  const count = (from: string, ...values: readonly Cell[]) =>
    new Statement<[count: number]>(
      database,
      `SELECT count(*) FROM (SELECT 1 ${from} LIMIT ${MAX_COUNTED_REPORTS})`,
    ).first(...values)?.[0] ?? 0
  return ({ at, ...filter }) => {
    const { messageId, accountId, address, since, until = null } = filter
    const values = [messageId, accountId, address, since, until]
    const failed = failedOf(filter)
    return {
      failed: count(failed, ...values),
      waiting: count(waitingOf(filter), ...values),
      stopped: count(`${failed} AND ${OF_STOPPED} AND ${isStopped('?6')}`, ...values, at - HOOK_STOP_LASTS_MS),
    }
  }
}
