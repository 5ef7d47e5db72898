/**
 * Checks the ledger: sums up every balance and every monthly total anew from the postings, and compares every closed
 * month with its record. Postings are read in slices and not kept; memory grows with the totals, not with the postings.
 */
import { type BalanceName, MOVES, type PostingKind } from '../../domain/ledger.ts'
import { type Month, writeMonth } from '../../domain/month.ts'
import type { Cell } from './cell.ts'
import { digestMonth } from './month-digest.ts'
import { BALANCE_SIGNS, balanceOf, TOTAL_KEY_CELLS, type TotalRow } from './posting-row.ts'

/** The stored balances and totals at one moment. */
export interface LedgerSnapshot {
  /** The last posting of that moment; later ones are not checked. */
  readonly lastPosting: number
  readonly balances: readonly BalancesRow[]
  readonly accountsWithoutBalances: readonly number[]
  readonly totals: readonly TotalRow[]
  readonly closed: readonly ClosedRow[]
}

type BalancesRow = readonly [
  accountId: number,
  paid: number,
  available: number,
  held: number,
  earned: number,
  creditLimit: number,
]
type ClosedRow = readonly [accountId: number, month: number, closingMicros: number, digest: string]

/** Maximum of discrepancies of each kind. */
export const MAX_FINDINGS = 100

const BALANCES: readonly BalanceName[] = ['paid', 'available', 'held', 'earned']

export class LedgerCheck {
  readonly #snapshot: LedgerSnapshot
  /** The balances of each account, as its postings sum up. */
  readonly #balances = new Map<number, Record<BalanceName, number>>()
  readonly #totals = new Map<string, TotalRow>()

  constructor(snapshot: LedgerSnapshot) {
    this.#snapshot = snapshot
  }

  /** Adds sums of postings, grouped like their totals. Each posting of the snapshot must be in exactly one of them. */
  add(sums: readonly TotalRow[]): void {
    for (const sum of sums) {
      const [accountId, , kind, , , , , , , amount] = sum
      const balances = this.#balances.get(accountId) ?? { paid: 0, available: 0, held: 0, earned: 0 }
      const [from, to] = MOVES[kind]
      balances[from] -= amount
      balances[to] += amount
      this.#balances.set(accountId, balances)
      if (BALANCE_SIGNS[kind] !== 0) this.#addTotal(sum)
    }
  }

  /** Returns the discrepancies; none if the ledger is right. */
  sentences(): string[] {
    return [this.#wrongBalances(), this.#unknownAccounts(), this.#wrongTotals(), this.#changedMonths()].flatMap(
      (each) => each.slice(0, MAX_FINDINGS),
    )
  }

  #addTotal(sum: TotalRow): void {
    const key = keyOf(sum)
    const total = this.#totals.get(key)
    if (total === undefined) {
      this.#totals.set(key, [...sum])
      return
    }
    total[7] += sum[7]
    total[8] += sum[8]
    total[9] += sum[9]
    total[10] += sum[10]
  }

  #wrongBalances(): string[] {
    const { balances, accountsWithoutBalances } = this.#snapshot
    const without = accountsWithoutBalances.map((account) => `account ${account} has no balances`)
    return without.concat(
      balances.flatMap(([account, paid, available, held, earned, creditLimit]) => {
        const stored = { paid, available, held, earned }
        const posted = this.#balances.get(account) ?? { paid: 0, available: 0, held: 0, earned: 0 }
        const sum = paid + available + held + earned
        return [
          ...(sum === 0 ? [] : [`the balances of account ${account} sum to ${sum} micros instead of zero`]),
          ...(available >= -creditLimit
            ? []
            : [
                `account ${account} has ${available} micros available, below its credit limit of ${creditLimit} micros`,
              ]),
          ...BALANCES.filter((name) => stored[name] !== posted[name]).map(
            (name) =>
              `account ${account} has ${stored[name]} micros ${name}, but its postings sum to ${posted[name]} micros`,
          ),
        ]
      }),
    )
  }

  #unknownAccounts(): string[] {
    const known = new Set(this.#snapshot.balances.map(([account]) => account))
    return [...this.#balances.keys()]
      .filter((account) => !known.has(account))
      .map((account) => `there are postings of account ${account}, which has no balances`)
  }

  #wrongTotals(): string[] {
    const stored = new Map(this.#snapshot.totals.map((total) => [keyOf(total), total]))
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
      return [`the statement of account ${account} for ${writeMonth(month as Month)} has changed since it was closed`]
    })
  }
}

function keyOf(total: TotalRow): string {
  return total.slice(0, TOTAL_KEY_CELLS).join('\t')
}

function describe([account, month, kind, channel, operator]: TotalRow): string {
  const what = [kind satisfies PostingKind, channel, operator].filter((word) => word !== '').join(' ')
  return `${what} of account ${account} in ${writeMonth(month as Month)}`
}

/** Describes a message whose journey does not match its postings. */
export function describeMoney(row: readonly Cell[]): string {
  const [message, hold, charge, release, strange, held, charged] = row
  if (strange !== 0) return `message ${message} has postings of another account`
  return (
    `message ${message} held ${hold} micros, was charged ${charge} and released ${release}, ` +
    `but its journey says ${held} held and ${charged} charged`
  )
}

/** Describes a message whose phase does not match its money or its due time. */
export function describePhase([message, phase, held]: readonly Cell[]): string {
  if (phase === 'ended' && held !== 0) return `message ${message} has ended and still holds ${held} micros`
  return `message ${message} is ${phase} and ${phase === 'ended' ? 'still due' : 'will never be due'}`
}
