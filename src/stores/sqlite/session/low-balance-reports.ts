/** Writes the low-balance report in the transaction that moved the money. */

import type { Vault } from '../../../ports/system/vault.ts'
import type { LowAccount } from '../../rows/money/ledger.ts'
import {
  hasListeners,
  lowBalanceReports,
  openReportedAccount,
  type ReportedAccountRow,
  SELECT_REPORTED_ACCOUNTS,
  toReportedAccount,
} from '../../rows/reports/low-balance-report.ts'
import { SqlStatement } from '../statement/statement.ts'
import { EventReports, type EventReportTools } from './event-reports.ts'

export class LowBalanceReports {
  readonly #account: SqlStatement<ReportedAccountRow>
  readonly #vault: Vault
  readonly #reports: EventReports

  constructor(tools: EventReportTools) {
    this.#vault = tools.vault
    this.#account = new SqlStatement(tools.database, `${SELECT_REPORTED_ACCOUNTS} WHERE account_id = ?`)
    this.#reports = new EventReports(tools)
  }

  /** Writes nothing for an account without hooks. */
  write(low: LowAccount): void {
    const [row] = this.#account.all(low.accountId)
    if (row === undefined) return
    const account = toReportedAccount(openReportedAccount(row, this.#vault))
    const counter = hasListeners(account) ? this.#reports.nextCounter() : undefined
    if (counter === undefined) return
    for (const report of lowBalanceReports(account, low, counter)) this.#reports.write(report, low.at)
  }
}
