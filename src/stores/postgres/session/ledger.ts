/**
 * The ledger of a transaction on PostgreSQL: accounts are locked and read before any decision about them, and written
 * once, before the commit. Nothing is cached between transactions, because other nodes change the accounts too.
 */

import type { AccountId } from '../../../domain/ids/account-id.ts'
import { bucketOf } from '../../../domain/ids/message-id.ts'
import type { Balances } from '../../../domain/money/ledger.ts'
import type { Cell } from '../../rows/cells/cell.ts'
import type { CellsOf } from '../../rows/cells/cells-of.ts'
import { type BalanceLimits, Ledger, type LedgerAccount } from '../../rows/money/ledger.ts'
import { POSTING_TOTAL_COLUMNS, TOTAL_KEY_CELLS } from '../../rows/money/posting-row.ts'
import { ByBucket } from '../connection/by-bucket.ts'
import { inBucket, insertion, onRows, typesOf, unnest } from '../connection/statement.ts'
import { reportLowBalances } from './low-balance-reports.ts'
import type { Transaction } from './transaction.ts'

const LOCKED = 'account_id, paid, available, held, earned, postings, credit_limit, low_balance, low_reported'
/** The node that locks the row alone changes the account: its money, its keys, its names. */
const LOCK = onRows<CellsOf<'account_balance', typeof LOCKED, Balances>>(
  `SELECT ${LOCKED} FROM account_balance
   JOIN ${unnest(typesOf('account_balance', 'account_id'), 2)} USING (account_id)
   WHERE account_balance.bucket = $1 ORDER BY account_balance.bucket, account_id FOR UPDATE OF account_balance`,
)
const BALANCES = typesOf('account_balance', 'account_id, paid, available, held, earned, postings')
/** The checks of the table are the last defence behind the ledger's own. */
const SET_BALANCES = onRows(
  `UPDATE account_balance SET paid = new.paid, available = new.available, held = new.held, earned = new.earned,
     postings = new.postings
   FROM ${unnest(BALANCES, 2)} WHERE account_balance.bucket = $1 AND account_balance.account_id = new.account_id`,
)
const SET_LOW_REPORTED = inBucket('UPDATE account_balance SET low_reported = $3 WHERE bucket = $1 AND account_id = $2')
const SET_LIMITS = inBucket(
  'UPDATE account_balance SET credit_limit = $3, low_balance = $4, low_reported = $5 WHERE bucket = $1 AND account_id = $2',
)
const INSERT_POSTINGS = insertion(
  'posting',
  'account_id, posting_id, msg_id, kind, amount_micros, at, made_by, note, channel, operator, parts, carrier_id, cost_micros, cost_currency',
)
const ADD_TOTALS = insertion(
  'posting_total',
  POSTING_TOTAL_COLUMNS,
  `ON CONFLICT (bucket, ${POSTING_TOTAL_COLUMNS.split(', ').slice(0, TOTAL_KEY_CELLS).join(', ')}) DO UPDATE SET
     postings = posting_total.postings + excluded.postings, parts = posting_total.parts + excluded.parts,
     amount_micros = posting_total.amount_micros + excluded.amount_micros,
     cost_micros = posting_total.cost_micros + excluded.cost_micros`,
)

export class PostgresLedger extends Ledger {
  readonly #transaction: Transaction
  readonly #asked = new Set<number>()
  readonly #locked = new Map<number, LedgerAccount>()
  #locking: Promise<unknown> = Promise.resolve()

  constructor(transaction: Transaction) {
    super()
    this.#transaction = transaction
  }

  /** Called before any other statement about these accounts in the transaction. Resolves once all so far are locked. */
  async lock(accountIds: Iterable<number>): Promise<void> {
    const asked = new ByBucket<readonly Cell[]>()
    for (const id of [...new Set(accountIds)].sort((a, b) => a - b)) {
      if (this.#asked.has(id)) continue
      this.#asked.add(id)
      asked.add(bucketOfAccount(id), [id])
    }
    const locking = this.#read(asked)
    this.#locking = Promise.all([this.#locking, locking])
    await this.#locking
  }

  /** Requires that the account is locked. */
  setLimits(accountId: number, limits: BalanceLimits): void {
    this.changeLimits(accountId, limits)
    const { creditLimit, lowBalance, isLowReported } = limits
    const bucket = bucketOfAccount(accountId)
    this.#transaction.write(SET_LIMITS, bucket, accountId, creditLimit, lowBalance, Number(isLowReported))
  }

  /** Writes the changed balances and postings, last before a commit. */
  async flush(): Promise<void> {
    const rows = this.takeRows()
    if (rows === null) return
    const balances = rows.accounts.map(
      ([
        accountId,
        {
          balances: { paid, available, held, earned },
          postings,
        },
      ]) => {
        return [accountId, paid, available, held, earned, postings] as const
      },
    )
    const transaction = this.#transaction
    transaction.update(SET_BALANCES, ByBucket.of(balances, bucketOfRow))
    transaction.insert(INSERT_POSTINGS, ByBucket.of(rows.postings, bucketOfRow))
    transaction.insert(ADD_TOTALS, ByBucket.of(rows.totals, bucketOfRow))
    for (const [accountId, isReported] of rows.lowReported) {
      transaction.write(SET_LOW_REPORTED, bucketOfAccount(accountId), accountId, Number(isReported))
    }
    if (rows.lowBalances.length > 0) {
      transaction.noteReports(await reportLowBalances(transaction, rows.lowBalances))
    }
  }

  protected find(accountId: number): LedgerAccount | undefined {
    return this.#locked.get(accountId)
  }

  protected booksFrom(): number {
    return this.#transaction.booksFrom
  }

  async #read(asked: ByBucket<readonly Cell[]>): Promise<void> {
    const read = await this.#transaction.queryRows(LOCK, asked)
    for (const [id, paid, available, held, earned, postings, creditLimit, lowBalance, lowReported] of read) {
      const balances = { paid, available, held, earned }
      this.#locked.set(id, { balances, creditLimit, lowBalance, isLowReported: lowReported === 1, postings })
    }
  }
}

function bucketOfRow([accountId]: readonly [accountId: number, ...cells: readonly Cell[]]): number {
  return bucketOfAccount(accountId)
}

function bucketOfAccount(accountId: number): number {
  return bucketOf(accountId as AccountId)
}
