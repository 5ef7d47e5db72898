/** Admin users and their tokens. */
import Type, { type Static } from 'typebox'
import { API_NAMES } from '../../../contract/operations/api-names.ts'
import {
  type AdminToken,
  type AdminUser,
  isSession,
  isSessionLabel,
  MAX_SUBJECT,
  mayLogIn,
  PROOF_MS,
  ROLES,
  type Role,
  refuseUser,
  userNameIn,
} from '../../../domain/accounts/admin-user.ts'
import { canProve } from '../../../domain/accounts/passkey.ts'
import type { DirectoryRows } from '../../../domain/directory/directory.ts'
import { type AccountId, toAccountId } from '../../../domain/ids/account-id.ts'
import { ChangeRefused } from '../../../ports/records/store-errors.ts'
import type { SetupStore } from '../../../ports/stores/setup-store.ts'
import type { Clock } from '../../../ports/system/clock.ts'
import type { Random } from '../../../ports/system/random.ts'
import { hashKey, makeKey } from '../../request/api-key.ts'
import { entry } from '../endpoint/audit-entry.ts'
import { type ChangeRule, type Changes, OWN_ACCESS } from '../endpoint/change.ts'
import { CLIENT_ADMINS, CLIENTS, type ClientAccess } from '../endpoint/client-access.ts'
import { type Actor, endpoint, knownWithinASecond } from '../endpoint/endpoint.ts'
import { requireSession } from '../endpoint/require-session.ts'
import { accountRow, userRow } from '../fields/account-row.ts'
import { checkExpiry } from '../fields/field-refused.ts'
import { checkName } from '../fields/label.ts'
import {
  ACCOUNT,
  LABEL,
  NAME_SEARCH,
  nullable,
  OWNERS,
  PAGING,
  pageOf,
  READERS,
  readTimeField,
  SHOWN_ONCE,
  TIME,
  USER,
  whole,
  writeTime,
} from '../fields/shapes.ts'
import { takePage } from '../fields/take-page.ts'

const ROLE = Type.Enum([...ROLES], {
  description:
    'owner: everything; operator: carriers, routes, accounts; finance: money; support: messages without texts; ' +
    'auditor: reads only; client-admin: one account with its keys, hooks and users; client-reader: reads one account',
})

const ACCOUNT_OF_USER = nullable(ACCOUNT, { description: 'the account of a client role; null for operators' })
const STATE = Type.Enum(['active', 'disabled'], { description: 'tokens of disabled users are rejected' })

const SUBJECT = nullable(
  Type.String({ maxLength: MAX_SUBJECT, pattern: '^[!-~]+ [!-~]+$', rule: 'must be an issuer and a sub' }),
  {
    description:
      "who signs in with the firm's account: issuer, a space, sub; then no password, code or passkey is taken",
  },
)

const User = Type.Object({
  user: USER,
  role: ROLE,
  account: ACCOUNT_OF_USER,
  state: STATE,
  subject: SUBJECT,
  password: Type.Boolean(),
  codes: Type.Boolean(),
})

const Token = Type.Object({ user: USER, label: LABEL, created_at: TIME, expires_at: nullable(TIME) })

const Me = Type.Object({
  user: USER,
  role: ROLE,
  account: ACCOUNT_OF_USER,
  password: Type.Boolean(),
  codes: Type.Boolean(),
  passkeys: whole({ description: 'how many the user has' }),
  sso: Type.Boolean({ description: "whether the user signs in with the firm's account" }),
  expires_at: nullable(TIME, { description: 'when the session or token ends; null for never' }),
  proved_until: nullable(TIME, {
    description: 'until when the session may change money, secrets and roles; null if it needs no proof',
  }),
  client_api: nullable(Type.String(), {
    description: 'address of the client API, as clients reach it; null without a running gateway',
  }),
  client_apis: Type.Array(Type.Enum([...API_NAMES]), {
    description: 'the APIs for clients that are on; none without a running gateway',
  }),
  smpp_port: nullable(whole(), { description: 'port of the SMPP server; null while it is off' }),
})

export const USERS: ChangeRule = { what: 'users and their tokens', may: OWNERS, proof: true }

/** Of one user, who belongs to an account. */
const MAX_TOKENS = 20

/** For client-admins: the endpoint names a user, who must belong to the account of the caller. */
export const OWN_USER: ClientAccess = {
  may: CLIENT_ADMINS,
  scope: {
    record: 'user',
    accountOf: async (store, { user }: { readonly user: string }) => accountOfUser(await store.loadDirectory(), user),
  },
}

/** A change names a user who logs in, and belongs to the account of the user. */
export const OF_USER = {
  accounts: ({ user }: { readonly user: string }, rows: DirectoryRows) => [accountOfUser(rows, user)],
  loginUser: ({ user }: { readonly user: string }) => user,
}

