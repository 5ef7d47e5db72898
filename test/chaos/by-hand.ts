/**
 * `npm run chaos -- --seed 7 --minutes 30`: faults one after the other for so long, and a table of what was counted.
 * `--only killed --only frozen`: only these.
 */
import { parseArgs } from 'node:util'
import { startPostgres } from '../support/postgres-server.ts'
import { SeededRandom } from '../support/seeded-random.ts'
import { ClusterWorld } from './cluster-world.ts'
import { drawFaults, FAULTS } from './faults.ts'
import { describeFindings, expectKeptByCluster } from './findings.ts'

/** Longer than calls are patient. */
const LONGEST_AWAY_MS = 8_000

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '5' },
    only: { type: 'string', multiple: true, default: [...FAULTS] },
  },
})
const seed = Number(values.seed)
const kinds = FAULTS.filter((kind) => values.only.includes(kind))
const until = performance.now() + Number(values.minutes) * 60_000
const server = await startPostgres({ durable: true })
const random = new SeededRandom(seed)
const world = await ClusterWorld.begin(server, random)
try {
  await world.start()
  for (const fault of drawFaults(random, kinds, LONGEST_AWAY_MS)) {
    if (performance.now() > until) break
    process.stderr.write(`${new Date().toISOString()} ${fault.kind}\n`)
    await world.suffer(fault)
  }
  const evidence = await world.finish()
  process.stdout.write(`${describeFindings(seed, world, evidence)}\n`)
  expectKeptByCluster(world, evidence)
  process.stdout.write('every promise was kept\n')
} catch (error) {
  process.stdout.write(`${await world.diagnose()}\n`)
  throw error
} finally {
  await world.end()
  await server.stop()
}
