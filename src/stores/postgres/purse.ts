/**
 * The pots of the accounts that a transaction touches: locked and read once, moved in memory, written once before the
 * commit, with the totals of the month. Nothing is known of them from one transaction to the next, for other nodes move
 * them too. Never lets an account go below its credit limit, whatever is asked.
 */
import type { AccountId } from '../../domain/account.ts'
import { MOVES, type PostingKind } from '../../domain/ledger.ts'
import { bucketOf } from '../../domain/message-id.ts'
import type { AccountBalance, BalanceLimits } from '../changes/row-step.ts'
import type { Cell } from '../rows/cell.ts'
import {
  type ChargeCells,
  NO_CHARGE,
  type Payment,
  TOTAL_COLUMNS,
  TOTAL_KEY_CELLS,
  type TotalRow,
} from '../rows/posting-row.ts'
import { PostingTotals } from '../rows/posting-totals.ts'
import { ByBucket } from './by-bucket.ts'
import type { Value } from './link.ts'
import { type LowBalance, tellLowBalances } from './low-balance-reports.ts'
import { inBucket, insertion, type Statement, unnest } from './statement.ts'

/** Whoever has locked the pots decides alone what becomes of the account: its money, its keys, its names. */
const LOCK = inBucket<
  [
    accountId: number,
    paid: number,
    available: number,
    held: number,
    postings: number,
    creditLimit: number,
    lowBalance: number | null,
    lowTold: number,
  ]
>(
  `SELECT account_id, paid, available, held, postings, credit_limit, low_balance, low_told FROM pots
   WHERE bucket = $1 AND account_id = ANY ($2::bigint[]) ORDER BY account_id FOR UPDATE`,
)
const MOVED = {
  account_id: 'bigint',
  paid: 'bigint',
  available: 'bigint',
  held: 'bigint',
  earned: 'bigint',
  postings: 'bigint',
} as const
/** The checks of the table refuse what the purse should never let happen. */
const MOVE = inBucket(
  `UPDATE pots SET paid = pots.paid + new.paid, available = pots.available + new.available,
     held = pots.held + new.held, earned = pots.earned + new.earned, postings = pots.postings + new.postings
   FROM ${unnest(MOVED, 2)} WHERE pots.bucket = $1 AND pots.account_id = new.account_id`,
)
const SET_LOW_TOLD = inBucket('UPDATE pots SET low_told = $3 WHERE bucket = $1 AND account_id = $2')
const SET_LIMITS = inBucket(
  'UPDATE pots SET credit_limit = $3, low_balance = $4, low_told = $5 WHERE bucket = $1 AND account_id = $2',
)
const POST = insertion('posting', {
  account_id: 'bigint',
  posting_id: 'bigint',
  msg_id: 'bigint',
  kind: 'text',
  amount_micros: 'bigint',
  at: 'bigint',
  made_by: 'text',
  note: 'text',
  channel: 'text',
  operator: 'text',
  parts: 'integer',
  carrier_id: 'text',
  cost_micros: 'bigint',
  cost_currency: 'text',
})
const ADD_TOTALS = insertion(
  'posting_total',
  {
    account_id: 'bigint',
    month: 'integer',
    kind: 'text',
    channel: 'text',
    operator: 'text',
    carrier_id: 'text',
    cost_currency: 'text',
    postings: 'bigint',
    parts: 'bigint',
    amount_micros: 'bigint',
    cost_micros: 'bigint',
  } satisfies Record<string, 'bigint' | 'integer' | 'text'>,
  `ON CONFLICT (bucket, ${TOTAL_COLUMNS.split(', ').slice(0, TOTAL_KEY_CELLS).join(', ')}) DO UPDATE SET
     postings = posting_total.postings + excluded.postings, parts = posting_total.parts + excluded.parts,
     amount_micros = posting_total.amount_micros + excluded.amount_micros,
     cost_micros = posting_total.cost_micros + excluded.cost_micros`,
)

