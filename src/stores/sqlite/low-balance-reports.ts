/** Writes the low-balance report in the transaction that moved the money. */
import type { DatabaseSync } from 'node:sqlite'
import type { LowBalance } from '../rows/ledger.ts'
import { hookOf, lowBalanceReport } from '../rows/low-balance-report.ts'
import { EventReports } from './event-reports.ts'
import { Statement } from './statement.ts'

export class LowBalanceReports {
  readonly #account: Statement<[name: string, currency: string, settings: string]>
  readonly #reports: EventReports

  constructor(database: DatabaseSync) {
    this.#account = new Statement(database, 'SELECT name, currency, settings FROM account WHERE account_id = ?')
    this.#reports = new EventReports(database)
  }

  /** Writes nothing for an account without a default hook. */
  write(low: LowBalance): void {
    const [name = '', currency = '', settings = '{}'] = this.#account.first(low.accountId) ?? []
    const account = { name, currency, settings }
    const address = hookOf(account)
    if (address === null) return
    const counter = this.#reports.nextCounter()
    if (counter !== undefined) this.#reports.write(lowBalanceReport(account, address, low, counter), low.at)
  }
}
