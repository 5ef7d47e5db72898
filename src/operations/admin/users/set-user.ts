/** Makes an admin user or changes one. An installation that has an owner keeps one. */
import type { AdminUser, Role } from '../../../domain/admin-user.ts'
import type { SetupStore } from '../../../ports/setup-store.ts'
import { ChangeRefused } from '../../../ports/store-errors.ts'
import { checkName } from '../label.ts'
import { userRow } from './issue-token.ts'

/** Throws a ChangeRefused. */
export async function addUser(
  store: SetupStore,
  { name, role }: { readonly name: string; readonly role: Role },
): Promise<AdminUser> {
  checkName('the name of a user', name)
  const rows = await store.loadDirectory()
  if (rows.adminUsers.some((each) => each.name === name)) throw new ChangeRefused(`there is a user ${name} already`)
  const user: AdminUser = { name, role, state: 'active', passwordHash: null, totpSecret: null }
  await store.change({ kind: 'set admin user', user })
  return user
}

/** What is not named stays. Throws a ChangeRefused. */
export async function changeUser(
  store: SetupStore,
  name: string,
  change: Partial<Pick<AdminUser, 'role' | 'state'>>,
): Promise<AdminUser> {
  const rows = await store.loadDirectory()
  const user = { ...userRow(rows, name), ...change }
  const owners = rows.adminUsers.map((each) => (each.name === name ? user : each)).filter(isOwner)
  if (owners.length === 0 && rows.adminUsers.some(isOwner)) {
    throw new ChangeRefused(`${name} is the last owner who can log in: make another one first`)
  }
  await store.change({ kind: 'set admin user', user })
  return user
}

function isOwner({ role, state }: AdminUser): boolean {
  return role === 'owner' && state === 'active'
}
