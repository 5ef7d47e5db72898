/** Admin users and their tokens. */
import Type, { type Static } from 'typebox'
import { type AdminToken, type AdminUser, PROOF_MS, ROLES } from '../../../domain/accounts/admin-user.ts'
import { canProve } from '../../../domain/accounts/passkey.ts'
import type { DirectoryRows } from '../../../domain/directory/directory.ts'
import { toAccountId } from '../../../domain/ids/account-id.ts'
import { CLIENT_ADMINS, CLIENTS } from '../endpoint/client-access.ts'
import { type Actor, endpoint, knownWithinASecond } from '../endpoint/endpoint.ts'
import {
  ACCOUNT,
  LABEL,
  nullable,
  OWNERS,
  PAGING,
  pageOf,
  READERS,
  readTime,
  SHOWN_ONCE,
  TIME,
  USER,
  whole,
  writeTime,
} from '../fields/shapes.ts'
import { takePage } from '../fields/take-page.ts'
import { addUser, changeUser, issueToken, OWN_USER, userRow } from './users.ts'

const ROLE = Type.Enum([...ROLES], {
  description:
    'owner: everything; operator: carriers, routes, accounts; finance: money; support: messages without texts; ' +
    'auditor: reads only; client-admin: one account with its keys, hooks and users; client-reader: reads one account',
})
const ACCOUNT_OF_USER = nullable(ACCOUNT, { description: 'the account of a client role; null for operators' })
const STATE = Type.Enum(['active', 'disabled'], { description: 'tokens of disabled users are rejected' })

const User = Type.Object({
  user: USER,
  role: ROLE,
  account: ACCOUNT_OF_USER,
  state: STATE,
  password: Type.Boolean(),
  codes: Type.Boolean(),
})
const Token = Type.Object({ user: USER, label: LABEL, created_at: TIME, expires_at: nullable(TIME) })
const Me = Type.Object({
  ...{ user: USER, role: ROLE, account: ACCOUNT_OF_USER, password: Type.Boolean(), codes: Type.Boolean() },
  passkeys: whole({ description: 'how many the user has' }),
  expires_at: nullable(TIME, { description: 'when the session or token ends; null for never' }),
  proved_until: nullable(TIME, {
    description: 'until when the session may change money, secrets and roles; null if it needs no proof',
  }),
  client_api: nullable(Type.String(), {
    description: 'address of the client API, as clients reach it; null without a running gateway',
  }),
})

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
      search: Type.Optional(Type.String({ maxLength: 100, description: 'a part of the name, in any case' })),
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
    body: { role: Type.Optional(ROLE), state: Type.Optional(STATE) },
    result: User,
    entity: (rows: DirectoryRows, { user }) => {
      const found = rows.adminUsers.find(({ name }) => name === user)
      return found === undefined ? null : viewUser(found)
    },
    run: async ({ store }, { user, role, state }) => {
      const change = { ...(role === undefined ? {} : { role }), ...(state === undefined ? {} : { state }) }
      return viewUser(await changeUser(store, user, change))
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
      const expiresAt = readTime('expires_at', expires) ?? null
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

function viewUser({ name, role, accountId, state, passwordHash, totpSecret }: AdminUser): Static<typeof User> {
  return { user: name, role, account: accountId, state, password: passwordHash !== null, codes: totpSecret !== null }
}

function viewMe(rows: DirectoryRows, { name, expiresAt, session }: Actor): Omit<Static<typeof Me>, 'client_api'> {
  const me = userRow(rows, name)
  const provedUntil = session === null || !canProve(me, rows.passkeys) ? null : session.provedAt + PROOF_MS
  const { state: _, ...own } = viewUser(me)
  const passkeys = rows.passkeys.filter(({ user }) => user === name).length
  return { ...own, passkeys, expires_at: writeTime(expiresAt), proved_until: writeTime(provedUntil) }
}

function viewToken({ user, label, createdAt, expiresAt }: AdminToken): Static<typeof Token> {
  return { user, label, created_at: writeTime(createdAt), expires_at: writeTime(expiresAt) }
}
