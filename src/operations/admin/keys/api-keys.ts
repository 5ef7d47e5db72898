/** API keys of an account: issue, find by id or name, rotate, revoke. */
import Type, { type Static } from 'typebox'
import { type ApiKey, KEY_SCOPES, type KeyScope, keyIdOf } from '../../../domain/accounts/api-key.ts'
import { subjectOfKey } from '../../../domain/accounts/audit.ts'
import type { DirectoryRows } from '../../../domain/directory/directory.ts'
import { type AccountId, toAccountId } from '../../../domain/ids/account-id.ts'
import type { TrafficClass } from '../../../domain/message/traffic-class.ts'
import type { KeyRights, NewApiKey } from '../../../ports/changes/account-change.ts'
import { ChangeRefused } from '../../../ports/records/store-errors.ts'
import type { QueryStore } from '../../../ports/stores/query-store.ts'
import type { SetupStore } from '../../../ports/stores/setup-store.ts'
import type { Clock } from '../../../ports/system/clock.ts'
import type { Random } from '../../../ports/system/random.ts'
import { hashKey, makeKey } from '../../request/api-key.ts'
import { entry } from '../endpoint/audit-entry.ts'
import type { ChangeRule, Changes } from '../endpoint/change.ts'
import { CLIENT_ADMINS } from '../endpoint/client-access.ts'
import { endpoint, knownWithinASecond } from '../endpoint/endpoint.ts'
import { accountRow, UnknownThing } from '../fields/account-row.ts'
import { checkExpiry, FieldRefused } from '../fields/field-refused.ts'
import { checkName } from '../fields/label.ts'
import { NETWORKS, readNetworks } from '../fields/networks.ts'
import { overlapEnd } from '../fields/overlap.ts'
import { isRaised, ONLY_OPERATORS_RAISE, PRIORITY } from '../fields/priority.ts'
import {
  ACCOUNT,
  NAME,
  nullable,
  OPERATORS,
  readTimeField,
  SHOWN_ONCE,
  TIME,
  whole,
  writeTime,
} from '../fields/shapes.ts'

const SCOPES = Type.Array(Type.Enum([...KEY_SCOPES]), {
  minItems: 1,
  maxItems: KEY_SCOPES.length,
  description: `permitted operations: ${KEY_SCOPES.join(', ')}`,
  rule: `must be a list of ${KEY_SCOPES.join(', ')}`,
})

const KEY_NAME = { ...NAME, description: 'what uses the key', examples: ['server'] }
const TEST = Type.Boolean({ description: 'test key: reaches simulated phones only, free of charge' })
const NARROWED = {
  networks: nullable(NETWORKS, {
    description: 'networks in CIDR form from which it is accepted, within those of the account; null for all of these',
  }),
  operations_per_second: nullable(whole({ minimum: 1, maximum: 1_000_000 }), {
    description: 'operations per second, within the limit of the account; null for that limit alone',
  }),
  priority: PRIORITY,
}
const NARROWING = {
  networks: Type.Optional(NARROWED.networks),
  operations_per_second: Type.Optional(NARROWED.operations_per_second),
  priority: Type.Optional(PRIORITY),
}
const EXPIRES = nullable(TIME, { description: 'expiry, RFC 3339; null for never' })

const WHICH = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'name of the key, or its id if several keys share the name',
})

export const ShownKey = Type.Object({
  account: ACCOUNT,
  name: NAME,
  id: Type.String({ description: 'identifies the key without revealing it' }),
  scopes: SCOPES,
  test: TEST,
  ...NARROWED,
  created_at: TIME,
  expires_at: EXPIRES,
  last_used_at: nullable(TIME, { description: 'up to a minute late; null if never used' }),
})

const IssuedKey = Type.Object({ key: SHOWN_ONCE, ...ShownKey.properties })
const KEYS: ChangeRule = { what: 'API keys', may: OPERATORS, proof: true }

/** Of an account, by its users. */
const MAX_KEYS = 100