export const USER_CHANGES = {
  'set admin user': {
    ...USERS,
    accounts: ({ user: { name, accountId } }, rows) => {
      const isThere = rows.adminUsers.some((each) => each.name === name)
      return isThere ? [accountId, accountOfUser(rows, name)] : [accountId]
    },
    audit: auditUser,
  },
  'add admin token': {
    ...USERS,
    accounts: ({ token }, rows) => [accountOfUser(rows, token.user)],
    refuseClients: ({ token: { user } }, { adminTokens }) => {
      const count = adminTokens.filter((token) => token.user === user && !isSession(token)).length
      return count < MAX_TOKENS ? null : `${user} has ${count} tokens: revoke one`
    },
    audit: ({ token: { user, label, expiresAt } }) =>
      entry(`token ${label} of user ${user}`, null, { label, expires_at: writeTime(expiresAt) }),
  },
  'remove admin token': {
    ...USERS,
    ...OF_USER,
    ownRule: ({ user, label }, { name, token }) => (user === name && label === token ? OWN_ACCESS : undefined),
    audit: ({ user, label }) => entry(`token ${label} of user ${user}`, { label }, null),
  },
} satisfies Changes

export const USER_ENDPOINTS = [
  endpoint({
    name: 'showMe',
    method: 'GET',
    path: '/me',
    summary: 'show your own name, role and account, what you log in with, and when the session ends',
    may: READERS,
    clients: { may: CLIENTS, scope: 'self' },
    result: Me,
    run: async ({ store, live }, _input, actor) => ({
      ...viewMe(await store.loadDirectory(), actor),
      client_api: live?.operations.publicUrl ?? null,
      client_apis: [...(live?.apis ?? [])],
      smpp_port: live?.apis.includes('smpp') === true ? live.smppPort : null,
    }),
  }),
  endpoint({
    name: 'listUsers',
    method: 'GET',
    path: '/users',
    command: 'user list',
    summary: 'list the admin users',
    may: ['owner', 'auditor'],
    clients: { may: CLIENT_ADMINS, scope: 'account' },
    query: {
      ...PAGING,
      account: Type.Optional(ACCOUNT),
      search: NAME_SEARCH,
    },
    result: pageOf(User),
    run: async ({ store }, { account, search = '', ...paging }) => {
      const { adminUsers } = await store.loadDirectory()
      const found = adminUsers.filter(
        ({ accountId, name }) =>
          (account === undefined || accountId === account) && name.toLowerCase().includes(search.toLowerCase()),
      )
      return takePage(found, paging, viewUser)
    },
  }),
  endpoint({
    name: 'addUser',
    method: 'POST',
    path: '/users',
    command: 'user add',
    summary: 'create an admin user; the name of a user of account 3 ends in @3, which is added',
    may: OWNERS,
    clients: { may: CLIENT_ADMINS, scope: 'account' },
    body: { user: USER, role: ROLE, account: Type.Optional(ACCOUNT) },
    result: User,
    run: async ({ store }, { user, role, account }) => {
      const accountId = account === undefined ? null : toAccountId(account)
      return viewUser(await addUser(store, { name: user, role, accountId }))
    },
  }),
  endpoint({
    name: 'changeUser',
    method: 'PATCH',
    path: '/users/{user}',
    command: 'user set',
    summary: 'change the role of an admin user, or disable one; tokens of a disabled user are refused',
    may: OWNERS,
    clients: OWN_USER,
    params: { user: USER },
    body: { role: Type.Optional(ROLE), state: Type.Optional(STATE), subject: Type.Optional(SUBJECT) },
    result: User,
    entity: (rows: DirectoryRows, { user }) => {
      const found = rows.adminUsers.find(({ name }) => name === user)
      return found === undefined ? null : viewUser(found)
    },
    run: async ({ store }, { user: name, ...change }, actor) => {
      const rows = await store.loadDirectory()
      const before = userRow(rows, name)
      const user = { ...before, ...change }
      checkUser(user, before)
      // As a sign-in link, it lets another caller in as this user.
      if (user.subject !== before.subject && actor.token !== null) requireSession(actor, 'how a user signs in')
      const owners = rows.adminUsers.map((each) => (each.name === name ? user : each)).filter(isOwner)
      if (owners.length === 0 && rows.adminUsers.some(isOwner)) {
        throw new ChangeRefused(`${name} is the last owner who can log in: create another one first`)
      }
      await store.change({ kind: 'set admin user', user })
      return viewUser(user)
    },
  }),
  endpoint({
    name: 'listTokens',
    method: 'GET',
    path: '/users/{user}/tokens',
    command: 'token list',
    summary: 'list the tokens of an admin user by label; only hashes of tokens are stored',
    may: ['owner', 'auditor'],
    clients: OWN_USER,
    params: { user: USER },
    query: PAGING,
    result: pageOf(Token),
    run: async ({ store }, { user, ...paging }) => {
      const rows = await store.loadDirectory()
      const { name } = userRow(rows, user)
      const tokens = rows.adminTokens.filter((token) => token.user === name)
      return takePage(tokens, paging, viewToken)
    },
  }),
  endpoint({
    name: 'issueToken',
    method: 'POST',
    path: '/users/{user}/tokens',
    command: 'token issue',
    summary: 'issue a token for an admin user; it is shown once and only its hash is stored',
    may: OWNERS,
    clients: OWN_USER,
    params: { user: USER },
    body: { label: LABEL, expires_at: Type.Optional(TIME) },
    result: Type.Object({ user: USER, label: LABEL, token: SHOWN_ONCE }),
    hint: knownWithinASecond,
    run: async ({ store, clock, random }, { user, label, expires_at: expires }) => {
      const expiresAt = readTimeField('expires_at', expires) ?? null
      return { user, label, token: await issueToken(store, clock, random, { user, label, expiresAt }) }
    },
  }),
  endpoint({
    name: 'revokeToken',
    method: 'DELETE',
    path: '/users/{user}/tokens/{label}',
    command: 'token revoke',
    summary: 'revoke the token with this label',
    may: OWNERS,
    clients: OWN_USER,
    params: { user: USER, label: LABEL },
    hint: knownWithinASecond,
    run: async ({ store }, { user, label }) => {
      const { name } = userRow(await store.loadDirectory(), user)
      await store.change({ kind: 'remove admin token', user: name, label })
    },
  }),
]

