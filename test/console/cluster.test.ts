/** An operator sees the gateways of a cluster, and one that stops without a word. */
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest'
import about from '../../package.json' with { type: 'json' }
import { openPostgresStore } from '../../src/stores/postgres/open-store.ts'
import type { PostgresStore } from '../../src/stores/postgres/postgres-store.ts'
import { BEGINNING } from '../support/build-message.ts'
import type { TestDatabase } from '../support/postgres-databases.ts'
import { TEST_KEY } from '../support/test-keys.ts'
import { usePostgres } from '../support/use-postgres.ts'
import { VirtualClock } from '../support/virtual-clock.ts'
import { look, TestBrowser, test } from './support/browser.ts'
import { ConsoleWorld } from './support/console-world.ts'

const postgres = await usePostgres()

describe.skipIf(postgres.isMissing)('a cluster', () => {
  let database: TestDatabase
  let world: ConsoleWorld
  let browser: TestBrowser
  let frozen: PostgresStore | null = null

  beforeAll(async () => {
    database = await postgres.takeDatabase()
    world = await ConsoleWorld.start({ database: database.url, 'secret-key': TEST_KEY })
    browser = await TestBrowser.open(world)
  })
  afterEach(() => browser.expectNoFaults())
  afterAll(async () => {
    await browser?.close()
    await frozen?.close()
    await world?.stop()
    await database?.giveBack()
  })

  test('lists its gateways with their versions; one that falls silent is replaced and stays listed as gone', async () => {
    const page = await browser.visit('/system', { user: await world.addUser('ada', 'operator') })
    const own = page.getByRole('row', { name: /answers this page/ })
    await own.getByText('Running').waitFor()
    await own.getByRole('cell', { name: about.version }).waitFor()
    await page.getByText('PostgreSQL', { exact: true }).waitFor()

    // Its clock stands still, so it writes no heartbeat.
    const clock = new VirtualClock(BEGINNING)
    const keys = { kind: 'given', name: 'the test', keys: TEST_KEY } as const
    frozen = await openPostgresStore({ url: database.url, keys, clock, role: 'api' })
    const other = page.getByRole('row', { name: /Requests only/ })
    await other.waitFor()
    await other.getByText('Gone').waitFor()
    await own.getByText('Running').waitFor()
    expect(await page.getByRole('row').count()).toBe(3)
    await look(page, 'system-cluster')
  })
})
