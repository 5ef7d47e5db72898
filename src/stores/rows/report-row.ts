/** A report that waits for its hook, as a row. Its body is sealed. */
import type { AccountId } from '../../domain/account.ts'
import type { MessageId } from '../../domain/message-id.ts'
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
]

export const REPORT_COLUMNS = 'msg_id, number, account_id, address, body, tries, created_at'

export function reportReader(vault: Vault): (row: ReportRow) => PendingReport {
  return ([messageId, number, accountId, address, body, tries, createdAt]) => ({
    messageId: messageId as MessageId,
    number,
    accountId: accountId as AccountId,
    address,
    body: vault.openText(body),
    tries,
    createdAt,
  })
}
