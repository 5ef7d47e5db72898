/** The keys of an account, found by their name or by the id of one of them. */
import type { AccountId } from '../../../domain/account.ts'
import { type ApiKey, keyIdOf } from '../../../domain/api-key.ts'
import type { DirectoryRows } from '../../../domain/directory.ts'
import { accountRow, UnknownThing } from '../accounts/account-row.ts'

export interface KeyChoice {
  readonly accountId: AccountId
  /** A name, which several keys may share, or the id of a key. */
  readonly which: string
}

/** All keys of an account, the newest first. Throws an UnknownThing when there is no such account. */
export function keysOf(rows: DirectoryRows, accountId: AccountId): readonly ApiKey[] {
  accountRow(rows, accountId)
  return rows.keys.filter((key) => key.accountId === accountId).sort((a, b) => b.createdAt - a.createdAt)
}

/** At least one, the newest first. Throws an UnknownThing when there is none. */
export function findKeys(rows: DirectoryRows, { accountId, which }: KeyChoice): readonly [ApiKey, ...ApiKey[]] {
  const keys = keysOf(rows, accountId)
  const byId = keys.filter((key) => keyIdOf(key) === which)
  const [first, ...others] = byId.length > 0 ? byId : keys.filter((key) => key.name === which)
  if (first === undefined) throw new UnknownThing(`account ${accountId} has no key named ${JSON.stringify(which)}`)
  return [first, ...others]
}
