/**
 * Whether the statistics say what one gets by adding up all messages with their steps, money and reports. An event
 * counts for the carrier that the step had then, which a late answer may change: only charges keep theirs.
 */
import { expect } from 'vitest'
import { hourOf, type StatisticsQuery } from '../../src/domain/statistics/message-statistics.ts'
import type { TracedReport } from '../../src/ports/records/pending-report.ts'
import type { Trace } from '../../src/ports/records/trace.ts'
import type { Store } from '../../src/ports/stores/store.ts'

type Sums = Map<string, { messages: number; priceMicros: number }>

/** Statistics count until `now`. */
interface Read {
  readonly source: StatisticsQuery['source']
  readonly now: number
}

/** In the middle of a world it rolls up what is past, so that later counts meet rows that are rolled up. */
export async function rollUp(store: Store, now: number): Promise<void> {
  await store.sweep(now, { settledKeptDays: null, inboundKeptDays: null })
}

export async function checkStatistics(store: Store, traces: readonly Trace[], now: number): Promise<void> {
  const expected = addUp(traces)
  expect(await readAll(store, traces, { source: 'hours', now })).toEqual(expected)
  await rollUp(store, now)
  for (const source of ['hours', 'days'] as const) {
    expect(await readAll(store, traces, { source, now })).toEqual(expected)
  }
}

function addUp(traces: readonly Trace[]): Sums {
  const sums: Sums = new Map()
  for (const { message, postings, reports } of traces) {
    const { accountId, plan, journey, createdAt } = message
    const { steps, deliveredBy, status, step: last } = journey
    const day = dayOf(hourOf(Math.max(createdAt, journey.sendAt ?? 0)))
    const count = (event: string, step: number) => {
      add(sums, [day, accountId, plan[step]?.channel, event], 1, 0)
    }
    count('asked', 0)
    for (const [step, { parts, status }] of steps.entries()) {
      if (parts.every(({ state }) => state !== 'open')) count('taken', step)
      if (status === 'READ') count('read', step)
      if (step < steps.length - 1) count('fell back', step)
    }
    if (deliveredBy !== null) count('delivered', deliveredBy)
    else count(status === 'CANCELLED' ? 'cancelled' : 'failed', last)
    for (const { amountMicros, charge } of postings) {
      if (charge !== undefined)
        add(sums, [day, accountId, charge.channel, `price at ${charge.carrierId}`], 0, amountMicros)
    }
    for (const report of reports) {
      add(sums, [0, accountId, '', `report ${report.state}`], 1, 0)
      const retried = retriedTries(report)
      if (retried > 0) add(sums, [0, accountId, '', 'report retried'], retried, 0)
    }
  }
  return sums
}

/** Failed tries that were not the last of the report: one that was given up may have failed by its last try. */
function retriedTries({ state, tries, triedAt, triesMade }: TracedReport): number {
  return state === 'failed' && triesMade.at(-1)?.at === triedAt ? tries - 1 : tries
}

/** Reads each account by itself: grouped by account, PostgreSQL reads every bucket of every hour one by one. */
async function readAll(store: Store, traces: readonly Trace[], { source, now }: Read): Promise<Sums> {
  const from = dayOf(Math.min(...hoursOf(traces))) * 24
  const query = { from, through: hourOf(now), source, slotHours: 24, limit: 10_000, only: {} } as const
  const accounts = [...new Set(traces.map(({ message }) => message.accountId))]
  const by = ['account', 'channel', 'carrier'] as const
  const totals = await Promise.all(accounts.map((accountId) => store.messageTotals({ ...query, accountId, by })))
  const sums: Sums = new Map()
  for (const { slot, accountId, channel, carrierId, event, messages, priceMicros } of totals.flat()) {
    const [kind = ''] = /^(report \w+|fell back|\w+)/.exec(event) ?? []
    // Reports belong to the hour in which they were settled.
    const place = kind.startsWith('report') ? [0, accountId, ''] : [dayOf(slot), accountId, channel]
    if (kind !== 'charged') add(sums, [...place, kind], messages, 0)
    if (priceMicros > 0) add(sums, [...place, `price at ${carrierId || null}`], 0, priceMicros)
  }
  return sums
}

function add(sums: Sums, place: readonly unknown[], messages: number, priceMicros: number): void {
  const key = place.map((each) => each ?? '').join(' ')
  const sum = sums.get(key) ?? { messages: 0, priceMicros: 0 }
  sums.set(key, { messages: sum.messages + messages, priceMicros: sum.priceMicros + priceMicros })
}

function hoursOf(traces: readonly Trace[]): number[] {
  return traces.map(({ message: { createdAt, journey } }) => hourOf(Math.max(createdAt, journey.sendAt ?? 0)))
}

function dayOf(hour: number): number {
  return Math.floor(hour / 24)
}
