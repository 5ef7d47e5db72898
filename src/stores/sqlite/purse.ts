/**
 * The pots of the accounts that a transaction touches: read once, moved in memory, written once before the commit, with
 * the totals of the month. Never lets an account go below its credit limit, whatever is asked.
 */
import type { DatabaseSync } from 'node:sqlite'
import { MOVES, type PostingKind, type Pots } from '../../domain/ledger.ts'
import type { AccountBalance, BalanceLimits } from '../changes/row-step.ts'
import { CHARGE_COLUMNS, type ChargeCells, NO_CHARGE, type Payment, TOTAL_COLUMNS } from '../rows/posting-row.ts'
import { PostingTotals } from '../rows/posting-totals.ts'
import { LowBalanceReports } from './low-balance-reports.ts'
import { Statement } from './statement.ts'

type PotsRow = [
  paid: number,
  available: number,
  held: number,
  earned: number,
  creditLimit: number,
  /** Available below this is told; null for never. */
  lowBalance: number | null,
  /** 1 when it was told, and has not risen above since. */
  lowTold: number,
]

const PLACE = { paid: 0, available: 1, held: 2, earned: 3 } as const

export class Purse {
  readonly #select: Statement<PotsRow>
  readonly #update: Statement
  readonly #post: Statement
  readonly #postCharge: Statement
  readonly #postPayment: Statement
  readonly #addTotal: Statement
  readonly #setLowTold: Statement
  readonly #setLimits: Statement
  readonly #lowBalance: LowBalanceReports
  readonly #selectBooksFrom: Statement<[booksFrom: number]>
  readonly #pots = new Map<number, PotsRow>()
  /** When the money of an account was moved last. */
  readonly #moved = new Map<number, number>()
  readonly #totals = new PostingTotals()
  #booksFrom: number | null = null