export function accountOfUser({ adminUsers }: DirectoryRows, user: string): AccountId | null {
  return adminUsers.find(({ name }) => name === user)?.accountId ?? null
}

export function auditUser({ user }: { readonly user: AdminUser }, { adminUsers }: DirectoryRows) {
  const before = adminUsers.find(({ name }) => name === user.name)
  return entry(`user ${user.name}`, before === undefined ? null : auditedUser(before), auditedUser(user))
}

export function auditedUser({ role, accountId, state, passwordHash, totpSecret, subject }: AdminUser): object {
  const account = accountId === null ? {} : { account: accountId }
  const signsIn = subject === null ? {} : { subject }
  return { role, ...account, state, password: passwordHash !== null, codes: totpSecret !== null, ...signsIn }
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
  checkName('user', 'the name of a user', name)
  const rows = await store.loadDirectory()
  if (accountId !== null) accountRow(rows, accountId)
  if (rows.adminUsers.some((each) => each.name === name)) throw new ChangeRefused(`user ${name} exists already`)
  const user: AdminUser = {
    name,
    role,
    accountId,
    state: 'active',
    passwordHash: null,
    totpSecret: null,
    subject: null,
  }
  checkUser(user, null)
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
  checkName('label', 'the label of a token', label)
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

/** Returns undefined for an unknown name, and for a user who may not log in; whatever the user logs in with. */
export function userToLogIn({ adminUsers, accounts }: DirectoryRows, name: string): AdminUser | undefined {
  const user = adminUsers.find((each) => each.name === name)
  const account = accounts.find(({ id }) => id === user?.accountId)
  return user !== undefined && mayLogIn(user, account?.state ?? null) ? user : undefined
}

/** As `userToLogIn`, for those with a password or passkey of their own. */
export function userWithSecrets(rows: DirectoryRows, name: string): AdminUser | undefined {
  const user = userToLogIn(rows, name)
  return user?.subject === null ? user : undefined
}

/** Throws ChangeRefused for a user who signs in with the firm's account. */
export function requireOwnSecrets({ subject }: AdminUser): void {
  if (subject !== null) throw new ChangeRefused("you sign in with the firm's account, and with nothing else")
}

function viewUser(user: AdminUser): Static<typeof User> {
  const { name, role, accountId, state, passwordHash, totpSecret, subject } = user
  const secrets = { password: passwordHash !== null, codes: totpSecret !== null }
  return { user: name, role, account: accountId, state, subject, ...secrets }
}

function viewMe(
  rows: DirectoryRows,
  { name, expiresAt, session }: Actor,
): Omit<Static<typeof Me>, 'client_api' | 'client_apis' | 'smpp_port'> {
  const me = userRow(rows, name)
  const provedUntil = session === null || !canProve(me, rows.passkeys) ? null : session.provedAt + PROOF_MS
  const { state: _, subject, ...own } = viewUser(me)
  const passkeys = rows.passkeys.filter(({ user }) => user === name).length
  return {
    ...own,
    sso: subject !== null,
    passkeys,
    expires_at: writeTime(expiresAt),
    proved_until: writeTime(provedUntil),
  }
}

function viewToken({ user, label, createdAt, expiresAt }: AdminToken): Static<typeof Token> {
  return { user, label, created_at: writeTime(createdAt), expires_at: writeTime(expiresAt) }
}
