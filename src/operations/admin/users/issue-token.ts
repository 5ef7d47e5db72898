/** Issues tokens for the admin API: `ph_admin_`, 32 random characters and a checksum. Shown once, kept as a hash. */
import type { AdminUser } from '../../../domain/admin-user.ts'
import type { DirectoryRows } from '../../../domain/directory.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { Random } from '../../../ports/random.ts'
import type { SetupStore } from '../../../ports/setup-store.ts'
import { ChangeRefused } from '../../../ports/store-errors.ts'
import { hashKey, makeKey } from '../../api-key.ts'
import { UnknownThing } from '../accounts/account-row.ts'
import { checkName } from '../label.ts'

export interface NewToken {
  readonly user: string
  readonly label: string
  readonly expiresAt: number | null
}

/** Answers with the token, to be shown now and never again. Throws a ChangeRefused. */
export async function issueToken(store: SetupStore, clock: Clock, random: Random, wish: NewToken): Promise<string> {
  const { user, label, expiresAt } = wish
  checkName('the label of a token', label)
  userRow(await store.loadDirectory(), user)
  const createdAt = clock.now()
  if (expiresAt !== null && expiresAt <= createdAt) throw new ChangeRefused('the token would have expired already')
  const token = makeKey('admin', random)
  await store.change({
    kind: 'add admin token',
    token: { hash: hashKey(token), user, label, createdAt, expiresAt, provedAt: null },
  })
  return token
}

/** Throws an UnknownThing when there is no such user. */
export function userRow(rows: Pick<DirectoryRows, 'adminUsers'>, name: string): AdminUser {
  const user = rows.adminUsers.find((each) => each.name === name)
  if (user === undefined) throw new UnknownThing(`there is no user ${name}`)
  return user
}
