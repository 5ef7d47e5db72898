/** The retention settings of accounts. */
import { DEFAULT_ACCOUNT_SETTINGS } from '../../../domain/accounts/account.ts'
import { type AccountRetention, DAY_MS, type InstallationRetention } from '../../../domain/accounts/retention.ts'

/** What can be deleted of an ended message: its texts, what only served its delivery, or all of it. */
export type SweepAction = 'texts' | 'settled' | 'records'

export type MessageFacts = [msgId: number, accountId: number, createdAt: number]

export const SWEEP_ACTIONS: readonly SweepAction[] = ['texts', 'settled', 'records']

/** The days of retention by account and action. */
export class RetentionRules {
  readonly #accounts = new Map<number, AccountRetention>()
  readonly #settledKeptDays: number | null
  /** How long the records of all accounts are kept; null if some are kept forever. */
  readonly #longest: number | null
  /** Every action with every number of days set for it. */
  readonly classes: readonly (readonly [SweepAction, days: number])[]

  constructor(
    accounts: readonly (readonly [accountId: number, settings: string])[],
    { settledKeptDays }: InstallationRetention,
  ) {
    this.#settledKeptDays = settledKeptDays
    for (const [id, settings] of accounts) {
      this.#accounts.set(id, { ...DEFAULT_ACCOUNT_SETTINGS, ...JSON.parse(settings) })
    }
    const records = [...this.#accounts.keys()].map((accountId) => this.#daysOf('records', accountId))
    this.#longest = records.reduce((most, days) => (most === null || days === null ? null : Math.max(most, days)), 0)
    this.classes = SWEEP_ACTIONS.flatMap((action) => {
      const days = new Set([...this.#accounts.keys()].map((accountId) => this.#daysOf(action, accountId)))
      return [...days].flatMap((each) => (each === null ? [] : [[action, each] as const]))
    })
  }

  isDue(action: SweepAction, [, accountId, createdAt]: MessageFacts, now: number): boolean {
    const days = this.#daysOf(action, accountId)
    return days !== null && createdAt <= now - days * DAY_MS
  }

  /** Returns the time up to which settled reports are deleted, milliseconds; 0 if they are kept forever. */
  settledUntil(now: number): number {
    return this.#settledKeptDays === null ? 0 : now - this.#settledKeptDays * DAY_MS
  }

  /** Returns whether no account keeps records longer than this one, which does not keep them forever. */
  keepsLongest(accountId: number): boolean {
    return this.#longest !== null && this.#daysOf('records', accountId) === this.#longest
  }

  #daysOf(action: SweepAction, accountId: number): number | null {
    if (action === 'settled') return this.#settledKeptDays
    const { textsKeptDays, recordsKeptDays } = this.#accounts.get(accountId) ?? DEFAULT_ACCOUNT_SETTINGS
    return action === 'texts' ? textsKeptDays : recordsKeptDays
  }
}
