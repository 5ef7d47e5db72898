/**
 * How long a gateway takes to load the directory again after a change by an operator, and how long its event loop
 * stands still for it, with a large price list of a carrier.
 *
 *     node bench/reload.ts [costs] [routes] [rounds] [--postgres]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LiveDirectory } from '../src/app/live/live-directory.ts'
import { systemClock } from '../src/app/system/system-clock.ts'
import type { Cost } from '../src/domain/money/cost.ts'
import { toMicros } from '../src/domain/money/money.ts'
import type { Route } from '../src/domain/routing/route.ts'
import type { Change, SetupStore } from '../src/ports/stores/setup-store.ts'
import { openPostgresStore } from '../src/stores/postgres/open-store.ts'
import { openSqliteStore } from '../src/stores/sqlite/open-store.ts'
import { startPostgres } from '../test/support/postgres-server.ts'
import { TEST_KEYS } from '../test/support/test-keys.ts'
import { median } from './child.ts'

const [costs = 60_000, routes = 2_000, rounds = 9] = process.argv.slice(2).map(Number).filter(Number.isFinite)
const CARRIER = { id: 'acme', channel: 'sms', kind: 'smpp', settings: {} } as const
const folder = mkdtempSync(join(tmpdir(), 'posthorn-bench-'))
const server = process.argv.includes('--postgres') ? await startPostgres({ durable: true }) : null

function costAt(index: number, price = 30_000): Cost {
  const operator = String(20_000 + (index % 50_000))
  const prefix = index < 50_000 ? '' : '49'
  const when = { from: null, until: null }
  return {
    carrierId: CARRIER.id,
    category: null,
    currency: 'EUR',
    prefix,
    operator,
    ...when,
    priceMicros: toMicros(price),
  }
}

function setCosts() {
  const list = Array.from({ length: costs }, (_, index) => costAt(index))
  return { kind: 'set costs', carrierId: CARRIER.id, costs: list } as const
}

function routeAt(index: number): Route {
  const { id: carrierId, channel } = CARRIER
  const where = { channel, carrierId, accountId: null, sender: null, operators: null, poolId: null } as const
  return { ...where, prefix: String(1_000 + index), priority: 100, weight: 1 }
}

/** Returns how long the work took, and the most that the thread computed in one turn of the event loop, in ms. */
async function watch(work: () => Promise<unknown>): Promise<readonly [took: number, turn: number]> {
  let [longest, isOver] = [0, false]
  const turns = (async () => {
    let last = computedMs()
    while (!isOver) {
      await new Promise(setImmediate)
      longest = Math.max(longest, computedMs() - last)
      last = computedMs()
    }
  })()
  const begun = performance.now()
  await work()
  const took = performance.now() - begun
  isOver = true
  await turns
  return [took, longest]
}

/** Not the time that a busy machine makes the thread wait. */
function computedMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

async function open() {
  if (server === null) return openSqliteStore({ file: join(folder, 'posthorn.db'), keys: TEST_KEYS })
  await server.query('postgres', 'CREATE DATABASE reload')
  return openPostgresStore({ url: server.urlOf('reload'), keys: TEST_KEYS, clock: systemClock })
}

async function measure(store: SetupStore, what: string, changeOf: (round: number) => Change): Promise<void> {
  const directory = await LiveDirectory.load(store)
  const figures: (readonly [number, number])[] = []
  for (let round = 0; round <= rounds; round += 1) {
    await store.change(changeOf(round))
    figures.push(await watch(directory.refresh))
  }
  const [took, stalls] = [0, 1].map((at) => figures.slice(1).map((each) => each[at] ?? 0))
  const text = (values: readonly number[] = []) => `${median(values).toFixed(1)} (${Math.max(...values).toFixed(1)})`
  console.log(`${what}: reload ${text(took)} ms, longest turn ${text(stalls)} ms; median (maximum) of ${rounds}`)
}

const store = await open()
try {
  await store.change({ kind: 'set carrier', carrier: CARRIER })
  for (let index = 0; index < routes; index += 1) await store.change({ kind: 'set route', route: routeAt(index) })
  console.log(`${costs} costs and ${routes} routes on ${server === null ? 'SQLite' : 'PostgreSQL'}`)
  const { revision } = await store.loadDirectory()
  const list = await watch(() => store.change({ kind: 'all', revision, changes: [setCosts()] }))
  console.log(`all costs: set in ${list[0].toFixed(1)} ms, longest turn ${list[1].toFixed(1)} ms`)
  await measure(store, 'a price group', (round) => ({ kind: 'set price group', group: { id: `group-${round}` } }))
  await measure(store, 'a route', (round) => ({ kind: 'set route', route: { ...routeAt(0), weight: round + 1 } }))
  await measure(store, 'a cost', (round) => ({ kind: 'set cost', cost: costAt(0, 30_000 + round) }))
} finally {
  await store.close()
  await server?.stop()
  rmSync(folder, { recursive: true })
}
