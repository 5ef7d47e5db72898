/** A report that waits for its hook, as a row. Its body is sealed. */
import type { AccountId } from '../../domain/account.ts'
import type { MessageId } from '../../domain/message-id.ts'
import { REPORT_LIFETIME_MS } from '../../domain/report-schedule.ts'
import type { PendingReport } from '../../ports/pending-report.ts'
import type { Vault } from '../../ports/vault.ts'

export type ReportRow = [
  msgId: number,
  number: number,
  accountId: number,
  address: string,
  body: string,
  tries: number,
  createdAt: number,
  /** Null: the default lifetime after its creation. */
  endsAt: number | null,
]

export const REPORT_COLUMNS = 'msg_id, number, account_id, address, body, tries, created_at'
export const PENDING_REPORT_COLUMNS = `${REPORT_COLUMNS}, ends_at`

/** Reads rows of PENDING_REPORT_COLUMNS. */
export function reportReader(vault: Vault): (row: ReportRow) => PendingReport {
  return ([messageId, number, accountId, address, body, tries, createdAt, endsAt]) => ({
    messageId: messageId as MessageId,
    number,
    accountId: accountId as AccountId,
    address,
    body: vault.openText(body),
    tries,
    createdAt,
    endsAt: endsAt ?? createdAt + REPORT_LIFETIME_MS,
  })
}
