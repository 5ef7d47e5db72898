/** An installation: a data folder with a database and the key that seals its secrets. The one place that opens it. */
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from './config.ts'
import { writeOperators } from './domain/operator-table.ts'
import { firstOperators } from './first-operators.ts'
import { ChangeRefused, type Store } from './ports/store.ts'
import type { Role } from './stores/sqlite/open-database.ts'
import { openSqliteStore } from './stores/sqlite/open-store.ts'
import { type KeySource, makeKeyFile, readKeys } from './stores/vault/key-ring.ts'

/** Of a directory in which nothing was ever changed. */
const FIRST_REVISION = 1

/** What is in the way can be mended by whoever reads the text. */
export class InstallationError extends Error {
  override readonly name = 'InstallationError'
}

export function hasInstallation(config: Config): boolean {
  return existsSync(databaseFile(config))
}

/**
 * Opens the store, making the installation when there is none. Throws an InstallationError when the database is there
 * and its key is not: a new key would read nothing, and would stand where the right one belongs. What cannot be read as keys is told by a plain Error.
 */
export async function openInstallation(
  config: Config,
  options: { readonly role: Role; readonly inline?: boolean },
): Promise<Store> {
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 })
  const file = databaseFile(config)
  const keys = keysOf(config)
  if (keys.kind === 'file') {
    if (existsSync(file) && !existsSync(keys.path)) {
      throw new InstallationError(
        `the key file ${keys.path} is missing, and without it nobody can read the texts and secrets in ${file}`,
      )
    }
    makeKeyFile(keys.path)
  }
  readKeys(keys)
  const store = await openSqliteStore({ file, keys, ...options })
  try {
    const { revision } = await store.loadDirectory()
    if (revision === FIRST_REVISION) await addFirstOperators(store)
    return store
  } catch (error) {
    await store.close()
    throw error
  }
}

/** For an installation that has just begun: a table that was imported, or emptied, is never touched. */
async function addFirstOperators(store: Store): Promise<void> {
  const operators = writeOperators(firstOperators())
  try {
    await store.change({ kind: 'all', revision: FIRST_REVISION, changes: [{ kind: 'set operators', operators }] })
  } catch (error) {
    // Another process has begun the same installation, or changed it already.
    if (!(error instanceof ChangeRefused)) throw error
  }
}

/** Where the keys of the installation are: given by the environment, or in a file. */
export function keysOf({ dataDir, secretKey, secretKeyFile }: Config): KeySource {
  if (secretKey !== null) return { kind: 'given', name: 'POSTHORN_SECRET_KEY', keys: secretKey }
  return { kind: 'file', path: secretKeyFile ?? join(dataDir, 'secret.key') }
}

function databaseFile(config: Config): string {
  return join(config.dataDir, 'posthorn.db')
}
