/** API keys of an account: issue, find by id or name, rotate, revoke. */
import { type ApiKey, KEY_SCOPES, type KeyScope, keyIdOf } from '../../../domain/accounts/api-key.ts'
import { subjectOfKey } from '../../../domain/accounts/audit.ts'
import type { DirectoryRows } from '../../../domain/directory/directory.ts'
import type { AccountId } from '../../../domain/ids/account-id.ts'
import type { NewApiKey } from '../../../ports/changes/account-change.ts'
import { ChangeRefused } from '../../../ports/records/store-errors.ts'
import type { QueryStore } from '../../../ports/stores/query-store.ts'
import type { SetupStore } from '../../../ports/stores/setup-store.ts'
import type { Clock } from '../../../ports/system/clock.ts'
import type { Random } from '../../../ports/system/random.ts'
import { hashKey, makeKey } from '../../request/api-key.ts'
import { entry } from '../endpoint/audit-entry.ts'
import type { ChangeRule, Changes } from '../endpoint/change.ts'
import { accountRow, UnknownThing } from '../fields/account-row.ts'
import { checkExpiry, FieldRefused } from '../fields/field-refused.ts'
import { checkName } from '../fields/label.ts'
import { overlapEnd } from '../fields/overlap.ts'
import { OPERATORS, writeTime } from '../fields/shapes.ts'

const KEYS: ChangeRule = { what: 'API keys', may: OPERATORS, proof: true }
/** Of an account, by its users. */
const MAX_KEYS = 100

export const KEY_CHANGES = {
  'add key': {
    ...KEYS,
    accounts: ({ key }) => [key.accountId],
    refuseMore: ({ key: { accountId } }, { keys }) => {
      const count = keys.filter((key) => key.accountId === accountId).length
      return count < MAX_KEYS ? null : `the account has ${count} keys: revoke one, or ask the operator for more`
    },
    audit: ({ key, replaces }, { keys }) => {
      const old = keys.find(({ hash }) => hash === replaces?.hash)
      const added = entry(keySubject(key), null, auditedKey(key))
      if (old === undefined || replaces === undefined) return added
      const changed = auditedKey({ ...old, expiresAt: replaces.expiresAt })
      return [added, entry(keySubject(old), auditedKey(old), changed)]
    },
  },
  'set key scopes': {
    ...KEYS,
    accounts: ({ accountId }) => [accountId],
    audit: ({ hashes, scopes }, { keys }) =>
      keys
        .filter(({ hash }) => hashes.includes(hash))
        .map((key) => entry(keySubject(key), auditedKey(key), auditedKey({ ...key, scopes }))),
  },
  'remove keys': {
    ...KEYS,
    accounts: ({ accountId }) => [accountId],
    audit: ({ hashes }, { keys }) =>
      keys.filter(({ hash }) => hashes.includes(hash)).map((key) => entry(keySubject(key), auditedKey(key), null)),
  },
} satisfies Changes

function keySubject(key: NewApiKey): string {
  return subjectOfKey(keyIdOf(key), key.accountId)
}

function auditedKey({ name, scopes, test, expiresAt }: NewApiKey): object {
  return { name, scopes, test, expires_at: writeTime(expiresAt) }
}

export interface KeyInput {
  readonly accountId: AccountId
  /** What uses the key. */
  readonly name: string
  /** Reaches simulated phones only, free of charge; false if absent. */
  readonly test?: boolean | undefined
  /** All scopes if absent. */
  readonly scopes?: readonly KeyScope[] | undefined
  /** Milliseconds since 1970; never if absent. */
  readonly expiresAt?: number | null | undefined
}

export interface IssuedKey {
  /** Shown only once. */
  readonly secret: string
  readonly key: ApiKey
}

/** Throws ChangeRefused. */
export async function issueKey(store: SetupStore, clock: Clock, random: Random, input: KeyInput): Promise<IssuedKey> {
  const { accountId, name, test = false, scopes = KEY_SCOPES, expiresAt = null } = input
  const now = clock.now()
  checkName('the name of a key', name)
  checkExpiry(expiresAt, now)
  const ordered = orderScopes(scopes)
  const others = keysOf(await store.loadDirectory(), accountId)
  if (others.some((each) => each.name === name && !isExpired(each, now))) {
    throw new ChangeRefused(
      `account ${accountId} already has a key named ${JSON.stringify(name)}: rotate or revoke it, or choose another name`,
    )
  }
  const { secret, row } = makeKeyRow({ accountId, name, scopes: ordered, test, createdAt: now, expiresAt }, random)
  await store.change({ kind: 'add key', key: row })
  return { secret, key: { ...row, lastUsedAt: null } }
}

/** Throws FieldRefused for an empty list. */
function orderScopes(scopes: readonly KeyScope[]): readonly KeyScope[] {
  if (scopes.length === 0) throw new FieldRefused('scopes', `must have one or more of ${KEY_SCOPES.join(', ')}`)
  return KEY_SCOPES.filter((scope) => scopes.includes(scope))
}

