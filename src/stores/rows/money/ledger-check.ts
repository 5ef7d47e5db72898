/**
 * Checks the ledger: sums up every balance and every total anew from the postings, and compares every closed
 * month with its record. Postings are read in slices and not kept; memory grows with the totals, not with the postings.
 */

import type { AccountId } from '../../../domain/ids/account-id.ts'
import { type BalanceName, MOVES, type PostingKind } from '../../../domain/money/ledger.ts'
import { writeMoment } from '../../../domain/time/moment.ts'
import { type Month, monthOf, writeMonth } from '../../../domain/time/month.ts'
import { beginningOfQuarter, edgeQuarter, isQuarter, middleOf, type Quarter } from '../../../domain/time/zoned-month.ts'
import type { Cell } from '../cells/cell.ts'
import type { CellsOf } from '../cells/cells-of.ts'
import { digestMonth } from './month-digest.ts'
import {
  BALANCE_SIGNS,
  balanceOf,
  type Period,
  type POSTING_TOTAL_COLUMNS,
  type PostingTotalRow,
  TOTAL_KEY_CELLS,
} from './posting-row.ts'

/** The stored balances and totals at one moment. */
export interface LedgerSnapshot {
  /** The last posting of that moment; later ones are not checked. */
  readonly lastPosting: number
  readonly accounts: readonly (readonly [...AccountRow, ...others: Cell[]])[]
  readonly accountsWithoutBalances: readonly number[]
  readonly totals: readonly PostingTotalRow[]
  readonly closed: readonly ClosedRow[]
  /** Quarters that begin earlier are not added up, or not of all gateways. */
  readonly quartersFrom: number
}

export type AccountRow = Readonly<CellsOf<'account_balance', typeof ACCOUNT_COLUMNS, { account_id: AccountId }>>
export const ACCOUNT_COLUMNS = 'account_id, paid, available, held, earned, credit_limit'

export type ClosedRow = [accountId: number, month: Month, closingMicros: number, digest: string]
export const CLOSED_COLUMNS = 'account_id, month, closing_micros, digest'

export const ACCOUNTS_WITHOUT_BALANCES =
  'SELECT account_id FROM account WHERE account_id NOT IN (SELECT account_id FROM account_balance)'

export const QUARTERS_FROM = 'SELECT quarters_from FROM meta'

/** A total of the postings of a quarter of an hour, at the edge of a month or not. */
export type QuarterSumRow = CellsOf<
  'posting_total',
  typeof POSTING_TOTAL_COLUMNS,
  { month: Quarter; kind: PostingKind }
>

/** Columns of a QuarterSumRow, of postings. Groups of them: the first ones, as in totals. */
export const QUARTER_SUM_COLUMNS = `account_id, at / 900000, kind, coalesce(channel, ''), coalesce(operator, ''),
  coalesce(carrier_id, ''), coalesce(cost_currency, ''),
  count(*), coalesce(sum(parts), 0), sum(amount_micros), coalesce(sum(cost_micros), 0)`

/** Maximum of discrepancies of each kind. */
export const MAX_FINDINGS = 100

const NAMES: readonly BalanceName[] = ['paid', 'available', 'held', 'earned']
const NONE: Readonly<Record<BalanceName, number>> = { paid: 0, available: 0, held: 0, earned: 0 }

export class LedgerCheck {
  readonly #snapshot: LedgerSnapshot
  /** The balances of each account, as its postings sum up. */
  readonly #balances = new Map<number, Record<BalanceName, number>>()
  readonly #totals = new Map<string, PostingTotalRow>()

  constructor(snapshot: LedgerSnapshot) {
    this.#snapshot = snapshot
  }

  /** Adds sums of postings, by quarter of an hour. Each posting of the snapshot must be in exactly one of them. */
  add(sums: readonly QuarterSumRow[]): void {
    for (const sum of sums) {
      const [accountId, quarter, kind, , , , , , , amount] = sum
      const balances = this.#balances.get(accountId) ?? { ...NONE }
      const [from, to] = MOVES[kind]
      balances[from] -= amount
      balances[to] += amount
      this.#balances.set(accountId, balances)
      if (BALANCE_SIGNS[kind] === 0) continue
      const at = beginningOfQuarter(quarter)
      const month = monthOf(at)
      this.#addTotal(sum, month)
      const edge = edgeQuarter(at, middleOf(month))
      if (edge !== null && this.#isKnown(edge)) this.#addTotal(sum, edge)
    }
  }

  /** Returns the discrepancies; none if the ledger is right. */
  findings(): string[] {
    return [this.#wrongBalances(), this.#unknownAccounts(), this.#wrongTotals(), this.#changedMonths()].flatMap(
      (each) => each.slice(0, MAX_FINDINGS),
    )
  }

  #isKnown(period: Period): boolean {
    return !isQuarter(period) || beginningOfQuarter(period) >= this.#snapshot.quartersFrom
  }

