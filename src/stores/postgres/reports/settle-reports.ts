/**
 * Records the results of reports. Only the first unsettled report of a message to a hook is ever due; settling it
 * makes the next one due. A result that is stored already gets the same answer again (recording/settle-report.ts).
 */

import type { AccountId } from '../../../domain/ids/account-id.ts'
import { bucketOfMessage, type MessageId } from '../../../domain/ids/message-id.ts'
import { firstNumberOf } from '../../../domain/reports/client-hook.ts'
import type { StoppedHook } from '../../../domain/reports/stopped-hook.ts'
import type { PendingReport, ReportResult } from '../../../ports/records/pending-report.ts'
import { STILL_PENDING } from '../../commands/statement/sql.ts'
import { type ReportSettlement, settleReport } from '../../recording/settle-report.ts'
import type { Cell } from '../../rows/cells/cell.ts'
import type { CellsOf } from '../../rows/cells/cells-of.ts'
import { PENDING_REPORT_COLUMNS, type ReportRow, reportReader } from '../../rows/reports/report-row.ts'
import { toReportCount } from '../../rows/statistics/message-total.ts'
import type { ReportKey } from '../claiming/claim-due.ts'
import { ByBucket } from '../connection/by-bucket.ts'
import { onRows, typesOf, unnest } from '../connection/statement.ts'
import type { Session } from '../session/session.ts'
import { leaveToSweep } from '../sweeping/sweep-messages.ts'
import type { StopOrder } from './stop-hooks.ts'

const KEYS = typesOf('report', 'msg_id, number')

const SETTLED = 'msg_id, number, account_id, address, state, tried_at, try_log'
const LOCK_SETTLED = onRows<CellsOf<'report', typeof SETTLED, { msg_id: MessageId; account_id: AccountId }>>(
  `SELECT ${SETTLED} FROM report
   JOIN ${unnest(KEYS, 2)} USING (msg_id, number)
   WHERE report.bucket = $1 ORDER BY report.bucket, msg_id, number FOR UPDATE OF report`,
)
/** Not the settled ones themselves: mostly none is behind them. */
const PENDING_BEHIND = onRows<[node: number, ...ReportRow]>(
  `SELECT node, ${PENDING_REPORT_COLUMNS} FROM report
   JOIN ${unnest({ msg_id: 'bigint', settled: 'integer' }, 2)} USING (msg_id)
   WHERE report.bucket = $1 AND report.number > new.settled AND ${STILL_PENDING} AND position IS NULL
   ORDER BY msg_id, number`,
)
const SETTLE = onRows(
  `UPDATE report SET state = new.state, node = new.node, due_at = new.due_at, parked = new.parked, tries = report.tries + new.tries,
     tried_at = coalesce(new.tried_at, report.tried_at), detail = coalesce(new.detail, report.detail),
     try_log = coalesce(new.try_log, report.try_log)
   FROM ${unnest(typesOf('report', 'msg_id, number, state, node, due_at, parked, tries, tried_at, detail, try_log'), 2)}
   WHERE report.bucket = $1 AND report.msg_id = new.msg_id AND report.number = new.number`,
)
const FREE = onRows(
  `UPDATE report SET node = new.node, due_at = new.due_at
   FROM ${unnest(typesOf('report', 'msg_id, number, node, due_at'), 2)}
   WHERE report.bucket = $1 AND report.msg_id = new.msg_id AND report.number = new.number`,
)
export interface SettledReport {
  /** Those that are first in line now. */
  readonly next: readonly PendingReport[]
  /** Hooks that accept no more reports. */
  readonly gone: readonly StopOrder[]
}

export async function settleReports(
  session: Session,
  orders: readonly (readonly ReportResult[])[],
): Promise<readonly SettledReport[]> {
  const settler = await ReportSettler.open(session, orders.flat())
  const settled = orders.map((results) => {
    const each = results.map((result) => settler.settle(result))
    return { next: each.flatMap(({ next }) => next ?? []), gone: each.flatMap(({ gone }) => gone ?? []) }
  })
  settler.write()
  return settled
}

