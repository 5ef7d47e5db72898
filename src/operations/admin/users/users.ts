/** Admin users and their tokens. */
import {
  type AdminUser,
  isSession,
  isSessionLabel,
  mayLogIn,
  type Role,
  refuseUser,
  userNameIn,
} from '../../../domain/accounts/admin-user.ts'
import type { DirectoryRows } from '../../../domain/directory/directory.ts'
import type { AccountId } from '../../../domain/ids/account-id.ts'
import { ChangeRefused } from '../../../ports/records/store-errors.ts'
import type { SetupStore } from '../../../ports/stores/setup-store.ts'
import type { Clock } from '../../../ports/system/clock.ts'
import type { Random } from '../../../ports/system/random.ts'
import { hashKey, makeKey } from '../../request/api-key.ts'
import { entry } from '../endpoint/audit-entry.ts'
import { type ChangeRule, type Changes, OWN_ACCESS } from '../endpoint/change.ts'
import { CLIENT_ADMINS, type ClientAccess } from '../endpoint/client-access.ts'
import { accountRow, UnknownThing } from '../fields/account-row.ts'
import { checkExpiry } from '../fields/field-refused.ts'
import { checkName } from '../fields/label.ts'
import { OWNERS, writeTime } from '../fields/shapes.ts'

export const USERS: ChangeRule = { what: 'users and their tokens', may: OWNERS, proof: true }
/** Of one user, who belongs to an account. */
const MAX_TOKENS = 20

export const USER_CHANGES = {
  'set admin user': {
    ...USERS,
    accounts: ({ user: { name, accountId } }, rows) => {
      const isThere = rows.adminUsers.some((each) => each.name === name)
      return isThere ? [accountId, accountOfUser(rows, name)] : [accountId]
    },
    audit: ({ user }, { adminUsers }) => {
      const before = adminUsers.find(({ name }) => name === user.name)
      return entry(`user ${user.name}`, before === undefined ? null : auditedUser(before), auditedUser(user))
    },
  },
  'add admin token': {
    ...USERS,
    accounts: ({ token }, rows) => [accountOfUser(rows, token.user)],
    refuseMore: ({ token: { user } }, { adminTokens }) => {
      const count = adminTokens.filter((token) => token.user === user && !isSession(token)).length
      return count < MAX_TOKENS ? null : `${user} has ${count} tokens: revoke one`
    },
    audit: ({ token: { user, label, expiresAt } }) =>
      entry(`token ${label} of user ${user}`, null, { label, expires_at: writeTime(expiresAt) }),
  },
  'remove admin token': {
    ...USERS,
    ownRule: ({ user, label }, { name, token }) => (user === name && label === token ? OWN_ACCESS : undefined),
    accounts: ({ user }, rows) => [accountOfUser(rows, user)],
    loginUser: ({ user }) => user,
    audit: ({ user, label }) => entry(`token ${label} of user ${user}`, { label }, null),
  },
} satisfies Changes

export function accountOfUser({ adminUsers }: DirectoryRows, user: string): AccountId | null {
  return adminUsers.find(({ name }) => name === user)?.accountId ?? null
}

export function auditedUser({ role, accountId, state, passwordHash, totpSecret }: AdminUser): object {
  const account = accountId === null ? {} : { account: accountId }
  return { role, ...account, state, password: passwordHash !== null, codes: totpSecret !== null }
}

/** For client-admins: the endpoint names a user, who must belong to the account of the caller. */
export const OWN_USER: ClientAccess = {
  may: CLIENT_ADMINS,
  scope: {
    record: 'user',
    accountOf: async (store, { user }: { readonly user: string }) => accountOfUser(await store.loadDirectory(), user),
  },
}

export interface NewUser {
  /** The name of a user of an account is completed (userNameIn). */
  readonly name: string
  readonly role: Role
  /** Null for an operator. */
  readonly accountId: AccountId | null
}

/** Throws ChangeRefused. */
export async function addUser(store: SetupStore, { role, accountId, ...input }: NewUser): Promise<AdminUser> {
  const name = userNameIn(accountId, input.name)
  checkName('the name of a user', name)
  const rows = await store.loadDirectory()
  if (accountId !== null) accountRow(rows, accountId)
  if (rows.adminUsers.some((each) => each.name === name)) throw new ChangeRefused(`user ${name} exists already`)
  const user: AdminUser = { name, role, accountId, state: 'active', passwordHash: null, totpSecret: null }
  checkUser(user, null)
  await store.change({ kind: 'set admin user', user })
  return user
}

/** Keeps fields that the input omits. Throws ChangeRefused. */
export async function changeUser(
  store: SetupStore,
  name: string,
  change: Partial<Pick<AdminUser, 'role' | 'state'>>,
): Promise<AdminUser> {
  const rows = await store.loadDirectory()
  const before = userRow(rows, name)
  const user = { ...before, ...change }
  checkUser(user, before)
  const owners = rows.adminUsers.map((each) => (each.name === name ? user : each)).filter(isOwner)
  if (owners.length === 0 && rows.adminUsers.some(isOwner)) {
    throw new ChangeRefused(`${name} is the last owner who can log in: create another one first`)
  }
  await store.change({ kind: 'set admin user', user })
  return user
}

function checkUser(user: AdminUser, before: AdminUser | null): void {
  const refusal = refuseUser(user, before)
  if (refusal !== null) throw new ChangeRefused(refusal)
}

function isOwner({ role, state }: AdminUser): boolean {
  return role === 'owner' && state === 'active'
}

export interface NewToken {
  readonly user: string
  readonly label: string
  readonly expiresAt: number | null
}

/** Returns the token, which is shown only once. Throws ChangeRefused. */
export async function issueToken(store: SetupStore, clock: Clock, random: Random, input: NewToken): Promise<string> {
  const { user, label, expiresAt } = input
  checkName('the label of a token', label)
  if (isSessionLabel(label)) throw new ChangeRefused('labels like this one are for sessions: choose another label')
  userRow(await store.loadDirectory(), user)
  const createdAt = clock.now()
  checkExpiry(expiresAt, createdAt)
  const token = makeKey('admin', random)
  await store.change({
    kind: 'add admin token',
    token: { hash: hashKey(token), user, label, createdAt, expiresAt, provedAt: null },
  })
  return token
}

/** Throws UnknownThing if the user does not exist. */
export function userRow(rows: Pick<DirectoryRows, 'adminUsers'>, name: string): AdminUser {
  const user = rows.adminUsers.find((each) => each.name === name)
  if (user === undefined) throw new UnknownThing(`there is no user ${name}`)
  return user
}

/** Returns undefined for an unknown name, and for a user who may not log in. */
export function userToLogIn({ adminUsers, accounts }: DirectoryRows, name: string): AdminUser | undefined {
  const user = adminUsers.find((each) => each.name === name)
  const account = accounts.find(({ id }) => id === user?.accountId)
  return user !== undefined && mayLogIn(user, account?.state ?? null) ? user : undefined
}
