/**
 * Checks the ledger: sums up every balance and every monthly total anew from the postings, and compares every closed
 * month with its record. Postings are read in slices and not kept; memory grows with the totals, not with the postings.
 */

import type { AccountId } from '../../../domain/ids/account-id.ts'
import { type BalanceName, MOVES, type PostingKind } from '../../../domain/money/ledger.ts'
import { type Month, writeMonth } from '../../../domain/time/month.ts'
import type { Cell } from '../cells/cell.ts'
import type { CellsOf } from '../cells/cells-of.ts'
import { digestMonth } from './month-digest.ts'
import { BALANCE_SIGNS, balanceOf, type PostingTotalRow, TOTAL_KEY_CELLS } from './posting-row.ts'

/** The stored balances and totals at one moment. */
export interface LedgerSnapshot {
  /** The last posting of that moment; later ones are not checked. */
  readonly lastPosting: number
  readonly accounts: readonly (readonly [...AccountRow, ...others: Cell[]])[]
  readonly accountsWithoutBalances: readonly number[]
  readonly totals: readonly PostingTotalRow[]
  readonly closed: readonly ClosedRow[]
}

export type AccountRow = Readonly<CellsOf<'account_balance', typeof ACCOUNT_COLUMNS, { account_id: AccountId }>>
export const ACCOUNT_COLUMNS = 'account_id, paid, available, held, earned, credit_limit'

export type ClosedRow = [accountId: number, month: Month, closingMicros: number, digest: string]
export const CLOSED_COLUMNS = 'account_id, month, closing_micros, digest'

export const ACCOUNTS_WITHOUT_BALANCES =
  'SELECT account_id FROM account WHERE account_id NOT IN (SELECT account_id FROM account_balance)'

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

  /** Adds sums of postings, grouped like their totals. Each posting of the snapshot must be in exactly one of them. */
  add(sums: readonly PostingTotalRow[]): void {
    for (const sum of sums) {
      const [accountId, , kind, , , , , , , amount] = sum
      const balances = this.#balances.get(accountId) ?? { ...NONE }
      const [from, to] = MOVES[kind]
      balances[from] -= amount
      balances[to] += amount
      this.#balances.set(accountId, balances)
      if (BALANCE_SIGNS[kind] !== 0) this.#addTotal(sum)
    }
  }

  /** Returns the discrepancies; none if the ledger is right. */
  findings(): string[] {
    return [this.#wrongBalances(), this.#unknownAccounts(), this.#wrongTotals(), this.#changedMonths()].flatMap(
      (each) => each.slice(0, MAX_FINDINGS),
    )
  }

  #addTotal(sum: PostingTotalRow): void {
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
      return [`the statement of account ${account} for ${writeMonth(month)} has changed since it was closed`]
    })
  }
}

function keyOf(total: PostingTotalRow): string {
  return total.slice(0, TOTAL_KEY_CELLS).join('\t')
}

function describe([account, month, kind, channel, operator]: PostingTotalRow): string {
  const what = [kind satisfies PostingKind, channel, operator].filter((word) => word !== '').join(' ')
  return `${what} of account ${account} in ${writeMonth(month)}`
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
