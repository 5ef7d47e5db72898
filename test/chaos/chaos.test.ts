/**
 * Three gateways on one PostgreSQL database, while each fault comes once, and what was promised of them. Longer by
 * hand: `npm run chaos -- --seed 7 --minutes 30`; a failure prints its seed. The seed decides what is asked, and in the
 * middle of which happening what breaks; the machine adds the rest.
 */
import { afterEach, describe, test } from 'vitest'
import { SeededRandom } from '../support/seeded-random.ts'
import { usePostgres } from '../support/use-postgres.ts'
import { ClusterWorld } from './cluster-world.ts'
import { drawFaults } from './faults.ts'
import { describeFindings, expectKeptByCluster } from './findings.ts'

const SEED = Number(process.env['SEED'] ?? 1)
const KINDS = ['killed', 'frozen', 'database stopped', 'connections cut', 'rolling restart'] as const
/** By hand it is longer, and longer than calls are patient. */
const LONGEST_AWAY_MS = 3_000
const TIMEOUT_MS = 240_000

const postgres = await usePostgres({ durable: true })

describe.skipIf(postgres.isMissing)('a cluster', () => {
  let world: ClusterWorld | null = null
  afterEach(() => world?.end())

  test('in which everything breaks once', { timeout: TIMEOUT_MS }, async () => {
    const random = new SeededRandom(SEED)
    world = await ClusterWorld.begin(postgres.server, random)
    try {
      await world.start()
      for (const fault of drawFaults(random, KINDS, LONGEST_AWAY_MS).take(KINDS.length)) await world.suffer(fault)
      const evidence = await world.finish()
      console.info(describeFindings(SEED, world, evidence))
      expectKeptByCluster(world, evidence)
    } catch (error) {
      throw new Error(`SEED=${SEED}: ${(error as Error).message}\n${await world.diagnose()}`, { cause: error })
    }
  })
})
