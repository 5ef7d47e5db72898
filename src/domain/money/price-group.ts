/** Price groups: the accounts of a group pay its prices where they have none of their own. */
import type { AccountId } from '../ids/account-id.ts'

export interface PriceGroup {
  readonly id: string
}

/** An account belongs to the group from a time on, until its next membership begins. Unique by account and start. */
export interface GroupMembership {
  readonly accountId: AccountId
  /** Milliseconds since 1970; null for no beginning. */
  readonly from: number | null
  /** The id of a PriceGroup; null for none. */
  readonly group: string | null
}

export type GroupMembershipKey = Omit<GroupMembership, 'group'>

/** Returns memberships of one account in the order in which they begin. */
export function inOrderOfStart(memberships: readonly GroupMembership[]): readonly GroupMembership[] {
  return memberships.toSorted((a, b) => (a.from ?? Number.NEGATIVE_INFINITY) - (b.from ?? Number.NEGATIVE_INFINITY))
}

/** The memberships of all accounts, ready for lookup. */
export class GroupMemberships {
  readonly #ofAccount: ReadonlyMap<AccountId, readonly GroupMembership[]>

  constructor(memberships: readonly GroupMembership[]) {
    const ofAccount = Map.groupBy(memberships, ({ accountId }) => accountId)
    this.#ofAccount = new Map([...ofAccount].map(([accountId, its]) => [accountId, inOrderOfStart(its)]))
  }

  /** Returns the group of the account at a time: that of the last membership that has begun. */
  groupOf(accountId: AccountId, at: number): string | null {
    return this.#ofAccount.get(accountId)?.findLast(({ from }) => from === null || from <= at)?.group ?? null
  }

  /** Returns the groups to which the account belongs at a time or later. */
  groupsFrom(accountId: AccountId, at: number): readonly string[] {
    const later = (this.#ofAccount.get(accountId) ?? []).filter(({ from }) => from !== null && from > at)
    return [this.groupOf(accountId, at), ...later.map(({ group }) => group)].filter((group) => group !== null)
  }
}
