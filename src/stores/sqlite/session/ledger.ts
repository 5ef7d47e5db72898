/**
 * The ledger of a transaction on SQLite: accounts are read on first use and written once, before the commit and before
 * any command that reads the tables directly. What was read stays known in the next transaction if nothing else has
 * written in between.
 */

import type { DatabaseSync } from 'node:sqlite'
import type { Balances } from '../../../domain/money/ledger.ts'
import type { CellsOf } from '../../rows/cells/cells-of.ts'
import { type BalanceLimits, Ledger, type LedgerAccount } from '../../rows/money/ledger.ts'
import { CHARGE_COLUMNS, POSTING_TOTAL_COLUMNS } from '../../rows/money/posting-row.ts'
import { SqlStatement } from '../statement/statement.ts'
import type { EventReportTools } from './event-reports.ts'
import { LowBalanceReports } from './low-balance-reports.ts'

const ACCOUNT_COLUMNS = 'paid, available, held, earned, credit_limit, low_balance, low_reported'
type AccountRow = [...CellsOf<'account_balance', typeof ACCOUNT_COLUMNS, Balances>, booksFrom: number]

/** Some 200 bytes each. */
const MAX_KNOWN_ACCOUNTS = 20_000

/** The ledger that used a connection last: `data_version` does not show what another one of the same has written. */
const LAST_LEDGERS = new WeakMap<DatabaseSync, SqliteLedger>()

export class SqliteLedger extends Ledger {
  readonly #select: SqlStatement<AccountRow>
  readonly #update: SqlStatement
  readonly #setLimits: SqlStatement
  readonly #setLowReported: SqlStatement
  readonly #insertPosting: SqlStatement
  readonly #insertCharge: SqlStatement
  readonly #insertPayment: SqlStatement
  readonly #addTotal: SqlStatement
  readonly #lowBalance: LowBalanceReports
  readonly #database: DatabaseSync
  #version = 0
  /** The version at which the accounts are right; null if they may not be. */
  #knownAt: number | null = null
  readonly #accounts = new Map<number, LedgerAccount>()
  /** Of the transaction: read with each account, and known as soon as one is. */
  #booksFrom = 0

  constructor({ database, vault }: EventReportTools) {
    super()
    this.#database = database
    const prepare = <Row extends readonly never[] = never[]>(sql: string) => new SqlStatement<Row>(database, sql)
    this.#select = new SqlStatement(
      database,
      `SELECT ${ACCOUNT_COLUMNS}, (SELECT books_from FROM meta) FROM account_balance WHERE account_id = ?`,
    )
    this.#update = prepare(
      'UPDATE account_balance SET paid = ?, available = ?, held = ?, earned = ? WHERE account_id = ?',
    )
    this.#setLimits = prepare(
      'UPDATE account_balance SET credit_limit = ?, low_balance = ?, low_reported = ? WHERE account_id = ?',
    )
    this.#setLowReported = prepare('UPDATE account_balance SET low_reported = ? WHERE account_id = ?')
    // Three statements: most postings are holds and releases, which have five columns instead of thirteen.
    this.#insertPosting = prepare(
      'INSERT INTO posting (account_id, msg_id, kind, amount_micros, at) VALUES (?, ?, ?, ?, ?)',
    )
    this.#insertCharge = prepare(
      `INSERT INTO posting (account_id, msg_id, kind, amount_micros, at, ${CHARGE_COLUMNS})
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    this.#insertPayment = prepare(
      `INSERT INTO posting (account_id, msg_id, kind, amount_micros, at, made_by, note, ${CHARGE_COLUMNS})
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    this.#addTotal = prepare(
      `INSERT INTO posting_total (${POSTING_TOTAL_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET postings = postings + excluded.postings, parts = parts + excluded.parts,
         amount_micros = amount_micros + excluded.amount_micros, cost_micros = cost_micros + excluded.cost_micros`,
    )
    this.#lowBalance = new LowBalanceReports({ database, vault })
  }

  /**
   * Begins a transaction: drops all accounts unless nothing else has written since `end`. `version` is the data_version
   * of the database, which changes with each commit of another connection.
   */
  begin(version: number): void {
    if (version !== this.#knownAt || LAST_LEDGERS.get(this.#database) !== this) this.forget()
    LAST_LEDGERS.set(this.#database, this)
    this.#knownAt = null
    this.#version = version
  }

  /** Ends a transaction in which only this ledger has changed accounts. */
  end(): void {
    if (this.#accounts.size <= MAX_KNOWN_ACCOUNTS) this.#knownAt = this.#version
  }

  setLimits(accountId: number, limits: BalanceLimits): void {
    this.changeLimits(accountId, limits)
    const { creditLimit, lowBalance, isLowReported } = limits
    this.#setLimits.run(creditLimit, lowBalance, Number(isLowReported), accountId)
  }

  /** Writes the changed balances and postings. */
  flush(): void {
    const rows = this.takeRows()
    if (rows === null) return
    for (const [accountId, number, msgId, kind, amount, at, by, note, ...charge] of rows.postings) {
      void number
      if (kind === 'charge') this.#insertCharge.run(accountId, msgId, kind, amount, at, ...charge)
      else if (kind === 'hold' || kind === 'release') this.#insertPosting.run(accountId, msgId, kind, amount, at)
      else this.#insertPayment.run(accountId, msgId, kind, amount, at, by, note, ...charge)
    }
    for (const [accountId, { balances }] of rows.accounts) {
      const { paid, available, held, earned } = balances
      this.#update.run(paid, available, held, earned, accountId)
    }
    for (const total of rows.totals) this.#addTotal.run(...total)
    for (const [accountId, isReported] of rows.lowReported) this.#setLowReported.run(Number(isReported), accountId)
    for (const low of rows.lowBalances) this.#lowBalance.write(low)
  }

  /** Drops all accounts, and what is not written. */
  forget(): void {
    this.clear()
    this.#accounts.clear()
    this.#knownAt = null
  }

  protected find(accountId: number): LedgerAccount | undefined {
    const known = this.#accounts.get(accountId)
    if (known !== undefined) return known
    const row = this.#select.first(accountId)
    if (row === undefined) return undefined
    const [paid, available, held, earned, creditLimit, lowBalance, lowReported, booksFrom] = row
    this.#booksFrom = booksFrom
    const balances = { paid, available, held, earned }
    const account = { balances, creditLimit, lowBalance, isLowReported: lowReported === 1, postings: 0 }
    this.#accounts.set(accountId, account)
    return account
  }

  protected booksFrom(): number {
    return this.#booksFrom
  }
}
