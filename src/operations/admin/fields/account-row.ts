/** Finds accounts and users in a directory's rows. */
import type { Account } from '../../../domain/accounts/account.ts'
import type { AdminUser } from '../../../domain/accounts/admin-user.ts'
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

/** Throws UnknownThing if the user does not exist. */
export function userRow(rows: Pick<DirectoryRows, 'adminUsers'>, name: string): AdminUser {
  const user = rows.adminUsers.find((each) => each.name === name)
  if (user === undefined) throw new UnknownThing(`there is no user ${name}`)
  return user
}
