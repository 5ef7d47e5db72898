/** Where an installation keeps its data: in a file of its folder, or on a PostgreSQL server that its gateways share. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { systemClock } from '../../src/app/system/system-clock.ts'
import type { MessageId } from '../../src/domain/ids/message-id.ts'
import type { Store } from '../../src/ports/stores/store.ts'
import { openPostgresStore } from '../../src/stores/postgres/open-store.ts'
import { openSqliteStore } from '../../src/stores/sqlite/open-store.ts'
import type { TestDatabase } from '../support/postgres-databases.ts'

export interface Place {
  /** The environment that points a gateway to it. */
  readonly environment: Readonly<Record<string, string>>
  /** As an operator's tool opens it, beside gateways that may be running. */
  openStore(): Promise<Store>
  /** All message ids; the store port has no such list because only tests need one. */
  messageIds(): Promise<readonly MessageId[]>
  /** From now on nothing more gets on the disk, as when it hangs; until what this answers is called. */
  stall(): Promise<() => unknown>
}

/** The gateway writes again and again, and the one who wants the lock has to meet a gap. */
const LOCK_PATIENCE_MS = 30_000

export function sqlitePlace(folder: string): Place {
  const file = join(folder, 'posthorn.db')
  return {
    environment: { POSTHORN_DATA_DIR: folder },
    openStore: () => openSqliteStore({ file, keys: keysIn(folder), role: 'tool', inline: true }),
    messageIds: async () => {
      const database = new DatabaseSync(file, { readOnly: true })
      try {
        return idsIn(database.prepare('SELECT msg_id FROM message').all())
      } finally {
        database.close()
      }
    },
    stall: async () => {
      const database = new DatabaseSync(file, { timeout: LOCK_PATIENCE_MS })
      database.exec('BEGIN IMMEDIATE')
      return () => database.close()
    },
  }
}

/** All gateways have the folder's key. */
export function postgresPlace(folder: string, { url, query }: Pick<TestDatabase, 'url' | 'query'>): Place {
  return {
    environment: { POSTHORN_DATA_DIR: folder, POSTHORN_DATABASE: url },
    openStore: () => openPostgresStore({ url, keys: keysIn(folder), clock: systemClock, role: 'tool' }),
    messageIds: async () => idsIn(await query('SELECT msg_id FROM message')),
    stall: async () => {
      // Every transaction of a gateway changes a row there first.
      await query('BEGIN; LOCK TABLE lease IN EXCLUSIVE MODE')
      return () => query('ROLLBACK')
    },
  }
}

function keysIn(folder: string) {
  return { kind: 'file', path: join(folder, 'secret.key') } as const
}

function idsIn(rows: readonly Record<string, unknown>[]): readonly MessageId[] {
  return rows.map((row) => Number(row['msg_id']) as MessageId)
}