const NO_PERSON = [null, null] as const

/** What the purse asks of its transaction. */
interface Transaction {
  readonly booksFrom: number
  ask<Row extends readonly Cell[]>(statement: Statement<Row>, ...values: readonly Value[]): Promise<readonly Row[]>
  update(statement: Statement, bucket: number, rows: readonly (readonly Cell[])[]): void
  insert(statement: Statement, bucket: number, rows: readonly (readonly Cell[])[]): void
  write(statement: Statement, ...values: readonly Value[]): void
  nextCounter(): Promise<number>
  /** Reports wait in these buckets that nobody was told of. */
  noteReports(buckets: readonly number[]): void
}

/** As they were read, and what has been moved since. */
interface Locked {
  readonly paid: number
  readonly available: number
  readonly held: number
  readonly postings: number
  creditLimit: number
  /** Available below this is told; null for never. */
  lowBalance: number | null
  /** It was told, and has not risen above since. */
  isLowTold: boolean
  /** When the money was moved last. */
  movedAt: number
  readonly moved: { paid: number; available: number; held: number; earned: number; postings: number }
}

export class Purse {
  readonly #transaction: Transaction
  readonly #asked = new Set<number>()
  readonly #locked = new Map<number, Locked>()
  #locking: Promise<unknown> = Promise.resolve()
  readonly #postings = new ByBucket<Cell[]>()
  readonly #totals = new PostingTotals()

  constructor(transaction: Transaction) {
    this.#transaction = transaction
  }

