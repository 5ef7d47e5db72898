/**
 * kill -9 of the real process under load, again and again, and everything that was promised about it. Longer by hand:
 * `CRASHES=20 SEED=7 npx vitest run --project alone test/crash`, or `postgres` for the other store; a failure prints
 * its seed. The seed decides what is asked and in the middle of which happening the process dies; the machine adds the
 * rest.
 */
import { afterEach, expect, test } from 'vitest'
import { SeededRandom } from '../support/seeded-random.ts'
import { KEEPS_FILES } from '../support/store-of-run.ts'
import { CrashWorld } from './crash-world.ts'
import { doublesByLife, expectKept, expectSameAnswer } from './promises.ts'
import { WINDOWS } from './surroundings.ts'

const SEED = Number(process.env['SEED'] ?? 1)
const CRASHES = Number(process.env['CRASHES'] ?? (KEEPS_FILES ? 4 : 2))
const REQUESTS_BETWEEN_CRASHES = 80
const MESSAGES_BETWEEN_CRASHES = REQUESTS_BETWEEN_CRASHES * 3
const TIMEOUT_MS = 60_000 + CRASHES * 30_000

/** The first four come in this order; after them chance chooses among all. */
const MOMENTS = [
  'disk hangs for clients',
  'start',
  'disk hangs for carriers',
  'reported',
  'submitted',
  'answered',
  'way up',
] as const
type Moment = (typeof MOMENTS)[number]

let world: CrashWorld | null = null
afterEach(() => world?.end())

test(`kill -9 at ${CRASHES} moments under load`, { timeout: TIMEOUT_MS }, async () => {
  try {
    await liveThrough(SEED)
  } catch (error) {
    throw new Error(`SEED=${SEED} CRASHES=${CRASHES}: ${(error as Error).message}`, { cause: error })
  }
})

async function liveThrough(seed: number): Promise<void> {
  const random = new SeededRandom(seed)
  world = await CrashWorld.begin(random)
  await world.start()
  let load: Promise<unknown> = Promise.resolve()
  for (let crash = 0; crash < CRASHES; crash += 1) {
    const moment = MOMENTS[crash < 4 ? crash : random.below(MOMENTS.length)] ?? 'start'
    // Right after a start means: while clients still come back from the crash before.
    if (moment !== 'start') await load
    load = Promise.all([load, world.load(REQUESTS_BETWEEN_CRASHES)])
    await crashAt(moment, world, random)
    await world.start()
  }
  await load

  const evidence = await world.finish()
  expectKept(evidence)
  for (const channel of ['chatapp', 'sms', 'call'] as const) {
    for (const [life, count] of doublesByLife(evidence.arrivals, channel)) {
      expect(count, `sent twice by ${channel} after life ${life} was killed`).toBeLessThanOrEqual(WINDOWS[channel])
    }
  }
  await world.askAgain(expectSameAnswer)
}

async function crashAt(moment: Moment, world: CrashWorld, random: SeededRandom): Promise<void> {
  switch (moment) {
    case 'answered':
      return world.crashIn('answered', 1 + random.below(REQUESTS_BETWEEN_CRASHES / 2))
    case 'disk hangs for clients':
      return world.crashOnHungDisk('answered', 1 + random.below(REQUESTS_BETWEEN_CRASHES / 2), 200 + random.below(400))
    case 'disk hangs for carriers':
      return world.crashOnHungDisk('submitted', 1 + random.below(MESSAGES_BETWEEN_CRASHES / 2), 200 + random.below(400))
    case 'submitted':
      return world.crashIn('submitted', 1 + random.below(MESSAGES_BETWEEN_CRASHES / 2))
    case 'reported':
      return world.crashIn('reported', 1 + random.below(MESSAGES_BETWEEN_CRASHES / 4))
    case 'start':
      return world.crashIn('submitted', 1 + random.below(20))
    case 'way up':
      await world.crashIn('answered', 1 + random.below(REQUESTS_BETWEEN_CRASHES / 4))
      return world.crashOnTheWayUp(random.below(1_000))
  }
}