/** Creates a key with these rights. */
function makeKeyRow(
  rights: Omit<NewApiKey, 'hash'>,
  random: Random,
): { readonly secret: string; readonly row: NewApiKey } {
  const secret = makeKey(rights.test ? 'test' : 'live', random)
  return { secret, row: { hash: hashKey(secret), ...rights } }
}

function isExpired({ expiresAt }: Pick<ApiKey, 'expiresAt'>, now: number): boolean {
  return expiresAt !== null && expiresAt <= now
}

export interface KeyChoice {
  readonly accountId: AccountId
  /** A key id, or a name, which several keys may share. */
  readonly which: string
}

/** Returns the keys of an account, newest first. Throws UnknownThing if the account does not exist. */
export function keysOf(rows: DirectoryRows, accountId: AccountId): readonly ApiKey[] {
  accountRow(rows, accountId)
  return rows.keys.filter((key) => key.accountId === accountId).sort((a, b) => b.createdAt - a.createdAt)
}

/** Returns at least one key, newest first. Throws UnknownThing if there is none. */
function findKeys(rows: DirectoryRows, { accountId, which }: KeyChoice): readonly [ApiKey, ...ApiKey[]] {
  const keys = keysOf(rows, accountId)
  const byId = keys.filter((key) => keyIdOf(key) === which)
  const [first, ...others] = byId.length > 0 ? byId : keys.filter((key) => key.name === which)
  if (first === undefined) throw new UnknownThing(`account ${accountId} has no key named ${JSON.stringify(which)}`)
  return [first, ...others]
}

/** Returns the revoked keys: one for an id, all of that name for a name. Throws ChangeRefused. */
export async function revokeKey(store: SetupStore, choice: KeyChoice): Promise<readonly ApiKey[]> {
  const keys = findKeys(await store.loadDirectory(), choice)
  await store.change({ kind: 'remove keys', accountId: choice.accountId, hashes: keys.map(({ hash }) => hash) })
  return keys
}

/** Returns the changed keys: one for an id, all of that name for a name. Throws ChangeRefused. */
export async function setKeyScopes(
  store: SetupStore,
  choice: KeyChoice,
  wanted: readonly KeyScope[],
): Promise<readonly [ApiKey, ...ApiKey[]]> {
  const scopes = orderScopes(wanted)
  const [newest, ...older] = findKeys(await store.loadDirectory(), choice)
  const hashes = [newest, ...older].map(({ hash }) => hash)
  await store.change({ kind: 'set key scopes', accountId: choice.accountId, hashes, scopes })
  return [{ ...newest, scopes }, ...older.map((key) => ({ ...key, scopes }))]
}

export interface KeyRotation extends KeyChoice {
  /** Seconds for which the old key stays valid, a week if absent; 0 ends it at once. */
  readonly overlapSeconds?: number | undefined
  /** Milliseconds since 1970, null for never; if absent the new key keeps the old one's expiry. */
  readonly expiresAt?: number | null | undefined
}

/** Rotates the newest of several keys with the same name. Throws ChangeRefused. */
export async function rotateKey(
  store: SetupStore,
  clock: Clock,
  random: Random,
  { overlapSeconds, expiresAt, ...choice }: KeyRotation,
): Promise<IssuedKey & { readonly oldExpiresAt: number }> {
  const now = clock.now()
  const [old] = findKeys(await store.loadDirectory(), choice)
  if (isExpired(old, now)) throw new ChangeRefused(`the key ${old.name} has expired: issue a new one`)
  const overlap = overlapEnd(now, overlapSeconds)
  const lifetime = old.expiresAt === null ? null : now + (old.expiresAt - old.createdAt)
  const newExpiresAt = expiresAt === undefined ? lifetime : expiresAt
  checkExpiry(newExpiresAt, now)
  const oldExpiresAt = Math.min(old.expiresAt ?? overlap, overlap)
  const { accountId, name, scopes, test } = old
  const rights = { accountId, name, scopes, test, createdAt: now, expiresAt: newExpiresAt }
  const { secret, row } = makeKeyRow(rights, random)
  await store.change({ kind: 'add key', key: row, replaces: { hash: old.hash, expiresAt: oldExpiresAt } })
  return { secret, key: { ...row, lastUsedAt: null }, oldExpiresAt }
}

export interface RevokedKey {
  readonly account: number
  readonly name: string
  readonly id: string
  /** Milliseconds. */
  readonly revokedAt: number
}

/** Returns null if no key with this hash was revoked. */
export async function findRevokedKey(store: QueryStore, rows: DirectoryRows, hash: string): Promise<RevokedKey | null> {
  const id = keyIdOf({ hash })
  const bySubject = new Map(rows.accounts.map((account) => [subjectOfKey(id, account.id), account.id]))
  const found = await store.page({ of: 'audit', actors: null, subjects: [...bySubject.keys()], after: null, limit: 1 })
  const [entry] = found.rows
  const account = bySubject.get(entry?.subject ?? '')
  if (entry === undefined || entry.after !== null || account === undefined) return null
  const { name } = entry.before as { readonly name: string }
  return { account, name, id, revokedAt: entry.at }
}
