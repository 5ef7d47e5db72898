/**
 * The ledger of one transaction: computes balances and postings in memory and returns the rows to write. Pure except
 * for `find`. Never lets an account go below its credit limit, whatever the caller requests.
 */
import { type Balances, MOVES, type PostingKind, post } from '../../../domain/money/ledger.ts'
import { type Micros, toMicros } from '../../../domain/money/money.ts'
import { beginningOf, type Month, monthAfter, monthOf } from '../../../domain/time/month.ts'
import { type Edges, edgeQuarter, middleOf } from '../../../domain/time/zoned-month.ts'
import { type ChargeCells, NO_CHARGE, type Payment, type Period, type PostingTotalRow } from './posting-row.ts'

/** An account's stored money. */
export interface LedgerAccount {
  balances: Balances
  /** Micros. */
  creditLimit: number
  /** Reported if the available balance falls below this; null for never. */
  lowBalance: number | null
  /** It was reported, and the balance has not risen above it since. */
  isLowReported: boolean
  /** How many postings the account has. */
  postings: number
  /** When this transaction last moved its money, milliseconds; null if it has not. */
  movedAt?: number | null
}

/** The facts for operator changes. Micros. */
export interface AccountBalance extends BalanceLimits {
  readonly paid: number
  readonly available: number
}

export type BalanceLimits = Readonly<Pick<LedgerAccount, 'creditLimit' | 'lowBalance' | 'isLowReported'>>

export type NewPostingRow = readonly [
  accountId: number,
  number,
  msgId: number | null,
  kind: PostingKind,
  amountMicros: number,
  /** A closed month takes no more postings: late ones are dated at the beginning of the next. */
  bookedAt: number,
  by: string | null,
  note: string | null,
  ...ChargeCells,
]

/** An account whose balance has fallen below its threshold. */
export interface LowAccount {
  readonly accountId: number
  readonly availableMicros: number
  readonly thresholdMicros: number
  /** Milliseconds. */
  readonly at: number
}

export interface LedgerRows {
  readonly accounts: readonly (readonly [accountId: number, account: Readonly<LedgerAccount>])[]
  readonly postings: readonly NewPostingRow[]
  readonly totals: Iterable<PostingTotalRow>
  /** Accounts whose `isLowReported` has changed. */
  readonly lowReported: readonly (readonly [accountId: number, isLowReported: boolean])[]
  readonly lowBalances: readonly LowAccount[]
}

const NO_ENTRY = [null, null] as const

export abstract class Ledger {
  #postings: NewPostingRow[] = []
  readonly #moved = new Map<number, LedgerAccount>()
  readonly #totals = new PostingTotals()

  /** Returns the account as read, with the changes of this transaction; undefined if it does not exist. */
  protected abstract find(accountId: number): LedgerAccount | undefined

  /** Milliseconds: no posting is dated earlier. */
  protected abstract booksFrom(): number

  /** Null for an account that does not exist. */
  balanceOf(accountId: number): AccountBalance | null {
    const account = this.find(accountId)
    if (account === undefined) return null
    const { balances, creditLimit, lowBalance, isLowReported } = account
    return { paid: balances.paid, available: balances.available, creditLimit, lowBalance, isLowReported }
  }

  available(accountId: number): Micros {
    return this.#present(accountId).balances.available
  }

  /** Returns what the account can spend, credit included. Throws a RangeError if the account does not exist. */
  spendable(accountId: number): number {
    const { balances, creditLimit } = this.#present(accountId)
    return balances.available + creditLimit
  }

