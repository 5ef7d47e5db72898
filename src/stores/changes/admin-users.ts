/** Rules of admin users, and of their tokens and sessions. */
import {
  type AdminToken,
  type AdminUser,
  isSession,
  MAX_ACCOUNT_USERS,
  MAX_SESSIONS,
  refuseUser,
} from '../../domain/accounts/admin-user.ts'
import type { AccountId } from '../../domain/ids/account-id.ts'
import type { Change } from '../../ports/stores/setup-store.ts'
import { DIRECTORY_ROWS } from '../rows/setup/directory-tables.ts'
import { useCode } from './logins.ts'
import { exists, find, findOne, put, putItem, type Rule, refuse, remove, updateRow } from './row-step.ts'

type ChangeOf<Kind extends Change['kind']> = Extract<Change, { kind: Kind }>

/** A user of an account stays there; an account has at most MAX_ACCOUNT_USERS. */
export function* setAdminUser(user: AdminUser): Rule<null> {
  const { name, accountId } = user
  const stored = yield* findOne('admin_user', { name }, ['account_id'])
  const before = stored === null ? null : { accountId: stored.account_id as AccountId | null }
  const refusal = refuseUser(user, before)
  if (refusal !== null) return refuse(refusal)
  if (before === null && accountId !== null) yield* requirePlaceIn(accountId)
  yield* requireOwnSubject(user)
  if (user.state === 'disabled') yield* removeLinksOf(name)
  return yield* putItem(DIRECTORY_ROWS.adminUsers, user)
}

function* requireOwnSubject({ name, subject }: AdminUser): Rule<null> {
  if (subject === null) return null
  for (const other of yield* find('admin_user', { subject }, ['name'])) {
    if (other.name !== name) refuse(`${String(other.name)} signs in with this account`)
  }
  return null
}

/** Adds a user whom the firm's provider names first, or gives one whom it knows the role of now: nothing else. */
export function* admitUser(user: AdminUser): Rule<null> {
  const { name, subject, role } = user
  const stored = yield* findOne('admin_user', { name }, ['subject', 'state'])
  if (stored === null) return yield* setAdminUser(user)
  if (stored.subject !== subject) refuse(`there is a user ${name} already`)
  if (stored.state !== 'active') refuse(`user ${name} is disabled`)
  yield* updateRow('admin_user', { role }, { name })
  return null
}

function* requirePlaceIn(accountId: AccountId): Rule<null> {
  yield* requireOpenAccount(accountId)
  const users = yield* find('admin_user', { account_id: accountId }, ['name'], MAX_ACCOUNT_USERS)
  if (users.length === MAX_ACCOUNT_USERS)
    refuse(`account ${accountId} has ${MAX_ACCOUNT_USERS} users, and may have no more`)
  return null
}

function* requireOpenAccount(accountId: AccountId): Rule<null> {
  const account = yield* findOne('account', { account_id: accountId }, ['state'])
  if (account === null) return refuse(`there is no account ${accountId}`)
  if (account.state === 'closed') refuse(`account ${accountId} is closed: its users cannot log in`)
  return null
}

/** Ends every token, session and sign-in link of the users of an account. */
export function* removeTokensOf(accountId: AccountId): Rule<null> {
  for (const { name } of yield* find('admin_user', { account_id: accountId }, ['name'])) {
    yield* remove('admin_token', { user: name })
    yield* removeLinksOf(String(name))
  }
  return null
}

/** Ends the sign-in links of a user. */
export function* removeLinksOf(user: string): Rule<null> {
  yield* remove('one_time_token', { user })
  return null
}

export function* addToken(token: AdminToken): Rule<null> {
  const { user, label } = token
  const stored = yield* findOne('admin_user', { name: user }, ['account_id'])
  if (stored === null) return refuse(`there is no user ${user}`)
  if (stored.account_id !== null) yield* requireOpenAccount(stored.account_id as AccountId)
  if (yield* exists('admin_token', { user, label })) {
    refuse(`${user} has a token labelled ${JSON.stringify(label)} already`)
  }
  return yield* putItem(DIRECTORY_ROWS.adminTokens, token)
}

/** Ends the oldest sessions of a user who has too many. */
export function* openSession(token: AdminToken): Rule<null> {
  const { user } = token
  const tokens = yield* find('admin_token', { user }, ['label', 'created_at', 'proved_at'])
  const sessions = tokens
    .filter(({ proved_at: provedAt }) => isSession({ provedAt: provedAt === null ? null : Number(provedAt) }))
    .map((each) => ({ label: String(each.label), createdAt: Number(each.created_at) }))
    .sort((a, b) => b.createdAt - a.createdAt)
  for (const { label } of sessions.slice(MAX_SESSIONS - 1)) yield* remove('admin_token', { user, label })
  return yield* addToken(token)
}

export function* removeToken({ user, label }: ChangeOf<'remove admin token'>): Rule<null> {
  const count = yield* remove('admin_token', { user, label })
  if (count === 0) refuse(`${user} has no token labelled ${JSON.stringify(label)}`)
  return null
}

export function* proveSession({ user, label, at }: ChangeOf<'prove session'>): Rule<null> {
  const token = yield* findOne('admin_token', { user, label }, ['proved_at'])
  if (token === null || token.proved_at === null) return refuse('the session is not there any more')
  yield* updateRow('admin_token', { proved_at: at }, { user, label })
  return null
}

/** Ends every token of the user except the one to keep, and the sign-in links. */
export function* setAdminSecrets(change: ChangeOf<'set admin secrets'>): Rule<null> {
  const { user, passwordHash, totpSecret, keepToken, usedCode } = change
  const set = { password_hash: passwordHash, totp_secret: totpSecret }
  if ((yield* updateRow('admin_user', set, { name: user })) === 0) refuse(`there is no user ${user}`)
  if (usedCode !== undefined) yield* useCode(user, usedCode)
  for (const { label } of yield* find('admin_token', { user }, ['label'])) {
    if (label !== keepToken) yield* remove('admin_token', { user, label })
  }
  return yield* removeLinksOf(user)
}

export function* addOneTimeToken(change: ChangeOf<'add sign-in link' | 'add challenge'>): Rule<null> {
  const { hash, expiresAt } = change
  const user = change.kind === 'add sign-in link' ? change.user : null
  return yield* put('one_time_token', { hash, expires_at: expiresAt, user })
}

export function* useOneTimeToken({ hash, at }: ChangeOf<'use one-time token'>): Rule<number> {
  const token = yield* findOne('one_time_token', { hash }, ['expires_at'])
  // Of concurrent uses, one removes the row.
  const count = yield* remove('one_time_token', { hash })
  return token !== null && count === 1 && Number(token.expires_at) > at ? 1 : 0
}