  constructor(database: DatabaseSync) {
    this.#select = new Statement(
      database,
      'SELECT paid, available, held, earned, credit_limit, low_balance, low_told FROM pots WHERE account_id = ?',
    )
    this.#update = new Statement(
      database,
      'UPDATE pots SET paid = ?, available = ?, held = ?, earned = ? WHERE account_id = ?',
    )
    this.#post = new Statement(
      database,
      'INSERT INTO posting (account_id, msg_id, kind, amount_micros, at) VALUES (?, ?, ?, ?, ?)',
    )
    this.#postCharge = new Statement(
      database,
      `INSERT INTO posting (account_id, msg_id, kind, amount_micros, at, ${CHARGE_COLUMNS})
       VALUES (?, ?, 'charge', ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    this.#postPayment = new Statement(
      database,
      'INSERT INTO posting (account_id, kind, amount_micros, at, made_by, note) VALUES (?, ?, ?, ?, ?, ?)',
    )
    this.#addTotal = new Statement(
      database,
      `INSERT INTO posting_total (${TOTAL_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET postings = postings + excluded.postings, parts = parts + excluded.parts,
         amount_micros = amount_micros + excluded.amount_micros, cost_micros = cost_micros + excluded.cost_micros`,
    )
    this.#setLowTold = new Statement(database, 'UPDATE pots SET low_told = ? WHERE account_id = ?')
    this.#setLimits = new Statement(
      database,
      'UPDATE pots SET credit_limit = ?, low_balance = ?, low_told = ? WHERE account_id = ?',
    )
    this.#lowBalance = new LowBalanceReports(database)
    this.#selectBooksFrom = new Statement(database, 'SELECT books_from FROM meta')
  }

  /** Null for an account that does not exist. */
  potsOf(accountId: number): Pots | null {
    const pots = this.#find(accountId)
    return pots === undefined ? null : ({ paid: pots[0], available: pots[1], held: pots[2], earned: pots[3] } as Pots)
  }

  /** What the account can spend, credit included. */
  spendable(accountId: number): number {
    const [, available, , , creditLimit] = this.#present(accountId)
    return available + creditLimit
  }

  available(accountId: number): number {
    return this.#present(accountId)[PLACE.available]
  }

  /** What operators' changes are decided by; null for an account that does not exist. */
  balanceOf(accountId: number): AccountBalance | null {
    const pots = this.#find(accountId)
    if (pots === undefined) return null
    const [paid, available, , , creditLimit, lowBalance, lowTold] = pots
    return { paid, available, creditLimit, lowBalance, isLowReported: lowTold === 1 }
  }

  setLimits(accountId: number, { creditLimit, lowBalance, isLowReported }: BalanceLimits): void {
    const pots = this.#present(accountId)
    pots[4] = creditLimit
    pots[5] = lowBalance
    pots[6] = Number(isLowReported)
    this.#setLimits.run(creditLimit, lowBalance, pots[6], accountId)
  }

  /** These three move the money and append the posting. They throw when the money is not there: callers ask before. */
  move(kind: 'hold' | 'release', accountId: number, msgId: number, amountMicros: number, at: number): void {
    this.#shift(kind, accountId, amountMicros, at)
    this.#post.run(accountId, msgId, kind, amountMicros, this.#bookingTime(at))
  }

  charge(accountId: number, msgId: number, amountMicros: number, at: number, charge: ChargeCells): void {
    this.#shift('charge', accountId, amountMicros, at)
    const time = this.#bookingTime(at)
    this.#postCharge.run(accountId, msgId, amountMicros, time, ...charge)
    this.#totals.add(accountId, time, 'charge', amountMicros, charge)
  }

  pay({ kind, accountId, amountMicros, at, by, note }: Payment): void {
    this.#shift(kind, accountId, amountMicros, at)
    const time = this.#bookingTime(at)
    this.#postPayment.run(accountId, kind, amountMicros, time, by, note)
    this.#totals.add(accountId, time, kind, amountMicros, NO_CHARGE)
  }

  /** Writes what was moved. The last thing before a commit, and before anything that reads the tables themselves. */
  flush(): void {
    for (const [accountId, at] of this.#moved) {
      const pots = this.#present(accountId)
      const [paid, available, held, earned] = pots
      this.#update.run(paid, available, held, earned, accountId)
      this.#watchLow(accountId, pots, at)
    }
    for (const total of this.#totals.rows()) this.#addTotal.run(...total)
    this.#moved.clear()
    this.#totals.clear()
  }

  /** Forgets everything: another process may change the pots between two transactions. */
  forget(): void {
    this.#pots.clear()
    this.#moved.clear()
    this.#totals.clear()
    this.#booksFrom = null
  }

  /** Once for each time that the money falls below; told again only when it has risen above since. */
  #watchLow(accountId: number, pots: PotsRow, at: number): void {
    const [, available, , , , lowBalance, lowTold] = pots
    if (lowBalance === null) return
    const isTold = lowTold === 1
    if (isTold ? available <= lowBalance : available >= lowBalance) return
    if (!isTold) this.#lowBalance.tell(accountId, available, lowBalance, at)
    pots[6] = isTold ? 0 : 1
    this.#setLowTold.run(pots[6], accountId)
  }

  #shift(kind: PostingKind, accountId: number, amountMicros: number, at: number): void {
    const pots = this.#present(accountId)
    const [from, to] = MOVES[kind]
    const least = from === 'available' ? -pots[4] : 0
    if (from !== 'paid' && pots[PLACE[from]] - amountMicros < least) {
      throw new RangeError(`account ${accountId} has not enough money ${from} for a ${kind}`)
    }
    pots[PLACE[from]] -= amountMicros
    pots[PLACE[to]] += amountMicros
    this.#moved.set(accountId, at)
  }

  /** A month that was closed takes no more: what comes late is booked at the beginning of the next. */
  #bookingTime(at: number): number {
    this.#booksFrom ??= this.#selectBooksFrom.first()?.[0] ?? 0
    return Math.max(at, this.#booksFrom)
  }

  #present(accountId: number): PotsRow {
    const pots = this.#find(accountId)
    if (pots === undefined) throw new RangeError(`there is no account ${accountId}`)
    return pots
  }

  #find(accountId: number): PotsRow | undefined {
    const known = this.#pots.get(accountId)
    if (known !== undefined) return known
    const pots = this.#select.first(accountId)
    if (pots !== undefined) this.#pots.set(accountId, pots)
    return pots
  }
}
