/** Finds an account in a directory's rows. */
import type { Account } from '../../../domain/accounts/account.ts'
import type { DirectoryRows } from '../../../domain/directory/directory.ts'
import type { AccountId } from '../../../domain/ids/account-id.ts'
import { ChangeRefused } from '../../../ports/records/store-errors.ts'

/** A thing that a request names does not exist. */
export class UnknownThing extends ChangeRefused {}

/** Throws UnknownThing if the account does not exist. */
export function accountRow(rows: Pick<DirectoryRows, 'accounts'>, id: AccountId): Account {
  const account = rows.accounts.find((each) => each.id === id)
  if (account === undefined) throw new UnknownThing(`there is no account ${id}`)
  return account
}
