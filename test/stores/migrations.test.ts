/** A database of the oldest version is migrated to the current schema with all its data, and works. */
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { describeMigration } from '../../src/app/log/describe-migration.ts'
import { systemClock } from '../../src/app/system/system-clock.ts'
import { monthOf } from '../../src/domain/time/month.ts'
import { zonedMonth } from '../../src/domain/time/zoned-month.ts'
import type { OnMigration } from '../../src/ports/records/migration.ts'
import { openPostgresStore } from '../../src/stores/postgres/open-store.ts'
import { openSqliteStore } from '../../src/stores/sqlite/open-store.ts'
import { statementsFrom, VERSIONS } from '../../src/stores/tables/changes.ts'
import type { StoreKind } from '../../src/stores/tables/declaration.ts'
import { type Installation, StoreStory } from '../conformance/store/store-story.ts'
import { refused } from '../support/make-turn.ts'
import type { TestDatabase } from '../support/postgres-databases.ts'
import { TEST_KEYS } from '../support/test-keys.ts'
import { usePostgres } from '../support/use-postgres.ts'
import { fileCatalog, tableCatalog } from './catalog.ts'
import { OLD_MESSAGE, OLD_REPORT, OLD_SCHEMA, oldRows } from './old-database.ts'

const keys = TEST_KEYS

function openFile(database: DatabaseSync, onMigration?: OnMigration) {
  return openSqliteStore({ file: ':memory:', keys, inline: true, database, ...(onMigration && { onMigration }) })
}

function openTables({ url }: TestDatabase, onMigration?: OnMigration) {
  return openPostgresStore({ url, keys, clock: systemClock, ...(onMigration && { onMigration }) })
}

/** Records the lines that a log gets. */
function logged() {
  const lines: string[] = []
  let now = 0
  const monotonic = () => {
    now += 61_500
    return now
  }
  const onMigration = describeMigration({ monotonic }, (line) => lines.push(line))
  return { lines, onMigration }
}

const linesOf = (from: number, to: number) => [
  `migrating the database from version ${from} to ${to}; this may take minutes`,
  `migrated the database from version ${from} to ${to} in 61.5 s`,
]

/** Each version after the oldest, with the statements that lead to it. */
function later(store: StoreKind): readonly (readonly [version: number, steps: string])[] {
  const { oldest, present } = VERSIONS[store]
  const all = statementsFrom(store, oldest)
  return Array.from({ length: present - oldest }, (_, step) => {
    const version = oldest + 1 + step
    return [version, all.slice(0, all.length - statementsFrom(store, version).length).join('; ')] as const
  })
}

describe('a SQLite database of the oldest version', () => {
  const { version, tables } = OLD_SCHEMA.sqlite
  const oldDatabase = (rows: string) => {
    const database = new DatabaseSync(':memory:')
    database.exec(`${tables}; ${rows}; PRAGMA user_version = ${version};`)
    return database
  }

  it('gets the schema of a new one, and a line in the log when that begins and ends', async () => {
    const [old, present] = [oldDatabase(''), new DatabaseSync(':memory:')]
    const { lines, onMigration } = logged()
    for (const database of [old, old, present]) await (await openFile(database, onMigration)).close()
    expect(fileCatalog(old)).toEqual(fileCatalog(present))
    expect(lines).toEqual(linesOf(version, VERSIONS.sqlite.present))
  })

  it.each(later('sqlite'))('and the steps up to version %i gets it too', async (at, steps) => {
    const [old, present] = [oldDatabase(''), new DatabaseSync(':memory:')]
    old.exec(`${steps}; PRAGMA user_version = ${at}`)
    const { lines, onMigration } = logged()
    for (const database of [old, present]) await (await openFile(database, onMigration)).close()
    expect(fileCatalog(old)).toEqual(fileCatalog(present))
    expect(lines).toEqual(at === VERSIONS.sqlite.present ? [] : linesOf(at, VERSIONS.sqlite.present))
  })

  it('keeps its data and works', async () => {
    const database = oldDatabase(oldRows('sqlite'))
    const open = () => openFile(database)
    await keepsAll({ open, openTool: open, remove: async () => database.close() })
  })
})

it.each([
  ['older', 54, /version 54 and this Posthorn opens 55 to \d+: open it once with an earlier build .*install\.md/],
  ['newer', 1_000, /version 1000, this Posthorn supports \d+: use a newer Posthorn/],
])('a SQLite database that is %s is refused and not touched', async (_, version, reason) => {
  const database = new DatabaseSync(':memory:')
  database.exec(`CREATE TABLE meta (one); PRAGMA user_version = ${version}`)
  await expect(openFile(database)).rejects.toThrow(reason)
  expect(database.prepare('SELECT name FROM sqlite_schema').all()).toEqual([{ name: 'meta' }])
})

