/** Carriers in worlds of a week: which are demoted, when, and when they return. */
import { describe, expect, test } from 'vitest'
import type { MessageId } from '../../src/domain/ids/message-id.ts'
import { type Demotion, Demotions } from '../../src/domain/routing/demotion.ts'
import {
  judgeQuality,
  type QualityFacts,
  type QualityFinding,
  rowsSince,
} from '../../src/domain/routing/judge-quality.ts'
import {
  addCounts,
  deliveryCounts,
  NO_COUNTS,
  type QualityRow,
  SLOT_MS,
  slotOf,
} from '../../src/domain/routing/quality-counts.ts'
import { type QualityRuleSetting, QualityRules } from '../../src/domain/routing/quality-rule.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const MONDAY = Date.UTC(2026, 10, 23)
const STANDARD: QualityRuleSetting = {
  ...{ carrierId: null, country: null, mode: 'on', floorPercent: null, dropPercent: null, slowPercent: null },
  ...{ tricklePercent: null, withinSeconds: null, windowMinutes: null, minMessages: null },
}

/** How a carrier treats messages at a time. */
interface Behaviour {
  readonly delivered: number
  readonly converted?: number
  /** Median time to delivery. */
  readonly seconds?: number
}

interface World {
  /** In the order of their routes; `shared`: all have the same priority. */
  readonly carriers: Readonly<Record<string, (at: number, operator: string) => Behaviour>>
  readonly shared?: boolean
  readonly perHour: number
  readonly operators?: readonly string[]
  /** The part of the messages that carry codes. */
  readonly codes?: number
  readonly rules?: readonly QualityRuleSetting[]
  readonly days?: number
}

interface Outcome {
  readonly demotions: readonly Demotion[]
  /** Messages to each carrier and day. */
  readonly sent: (carrierId: string, from: number, to: number) => number
}

