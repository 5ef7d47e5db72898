/** Writes reports of account events. A report waits in the store until the hook has taken it. */
import type { DatabaseSync } from 'node:sqlite'
import { LAST_COUNTER } from '../../../domain/ids/message-id.ts'
import type { Report } from '../../../domain/reports/report.ts'
import type { Vault } from '../../../ports/system/vault.ts'
import { type NewReportRow, waitingReportRow } from '../../rows/reports/report-row.ts'
import { SqlStatement } from '../statement/statement.ts'
import { insertReport } from './insert-report.ts'

export interface EventReportTools {
  readonly database: DatabaseSync
  readonly vault: Vault
}

export class EventReports {
  readonly #nextCounter: SqlStatement<[next: number]>
  readonly #vault: Vault
  readonly #insert: (row: NewReportRow) => void

  constructor({ database, vault }: EventReportTools) {
    this.#vault = vault
    this.#nextCounter = new SqlStatement(
      database,
      'UPDATE meta SET next_counter = next_counter + 1 WHERE next_counter <= ? RETURNING next_counter - 1',
    )
    this.#insert = insertReport(database)
  }

  /** Returns an unused message counter; undefined if none is left. */
  nextCounter(): number | undefined {
    return this.#nextCounter.all(LAST_COUNTER)[0]?.[0]
  }

  /** `body` as stored. */
  write({ messageId, number, accountId, address, body }: Report, at: number): void {
    this.#insert(waitingReportRow([messageId, number, accountId, this.#vault.addresses.seal(address), body, at]))
  }

  writeAll(reports: readonly Report[], at: number): void {
    for (const report of reports) this.write(report, at)
  }
}
