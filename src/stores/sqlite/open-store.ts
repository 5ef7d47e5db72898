/** Opens the embedded store: one SQLite file, one gateway on it, tools beside it. */
import { DatabaseSync } from 'node:sqlite'
import type { CommitTimer } from '../../ports/records/commit-timer.ts'
import type { OnMigration } from '../../ports/records/migration.ts'
import { StoreError } from '../../ports/records/store-errors.ts'
import type { KeySource } from '../vault/key-ring.ts'
import { openVault } from '../vault/open-vault.ts'
import { Engine } from './engine/engine.ts'
import type { WorkerSetup } from './engine/engine-worker.ts'
import type { Runner } from './engine/group-commit.ts'
import { startWorker } from './engine/worker-runner.ts'
import { adoptDatabase, type DatabaseRole, openDatabase } from './session/open-database.ts'
import { SqliteStore } from './sqlite-store.ts'

export interface SqliteOptions {
  /** A path, created if missing, or `:memory:`. */
  readonly file: string
  readonly keys: KeySource
  /** `gateway` by default. */
  readonly role?: DatabaseRole
  /** Runs the engine in this thread, for simulations; calls still answer asynchronously. */
  readonly inline?: boolean
  /** With `inline`: the database to use instead of `file`. Closing the store leaves it open for the next store. */
  readonly database?: DatabaseSync
  readonly timeCommit?: CommitTimer
  readonly onMigration?: OnMigration
}

/** Rejects with a StoreError if another gateway runs on the file or a newer Posthorn has written it. */
export async function openSqliteStore(options: SqliteOptions): Promise<SqliteStore> {
  const { file, keys, role = 'gateway', inline = false, database, timeCommit, onMigration } = options
  try {
    const runner =
      inline || database
        ? runInline({ file, role, keys }, database, onMigration)
        : await startWorker({ file, role, keys }, onMigration)
    const isInMemory = database !== undefined || file === ':memory:'
    return new SqliteStore(runner, timeCommit, isInMemory ? null : file)
  } catch (error) {
    if (error instanceof StoreError) throw error
    throw new StoreError(`cannot open ${file}: ${error instanceof Error ? error.message : error}`, { cause: error })
  }
}

function runInline(
  { file, role, keys }: WorkerSetup,
  database: DatabaseSync | undefined,
  onMigration: OnMigration | undefined,
): Runner {
  const vault = openVault(keys)
  const engine = new Engine(
    database === undefined && file !== ':memory:'
      ? openDatabase(file, role, onMigration)
      : adoptDatabase(database ?? new DatabaseSync(':memory:'), role, onMigration),
    vault,
  )
  return {
    run: async (batch) => engine.run(batch),
    sync: async () => {}, // Its commits are on the disk already.
    close: async () => engine.close(),
  }
}