export const KEY_CHANGES = {
  'add key': {
    ...KEYS,
    accounts: ({ key }) => [key.accountId],
    refuseClients: ({ key: { accountId, priority }, replaces }, { keys }) => {
      const count = keys.filter((key) => key.accountId === accountId).length
      const old = keys.find(({ hash }) => hash === replaces?.hash)
      if (isRaised(priority, old?.priority)) return ONLY_OPERATORS_RAISE
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
  'set keys': {
    ...KEYS,
    accounts: ({ accountId }) => [accountId],
    refuseClients: ({ hashes, rights: { priority } }, { keys }) => {
      const changed = keys.filter(({ hash }) => hashes.includes(hash))
      return changed.some((key) => isRaised(priority, key.priority)) ? ONLY_OPERATORS_RAISE : null
    },
    audit: ({ hashes, rights }, { keys }) =>
      keys
        .filter(({ hash }) => hashes.includes(hash))
        .map((key) => entry(keySubject(key), auditedKey(key), auditedKey({ ...key, ...rights }))),
  },
  'remove keys': {
    ...KEYS,
    accounts: ({ accountId }) => [accountId],
    audit: ({ hashes }, { keys }) =>
      keys.filter(({ hash }) => hashes.includes(hash)).map((key) => entry(keySubject(key), auditedKey(key), null)),
  },
} satisfies Changes

export const ISSUE_KEY = endpoint({
  name: 'issueKey',
  method: 'POST',
  path: '/accounts/{account}/keys',
  command: 'key issue',
  summary: 'issue an API key for an account; it is shown once and only its hash is stored',
  may: OPERATORS,
  clients: { may: CLIENT_ADMINS, scope: 'account' },
  params: { account: ACCOUNT },
  body: {
    name: KEY_NAME,
    scopes: Type.Optional(SCOPES),
    test: Type.Optional(TEST),
    expires_at: Type.Optional(EXPIRES),
    ...NARROWING,
  },
  result: IssuedKey,
  hint: knownWithinASecond,
  run: async ({ store, clock, random }, { account, name, test, expires_at: expires, ...given }) => {
    const expiresAt = readTimeField('expires_at', expires)
    const input = { ...rightsIn(given), accountId: toAccountId(account), name, test, expiresAt }
    const { secret, key } = await issueKey(store, clock, random, input)
    return { key: secret, ...viewKey(key) }
  },
})

export const SET_KEY = endpoint({
  name: 'setKey',
  method: 'PATCH',
  path: '/accounts/{account}/keys/{name}',
  command: 'key set',
  summary: 'set what a key may be used for; a name sets all keys that share it. The key itself stays the same',
  may: OPERATORS,
  clients: { may: CLIENT_ADMINS, scope: 'account' },
  params: { account: ACCOUNT, name: WHICH },
  body: { scopes: Type.Optional(SCOPES), ...NARROWING },
  result: ShownKey,
  hint: knownWithinASecond,
  run: async ({ store }, { account, name, ...given }) => {
    const accountId = toAccountId(account)
    const rights = rightsIn(given)
    const keys = findKeys(await store.loadDirectory(), { accountId, which: name })
    await store.change({ kind: 'set keys', accountId, hashes: keys.map(({ hash }) => hash), rights })
    return viewKey({ ...keys[0], ...rights })
  },
})

export const ROTATE_KEY = endpoint({
  name: 'rotateKey',
  method: 'POST',
  path: '/accounts/{account}/keys/{name}/rotation',
  command: 'key rotate',
  summary: 'issue a new key with the same name and rights; the old one works for a while',
  may: OPERATORS,
  clients: { may: CLIENT_ADMINS, scope: 'account' },
  params: { account: ACCOUNT, name: WHICH },
  body: {
    overlap_seconds: Type.Optional(
      whole({ minimum: 0, description: 'seconds for which the old key still works; a week by default' }),
    ),
    expires_at: Type.Optional(EXPIRES),
  },
  result: Type.Object({ ...IssuedKey.properties, old_expires_at: TIME }),
  hint: knownWithinASecond,
  run: async ({ store, clock, random }, { account, name, overlap_seconds: overlapSeconds, expires_at: expires }) => {
    const choice = { accountId: toAccountId(account), which: name }
    const input = { ...choice, overlapSeconds, expiresAt: readTimeField('expires_at', expires) }
    const { secret, key, oldExpiresAt } = await rotateKey(store, clock, random, input)
    return { key: secret, ...viewKey(key), old_expires_at: writeTime(oldExpiresAt) }
  },
})

export const REVOKE_KEY = endpoint({
  name: 'revokeKey',
  method: 'DELETE',
  path: '/accounts/{account}/keys/{name}',
  command: 'key revoke',
  summary: 'revoke a key for good; a name revokes all keys that share it',
  may: OPERATORS,
  clients: { may: CLIENT_ADMINS, scope: 'account' },
  params: { account: ACCOUNT, name: WHICH },
  hint: knownWithinASecond,
  run: ({ store }, { account, name }) => revokeKey(store, { accountId: toAccountId(account), which: name }),
})

function keySubject(key: NewApiKey): string {
  return subjectOfKey(keyIdOf(key), key.accountId)
}

function auditedKey(key: NewApiKey): object {
  const { name, scopes, test, networks, operationsPerSecond, priority, expiresAt } = key
  return {
    ...{ name, scopes, test, networks, operations_per_second: operationsPerSecond, priority },
    expires_at: writeTime(expiresAt),
  }
}

interface GivenRights {
  readonly scopes?: readonly KeyScope[] | undefined
  readonly networks?: readonly string[] | null | undefined
  readonly operations_per_second?: number | null | undefined
  readonly priority?: TrafficClass | null | undefined
}

/** Throws FieldRefused for an empty list, and for what is no network. */
function rightsIn({ scopes, networks, operations_per_second: operationsPerSecond, priority }: GivenRights): KeyRights {
  return {
    ...(scopes === undefined ? {} : { scopes: orderScopes(scopes) }),
    ...(networks === undefined ? {} : { networks: networks && readNetworks('networks', networks) }),
    ...(operationsPerSecond === undefined ? {} : { operationsPerSecond }),
    ...(priority === undefined ? {} : { priority }),
  }
}

export interface KeyInput extends Partial<Pick<ApiKey, 'networks' | 'operationsPerSecond' | 'priority'>> {
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
  const { accountId, name, test = false, scopes = KEY_SCOPES, networks = null, operationsPerSecond = null } = input
  const { priority = null, expiresAt = null } = input
  const now = clock.now()
  checkName('name', 'the name of a key', name)
  checkExpiry(expiresAt, now)
  const ordered = orderScopes(scopes)
  const others = keysOfAccount(await store.loadDirectory(), accountId)
  if (others.some((each) => each.name === name && !isExpired(each, now))) {
    throw new ChangeRefused(
      `account ${accountId} already has a key named ${JSON.stringify(name)}: rotate or revoke it, or choose another name`,
    )
  }
  const rights = {
    ...{ accountId, name, scopes: ordered, test, networks, operationsPerSecond, priority },
    ...{ createdAt: now, expiresAt },
  }
  const { secret, row } = makeKeyRow(rights, random)
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
export function keysOfAccount(rows: DirectoryRows, accountId: AccountId): readonly ApiKey[] {
  accountRow(rows, accountId)
  return rows.keys.filter((key) => key.accountId === accountId).sort((a, b) => b.createdAt - a.createdAt)
}

/** Returns at least one key, newest first. Throws UnknownThing if there is none. */
function findKeys(rows: DirectoryRows, { accountId, which }: KeyChoice): readonly [ApiKey, ...ApiKey[]] {
  const keys = keysOfAccount(rows, accountId)
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
  const { hash, lastUsedAt: _, ...kept } = old
  const rights = { ...kept, createdAt: now, expiresAt: newExpiresAt }
  const { secret, row } = makeKeyRow(rights, random)
  await store.change({ kind: 'add key', key: row, replaces: { hash, expiresAt: oldExpiresAt } })
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

export function viewKey(key: ApiKey): Static<typeof ShownKey> {
  const { accountId, name, scopes, test, networks, operationsPerSecond, priority } = key
  const { createdAt, expiresAt, lastUsedAt } = key
  return {
    account: accountId,
    name,
    id: keyIdOf(key),
    scopes: [...scopes],
    test,
    networks: networks === null ? null : [...networks],
    operations_per_second: operationsPerSecond,
    priority,
    created_at: writeTime(createdAt),
    expires_at: writeTime(expiresAt),
    last_used_at: writeTime(lastUsedAt),
  }
}
