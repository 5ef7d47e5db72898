/** What was promised of a cluster in which things break, checked against all evidence; and the counts, for people. */
import { expect } from 'vitest'
import type { Evidence } from '../crash/evidence.ts'
import { expectKept } from '../crash/promises.ts'
import type { LivedArrival } from '../crash/surroundings.ts'
import type { ClusterWorld } from './cluster-world.ts'
import { LEAVES_DOUBLES } from './faults.ts'

/** A gateway that was late may catch up on so much of its pace. */
const MOST_TOO_FAST = 1.1
const RATE_OVER_MS = 5_000

export function expectKeptByCluster(world: ClusterWorld, evidence: Evidence): void {
  expectKept(evidence)
  const { binds, window, throughput } = world.limits
  expect(world.tap.mostOpen, 'connections to the carrier').toBeLessThanOrEqual(binds)
  const fastest = (world.tap.mostWithin(RATE_OVER_MS) * 1_000) / RATE_OVER_MS
  expect(fastest, 'submits a second').toBeLessThanOrEqual(throughput * MOST_TOO_FAST)
  const faults = world.lived.filter(({ fault }) => LEAVES_DOUBLES[fault.kind])
  const doubles = doublesIn(evidence.arrivals).reduce((sum, copies) => sum + copies.length - 1, 0)
  expect(doubles, 'parts that were sent twice').toBeLessThanOrEqual(faults.length * binds * window)
  for (const { fault, failures } of world.lived) {
    if (fault.kind === 'rolling restart') expect([...failures], 'failures in a rolling restart').toEqual([])
  }
}

/** The parts that came more than once, each with the number of the fault after which each copy came. */
function doublesIn(arrivals: readonly LivedArrival[]): readonly (readonly number[])[] {
  const copies = Map.groupBy(arrivals, ({ phone, text }) => `${phone} ${text}`)
  return [...copies.values()].flatMap((each) => (each.length > 1 ? [each.map(({ life }) => life)] : []))
}

export function describeFindings(seed: number, world: ClusterWorld, evidence: Evidence): string {
  const { askings, traces, arrivals, heard, written } = evidence
  const doubles = doublesIn(arrivals)
  const outcomes = countBy(askings, ({ outcome }) => outcome)
  const ends = countBy(traces, ({ message }) => message.journey.status)
  const { binds, window, throughput } = world.limits
  const lines = [
    `seed ${seed}; binds ${binds}, window ${window}, throughput ${throughput}`,
    ...world.lived.map(({ fault, failures, tookMs }, index) => {
      const { kind, gateway, happening, times } = fault
      const twice = doubles.filter((lives) => lives.includes(index + 1) || lives[0] === index).length
      const met = [...failures].map(([reason, count]) => `${count} x ${reason}`).join(', ')
      const when = `gateway ${gateway}, after ${times} ${happening}`
      return `  ${index + 1}. ${kind} (${when}): ${Math.round(tookMs / 100) / 10} s, ${twice} sent twice about it; clients met: ${met || 'nothing'}`
    }),
    `requests: ${write(outcomes)}; messages: ${traces.length} (${write(ends)})`,
    `parts: ${arrivals.length}, of them sent twice: ${doubles.length} (after faults ${doubles.map((lives) => lives.join('-')).join(' ')})`,
    `reports: ${heard.length} heard, ${new Set(heard.map(({ id }) => id)).size} different; texts of people: ${written.length}`,
    `most connections: ${world.tap.mostOpen}; most submits in 1 s: ${world.tap.mostWithin(1_000)}, in 5 s: ${world.tap.mostWithin(5_000)}`,
  ]
  return lines.join('\n')
}

function countBy<Thing>(things: readonly Thing[], keyOf: (thing: Thing) => string): ReadonlyMap<string, number> {
  return new Map([...Map.groupBy(things, keyOf)].map(([key, all]) => [key, all.length]))
}

function write(counts: ReadonlyMap<string, number>): string {
  return [...counts].map(([name, count]) => `${count} ${name}`).join(', ')
}
