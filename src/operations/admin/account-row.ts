/** One account of a directory's rows. */
import type { Account, AccountId } from '../../domain/account.ts'
import type { DirectoryRows } from '../../domain/directory.ts'
import { ChangeRefused } from '../../ports/store.ts'

/** Throws a ChangeRefused when there is no such account. */
export function accountRow(rows: DirectoryRows, id: AccountId): Account {
  const account = rows.accounts.find((each) => each.id === id)
  if (account === undefined) throw new ChangeRefused(`there is no account ${id}`)
  return account
}
