/**
 * Rotates an API key: a new one with the same name and rights takes its place, and the old one opens the account for a
 * while longer, so that no client has to change at the very moment.
 */
import type { Clock } from '../../../ports/clock.ts'
import type { Random } from '../../../ports/random.ts'
import type { SetupStore } from '../../../ports/setup-store.ts'
import { ChangeRefused } from '../../../ports/store-errors.ts'
import { overlapEnd } from '../overlap.ts'
import { findKeys, type KeyChoice } from './find-keys.ts'
import { checkExpiry, type IssuedKey, isExpired, makeKeyRow } from './issue-key.ts'

export interface KeyRotation extends KeyChoice {
  /** Seconds for which the old key is still good, a week when absent; 0 ends it at once. */
  readonly overlapSeconds?: number | undefined
  /** Milliseconds since 1970, null for never; when absent the new key lives as long as the old one was to. */
  readonly expiresAt?: number | null | undefined
}

/** Throws a ChangeRefused. Of several keys with a name the newest is rotated. */
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
