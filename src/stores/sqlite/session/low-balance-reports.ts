/** Writes the low-balance report in the transaction that moved the money. */
import type { DatabaseSync } from 'node:sqlite'
import type { LowBalance } from '../../rows/money/ledger.ts'
import {
  hasListeners,
  lowBalanceReports,
  type ReportedAccountRow,
  SELECT_REPORTED_ACCOUNTS,
  toReportedAccount,
} from '../../rows/reports/low-balance-report.ts'
import { Statement } from '../statement/statement.ts'
import { EventReports } from './event-reports.ts'

export class LowBalanceReports {
  readonly #account: Statement<[...ReportedAccountRow]>
  readonly #reports: EventReports

  constructor(database: DatabaseSync) {
    this.#account = new Statement(database, `${SELECT_REPORTED_ACCOUNTS} WHERE account_id = ?`)
    this.#reports = new EventReports(database)
  }

  /** Writes nothing for an account without hooks. */
  write(low: LowBalance): void {
    const [row] = this.#account.all(low.accountId)
    if (row === undefined) return
    const [, ...cells] = row
    const account = toReportedAccount(...cells)
    const counter = hasListeners(account) ? this.#reports.nextCounter() : undefined
    if (counter === undefined) return
    for (const report of lowBalanceReports(account, low, counter)) this.#reports.write(report, low.at)
  }
}