const postgres = await usePostgres()

describe.skipIf(postgres.isMissing)('PostgreSQL', () => {
  describe('tables of the oldest version', () => {
    const { version, tables } = OLD_SCHEMA.postgres
    const oldDatabase = async (rows: string) => {
      const database = await postgres.takeDatabase({ isNew: true })
      await database.query(`${tables}; ${rows}; CREATE TABLE schema_version AS SELECT ${version} AS version`)
      return database
    }

    it('get the schema of new ones, and a line in the log when that begins and ends', async () => {
      const [old, present] = [await oldDatabase(''), await postgres.takeDatabase({ isNew: true })]
      const { lines, onMigration } = logged()
      for (const database of [old, old, present]) await (await openTables(database, onMigration)).close()
      expect(await tableCatalog(old)).toEqual(await tableCatalog(present))
      expect(lines).toEqual(linesOf(version, VERSIONS.postgres.present))
    })

    it.each(later('postgres'))('and the steps up to version %i get it too', async (at, steps) => {
      const [old, present] = [await oldDatabase(''), await postgres.takeDatabase({ isNew: true })]
      await old.query(`${steps}; UPDATE schema_version SET version = ${at}`)
      const { lines, onMigration } = logged()
      for (const database of [old, present]) await (await openTables(database, onMigration)).close()
      expect(await tableCatalog(old)).toEqual(await tableCatalog(present))
      expect(lines).toEqual(at === VERSIONS.postgres.present ? [] : linesOf(at, VERSIONS.postgres.present))
    })

    it('keep their data and work', async () => {
      const database = await oldDatabase(oldRows('postgres'))
      const open = () => openTables(database)
      await keepsAll({ open, openTool: open, remove: () => database.giveBack() })
    })
  })

  it.each([
    ['older', 36, /version 36 and this Posthorn opens 37 to \d+: open it once with an earlier build .*install\.md/],
    ['newer', 1_000, /version 1000, this Posthorn supports \d+: use a newer Posthorn/],
  ])('tables that are %s are refused and not touched', async (_, version, reason) => {
    const database = await postgres.takeDatabase({ isNew: true })
    await database.query(`CREATE TABLE schema_version AS SELECT ${version} AS version`)
    await expect(openTables(database)).rejects.toThrow(reason)
    expect(await database.query(`SELECT tablename FROM pg_tables WHERE schemaname = 'public'`)).toHaveLength(1)
  })
})

async function keepsAll(installation: Installation): Promise<void> {
  const story = await StoreStory.begin(async () => installation)
  const { store } = story
  const { id } = OLD_MESSAGE
  expect(await store.trace(id)).toMatchObject({
    message: { ...OLD_MESSAGE },
    reports: [{ state: 'pending', tries: 2, detail: 'HTTP 500' }],
    links: [{ code: 'abc', url: 'https://x.example', humans: 3, robots: 4 }],
  })
  expect(await store.balancesOf(1 as never)).toEqual({ paid: -1_000_000, available: 1_000_000, held: 0, earned: 0 })
  expect(await store.verifyLedger()).toEqual([])
  const month = zonedMonth(monthOf(Date.now()), 'UTC')
  expect((await store.accountMonth(1 as never, month)).firstZonedMonth).toBeGreaterThan(month.month)
  expect(await store.inboundMessages(9)).toMatchObject([{ text: 'a reply' }])
  expect((await store.page({ of: 'audit', actors: null, subjects: null, after: null, limit: 9 })).rows).toMatchObject([
    { actor: 'anna', subject: 'account 1' },
  ])
  const costs = [{ carrierId: 'smsc', category: null, prefix: '49', priceMicros: 31_000 }]
  const adminTokens = [
    { label: 'session 0123456789ab', provedAt: 7 },
    { label: 'session of my laptop', provedAt: null },
  ]
  expect(await store.loadDirectory()).toMatchObject({ accounts: [{ hookSecrets: ['whsec_1'] }], costs, adminTokens })
  expect(await store.stoppedHooks({ accountId: 1 as never, since: 0 })).toMatchObject([
    { address: 'https://gone.example' },
  ])
  expect(await store.findRequest('anna', 'password')).toEqual({ bodyHash: 'of a request', answer: null })
  expect((await store.claimReports({ now: 5, limit: 9 })).reports).toMatchObject([{ body: OLD_REPORT?.body, tries: 2 }])
  const message = await story.after(refused(await story.accepted(await story.account(), {})))
  expect((await store.loadMessages([message.id]))[0]).toMatchObject({ id: message.id })
  await story.sweep(10 ** 12)
  expect(await store.verifyLedger()).toEqual([])
  await story.end()
}
