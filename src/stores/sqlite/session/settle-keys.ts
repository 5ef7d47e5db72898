/**
 * The sealing key: the database names it, so that every thread and process switches to a new one between two
 * transactions. A wrong key is detected before anything is sealed with it.
 */
import { randomBytes } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { StoreError } from '../../../ports/records/store-errors.ts'
import type { Vault } from '../../../ports/system/vault.ts'
import { refuse } from '../../changes/row-step.ts'
import { readPhoneSecret, readSealingKey, writeSealingKey } from '../../commands/installation/sealing-key.ts'
import { PHONE_SECRET_PLACE } from '../../rows/sealing/seal-place.ts'
import { type HashPhone, phoneHasher } from '../../vault/phone-hash.ts'
import { commandRunner } from '../statement/run-command.ts'
import { Statement } from '../statement/statement.ts'
import type { Session } from './session.ts'

const SECRET_BYTES = 32

/** Throws a StoreError if the vault lacks the key of the database. */
export function settleKeys(database: DatabaseSync, vault: Vault): void {
  const run = commandRunner({ database, vault })
  if (run(readSealingKey()) === '') nameFirstKey(database, vault)
  useKey(vault, run(readSealingKey()))
}

export function useKey(vault: Vault, name: string): void {
  try {
    vault.use(name)
  } catch (error) {
    throw new StoreError((error as Error).message, { cause: error })
  }
}

/** Seals with another key from now on. Throws a ChangeRefused, without writing, if the ring has no such key. */
export function sealWith({ database, vault }: Session): (name: string) => null {
  const run = commandRunner({ database, vault })
  return (name) => {
    try {
      vault.use(name)
    } catch (error) {
      refuse((error as Error).message)
    }
    run(writeSealingKey(name))
    return null
  }
}

/** Uses the secret of the database, which stays the same whichever key seals it. */
export function openPhoneHasher(database: DatabaseSync, vault: Vault): HashPhone {
  return phoneHasher(commandRunner({ database, vault })(readPhoneSecret()))
}

/** Names the newest key of the ring, after verifying that the ring opens what was sealed before keys had names. */
function nameFirstKey(database: DatabaseSync, vault: Vault): void {
  const sealed = new Statement<[string]>(
    database,
    'SELECT hook_secrets FROM account UNION ALL SELECT settings FROM carrier LIMIT 1',
  ).first()
  try {
    if (sealed !== undefined) vault.open(sealed[0])
  } catch (error) {
    throw new StoreError('the secrets in the database were sealed with another key', { cause: error })
  }
  const secret = vault.sealAt(randomBytes(SECRET_BYTES).toString('hex'), PHONE_SECRET_PLACE)
  new Statement(database, `UPDATE meta SET sealing_key = ?, phone_secret = ? WHERE sealing_key = ''`).run(
    vault.keyId,
    secret,
  )
}