  /** Before anything else is asked of these accounts in the transaction. Resolves when all so far are locked. */
  async lock(accountIds: Iterable<number>): Promise<void> {
    const asked = new ByBucket<number>()
    for (const id of [...new Set(accountIds)].sort((a, b) => a - b)) {
      if (this.#asked.has(id)) continue
      this.#asked.add(id)
      asked.add(bucketOfAccount(id), id)
    }
    const locking = this.#read(asked)
    this.#locking = Promise.all([this.#locking, locking])
    await this.#locking
  }

  async #read(asked: ByBucket<number>): Promise<void> {
    const read = await Promise.all(asked.entries().map(([bucket, ids]) => this.#transaction.ask(LOCK, bucket, ids)))
    for (const [id, paid, available, held, postings, creditLimit, lowBalance, lowTold] of read.flat()) {
      const moved = { paid: 0, available: 0, held: 0, earned: 0, postings: 0 }
      const low = { lowBalance, isLowTold: lowTold === 1 }
      this.#locked.set(id, { paid, available, held, postings, creditLimit, ...low, movedAt: 0, moved })
    }
  }

  has(accountId: number): boolean {
    return this.#locked.has(accountId)
  }

  /** What the account can spend, credit included. Throws for an account that does not exist. */
  spendable(accountId: number): number {
    return this.available(accountId) + this.#present(accountId).creditLimit
  }

  available(accountId: number): number {
    const { available, moved } = this.#present(accountId)
    return available + moved.available
  }

  /** What operators' changes are decided by; null for an account that does not exist. The account has been locked. */
  balanceOf(accountId: number): AccountBalance | null {
    const pots = this.#locked.get(accountId)
    if (pots === undefined) return null
    const { paid, available, creditLimit, lowBalance, isLowTold: isLowReported, moved } = pots
    return { paid: paid + moved.paid, available: available + moved.available, creditLimit, lowBalance, isLowReported }
  }

  /** The account has been locked. */
  setLimits(accountId: number, { creditLimit, lowBalance, isLowReported }: BalanceLimits): void {
    const pots = this.#present(accountId)
    Object.assign(pots, { creditLimit, lowBalance, isLowTold: isLowReported })
    const bucket = bucketOfAccount(accountId)
    this.#transaction.write(SET_LIMITS, bucket, accountId, creditLimit, lowBalance, Number(isLowReported))
  }

  /** These three move the money and append the posting. They throw when the money is not there: callers ask before. */
  move(kind: 'hold' | 'release', accountId: number, msgId: number, amountMicros: number, at: number): void {
    this.#post(kind, accountId, msgId, amountMicros, at, NO_PERSON, NO_CHARGE)
  }

  charge(accountId: number, msgId: number, amountMicros: number, at: number, charge: ChargeCells): void {
    this.#post('charge', accountId, msgId, amountMicros, at, NO_PERSON, charge)
    this.#totals.add(accountId, this.#bookingTime(at), 'charge', amountMicros, charge)
  }

  pay({ kind, accountId, amountMicros, at, by, note }: Payment): void {
    this.#post(kind, accountId, null, amountMicros, at, [by, note], NO_CHARGE)
    this.#totals.add(accountId, this.#bookingTime(at), kind, amountMicros, NO_CHARGE)
  }

  /** Writes what was moved. The last thing before a commit. */
  async flush(): Promise<void> {
    const moved = new ByBucket<Cell[]>()
    for (const [id, { moved: by }] of this.#locked) {
      if (by.postings === 0) continue
      moved.add(bucketOfAccount(id), [id, by.paid, by.available, by.held, by.earned, by.postings])
    }
    const totals = new ByBucket<TotalRow>()
    for (const total of this.#totals.rows()) totals.add(bucketOfAccount(total[0]), total)
    for (const [bucket, rows] of moved.entries()) this.#transaction.update(MOVE, bucket, rows)
    for (const [bucket, rows] of this.#postings.entries()) this.#transaction.insert(POST, bucket, rows)
    for (const [bucket, rows] of totals.entries()) this.#transaction.insert(ADD_TOTALS, bucket, rows)
    await this.#watchLow()
  }

  /** Once for each time that the money falls below; told again only when it has risen above since. */
  async #watchLow(): Promise<void> {
    const lows: LowBalance[] = []
    for (const [accountId, pots] of this.#locked) {
      const { lowBalance: thresholdMicros, isLowTold, moved, movedAt: at } = pots
      const availableMicros = pots.available + moved.available
      if (thresholdMicros === null || moved.postings === 0) continue
      if (isLowTold ? availableMicros <= thresholdMicros : availableMicros >= thresholdMicros) continue
      if (!isLowTold) lows.push({ accountId, availableMicros, thresholdMicros, at })
      this.#transaction.write(SET_LOW_TOLD, bucketOfAccount(accountId), accountId, isLowTold ? 0 : 1)
    }
    if (lows.length > 0) this.#transaction.noteReports(await tellLowBalances(this.#transaction, lows))
  }

  #post(
    kind: PostingKind,
    accountId: number,
    msgId: number | null,
    amountMicros: number,
    at: number,
    person: readonly [by: string | null, note: string | null],
    charge: ChargeCells,
  ): void {
    const pots = this.#present(accountId)
    const { moved, creditLimit } = pots
    const [from, to] = MOVES[kind]
    if (from === 'available' || from === 'held') {
      const least = from === 'available' ? -creditLimit : 0
      if (pots[from] + moved[from] - amountMicros < least) {
        throw new RangeError(`account ${accountId} has not enough money ${from} for a ${kind}`)
      }
    }
    moved[from] -= amountMicros
    moved[to] += amountMicros
    moved.postings += 1
    pots.movedAt = at
    const number = pots.postings + moved.postings
    const row = [accountId, number, msgId, kind, amountMicros, this.#bookingTime(at), ...person, ...charge]
    this.#postings.add(bucketOfAccount(accountId), row)
  }

  /** A month that was closed takes no more: what comes late is booked at the beginning of the next. */
  #bookingTime(at: number): number {
    return Math.max(at, this.#transaction.booksFrom)
  }

  #present(accountId: number): Locked {
    const pots = this.#locked.get(accountId)
    if (pots === undefined) throw new RangeError(`there is no account ${accountId}`)
    return pots
  }
}

function bucketOfAccount(accountId: number): number {
  return bucketOf(accountId as AccountId)
}
