/**
 * The sealing key: the database names it, so that every process switches to a new one between two transactions. A wrong
 * key is detected before anything is sealed with it.
 */
import { randomBytes } from 'node:crypto'
import { StoreError } from '../../../ports/records/store-errors.ts'
import type { Vault } from '../../../ports/system/vault.ts'
import { refuse } from '../../changes/row-step.ts'
import { readPhoneSecret, writeSealingKey } from '../../commands/installation/sealing-key.ts'
import { PHONE_SECRET_PLACE } from '../../rows/sealing/seal-place.ts'
import { type HashPhone, phoneHasher } from '../../vault/phone-hash.ts'
import type { Link } from '../connection/link.ts'
import { rare } from '../connection/statement.ts'
import { runCommand, runOn } from './run-command.ts'
import type { Session } from './session.ts'

const SECRET_BYTES = 32

/** Locked until this transaction ends. */
const LOCK_META = rare<[sealingKey: string, booksFrom: number]>('SELECT sealing_key, books_from FROM meta FOR UPDATE')
/** Waits for transactions in progress on all nodes. */
const LEASES_SEAL_WITH = rare('UPDATE lease SET sealing_key = $1')
const NAME_FIRST = rare('UPDATE meta SET sealing_key = $1, phone_secret = $2')

/** Returns what new leases start with. Throws a StoreError if the vault lacks the key of the database. */
export async function settleKeys(
  link: Link,
  vault: Vault,
): Promise<{ readonly sealingKey: string; readonly booksFrom: number }> {
  const [named, booksFrom] = (await link.query(LOCK_META))[0] ?? ['', 0]
  if (named === '') {
    await link.query(
      NAME_FIRST,
      vault.keyId,
      vault.sealAt(randomBytes(SECRET_BYTES).toString('hex'), PHONE_SECRET_PLACE),
    )
    return { sealingKey: vault.keyId, booksFrom }
  }
  try {
    vault.use(named)
  } catch (error) {
    throw new StoreError((error as Error).message, { cause: error })
  }
  return { sealingKey: named, booksFrom }
}

/**
 * Every node seals with another key from its next transaction on. Throws a ChangeRefused if the ring has no such key.
 */
export async function sealWith(session: Session, name: string): Promise<null> {
  try {
    session.vault.use(name)
  } catch (error) {
    refuse((error as Error).message)
  }
  await runCommand(session, writeSealingKey(name))
  await session.query(LEASES_SEAL_WITH, name)
  return null
}

/** Uses the secret of the database, which stays the same whichever key seals it. */
export async function openPhoneHasher(link: Link, vault: Vault): Promise<HashPhone> {
  return phoneHasher(await runOn(link, vault, readPhoneSecret()))
}
