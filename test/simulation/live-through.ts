/** Runs one seeded world, and checks its guarantees at the end. */
import { expect } from 'vitest'
import { MAX_WRONG_CODES } from '../../src/domain/message/verification.ts'
import type { Trace } from '../../src/ports/records/trace.ts'
import type { SplitReport } from '../support/split-reports.ts'
import { checkStatistics, rollUp } from './check-statistics.ts'
import { World, type WorldDatabase } from './world.ts'

/** Rejects with the guarantee that was broken. */
export async function liveThrough(seed: number, database: WorldDatabase): Promise<void> {
  const world = new World(seed, database)
  await world.begin()
  for (let step = 0; step < 40; step += 1) {
    const luck = world.luck.below(100)
    if (luck < 25) await world.accept()
    else if (luck < 32) await world.crash()
    else if (luck < 40) await world.cancel()
    else await world.passTime()
    await world.check()
    if (step === 25) await rollUp(world.store, world.clock.now())
  }
  const traces = await untilAllIsDone(world)
  expect(world.network.violations).toEqual([])
  expect(await world.store.verifyLedger()).toEqual([])
  for (const trace of traces) checkEnd(trace)
  for (const trace of traces) checkVerification(trace, world)
  checkDoubles(world)
  checkReports(traces, world.hooks.received)
  await checkStatistics(world.store, traces, world.clock.now())
  await world.end()
}

/** Reports are retried for days: moves time until nothing is open and no report waits. */
async function untilAllIsDone(world: World): Promise<readonly Trace[]> {
  for (let round = 0; round < 20_000; round += 1) {
    const { open, pendingReports } = await world.store.counts()
    if (open === 0 && pendingReports === 0) return world.traces()
    if (!(await world.passTime()))
      throw new Error(`nothing is planned, and ${open} messages are open, ${pendingReports} reports pending`)
  }
  throw new Error(`the world does not come to an end: ${JSON.stringify(await world.store.counts())}`)
}

const END_STATUSES = ['DELIVERED', 'EXPIRED', 'UNDELIVERABLE', 'REJECTED', 'UNKNOWN', 'NO ROUTE', 'CANCELLED']

function checkEnd({ message, postings, reports }: Trace): void {
  const { journey } = message
  expect(journey.phase).toBe('ended')
  expect(journey.heldMicros).toBe(0)
  const sum = (kind: string) =>
    postings.filter((each) => each.kind === kind).reduce((all, each) => all + each.amountMicros, 0)
  expect(sum('charge') + sum('release')).toBe(sum('hold'))
  expect(sum('charge')).toBe(journey.chargedMicros)
  if (journey.status === 'CANCELLED') expect([journey.chargedMicros, journey.deliveredBy]).toEqual([0, null])
  const ending = journey.verification === undefined ? END_STATUSES : [journey.verification.state]
  const ends = reports.filter(({ body }) => ending.includes((JSON.parse(body) as { status: string }).status))
  expect(ends.length).toBe(message.hook === null ? 0 : 1)
  expect(reports.map((report) => report.number)).toEqual(reports.map((_, index) => index))
}

/** An approval that a client was answered is kept, there is one at most, and it is the only report. */
function checkVerification({ message, reports }: Trace, { verifications }: World): void {
  const { verification } = message.journey
  if (verification === undefined) return
  const approvals = verifications.approved.get(message.id) ?? 0
  expect(approvals).toBeLessThanOrEqual(1)
  if (approvals === 1) expect(verification.state).toBe('approved')
  expect(verification.state).not.toBe('pending')
  expect(verification.wrongCodes).toBeLessThanOrEqual(MAX_WRONG_CODES)
  expect(reports.length).toBe(message.hook === null ? 0 : 1)
}

function checkDoubles({ network }: World): void {
  for (const [place, times] of network.taken) {
    const excuses = network.excuses.get(place) ?? 0
    if (times > 1 + excuses) throw new Error(`${place} was sent ${times} times with ${excuses} excuses`)
  }
}

function checkReports(traces: readonly Trace[], received: readonly SplitReport[]): void {
  const bodies = new Map<string, string>()
  const order = new Map<string, number[]>()
  for (const { id, body } of received) {
    if (bodies.has(id)) {
      expect(bodies.get(id)).toBe(body)
      continue
    }
    bodies.set(id, body)
    const [, messageId = '', number = ''] = id.split('_')
    order.set(messageId, [...(order.get(messageId) ?? []), Number(number)])
  }
  for (const numbers of order.values()) expect(numbers).toEqual([...numbers].sort((a, b) => a - b))
  for (const { reports } of traces) {
    for (const report of reports) {
      if (report.state === 'sent') expect(bodies.get(`rep_${report.messageId}_${report.number}`)).toBe(report.body)
      else expect(report.state).toBe('failed')
    }
  }
}