/** A generator of numbers in [0, 1), the same at each run. */
function drawing(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** Times are spread: one in six needs more than twice as long, one in six less than half as long. */
function timeAround(seconds: number, draw: () => number): number {
  const normal = Math.sqrt(-2 * Math.log(1 - draw())) * Math.cos(2 * Math.PI * draw())
  return Math.round(seconds * 1_000 * 2 ** normal)
}

function judge(facts: QualityFacts): readonly QualityFinding[] {
  const work = judgeQuality(facts)
  for (;;) {
    const { done, value } = work.next()
    if (done === true) return value
  }
}

/** Days with nights of a tenth of the traffic. Messages take the first carrier of their order, or one of all. */
function liveThrough({
  carriers,
  shared = false,
  perHour,
  operators = ['26201'],
  codes = 0,
  rules = [STANDARD],
  days = 2,
}: World): Outcome {
  const ids = Object.keys(carriers)
  const draw = drawing(7)
  const judgedBy = new QualityRules(rules)
  const rows = new Map<string, QualityRow>()
  const week = new Map<string, QualityRow>()
  const sentIn: { readonly carrierId: string; readonly slot: number }[] = []
  let demotions: readonly Demotion[] = []
  let id = 1_000_000
  for (let now = MONDAY; now < MONDAY + days * DAY; now += SLOT_MS) {
    const lasting = new Demotions(demotions.filter(({ endedAt }) => endedAt === null))
    const hour = (now % DAY) / HOUR
    const expected = ((perHour * SLOT_MS) / HOUR) * (hour < 6 ? 0.1 : 1)
    const messages = Math.floor(expected) + (draw() < expected % 1 ? 1 : 0)
    for (let sent = 0; sent < messages; sent += 1) {
      id += 1 + Math.floor(draw() * 5)
      const operator = operators[Math.floor(draw() * operators.length)] ?? ''
      const isCode = draw() < codes
      const to = { channel: 'sms', country: 'DE', operator, isCode, id: id as MessageId } as const
      const first = shared ? Math.floor(draw() * ids.length) : 0
      const [carrierId = ''] = lasting.order([...ids.slice(first), ...ids.slice(0, first)], to)
      const { delivered, converted = delivered, seconds = 3 } = carriers[carrierId]?.(now, operator) ?? { delivered: 0 }
      const isDelivered = draw() < delivered
      const counts = {
        ...{ ...NO_COUNTS, sent: 1, ...(isDelivered ? deliveryCounts(timeAround(seconds, draw)) : {}) },
        ...{ codes: Number(isCode), converted: Number(isCode && draw() < converted) },
      }
      const slot = slotOf(now)
      const row = { channel: 'sms', carrierId, country: 'DE', operator, slot } as const
      for (const [table, key] of [
        [rows, `${carrierId} ${operator} ${slot}`],
        [week, `${carrierId} ${operator}`],
      ] as const) {
        table.set(key, { ...row, ...addCounts(table.get(key) ?? NO_COUNTS, counts) })
      }
      sentIn.push({ carrierId, slot })
    }
    const facts = { demotions, falseReceipts: [], carriers: ids.map((each) => ({ id: each })), rules: judgedBy, now }
    const since = rowsSince(facts)
    for (const [key, { slot }] of rows) {
      if (slot >= now - DAY - HOUR) break
      rows.delete(key)
    }
    const recent = [...rows.values()].filter(({ slot }) => slot >= since)
    for (const { change } of judge({ ...facts, recent, usual: [...week.values()] })) {
      if (change === null) continue
      const isSame = (each: Demotion) =>
        each.beganAt === change.before &&
        each.carrierId === change.demotion.carrierId &&
        each.operator === change.demotion.operator
      demotions = [...demotions.filter((each) => !isSame(each)), change.demotion]
    }
  }
  return {
    demotions,
    sent: (carrierId, from, to) =>
      sentIn.filter((each) => each.carrierId === carrierId && each.slot >= from && each.slot < to).length,
  }
}

function always(delivered: number, converted?: number): () => Behaviour {
  return () => (converted === undefined ? { delivered } : { delivered, converted })
}

function minutesAfter(start: number, at: number | null): number {
  return at === null ? Number.POSITIVE_INFINITY : (at - start) / 60_000
}

const AFTERNOON = MONDAY + DAY + 12 * HOUR
const EVENING = AFTERNOON + 6 * HOUR

function losesHalf(at: number): Behaviour {
  return { delivered: at >= AFTERNOON && at < EVENING ? 0.47 : 0.94 }
}

test('a carrier that loses half of its messages for six hours loses its traffic within minutes, and gets it back', () => {
  const { demotions, sent } = liveThrough({
    carriers: { acme: losesHalf, other: always(0.93) },
    perHour: 1_200,
    days: 7,
  })
  expect(demotions).toHaveLength(1)
  const [demotion] = demotions
  expect(demotion).toMatchObject({ carrierId: 'acme', operator: '26201', kind: 'demoted', measure: 'delivery' })
  expect(minutesAfter(AFTERNOON, demotion?.beganAt ?? null)).toBeLessThan(20)
  expect(minutesAfter(EVENING, demotion?.endedAt ?? null)).toBeGreaterThan(0)
  expect(minutesAfter(EVENING, demotion?.endedAt ?? null)).toBeLessThan(150)
  const trickle = sent('acme', AFTERNOON + HOUR, EVENING)
  expect(trickle).toBeGreaterThan(40)
  expect(trickle).toBeLessThan(250)
})

test('a carrier that reports all as delivered, and whose codes are not entered, is demoted by them', () => {
  const liar = (at: number) => ({ delivered: 1, converted: at >= AFTERNOON ? 0.1 : 0.8 })
  const { demotions } = liveThrough({ carriers: { liar, other: always(0.9, 0.8) }, perHour: 600, codes: 0.5 })
  expect(demotions[0]).toMatchObject({ carrierId: 'liar', measure: 'conversion' })
  expect(minutesAfter(AFTERNOON, demotions[0]?.beganAt ?? null)).toBeLessThan(45)
  expect(demotions.every(({ carrierId }) => carrierId === 'liar')).toBe(true)
  // No code tests it, so it gets its messages again from time to time, ever more rarely.
  expect(demotions.length).toBeLessThan(6)
})

test('nothing is demoted by chance, however small the traffic', () => {
  for (const perHour of [3, 30, 300]) {
    const carriers = { acme: always(0.9), other: always(0.92), third: always(0.88) }
    expect(liveThrough({ carriers, perHour, operators: ['26201', '26202', '26203'], days: 7 }).demotions).toEqual([])
  }
})

test('an outage of the destination demotes for no longer than it takes to see that the others fail too', () => {
  const outage = (at: number) => ({ delivered: at >= AFTERNOON && at < EVENING ? 0.3 : 0.94 })
  const { demotions, sent } = liveThrough({ carriers: { acme: outage, other: outage }, perHour: 1_200 })
  expect(demotions.every(({ endedAt }) => endedAt !== null)).toBe(true)
  expect(demotions.length).toBeLessThan(4)
  expect(sent('acme', EVENING - HOUR, EVENING)).toBeGreaterThan(400)
})

test('a carrier that fails for one operator keeps the others', () => {
  const acme = (at: number, operator: string) => ({ delivered: at >= AFTERNOON && operator === '26202' ? 0.2 : 0.94 })
  const carriers = { acme, other: always(0.93) }
  const { demotions } = liveThrough({ carriers, perHour: 1_200, operators: ['26201', '26202', '26203'] })
  expect(demotions.map(({ operator, endedAt }) => [operator, endedAt])).toEqual([['26202', null]])
})

test('a carrier whose receipts come too late, or not at all, is demoted', () => {
  const silent = (at: number) => ({ delivered: at >= AFTERNOON ? 0 : 0.94 })
  const { demotions } = liveThrough({ carriers: { silent, other: always(0.93) }, perHour: 120 })
  expect(demotions).toMatchObject([{ carrierId: 'silent', endedAt: null, reason: /^\d+ % of \d+ messages delivered/ }])
})

describe('a carrier that becomes slow', () => {
  const slow = (at: number) => ({ delivered: 0.94, seconds: at >= AFTERNOON && at < EVENING ? 40 : 3 })

  test('loses its messages within minutes, though it delivers all of them in time, and gets them back', () => {
    const { demotions, sent } = liveThrough({ carriers: { slow, other: always(0.93) }, perHour: 1_200 })
    expect(demotions).toMatchObject([
      {
        ...{ carrierId: 'slow', measure: 'speed' },
        reason: expect.stringMatching(/^\d+ % of \d+ deliveries within 30 s, usually 9\d % within 10 s$/),
        endReason: expect.stringMatching(/^\d\d % of \d+ deliveries within 30 s$/),
      },
    ])
    expect(minutesAfter(AFTERNOON, demotions[0]?.beganAt ?? null)).toBeLessThan(20)
    expect(minutesAfter(EVENING, demotions[0]?.endedAt ?? null)).toBeGreaterThan(0)
    expect(minutesAfter(EVENING, demotions[0]?.endedAt ?? null)).toBeLessThan(150)
    expect(sent('slow', AFTERNOON + HOUR, EVENING)).toBeLessThan(250)
  })

  test('keeps them where a rule says so, or where all are slow', () => {
    const rules = [STANDARD, { ...STANDARD, carrierId: 'slow', slowPercent: 100 }]
    expect(liveThrough({ carriers: { slow, other: always(0.93) }, perHour: 600, rules }).demotions).toEqual([])
    const { demotions, sent } = liveThrough({ carriers: { slow, other: slow }, shared: true, perHour: 600 })
    expect(demotions).toEqual([])
    expect(sent('slow', EVENING - HOUR, EVENING)).toBeGreaterThan(200)
  })

  test('is found among destinations where all need a minute', () => {
    const minute = (at: number) => ({ delivered: 0.94, seconds: at >= AFTERNOON ? 130 : 16 })
    const other = () => ({ delivered: 0.94, seconds: 16 })
    const { demotions } = liveThrough({ carriers: { minute, other }, perHour: 600 })
    expect(demotions[0]).toMatchObject({ carrierId: 'minute', reason: expect.stringContaining('within 90 s, usually') })
  })
})

describe('a carrier that is always slower than another', () => {
  test('is demoted, and stays so, if it needs many times as long', () => {
    const carriers = { slow: () => ({ delivered: 0.94, seconds: 40 }), other: always(0.93) }
    const { demotions, sent } = liveThrough({ carriers, shared: true, perHour: 600 })
    expect(demotions.at(-1)).toMatchObject({
      ...{ carrierId: 'slow', measure: 'speed', endedAt: null },
      reason: expect.stringMatching(/deliveries within 30 s, others at least \d+ % within 10 s$/),
    })
    // At night too few messages test it.
    expect(demotions.length).toBeLessThan(4)
    const received = (carrierId: string) => sent(carrierId, MONDAY + DAY, MONDAY + 2 * DAY)
    expect(received('slow')).toBeLessThan(received('other') / 2)
  })

  test('keeps its messages if it needs twice as long, or if the other reports at once', () => {
    for (const [own, theirs] of [
      [6, 3],
      [20, 10],
      [60, 30],
      [8, 0],
    ] as const) {
      const carriers = {
        slow: () => ({ delivered: 0.94, seconds: own }),
        other: () => ({ delivered: 0.94, seconds: theirs }),
      }
      expect(liveThrough({ carriers, shared: true, perHour: 600 }).demotions).toEqual([])
    }
  })
})

test('a liar whose receipts come at once takes no messages from an honest carrier', () => {
  const liar = (at: number) => ({ delivered: 1, seconds: 0, converted: at >= AFTERNOON ? 0.1 : 0.8 })
  const honest = () => ({ delivered: 0.93, seconds: 12, converted: 0.8 })
  const { demotions } = liveThrough({ carriers: { liar, honest }, shared: true, perHour: 600, codes: 0.5 })
  expect(demotions.length).toBeGreaterThan(0)
  expect(demotions.every(({ carrierId, measure }) => carrierId === 'liar' && measure === 'conversion')).toBe(true)
})

describe('rules', () => {
  test('a carrier below the floor is demoted although it is as always', () => {
    const carriers = { cheap: always(0.7), other: always(0.74) }
    const rules = [
      { ...STANDARD, floorPercent: 80 },
      { ...STANDARD, carrierId: 'other', floorPercent: 50 },
    ]
    const { demotions } = liveThrough({ carriers, perHour: 600, rules, days: 2 })
    expect(demotions.at(-1)).toMatchObject({
      ...{ carrierId: 'cheap', endedAt: null },
      reason: expect.stringContaining('less than 80 %'),
    })
    // Thirty messages may look better than they are; after each return it takes twice as many.
    expect(demotions.length).toBeLessThan(5)
  })

  test('a country may have a floor of its own, and a carrier be left alone in it', () => {
    const carriers = { cheap: always(0.7), other: always(0.74) }
    const country = { ...STANDARD, country: 'DE', mode: null, floorPercent: 80 }
    const left = { ...STANDARD, mode: 'off', country: 'DE' } as const
    const demoted = (...rules: readonly QualityRuleSetting[]) =>
      new Set(
        liveThrough({ carriers, perHour: 600, rules: [STANDARD, ...rules] }).demotions.map((each) => each.carrierId),
      )
    expect(demoted(country)).toEqual(new Set(['cheap', 'other']))
    expect(demoted(country, { ...left, carrierId: 'other' })).toEqual(new Set(['cheap']))
    expect(demoted({ ...country, country: 'FR' })).toEqual(new Set())
  })

  test('what a carrier sets goes before what its country sets, field by field', () => {
    const set = (values: Partial<QualityRuleSetting>) => ({ ...STANDARD, mode: null, ...values })
    const judgedBy = new QualityRules([
      set({ mode: 'on', floorPercent: 50 }),
      set({ country: 'DE', floorPercent: 60, dropPercent: 15 }),
      set({ carrierId: 'acme', floorPercent: 70, windowMinutes: 300 }),
      set({ carrierId: 'acme', country: 'DE', minMessages: 90 }),
    ])
    const of = (carrierId: string, country: string) => judgedBy.of({ carrierId, country })
    expect(of('acme', 'DE')).toMatchObject({ mode: 'on', floor: 0.7, drop: 0.15, minMessages: 90, windowMs: 5 * HOUR })
    expect(of('other', 'DE')).toMatchObject({ mode: 'on', floor: 0.6, drop: 0.15, minMessages: 30 })
    expect(of('acme', 'FR')).toMatchObject({ floor: 0.7, drop: 0.1, minMessages: 30 })
    expect(of('other', 'FR')).toMatchObject({ mode: 'on', floor: 0.5 })
    expect(judgedBy.longestMs).toBe(5 * HOUR + 300_000)
  })

  test('while observing, messages stay with the carrier', () => {
    const carriers = { acme: losesHalf, other: always(0.93) }
    const { demotions, sent } = liveThrough({ carriers, perHour: 600, rules: [{ ...STANDARD, mode: 'observe' }] })
    expect(demotions).toMatchObject([{ kind: 'observed', carrierId: 'acme' }])
    expect(sent('other', MONDAY, MONDAY + 2 * DAY)).toBe(0)
  })

  test('switched off, nothing is judged', () => {
    const carriers = { acme: losesHalf, other: always(0.93) }
    expect(liveThrough({ carriers, perHour: 600, rules: [] }).demotions).toEqual([])
  })
})
