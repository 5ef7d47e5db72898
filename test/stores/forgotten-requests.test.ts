/** What older versions kept of requests to log in, and of passwords that were set under an Idempotency-Key, goes. */
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { systemClock } from '../../src/app/system-clock.ts'
import { SESSIONS as POSTGRES_SESSIONS } from '../../src/stores/postgres/migrations/0007-sessions.ts'
import { openPostgresStore } from '../../src/stores/postgres/open-store.ts'
import { SESSIONS } from '../../src/stores/sqlite/migrations/0024-sessions.ts'
import { openSqliteStore } from '../../src/stores/sqlite/open-store.ts'
import { TEST_KEYS } from '../support/test-keys.ts'
import { usePostgres } from '../support/use-postgres.ts'

/** As a database was before. */
const BEFORE = 'DROP TABLE login_tally; ALTER TABLE admin_token DROP COLUMN proved_at;'
const ROWS = `
INSERT INTO admin_user (name, role, state) VALUES ('anna', 'owner', 'active');
INSERT INTO admin_token (hash, "user", label, created_at) VALUES ('a', 'anna', 'session 0123456789ab', 7);
INSERT INTO admin_token (hash, "user", label, created_at) VALUES ('b', 'anna', 'session of my laptop', 8);
INSERT INTO admin_request (actor, key, body_hash, keep_until) VALUES ('nobody', 'login', 'hash of a password', 9);
INSERT INTO admin_request (actor, key, body_hash, keep_until) VALUES ('anna', 'password', 'hash of a password', 9);
`
const TOKENS = [
  { label: 'session 0123456789ab', provedAt: 7 },
  { label: 'session of my laptop', provedAt: null },
]

it('in the database file', async () => {
  const database = new DatabaseSync(':memory:')
  const store = await openSqliteStore({ file: ':memory:', keys: TEST_KEYS, inline: true, database })
  database.exec(BEFORE + ROWS + SESSIONS)
  expect((await store.loadDirectory()).adminTokens).toMatchObject(TOKENS)
  expect(await store.findRequest('nobody', 'login')).toBeNull()
  // A repeat of it is a conflict, and is not executed again.
  expect(await store.findRequest('anna', 'password')).toEqual({ bodyHash: '', answer: null })
  await store.close()
  database.close()
})

const postgres = await usePostgres()

describe.skipIf(postgres.isMissing)('PostgreSQL', () => {
  it('in its tables', async () => {
    const database = await postgres.takeDatabase()
    const store = await openPostgresStore({ url: database.url, keys: TEST_KEYS, clock: systemClock })
    await database.query(BEFORE + ROWS + POSTGRES_SESSIONS)
    expect((await store.loadDirectory()).adminTokens).toMatchObject(TOKENS)
    expect(await store.findRequest('nobody', 'login')).toBeNull()
    expect(await store.findRequest('anna', 'password')).toEqual({ bodyHash: '', answer: null })
    await store.close()
    await database.giveBack()
  })
})
