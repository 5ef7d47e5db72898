/** Rules of the passkeys of admin users. */
import { isNextSignature, MAX_PASSKEYS } from '../../domain/accounts/passkey.ts'
import type { Change } from '../../ports/stores/setup-store.ts'
import { DIRECTORY_ROWS } from '../rows/setup/directory-tables.ts'
import { removeLinksOf } from './admin-users.ts'
import { exists, find, findOne, putItem, type Rule, refuse, remove, updateRow } from './row-step.ts'

type ChangeOf<Kind extends Change['kind']> = Extract<Change, { kind: Kind }>

export function* addPasskey({ passkey }: ChangeOf<'add passkey'>): Rule<null> {
  const { id, user, name } = passkey
  if (!(yield* exists('admin_user', { name: user }))) refuse(`there is no user ${user}`)
  if (yield* exists('passkey', { credential_id: id })) refuse('this passkey is registered already')
  yield* refuseName(user, name)
  const known = yield* find('passkey', { user }, ['name'])
  if (known.length >= MAX_PASSKEYS) refuse(`a user may have ${MAX_PASSKEYS} passkeys: remove one first`)
  return yield* putItem(DIRECTORY_ROWS.passkeys, passkey)
}

export function* renamePasskey({ user, name, newName }: ChangeOf<'rename passkey'>): Rule<null> {
  if (newName !== name) yield* refuseName(user, newName)
  const count = yield* updateRow('passkey', { name: newName }, { user, name })
  return count === 0 ? refuseUnknown(user, name) : null
}

/** Ends the sessions of the user except the one to keep, and the sign-in links. */
export function* removePasskeys({ user, name, keepToken }: ChangeOf<'remove passkeys'>): Rule<null> {
  const count = yield* remove('passkey', name === null ? { user } : { user, name })
  if (count === 0) refuseUnknown(user, name)
  for (const { label, proved_at: provedAt } of yield* find('admin_token', { user }, ['label', 'proved_at'])) {
    if (provedAt !== null && label !== keepToken) yield* remove('admin_token', { user, label })
  }
  return yield* removeLinksOf(user)
}

/** Returns 1; 0 without any change if the passkey is gone or the signature is not a new one. */
export function* usePasskey({ id, counter, at }: ChangeOf<'use passkey'>): Rule<number> {
  const known = yield* findOne('passkey', { credential_id: id }, ['counter'])
  if (known === null || !isNextSignature(Number(known.counter), counter)) return 0
  const where = { credential_id: id, counter: known.counter }
  return yield* updateRow('passkey', { counter, last_used_at: at }, where)
}

function* refuseName(user: string, name: string): Rule<null> {
  const isTaken = yield* exists('passkey', { user, name })
  return isTaken ? refuse(`${user} has a passkey named ${JSON.stringify(name)} already`) : null
}

function refuseUnknown(user: string, name: string | null): never {
  return refuse(name === null ? `${user} has no passkeys` : `${user} has no passkey named ${JSON.stringify(name)}`)
}
