/**
 * Rules of accounts: how they are created and changed. A closed account stays closed; it has no keys and belongs to no
 * price group, and its users have no tokens.
 */
import type { AccountSettings } from '../../domain/accounts/account.ts'
import { type AccountRetention, DEFAULT_ACCOUNT_RETENTION } from '../../domain/accounts/retention.ts'
import type { AccountChange } from '../../ports/changes/account-change.ts'
import type { Row } from '../rows/cells/cell.ts'
import type { SealedChange } from '../rows/sealing/seal-secrets.ts'
import { hasHooks } from '../rows/setup/account-hooks.ts'
import { DIRECTORY_ROWS } from '../rows/setup/directory-tables.ts'
import { removeTokensOf } from './admin-users.ts'
import {
  exists,
  findOne,
  insertRow,
  put,
  putItem,
  type Rule,
  readBalance,
  refuse,
  remove,
  setLimits,
  updateRow,
} from './row-step.ts'

/** All fields but the account are optional. */
export type SetAccount = Extract<AccountChange, { kind: 'set account' }>

type ChangeOf<Kind extends SealedChange['kind']> = Extract<SealedChange, { kind: Kind }>

const NO_MONEY = { paid: 0, available: 0, held: 0, earned: 0, credit_limit: 0, low_balance: null, low_reported: 0 }

/** Returns its id. */
export function* createAccount({ account, sealHookSecrets }: ChangeOf<'create account'>): Rule<number> {
  const { name, currency, state, settings } = account
  yield* requireFreeName(name)
  const row = { name, currency, state, hook_secrets: '', settings: JSON.stringify(settings) }
  const id = Number(yield* insertRow('account', row, 'account_id'))
  yield* updateRow('account', { hook_secrets: sealHookSecrets(id) }, { account_id: id })
  yield* put('account_balance', { account_id: id, ...NO_MONEY })
  yield* watchLowBalance(id, settings, false)
  return id
}

export function* setAccount({ accountId, name, state, settings }: SetAccount): Rule<null> {
  const where = { account_id: accountId }
  const stored = yield* findOne('account', where, ['name', 'state', 'settings'])
  if (stored === null) return refuse(`there is no account ${accountId}`)
  if (stored.state === 'closed' && state !== undefined) refuse(`account ${accountId} is closed, and stays so`)
  if (name !== undefined && name !== stored.name) yield* requireFreeName(name)
  if (settings !== undefined) yield* sweepAgain(JSON.parse(String(stored.settings)), settings)
  const set: Row = {
    ...(name === undefined ? {} : { name }),
    ...(state === undefined ? {} : { state }),
    ...(settings === undefined ? {} : { settings: JSON.stringify(settings) }),
  }
  if (Object.keys(set).length > 0) yield* updateRow('account', set, where)
  if (settings !== undefined) yield* watchLowBalance(accountId, settings, yield* hasClientHooks(accountId))
  if (state === 'closed') {
    yield* remove('api_key', where)
    yield* remove('client_login', where)
    yield* remove('price_group_member', where)
    yield* removeTokensOf(accountId)
  }
  return null
}

export function* setHookSecrets({ accountId, hookSecrets, oldUntil }: ChangeOf<'set hook secrets'>): Rule<null> {
  const set = { hook_secrets: hookSecrets, old_secrets_until: oldUntil ?? null }
  if ((yield* updateRow('account', set, { account_id: accountId })) === 0) refuse(`there is no account ${accountId}`)
  return null
}

/** Lets a changed threshold report a low balance once more; an account without a hook gets no report. */
export function* watchLowBalance(
  accountId: number,
  { lowBalanceMicros = null, defaultHook = null }: Partial<AccountSettings>,
  hasClientHooks: boolean,
): Rule<null> {
  const lowBalance = defaultHook === null && !hasClientHooks ? null : lowBalanceMicros
  const balance = yield* readBalance(accountId)
  if (balance === null) return refuse(`there is no account ${accountId}`)
  const isLowReported = balance.lowBalance === lowBalance && balance.isLowReported
  return yield* setLimits(accountId, { creditLimit: balance.creditLimit, lowBalance, isLowReported })
}

