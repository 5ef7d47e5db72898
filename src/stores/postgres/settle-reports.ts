/**
 * HOME: what became of reports. Of one message only the first unsettled report is ever due; settling it frees the next.
 * A result that is stored already is answered as it was then.
 */
import type { AccountId } from '../../domain/account.ts'
import { bucketOfMessage, type MessageId } from '../../domain/message-id.ts'
import type { StoppedHook } from '../../domain/stopped-hook.ts'
import type { PendingReport, ReportResult } from '../../ports/pending-report.ts'
import type { Cell } from '../rows/cell.ts'
import { bounded } from '../rows/kept-text.ts'
import { isFailedTry, PENDING_REPORT_COLUMNS, type ReportRow, reportReader } from '../rows/report-row.ts'
import { ByBucket } from './by-bucket.ts'
import type { ReportKey } from './claim-due.ts'
import type { Session } from './session.ts'
import { inBucket, unnest } from './statement.ts'
import type { StopOrder } from './stop-hooks.ts'
import { leaveToSweep } from './sweep-messages.ts'

const KEYS = { msg_id: 'bigint', number: 'integer' } as const

const LOCK_SETTLED = inBucket<
  [
    msgId: number,
    number: number,
    accountId: number,
    address: string,
    state: string,
    triedAt: number | null,
    node: number,
  ]
>(
  `SELECT msg_id, number, account_id, address, state, tried_at, node FROM report
   JOIN ${unnest(KEYS, 2)} USING (msg_id, number)
   WHERE bucket = $1 ORDER BY msg_id, number FOR UPDATE OF report`,
)
const PENDING_OF = inBucket<[...ReportRow, node: number]>(
  `SELECT ${PENDING_REPORT_COLUMNS}, node FROM report
   WHERE bucket = $1 AND msg_id = ANY ($2::bigint[]) AND state = 'pending' ORDER BY msg_id, number`,
)
const SETTLE = inBucket(
  `UPDATE report SET state = new.state, node = new.node, due_at = new.due_at, parked = new.parked, tries = report.tries + new.tries,
     tried_at = coalesce(new.tried_at, report.tried_at), detail = coalesce(new.detail, report.detail)
   FROM ${unnest({ ...KEYS, state: 'text', node: 'integer', due_at: 'bigint', parked: 'smallint', tries: 'integer', tried_at: 'bigint', detail: 'text' }, 2)}
   WHERE report.bucket = $1 AND report.msg_id = new.msg_id AND report.number = new.number`,
)
const FREE = inBucket(
  `UPDATE report SET node = new.node, due_at = new.due_at
   FROM ${unnest({ ...KEYS, node: 'integer', due_at: 'bigint' }, 2)}
   WHERE report.bucket = $1 AND report.msg_id = new.msg_id AND report.number = new.number`,
)
export interface Settled {
  /** Those that are first in line now. */
  readonly next: readonly PendingReport[]
  /** Addresses that take no more. */
  readonly gone: readonly StopOrder[]
}

export async function settleReports(
  session: Session,
  orders: readonly (readonly ReportResult[])[],
): Promise<readonly Settled[]> {
  const book = await ReportBook.open(session, orders.flat())
  const settled = orders.map((results) => {
    const next: PendingReport[] = []
    const gone: StopOrder[] = []
    for (const result of results) {
      const freed = book.settle(result)
      if (freed !== null) next.push(freed)
      const address = result.kind === 'gone' ? book.addressOf(result) : null
      if (address !== null) gone.push({ ...address, at: result.at })
    }
    return { next, gone }
  })
  book.write()
  return settled
}

interface StoredReport {
  readonly accountId: AccountId
  readonly address: string
  state: string
  triedAt: number | null
}

/** The reports that results are about, and what waits behind them. */
class ReportBook {
  readonly #session: Session
  readonly #stored = new Map<string, StoredReport>()
  /** Of each message, in their order, with the node that holds each. */
  readonly #pending = new Map<number, { readonly report: PendingReport; readonly node: number }[]>()
  readonly #results = new Map<string, Cell[]>()
  readonly #freed = new ByBucket<Cell[]>()

