/** PgBouncer between Posthorn and the database: works with session pooling, and is refused with transaction pooling. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/app/system/system-clock.ts'
import { migrateDatabase, openPostgresStore } from '../../src/stores/postgres/open-store.ts'
import { messageItem, StoreStory } from '../conformance/store/store-story.ts'
import { DebianProgram, findProgram } from '../support/debian-program.ts'
import type { TestDatabase } from '../support/postgres-databases.ts'
import { freePort } from '../support/postgres-server.ts'
import { TEST_KEYS } from '../support/test-keys.ts'
import { usePostgres } from '../support/use-postgres.ts'

const PGBOUNCER = findProgram('pgbouncer', 'pgbouncer')
const IS_ROOT = process.getuid?.() === 0
const REFUSAL = /shares sessions between transactions .* set pool_mode = session/

const postgres = await usePostgres()

describe.skipIf(postgres.isMissing || PGBOUNCER === null)('behind PgBouncer', () => {
  let database: TestDatabase
  let pooler: DebianProgram
  let url: string
  beforeEach(async () => {
    database = await postgres.takeDatabase({ isNew: true })
    pooler = new DebianProgram()
  })
  afterEach(() => pooler.stop())

  const pool = async (mode: string, settings: readonly string[] = []) => {
    const port = await freePort()
    const direct = new URL(database.url)
    const ini = [
      '[databases]',
      `* = host=127.0.0.1 port=${direct.port} user=${direct.username} password=${direct.password}`,
      '[pgbouncer]',
      `pool_mode = ${mode}`,
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'auth_type = any',
      'unix_socket_dir =',
      // PgBouncer refuses to run as root.
      ...(IS_ROOT ? ['user = nobody'] : []),
      ...settings,
    ]
    writeFileSync(join(pooler.folder, 'pgbouncer.ini'), ini.join('\n'))
    pooler.start(PGBOUNCER as string, ['pgbouncer.ini'])
    await pooler.listens('tcp', port)
    direct.port = String(port)
    url = direct.href
  }
  const open = () => openPostgresStore({ url, keys: TEST_KEYS, clock: systemClock })

  it.each([
    ['transaction', []],
    ['transaction', ['server_round_robin = 1', 'min_pool_size = 5']],
    ['statement', []],
  ])('refuses %s pooling and says what to do %s', async (mode, settings) => {
    await pool(mode, settings)
    await expect(open()).rejects.toMatchObject({ name: 'StoreError', message: expect.stringMatching(REFUSAL) })
  })

  it('reports a shared session by statements that other clients prepared', async () => {
    await pool('transaction')
    await migrateDatabase(url, false)
    await expect(migrateDatabase(url, false)).rejects.toThrow(REFUSAL)
  })

  it('works with session pooling', async () => {
    await pool('session')
    const store = await open()
    const story = await StoreStory.begin(async () => ({
      open: async () => store,
      openTool: async () => store,
      remove: async () => {},
    }))
    const client = await story.account(1e9)
    expect(await story.accept(client, [messageItem(story.message(client))])).toMatchObject([{ kind: 'accepted' }])
    expect(await store.verifyLedger()).toEqual([])
    await store.close()
  })
})
