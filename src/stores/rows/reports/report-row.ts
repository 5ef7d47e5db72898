/** A report that waits for its hook, as a row. Its body is sealed. */

import type { AccountId } from '../../../domain/ids/account-id.ts'
import type { MessageId } from '../../../domain/ids/message-id.ts'
import { type FeedEvent, isFeed } from '../../../domain/reports/event-feed.ts'
import { REPORT_LIFETIME_MS, reportLifetimeOf } from '../../../domain/reports/report-schedule.ts'
import { readTries } from '../../../domain/reports/report-tries.ts'
import type { PendingReport, TracedReport, WaitsFor } from '../../../ports/records/pending-report.ts'
import type { Vault } from '../../../ports/system/vault.ts'
import type { Cell } from '../cells/cell.ts'
import type { CellsOf } from '../cells/cells-of.ts'

type NewReportCells = Readonly<CellsOf<'report', 'msg_id, number, account_id, address, body, created_at'>>

/** A pending report that was never tried. */
export type NewReportRow = readonly [
  ...NewReportCells,
  node: number,
  /** Null for one that waits behind another one. */
  dueAt: number | null,
  parked: number,
]

/** Returns the row of an event of the feed: no node sends it, and it is due when it has not been read for too long. */
export function eventRow(cells: NewReportCells): NewReportRow {
  return [...cells, 0, cells[5] + REPORT_LIFETIME_MS, 0]
}

/** Returns the row of a report that no node knows of yet. */
export function waitingReportRow(cells: NewReportCells): NewReportRow {
  return isFeed(cells[3]) ? eventRow(cells) : [...cells, 0, cells[5], 0]
}

export function isEventRow([, , , address]: NewReportRow): boolean {
  return isFeed(address)
}

/** The detail of an event that the client has acknowledged. */
export const READ_BY_CLIENT = 'read by the client'

/** Of events only, in their order. */
export type FeedRow = [position: number, messageId: MessageId, number: number, body: string]

export const FEED_COLUMNS = 'position, msg_id, number, body'

/** Of a row whose body is opened. */
export function readFeedRow([position, messageId, number, body]: readonly [...FeedRow, ...unknown[]]): FeedEvent {
  return { position, messageId, number, body }
}

type ReportCells = CellsOf<'report', typeof REPORT_COLUMNS, { msg_id: MessageId; account_id: AccountId }>
export type ReportRow = [...ReportCells, ...CellsOf<'report', 'ends_at'>]

const REPORT_COLUMNS = 'msg_id, number, account_id, address, body, tries, created_at'
export const PENDING_REPORT_COLUMNS = `${REPORT_COLUMNS}, ends_at`

/** Reads rows of PENDING_REPORT_COLUMNS. */
export function reportReader(vault: Vault): (row: ReportRow) => PendingReport {
  return ([messageId, number, accountId, sealed, body, tries, createdAt, endsAt]) => {
    const address = vault.addresses.open(sealed)
    return {
      messageId,
      number,
      accountId,
      address,
      body: vault.openText(body),
      tries,
      createdAt,
      endsAt: endsAt ?? createdAt + reportLifetimeOf(address),
    }
  }
}

export type TracedReportRow = [
  ...ReportCells,
  ...CellsOf<'report', typeof FURTHER_COLUMNS, { state: TracedReport['state'] }>,
]

const FURTHER_COLUMNS = 'state, detail, tried_at, due_at, node, parked, try_log'
export const TRACED_REPORT_COLUMNS = `${REPORT_COLUMNS}, ${FURTHER_COLUMNS}`
/** TRACED_REPORT_COLUMNS without the message id. */
export const LISTED_REPORT_COLUMNS = TRACED_REPORT_COLUMNS.slice('msg_id, '.length)

/**
 * The new `try_log` of a report that is sent again: one that was delivered at once keeps that delivery, of which the
 * duration is not known.
 */
export const TRY_LOG_BEFORE = `CASE state WHEN 'sent' THEN coalesce(try_log, tried_at || ' - ' || detail) ELSE try_log END`

/** Opens a row of LISTED_REPORT_COLUMNS, whose first cell is the message id. */
export function openReport(row: readonly Cell[], vault: Vault): readonly Cell[] {
  return row.with(3, vault.addresses.open(String(row[3]))).with(4, vault.openText(String(row[4])))
}

/** Of a row whose address and body are opened. */
export function readTracedReport(row: TracedReportRow): TracedReport {
  const [messageId, number, accountId, address, body, tries, createdAt, ...further] = row
  const [state, detail, triedAt, dueAt, node, parked, tryLog] = further
  return {
    ...{ messageId, number, accountId, address, body, tries, createdAt, state, detail, triedAt, dueAt },
    waitsFor: state === 'pending' && !isFeed(address) ? waitsFor({ node, parked, dueAt }) : null,
    triesMade: readTries(tryLog),
  }
}

interface Waiting {
  readonly node: number
  readonly parked: number
  readonly dueAt: number | null
}

function waitsFor({ node, parked, dueAt }: Waiting): WaitsFor {
  if (node !== 0) return 'sending'
  if (dueAt === null) return 'earlier report'
  return parked === 1 ? 'hook' : 'retry'
}
