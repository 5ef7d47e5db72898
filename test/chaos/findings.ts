/** Checks the guarantees of a cluster under faults against all evidence, and prints the counts. */
import { expect } from 'vitest'
import type { Evidence } from '../crash/evidence.ts'
import { expectKept } from '../crash/promises.ts'
import type { LivedArrival } from '../crash/surroundings.ts'
import type { ClusterWorld } from './cluster-world.ts'
import { LEAVES_DOUBLES } from './faults.ts'

/** A gateway that was late may catch up on so much of its pace. */
const MAX_TOO_FAST = 1.1
const RATE_OVER_MS = 5_000

export function expectKeptByCluster(world: ClusterWorld, evidence: Evidence): void {
  expectDeliveredOnce(world, evidence)
  for (const { fault, failures } of world.lived) {
    if (fault.kind === 'rolling restart') expect([...failures], 'failures in it').toEqual([])
  }
}

/** All promises but that clients do not notice a rolling restart. */
export function expectDeliveredOnce(world: ClusterWorld, evidence: Evidence): void {
  expectKept(evidence)
  const { binds, window, throughput } = world.limits
  expect(world.tap.maxOpen, 'connections to the carrier').toBeLessThanOrEqual(binds)
  const fastest = (world.tap.maxWithin(RATE_OVER_MS) * 1_000) / RATE_OVER_MS
  expect(fastest, 'submits a second').toBeLessThanOrEqual(throughput * MAX_TOO_FAST)
  const copies = new Copies(world, evidence)
  expect(copies.recordedTwice, 'parts that were taken twice, and both recorded').toEqual([])
  expect(copies.unexplained, 'parts whose answer was lost without a fault').toEqual([])
  for (const [index, { fault }] of world.lived.entries()) {
    const what = `parts whose answer was lost at ${index + 1}, ${fault.kind}`
    expect(copies.lostAt(index).length, what).toBeLessThanOrEqual(LEAVES_DOUBLES[fault.kind] ? binds * window : 0)
  }
}

/**
 * What the carrier took, part by part. Of each part one copy at most is recorded; every other was in flight when
 * something broke, which is the first fault after it that may leave such copies.
 */
class Copies {
  /** Texts of which several copies are in the book. */
  readonly recordedTwice: readonly string[]
  /** Texts of copies that no fault explains. */
  readonly unexplained: readonly string[]
  readonly twice: number
  readonly #lost: readonly (readonly LivedArrival[])[]

  constructor({ lived }: ClusterWorld, { arrivals, traces }: Evidence) {
    const recorded = new Set(traces.flatMap(({ timeline }) => timeline.flatMap(({ detail }) => refsIn(detail))))
    const parts = Map.groupBy(arrivals, ({ phone, text }) => `${phone} ${text}`)
    const isRecorded = ({ ref }: LivedArrival) => ref !== null && recorded.has(ref)
    this.recordedTwice = [...parts].flatMap(([part, all]) => (all.filter(isRecorded).length > 1 ? [part] : []))
    this.twice = [...parts.values()].filter((all) => all.length > 1).length
    const lost = Map.groupBy(
      arrivals.filter((arrival) => !isRecorded(arrival)),
      ({ cameAt }) => lived.findIndex(({ fault, endedAt }) => LEAVES_DOUBLES[fault.kind] && cameAt <= endedAt),
    )
    this.#lost = lived.map((_, index) => lost.get(index) ?? [])
    this.unexplained = (lost.get(-1) ?? []).map(({ phone, text }) => `${phone} ${text}`)
  }

  /** The copies whose answer was lost with the fault. */
  lostAt(index: number): readonly LivedArrival[] {
    return this.#lost[index] ?? []
  }
}

/** `as 7248617a8; as 7248617a9`, as a timeline says what a carrier has taken. */
function refsIn(detail: string): readonly string[] {
  return [...detail.matchAll(/(?:^|; )as ([^;]+)/g)].map(([, ref = '']) => ref)
}

export function describeFindings(seed: number, world: ClusterWorld, evidence: Evidence): string {
  const { askings, traces, arrivals, received, written } = evidence
  const { lived, tap } = world
  const copies = new Copies(world, evidence)
  const outcomes = countBy(askings, ({ outcome }) => outcome)
  const ends = countBy(traces, ({ message }) => message.journey.status)
  const { binds, window, throughput } = world.limits
  const maxOpenAfter = lived.filter(({ begunAt }) => begunAt <= tap.maxOpenAt).length
  const lost = lived.reduce((sum, _, index) => sum + copies.lostAt(index).length, 0)
  const lines = [
    `seed ${seed}; binds ${binds}, window ${window}, throughput ${throughput}`,
    ...lived.map(({ fault, failures, begunAt, endedAt }, index) => {
      const { kind, gateway, happening, times } = fault
      const met = [...failures].map(([reason, count]) => `${count} x ${reason}`).join(', ')
      const when = `gateway ${gateway}, after ${times} ${happening}`
      const tookSeconds = Math.round((endedAt - begunAt) / 100) / 10
      return `  ${index + 1}. ${kind} (${when}): ${tookSeconds} s, ${copies.lostAt(index).length} answers lost; clients met: ${met || 'nothing'}`
    }),
    `requests: ${write(outcomes)}; messages: ${traces.length} (${write(ends)})`,
    `parts: ${arrivals.length}, of them sent twice: ${copies.twice}; answers of the carrier that were lost: ${lost}`,
    `reports: ${received.length} received, ${new Set(received.map(({ id }) => id)).size} different; inbound texts: ${written.length}`,
    `most connections: ${tap.maxOpen}, first after fault ${maxOpenAfter}; most submits in 1 s: ${tap.maxWithin(1_000)}, in 5 s: ${tap.maxWithin(5_000)}`,
  ]
  return lines.join('\n')
}

function countBy<Thing>(things: readonly Thing[], keyOf: (thing: Thing) => string): ReadonlyMap<string, number> {
  return new Map([...Map.groupBy(things, keyOf)].map(([key, all]) => [key, all.length]))
}

function write(counts: ReadonlyMap<string, number>): string {
  return [...counts].map(([name, count]) => `${count} ${name}`).join(', ')
}