  #addTotal([accountId, , ...sum]: QuarterSumRow, period: Period): void {
    const added: PostingTotalRow = [accountId, period, ...sum]
    const key = keyOf(added)
    const total = this.#totals.get(key)
    if (total === undefined) {
      this.#totals.set(key, added)
      return
    }
    total[7] += added[7]
    total[8] += added[8]
    total[9] += added[9]
    total[10] += added[10]
  }

  #wrongBalances(): string[] {
    const { accounts, accountsWithoutBalances } = this.#snapshot
    const without = accountsWithoutBalances.map((account) => `account ${account} has no balances`)
    return without.concat(
      accounts.flatMap(([accountId, paid, available, held, earned, creditLimit]) => {
        const account = `account ${accountId}`
        const balances = { paid, available, held, earned }
        const posted = this.#balances.get(accountId) ?? NONE
        const sum = paid + available + held + earned
        return [
          ...(sum === 0 ? [] : [`the balances of ${account} sum to ${sum} micros instead of zero`]),
          ...(available >= -creditLimit
            ? []
            : [`${account} has ${available} micros available, below its credit limit of ${creditLimit} micros`]),
          ...NAMES.filter((name) => balances[name] !== posted[name]).map(
            (name) => `${account} has ${balances[name]} micros ${name}, but its postings sum to ${posted[name]} micros`,
          ),
        ]
      }),
    )
  }

  #unknownAccounts(): string[] {
    const known = new Set<number>(this.#snapshot.accounts.map(([accountId]) => accountId))
    return [...this.#balances.keys()].filter((account) => !known.has(account)).map(describeUnknown)
  }

  #wrongTotals(): string[] {
    const known = this.#snapshot.totals.filter(([, period]) => this.#isKnown(period))
    const stored = new Map(known.map((total) => [keyOf(total), total]))
    const wrong = new Map<string, string>()
    for (const [key, total] of [...stored, ...this.#totals]) {
      if (JSON.stringify(stored.get(key)) !== JSON.stringify(this.#totals.get(key))) wrong.set(key, describe(total))
    }
    return [...wrong.values()].map((what) => `the total of ${what} is not the sum of its postings`)
  }

  /** Compares closed months with the totals, which are compared with the postings above. */
  #changedMonths(): string[] {
    const byAccount = Map.groupBy(this.#snapshot.totals, ([account]) => account)
    return this.#snapshot.closed.flatMap(([account, month, closing, digest]) => {
      const totals = byAccount.get(account)?.filter((total) => total[1] <= month) ?? []
      const isSame =
        digestMonth(totals.filter((total) => total[1] === month)) === digest &&
        balanceOf(totals.map((total) => [total[2], total[9]])) === closing
      if (isSame) return []
      return [`the statement of account ${account} for ${writeMonth(month)} has changed since it was closed`]
    })
  }
}

function keyOf(total: PostingTotalRow): string {
  return total.slice(0, TOTAL_KEY_CELLS).join('\t')
}

function describe([account, period, kind, channel, operator]: PostingTotalRow): string {
  const what = [kind satisfies PostingKind, channel, operator].filter((word) => word !== '').join(' ')
  const when = isQuarter(period)
    ? `the quarter of an hour from ${writeMoment(beginningOfQuarter(period))}`
    : writeMonth(period)
  return `${what} of account ${account} in ${when}`
}

export function describeUnknown(account: number): string {
  return `there are postings of account ${account}, which has no balances`
}

export type MoneyCheckRow = readonly [
  msgId: number,
  hold: number,
  charge: number,
  release: number,
  refund: number,
  /** Postings of another account. */
  strange: number,
  held: number,
  charged: number,
]

/** Describes a message whose journey does not match its postings. */
export function describeMoney([message, hold, charge, release, refund, strange, held, charged]: MoneyCheckRow): string {
  if (strange !== 0) return `message ${message} has postings of another account`
  if (refund > charge) return `message ${message} was charged ${charge} micros, and ${refund} were refunded`
  return (
    `message ${message} held ${hold} micros, was charged ${charge} and released ${release}, ` +
    `but its journey says ${held} held and ${charged} charged`
  )
}

export type PhaseCheckRow = readonly [msgId: number, phase: string, held: number]

/** Describes a message whose phase does not match its money or its due time. */
export function describePhase([message, phase, held]: PhaseCheckRow): string {
  if (phase === 'ended' && held !== 0) return `message ${message} has ended and still holds ${held} micros`
  return `message ${message} is ${phase} and ${phase === 'ended' ? 'still due' : 'will never be due'}`
}

/** Describes postings of a message that was deleted too early or left money held. */
export function describeOrphan(msgId: number, micros: number): string {
  if (micros !== 0) return `message ${msgId} does not exist, and its postings leave ${micros} micros held`
  return `message ${msgId} does not exist, and its records were not due for deletion`
}
