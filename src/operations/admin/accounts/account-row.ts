/** One account of a directory's rows. */
import type { Account, AccountId } from '../../../domain/account.ts'
import type { DirectoryRows } from '../../../domain/directory.ts'
import { ChangeRefused } from '../../../ports/store-errors.ts'

/** What was named is not there. */
export class UnknownThing extends ChangeRefused {}

/** Throws an UnknownThing when there is no such account. */
export function accountRow(rows: Pick<DirectoryRows, 'accounts'>, id: AccountId): Account {
  const account = rows.accounts.find((each) => each.id === id)
  if (account === undefined) throw new UnknownThing(`there is no account ${id}`)
  return account
}
