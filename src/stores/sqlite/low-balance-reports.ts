/**
 * Tells the hook of an account that its money runs low, in the transaction that moved it: the report waits in the store
 * until it has arrived.
 */
import type { DatabaseSync } from 'node:sqlite'
import { type AccountId, type AccountSettings, toAccountId } from '../../domain/account.ts'
import { LAST_COUNTER, makeMessageId } from '../../domain/message-id.ts'
import { toMicros } from '../../domain/money.ts'
import { writeBalanceReport } from '../../domain/report.ts'
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

  /** Nothing when the account has no default hook. */
  tell(account: number, availableMicros: number, thresholdMicros: number, at: number): void {
    const accountId: AccountId = toAccountId(account)
    const [name = '', currency = '', settings = '{}'] = this.#account.first(account) ?? []
    const { defaultHook: address = null } = JSON.parse(settings) as Partial<AccountSettings>
    const [counter] = address === null ? [] : (this.#nextCounter.all(LAST_COUNTER)[0] ?? [])
    if (address === null || counter === undefined) return
    const { messageId, number, body } = writeBalanceReport({
      ...{ eventId: makeMessageId(counter, accountId), accountId, name, currency, address, at },
      availableMicros: toMicros(availableMicros),
      thresholdMicros: toMicros(thresholdMicros),
    })
    this.#insert.run(messageId, number, accountId, address, body, at, at)
  }
}
