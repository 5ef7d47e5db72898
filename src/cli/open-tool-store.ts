/** Opens the store of an installation for one command, next to a gateway that may be running. */
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { Store } from '../ports/store.ts'
import { openVault, readOrMakeKey } from '../seal.ts'
import { openSqliteStore } from '../stores/sqlite/open-store.ts'
import { CannotDo } from './failure.ts'

/** Does the work with the store and closes it. Throws a CannotDo when the data folder holds no installation. */
export async function withToolStore<T>(config: Config, work: (store: Store) => Promise<T>): Promise<T> {
  if (!existsSync(databaseFile(config))) {
    throw new CannotDo(
      `there is no installation in ${config.dataDir}: name its folder with --data-dir, or begin one with 'posthorn account create'`,
    )
  }
  return withStore(config, work)
}

/** The same, and begins an installation when there is none. */
export async function withNewToolStore<T>(config: Config, work: (store: Store) => Promise<T>): Promise<T> {
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 })
  return withStore(config, work)
}

async function withStore<T>(config: Config, work: (store: Store) => Promise<T>): Promise<T> {
  const file = databaseFile(config)
  const keyFile = config.secretKeyFile ?? join(config.dataDir, 'secret.key')
  if (existsSync(file) && !existsSync(keyFile)) {
    throw new CannotDo(`the key file ${keyFile} is missing, and without it nobody can read the secrets in ${file}`)
  }
  const vault = openVault(readOrMakeKey(keyFile))
  // In this thread: a command has nothing else to do while it waits, and starts sooner.
  const store = await openSqliteStore({ file, vault, role: 'tool', inline: true })
  try {
    // Reading what is sealed proves that the key is the right one, before anything is sealed with it.
    await store.loadDirectory()
    return await work(store)
  } finally {
    await store.close()
  }
}

function databaseFile(config: Config): string {
  return join(config.dataDir, 'posthorn.db')
}