function* hasClientHooks(accountId: number): Rule<boolean> {
  const row = yield* findOne('account_hooks', { account_id: accountId }, ['hooks'])
  return row !== null && hasHooks(row.hooks)
}

/** Lets the sweeper return to messages that a shorter retention makes due. */
function* sweepAgain(stored: Partial<AccountRetention>, after: AccountRetention): Rule<null> {
  const before: AccountRetention = { ...DEFAULT_ACCOUNT_RETENTION, ...stored }
  const kept = [
    ['texts', before.textsKeptDays, after.textsKeptDays],
    ['records', before.recordsKeptDays, after.recordsKeptDays],
  ] as const
  for (const [action, old, days] of kept) {
    if (days !== null && (old === null || days < old)) yield* updateRow('sweep_mark', { msg_id: 0 }, { action, days })
  }
  return null
}

function* requireFreeName(name: string): Rule<null> {
  if (yield* exists('account', { name })) refuse(`there is an account named ${JSON.stringify(name)} already`)
  return null
}

/** A key may replace another one of the account, which then expires at the given time. */
export function* addKey({ key, replaces }: ChangeOf<'add key'>): Rule<null> {
  const { accountId, hash } = key
  const account = yield* findOne('account', { account_id: accountId }, ['state'])
  if (account === null) return refuse(`there is no account ${accountId}`)
  if (account.state === 'closed') refuse(`account ${accountId} is closed: no key opens it`)
  if (yield* exists('api_key', { hash })) refuse('this key exists already')
  if (replaces !== undefined) {
    const where = { hash: replaces.hash, account_id: accountId }
    const count = yield* updateRow('api_key', { expires_at: replaces.expiresAt }, where)
    if (count === 0) refuse('the key that is to be replaced does not exist')
  }
  return yield* putItem(DIRECTORY_ROWS.keys, key)
}

/** Changes all of them or none. */
export function* setKeys({ accountId, hashes, rights }: ChangeOf<'set keys'>): Rule<null> {
  const { scopes, networks, operationsPerSecond, priority } = rights
  const set: Row = {
    ...(scopes === undefined ? {} : { scopes: JSON.stringify(scopes) }),
    ...(networks === undefined ? {} : { networks: networks && JSON.stringify(networks) }),
    ...(operationsPerSecond === undefined ? {} : { operations_per_second: operationsPerSecond }),
    ...(priority === undefined ? {} : { priority }),
  }
  if (Object.keys(set).length === 0) return null
  for (const hash of hashes) {
    const count = yield* updateRow('api_key', set, { hash, account_id: accountId })
    if (count === 0) refuse(`account ${accountId} has no such key`)
  }
  return null
}

/** Removes all of them or none. */
export function* removeKeys({ accountId, hashes }: ChangeOf<'remove keys'>): Rule<null> {
  for (const hash of hashes) {
    if (!(yield* exists('api_key', { hash, account_id: accountId }))) refuse(`account ${accountId} has no such key`)
  }
  for (const hash of hashes) yield* remove('api_key', { hash })
  return null
}

export function* setLogin({ login }: ChangeOf<'set client login'>): Rule<null> {
  const { accountId, name } = login
  const account = yield* findOne('account', { account_id: accountId }, ['state'])
  if (account === null) return refuse(`there is no account ${accountId}`)
  if (account.state === 'closed') refuse(`account ${accountId} is closed: no login opens it`)
  const stored = yield* findOne('client_login', { name }, ['account_id'])
  if (stored !== null && stored.account_id !== accountId) refuse(`the login ${name} belongs to another account`)
  return yield* putItem(DIRECTORY_ROWS.logins, login)
}

export function* removeLogin({ accountId, name }: ChangeOf<'remove client login'>): Rule<null> {
  const where = { name, account_id: accountId }
  if (!(yield* exists('client_login', where))) refuse(`account ${accountId} has no login ${name}`)
  yield* remove('client_login', where)
  return null
}
