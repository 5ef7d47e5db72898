/**
 * Writes the low-balance report in the transaction that moved the money. The report waits in the store until the hook
 * has taken it.
 */
import type { DatabaseSync } from 'node:sqlite'
import { LAST_COUNTER } from '../../domain/message-id.ts'
import type { LowBalance } from '../rows/ledger.ts'
import { hookOf, lowBalanceReport } from '../rows/low-balance-report.ts'
import { Statement } from './statement.ts'

export class LowBalanceReports {
  readonly #account: Statement<[name: string, currency: string, settings: string]>
  readonly #nextCounter: Statement<[next: number]>
  readonly #insert: Statement

  constructor(database: DatabaseSync) {
    this.#account = new Statement(database, 'SELECT name, currency, settings FROM account WHERE account_id = ?')
    this.#nextCounter = new Statement(
      database,
      'UPDATE meta SET next_counter = next_counter + 1 WHERE next_counter <= ? RETURNING next_counter - 1',
    )
    this.#insert = new Statement(
      database,
      `INSERT INTO report (msg_id, number, account_id, address, body, created_at, state, node, due_at, tries, detail)
       VALUES (?, ?, ?, ?, ?, ?, 'pending', 0, ?, 0, '')`,
    )
  }

  /** Writes nothing for an account without a default hook. */
  write(low: LowBalance): void {
    const { accountId, at } = low
    const [name = '', currency = '', settings = '{}'] = this.#account.first(accountId) ?? []
    const account = { name, currency, settings }
    const address = hookOf(account)
    const [counter] = address === null ? [] : (this.#nextCounter.all(LAST_COUNTER)[0] ?? [])
    if (address === null || counter === undefined) return
    const { messageId, number, body } = lowBalanceReport(account, address, low, counter)
    this.#insert.run(messageId, number, accountId, address, body, at, at)
  }
}
