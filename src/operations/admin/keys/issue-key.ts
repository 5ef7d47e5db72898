/** Issues API keys. The key itself is shown once and kept nowhere; the store has its SHA-256. */
import type { AccountId } from '../../../domain/account.ts'
import { type ApiKey, KEY_SCOPES, type KeyScope } from '../../../domain/api-key.ts'
import type { NewApiKey } from '../../../ports/account-change.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { Random } from '../../../ports/random.ts'
import type { SetupStore } from '../../../ports/setup-store.ts'
import { ChangeRefused } from '../../../ports/store-errors.ts'
import { hashKey, makeKey } from '../../api-key.ts'
import { checkName } from '../label.ts'
import { keysOf } from './find-keys.ts'

export interface KeyWish {
  readonly accountId: AccountId
  /** For people: what the key is used by. */
  readonly name: string
  /** For simulated phones alone, at no cost; absent is false. */
  readonly test?: boolean | undefined
  /** Everything when absent. */
  readonly scopes?: readonly KeyScope[] | undefined
  /** Milliseconds since 1970; never when absent. */
  readonly expiresAt?: number | null | undefined
}

export interface IssuedKey {
  /** To be shown now and never again. */
  readonly secret: string
  readonly key: ApiKey
}

/** Throws a ChangeRefused. */
export async function issueKey(store: SetupStore, clock: Clock, random: Random, wish: KeyWish): Promise<IssuedKey> {
  const { accountId, name, test = false, scopes = KEY_SCOPES, expiresAt = null } = wish
  const now = clock.now()
  checkName('the name of a key', name)
  checkExpiry(expiresAt, now)
  if (scopes.length === 0) throw new ChangeRefused(`a key needs a scope: ${KEY_SCOPES.join(', ')}`)
  const others = keysOf(await store.loadDirectory(), accountId)
  if (others.some((each) => each.name === name && !isExpired(each, now))) {
    throw new ChangeRefused(
      `account ${accountId} has a key named ${JSON.stringify(name)} already: rotate or revoke it, or choose another name`,
    )
  }
  const ordered = KEY_SCOPES.filter((scope) => scopes.includes(scope))
  const { secret, row } = makeKeyRow({ accountId, name, scopes: ordered, test, createdAt: now, expiresAt }, random)
  await store.change({ kind: 'add key', key: row })
  return { secret, key: { ...row, lastUsedAt: null } }
}

/** A new key with these rights. */
export function makeKeyRow(
  rights: Omit<NewApiKey, 'hash'>,
  random: Random,
): { readonly secret: string; readonly row: NewApiKey } {
  const secret = makeKey(rights.test ? 'test' : 'live', random)
  return { secret, row: { hash: hashKey(secret), ...rights } }
}

export function isExpired({ expiresAt }: Pick<ApiKey, 'expiresAt'>, now: number): boolean {
  return expiresAt !== null && expiresAt <= now
}

/** Throws a ChangeRefused for a time that is over. */
export function checkExpiry(expiresAt: number | null, now: number): void {
  if (expiresAt !== null && !(expiresAt > now)) throw new ChangeRefused('a key must expire later than now')
}
