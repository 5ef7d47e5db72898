/** A report that waits for its hook, as a row. Its body is sealed. */
import type { AccountId } from '../../domain/account.ts'
import type { MessageId } from '../../domain/message-id.ts'
import { REPORT_LIFETIME_MS } from '../../domain/report-schedule.ts'
import type { PendingReport, TracedReport } from '../../ports/pending-report.ts'
import type { Vault } from '../../ports/vault.ts'

type ReportCells = [
  messageId: MessageId,
  number: number,
  accountId: AccountId,
  address: string,
  body: string,
  tries: number,
  createdAt: number,
]
export type ReportRow = [
  ...ReportCells,
  /** Null: the default lifetime after its creation. */
  endsAt: number | null,
]

const REPORT_COLUMNS = 'msg_id, number, account_id, address, body, tries, created_at'
export const PENDING_REPORT_COLUMNS = `${REPORT_COLUMNS}, ends_at`

/** Reads rows of PENDING_REPORT_COLUMNS. */
export function reportReader(vault: Vault): (row: ReportRow) => PendingReport {
  return ([messageId, number, accountId, address, body, tries, createdAt, endsAt]) => ({
    messageId,
    number,
    accountId,
    address,
    body: vault.openText(body),
    tries,
    createdAt,
    endsAt: endsAt ?? createdAt + REPORT_LIFETIME_MS,
  })
}

export type TracedReportRow = [...ReportCells, state: TracedReport['state'], detail: string, triedAt: number | null]

export const TRACED_REPORT_COLUMNS = `${REPORT_COLUMNS}, state, detail, tried_at`

/** Leaves the body as it is. */
export function readTracedReport(row: TracedReportRow): TracedReport {
  const [messageId, number, accountId, address, body, tries, createdAt, state, detail, triedAt] = row
  return { messageId, number, accountId, address, body, tries, createdAt, state, detail, triedAt }
}
