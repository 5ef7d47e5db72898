/** The same worlds on PostgreSQL: the first of them, or `WORLDS=200 SEED=1 npx vitest run test/simulation/postgres`. */
import { describe, it } from 'vitest'
import { usePostgres } from '../support/use-postgres.ts'
import { liveThrough } from './live-through.ts'
import { openNodes } from './world-databases.ts'

const WORLDS = Number(process.env['WORLDS'] ?? 4)
const FIRST_SEED = Number(process.env['SEED'] ?? 1)

const postgres = await usePostgres()

describe.skipIf(postgres.isMissing)('seeded worlds on PostgreSQL', () => {
  const seeds = Array.from({ length: WORLDS }, (_, index) => FIRST_SEED + index)
  it.each(seeds)('world %i keeps its guarantees', { timeout: 120_000 }, async (seed) => {
    await liveThrough(seed, openNodes(await postgres.takeDatabase()))
  })
})