interface StoredReport extends StoppedHook {
  state: string
  triedAt: number | null
  tryLog: string | null
}

/** The reports of the results, and those that wait behind them. */
class ReportSettler {
  readonly #session: Session
  readonly #stored = new Map<string, StoredReport>()
  /** Of each message, in their order. */
  readonly #pending = new Map<number, readonly (readonly [node: number, ...ReportRow])[]>()
  readonly #settled = new Map<string, Cell[]>()
  readonly #ended = new Set<MessageId>()
  readonly #claimed = new ByBucket<Cell[]>()

  private constructor(session: Session) {
    this.#session = session
  }

  static async open(session: Session, results: readonly ReportResult[]): Promise<ReportSettler> {
    const keys = new ByBucket<readonly [MessageId, number]>()
    /** The lowest number of each message. */
    const firsts = new Map<MessageId, number>()
    for (const { messageId, number } of results) {
      keys.add(bucketOfMessage(messageId), [messageId, number])
      firsts.set(messageId, Math.min(number, firsts.get(messageId) ?? number))
    }
    const messages = ByBucket.of(firsts, ([id]) => bucketOfMessage(id))
    const settler = new ReportSettler(session)
    // Reports behind them are read after the lock: a turn that adds another one waits, or is seen.
    const [locked, pending] = await Promise.all([
      session.queryRows(LOCK_SETTLED, keys),
      session.queryRows(PENDING_BEHIND, messages),
    ])
    for (const [messageId, number, accountId, address, state, triedAt, tryLog] of locked) {
      const key = nameOfReport({ messageId, number })
      settler.#stored.set(key, { accountId, address, state, triedAt, tryLog })
    }
    for (const [id, rows] of Map.groupBy(pending, ([, msgId]) => msgId)) settler.#pending.set(id, rows)
    return settler
  }

  /** Returns the report that may be sent now, and the hook to stop, if any. */
  settle(result: ReportResult): { readonly next: PendingReport | null; readonly gone: StopOrder | null } {
    const { messageId, number, at } = result
    const stored = this.#stored.get(nameOfReport(result))
    if (stored === undefined) return { next: null, gone: null }
    const { accountId, address } = stored
    const { report, next, stopsHook } = settleReport(stored, result, this.#session.node)
    if (report !== null) {
      const { state, node, dueAt, parked, tries, triedAt, detail, tryLog } = report
      const changed = [state, node, dueAt, parked, tries, triedAt, detail, tryLog]
      this.#settled.set(nameOfReport(result), [messageId, number, ...changed])
      this.#session.totals.count(toReportCount(accountId, result))
      stored.state = state
      stored.triedAt = triedAt ?? stored.triedAt
      stored.tryLog = tryLog ?? stored.tryLog
      if (state !== 'pending') this.#ended.add(messageId)
    }
    return {
      next: this.#next(result, next),
      gone: stopsHook ? { accountId, address, at, test: result.test === true } : null,
    }
  }

  write(): void {
    const settled = new ByBucket<Cell[]>()
    for (const row of this.#settled.values()) settled.add(bucketOfMessage(row[0] as MessageId), row)
    this.#session.update(SETTLE, settled)
    this.#session.update(FREE, this.#claimed)
    leaveToSweep(this.#session, this.#ended)
  }

  #next({ messageId, number, at }: ReportResult, next: ReportSettlement['next']): PendingReport | null {
    if (next === null) return null
    const behind = this.#pending.get(messageId)?.find(([, , each]) => {
      if (firstNumberOf(each) !== firstNumberOf(number) || each <= number) return false
      return (this.#stored.get(nameOfReport({ messageId, number: each }))?.state ?? 'pending') === 'pending'
    })
    if (behind === undefined) return null
    const { node, vault } = this.#session
    const [holder, ...row] = behind
    if (next === 'claimed' && holder !== node) return null
    if (next !== 'claimed') this.#claimed.add(bucketOfMessage(messageId), [messageId, row[1], node, at])
    return reportReader(vault)(row)
  }
}

export function nameOfReport({ messageId, number }: ReportKey): string {
  return `${messageId} ${number}`
}