  private constructor(session: Session) {
    this.#session = session
  }

  static async open(session: Session, results: readonly ReportResult[]): Promise<ReportBook> {
    const keys = new ByBucket<Cell[]>()
    for (const { messageId, number } of results) keys.add(bucketOfMessage(messageId), [messageId, number])
    const book = new ReportBook(session)
    // What waits behind them is read after they are locked: a turn that lines up another one waits, or is seen.
    const [locked, pending] = await Promise.all([
      Promise.all(keys.entries().map(([bucket, rows]) => session.askFor(LOCK_SETTLED, bucket, rows))),
      Promise.all(
        keys
          .entries()
          .map(([bucket, rows]) => session.ask(PENDING_OF, bucket, [...new Set(rows.map(([id]) => id ?? 0))])),
      ),
    ])
    for (const [messageId, number, accountId, address, state, triedAt] of locked.flat()) {
      const key = nameOf({ messageId: messageId as MessageId, number })
      book.#stored.set(key, { accountId: accountId as AccountId, address, state, triedAt })
    }
    const toReport = reportReader(session.vault)
    for (const [id, rows] of Map.groupBy(pending.flat(), ([msgId]) => msgId)) {
      book.#pending.set(
        id,
        rows.map(([...row]) => ({ report: toReport(row.slice(0, -1) as ReportRow), node: Number(row.at(-1)) })),
      )
    }
    return book
  }

  /** The report that is first in line now, if that has changed. */
  settle(result: ReportResult): PendingReport | null {
    const { kind, at, dueAt } = result
    const stored = this.#stored.get(nameOf(result))
    if (stored === undefined) return null
    const isPending = kind === 'later' || kind === 'parked'
    const state = isPending ? 'pending' : kind === 'sent' ? 'sent' : 'failed'
    const isSame = stored.state === state && stored.triedAt === at
    if (stored.state !== 'pending' || isSame) return isSame && !isPending ? this.#behind(result, false) : null
    const { node } = this.#session
    const { messageId, number } = result
    if (kind === 'parked') {
      this.#results.set(nameOf(result), [messageId, number, state, 0, dueAt ?? at, 1, 0, null, null])
      return null
    }
    stored.state = state
    stored.triedAt = at
    const tried = [0, isFailedTry(kind) ? 1 : 0, at, bounded(result.detail)]
    if (kind === 'later') {
      this.#results.set(nameOf(result), [messageId, number, state, result.held ? node : 0, dueAt ?? at, ...tried])
      return null
    }
    this.#results.set(nameOf(result), [messageId, number, state, 0, null, ...tried])
    return this.#behind(result, true)
  }

  addressOf(key: ReportKey): StoppedHook | null {
    const stored = this.#stored.get(nameOf(key))
    return stored === undefined ? null : { accountId: stored.accountId, address: stored.address }
  }

  write(): void {
    const results = new ByBucket<Cell[]>()
    for (const row of this.#results.values()) results.add(bucketOfMessage(row[0] as MessageId), row)
    for (const [bucket, rows] of results.entries()) this.#session.update(SETTLE, bucket, rows)
    for (const [bucket, rows] of this.#freed.entries()) this.#session.update(FREE, bucket, rows)
    const ended = [...this.#results.values()].filter(([, , state]) => state !== 'pending')
    leaveToSweep(
      this.#session,
      ended.map(([id]) => Number(id)),
    )
  }

  /** The next of the message, due now and this node's; for a result that is stored already, if that is what it is. */
  #behind({ messageId, number, at }: ReportResult, isNew: boolean): PendingReport | null {
    const pending = this.#pending.get(messageId) ?? []
    const next = pending.find(({ report }) => {
      return report.number > number && (this.#stored.get(nameOf(report))?.state ?? 'pending') === 'pending'
    })
    if (next === undefined) return null
    const { node } = this.#session
    if (!isNew) return next.node === node ? next.report : null
    this.#freed.add(bucketOfMessage(messageId), [messageId, next.report.number, node, at])
    return next.report
  }
}

export function nameOf({ messageId, number }: ReportKey): string {
  return `${messageId} ${number}`
}