  changeLimits(accountId: number, limits: BalanceLimits): void {
    Object.assign(this.#present(accountId), limits)
  }

  /** Posts to the account. Throws a RangeError if the money is missing: callers check before. */
  move(kind: 'hold' | 'release', accountId: number, msgId: number, amountMicros: number, at: number): void {
    this.#post({ kind, accountId, amountMicros, at }, msgId, NO_ENTRY, NO_CHARGE)
  }

  charge(accountId: number, msgId: number, amountMicros: number, at: number, charge: ChargeCells): void {
    const bookedAt = this.#post({ kind: 'charge', accountId, amountMicros, at }, msgId, NO_ENTRY, charge)
    this.#totals.add(accountId, bookedAt, 'charge', amountMicros, charge)
  }

  pay(payment: Payment): void {
    const { kind, accountId, amountMicros, by, note } = payment
    const { messageId, charge } = payment.refunded ?? { messageId: null, charge: NO_CHARGE }
    const bookedAt = this.#post(payment, messageId, [by, note], charge)
    this.#totals.add(accountId, bookedAt, kind, amountMicros, charge)
  }

  /** Returns the rows to write now. A low balance is reported once each time it falls below the threshold. */
  protected takeRows(): LedgerRows | null {
    if (this.#moved.size === 0) return null
    const accounts = [...this.#moved]
    const lowReported: (readonly [number, boolean])[] = []
    const lowBalances: LowAccount[] = []
    for (const [accountId, account] of accounts) {
      const { lowBalance: thresholdMicros, isLowReported, movedAt } = account
      const availableMicros = account.balances.available
      if (thresholdMicros === null) continue
      if (isLowReported ? availableMicros <= thresholdMicros : availableMicros >= thresholdMicros) continue
      account.isLowReported = !isLowReported
      lowReported.push([accountId, account.isLowReported])
      if (!isLowReported) lowBalances.push({ accountId, availableMicros, thresholdMicros, at: movedAt ?? 0 })
    }
    const rows = { accounts, postings: this.#postings, totals: [...this.#totals.rows()], lowReported, lowBalances }
    this.clear()
    return rows
  }

  /** Drops unwritten changes. */
  protected clear(): void {
    this.#postings = []
    this.#moved.clear()
    this.#totals.clear()
  }

  /** Returns the date of the posting, milliseconds. */
  #post(
    { kind, accountId, amountMicros, at }: Pick<Payment, 'accountId' | 'amountMicros' | 'at'> & { kind: PostingKind },
    msgId: number | null,
    entry: readonly [by: string | null, note: string | null],
    charge: ChargeCells,
  ): number {
    const account = this.#present(accountId)
    const [from] = MOVES[kind]
    const least = from === 'available' ? -account.creditLimit : 0
    if (from !== 'paid' && account.balances[from] - amountMicros < least) {
      throw new RangeError(`account ${accountId} has not enough ${from} money for a ${kind}`)
    }
    account.balances = post(account.balances, { kind, amountMicros: toMicros(amountMicros) })
    account.movedAt = at
    account.postings += 1
    this.#moved.set(accountId, account)
    const bookedAt = Math.max(at, this.booksFrom())
    this.#postings.push([accountId, account.postings, msgId, kind, amountMicros, bookedAt, ...entry, ...charge])
    return bookedAt
  }

  #present(accountId: number): LedgerAccount {
    const account = this.find(accountId)
    if (account === undefined) throw new RangeError(`there is no account ${accountId}`)
    return account
  }
}

/** The totals of periods, summed up in memory until a transaction writes them: one row for each kind and purpose. */
class PostingTotals {
  readonly #totals = new Map<string, PostingTotalRow>()
  /** The last month, because most postings are of the same month. */
  #month: { readonly of: Month; readonly from: number; readonly until: number; readonly middle: Edges } = {
    ...{ of: 0 as Month, from: 0, until: 0, middle: { from: 0, until: 0 } },
  }

  /** `bookedAt`: the date of the posting, milliseconds. */
  add(accountId: number, bookedAt: number, kind: PostingKind, amountMicros: number, charge: ChargeCells): void {
    const { of, middle } = this.#monthAt(bookedAt)
    const quarter = edgeQuarter(bookedAt, middle)
    for (const period of quarter === null ? [of] : [of, quarter]) {
      this.#add(accountId, period, kind, amountMicros, charge)
    }
  }

  rows(): Iterable<PostingTotalRow> {
    return this.#totals.values()
  }

  clear(): void {
    this.#totals.clear()
  }

  #add(accountId: number, period: Period, kind: PostingKind, amountMicros: number, charge: ChargeCells): void {
    const [channel, operator, parts, carrierId, costMicros, currency] = charge
    const key = `${accountId} ${period} ${kind} ${channel} ${operator} ${carrierId} ${currency}`
    const total = this.#totals.get(key)
    if (total === undefined) {
      const what = [channel ?? '', operator ?? '', carrierId ?? '', currency ?? ''] as const
      this.#totals.set(key, [accountId, period, kind, ...what, 1, parts ?? 0, amountMicros, costMicros ?? 0])
      return
    }
    total[7] += 1
    total[8] += parts ?? 0
    total[9] += amountMicros
    total[10] += costMicros ?? 0
  }

  #monthAt(at: number) {
    if (at < this.#month.from || at >= this.#month.until) {
      const of = monthOf(at)
      const [from, until] = [beginningOf(of), beginningOf(monthAfter(of))]
      this.#month = { of, from, until, middle: middleOf(of) }
    }
    return this.#month
  }
}
