/** SIGTERM under load: the process ends by itself, nothing is lost, no answer is wrong, and nothing is sent twice. */
import { afterEach, expect, test } from 'vitest'
import { writeRefusal } from '../../src/contract/request/envelope.ts'
import { REQUEST_ERRORS } from '../../src/contract/request/error-texts.ts'
import { SeededRandom } from '../support/seeded-random.ts'
import { CrashWorld } from './crash-world.ts'
import { doublesByLife, expectKept } from './promises.ts'

let world: CrashWorld | null = null
afterEach(() => world?.end())

test('SIGTERM while requests come and while messages go out', { timeout: 120_000 }, async () => {
  world = await CrashWorld.begin(new SeededRandom(2))
  await world.start()
  const load = world.load(120)
  expect(await world.terminateIn('answered', 40)).toBe(0)
  await world.start()
  await load

  const evidence = await world.finish()
  expectKept(evidence)
  const refusals = evidence.askings.flatMap(({ outcome, answer }) => (outcome === 'refused' ? [answer] : []))
  const unavailable = writeRefusal(REQUEST_ERRORS.unavailable)
  expect(refusals).toEqual(refusals.map(() => unavailable))
  for (const channel of ['rcs', 'chatapp', 'sms', 'call'] as const) {
    expect([...doublesByLife(evidence.arrivals, channel)], `sent twice by ${channel}`).toEqual([])
  }
})
