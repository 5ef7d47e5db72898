/**
 * Judges what carriers deliver, and decides where they are demoted and where they return. Pure: counts in, findings
 * out. A carrier is compared with the others of the same destination at the same time, or with what it usually
 * delivers if no other has messages there. The newest messages that prove a difference decide, so that busy
 * destinations are judged within minutes and small ones never by chance.
 */
import {
  type Demotion,
  type DemotionChange,
  type DemotionKind,
  placeKey,
  type QualityMeasure,
  type QualityPlace,
} from './demotion.ts'
import { addCounts, NO_COUNTS, type QualityCounts, type QualityRow, SLOT_MS, withoutCounts } from './quality-counts.ts'
import type { QualityRule, RuleOf } from './quality-rule.ts'

export interface QualityFacts {
  /** Slots of the last hours (`rowsSince`). */
  readonly recent: readonly QualityRow[]
  /** One row for each place: the sums of the last week. */
  readonly usual: readonly QualityRow[]
  /** Those that last, and those that ended in the last week. */
  readonly demotions: readonly Demotion[]
  /** Carriers and countries whose last check had a false receipt. */
  readonly falseReceipts: readonly { readonly carrierId: string; readonly country: string }[]
  readonly carriers: readonly { readonly id: string }[]
  readonly ruleOf: RuleOf
  /** Milliseconds. */
  readonly now: number
}

/** What a carrier delivers in a place. */
export interface QualityFinding {
  readonly place: QualityPlace
  /** Within the window of its rule, as far as its messages had time to be delivered. */
  readonly recent: QualityCounts
  /** In the week before. */
  readonly usual: QualityCounts
  /** What the best of the others surely delivers; null if it is not known. */
  readonly others: number | null
  /** That lasts; null if there is none. */
  readonly demotion: Demotion | null
  /** What is to change; null if nothing is. */
  readonly change: DemotionChange | null
}

const HOUR_MS = 3_600_000
const FIRST_REST_MS = HOUR_MS
const MAX_REST_MS = 24 * HOUR_MS
/** Messages of the trickle that decide; after each relapse twice as many, so that nothing flaps. */
const TRICKLE_MESSAGES = 30
const MAX_TRICKLE_MESSAGES = 240
/** As few as that, if they are bad, have it last beyond its time. */
const FEW_MESSAGES = 10
/** With little traffic more of it tests the carrier: so many an hour, as long as they are no more than that share. */
const TRICKLE_PER_HOUR = 30
const MAX_TRICKLE = 0.2
/** Standard deviations: chance goes beyond once in about 700 times. */
const Z = 3

/** Returns since when slots have to be read, milliseconds. */
export function rowsSince({ demotions, carriers, ruleOf, now }: Omit<QualityFacts, 'recent' | 'usual'>): number {
  const windows = carriers
    .map(({ id }) => ruleOf(id))
    .map(({ windowMs, withinMs }) => windowMs + withinMs + 2 * SLOT_MS)
  const tested = demotions.filter((each) => isOpen(each) && each.user === null)
  const begun = tested.map(({ beganAt }) => Math.max(beganAt, now - MAX_REST_MS))
  return Math.min(now - Math.max(...windows, 0), ...begun)
}

/** Returns a finding for each carrier and operator, and for the other operators of its country together. */
export function judgeQuality(facts: QualityFacts): readonly QualityFinding[] {
  const recent = Map.groupBy(facts.recent, destinationOf)
  const usual = Map.groupBy(facts.usual, destinationOf)
  const demotions = Map.groupBy(facts.demotions, destinationOf)
  const keys = new Set([...recent.keys(), ...usual.keys(), ...demotions.keys()])
  return [...keys].flatMap((key) => {
    const here = {
      recent: recent.get(key) ?? [],
      usual: usual.get(key) ?? [],
      demotions: demotions.get(key) ?? [],
    }
    return new Destination({ ...facts, ...here }).judge()
  })
}

function destinationOf({ channel, country }: QualityPlace): string {
  return `${channel} ${country}`
}

function isOpen({ endedAt }: Demotion): boolean {
  return endedAt === null
}

/** A channel and a country: its facts are of these alone. */
class Destination {
  readonly #facts: QualityFacts
  /** By place: what lasts, also what begins now. */
  readonly #open: Map<string, Demotion>
  readonly #carrierIds: readonly string[]
  /** Those that were read, by place. */
  readonly #slots = new Map<string, readonly SlotSum[]>()

  constructor(facts: QualityFacts) {
    const { recent, usual, demotions } = facts
    this.#facts = facts
    this.#carrierIds = [...new Set([...recent, ...usual].map(({ carrierId }) => carrierId))]
    this.#open = new Map(demotions.filter(isOpen).map((each) => [placeKey(each), each]))
  }

  /** Operators first, so that one that fails does not count for the others. */
  judge(): readonly QualityFinding[] {
    const { recent, usual } = this.#facts
    const known = new Map<string, QualityPlace>()
    for (const { channel, carrierId, country, operator } of [...recent, ...usual, ...this.#open.values()]) {
      for (const each of [operator, null]) {
        const place = { channel, carrierId, country, operator: each }
        known.set(placeKey(place), place)
      }
    }
    const places = [...known.values()].sort((a, b) => Number(a.operator === null) - Number(b.operator === null))
    return places.map((place) => this.#judgePlace(place))
  }

  #judgePlace(place: QualityPlace): QualityFinding {
    const { now, ruleOf } = this.#facts
    const rule = ruleOf(place.carrierId)
    const demotion = this.#open.get(placeKey(place)) ?? null
    const recent = this.#since(place, now - rule.windowMs, 'judged')
    const usual = withoutCounts(this.#usualOf(place), recent)
    const others = this.#others(place, 'delivery', now - rule.windowMs)
    const change = demotion === null ? this.#begin(place, { rule, usual }) : this.#end(demotion, { rule, usual })
    if (change !== null && demotion === null) {
      this.#open.set(placeKey(place), change.demotion)
      this.#slots.clear()
    }
    return { place, recent, usual, others, demotion, change }
  }

  /** Whether the row is of the place; of a country, without operators that have a demotion of their own. */
  #counts(row: QualityRow, { carrierId, operator }: QualityPlace): boolean {
    if (row.carrierId !== carrierId) return false
    if (operator !== null) return row.operator === operator
    return row.operator === null || !this.#open.has(placeKey(row))
  }

  /**
   * Returns the slots in which messages had time to be delivered, the newest first, each with the counts since it
   * began. Of a carrier that is compared all of them; of one that is judged those since its last demotion, whose
   * messages are not counted again after its end.
   */
  #slotsOf(place: QualityPlace, use: 'judged' | 'compared'): readonly SlotSum[] {
    const key = `${use} ${placeKey(place)}`
    const known = this.#slots.get(key)
    if (known !== undefined) return known
    const { now, ruleOf } = this.#facts
    const until = now - SLOT_MS - ruleOf(place.carrierId).withinMs
    const counts = new Map<number, QualityCounts>()
    const ends = new Map<string | null, number>()
    for (const row of this.#facts.recent) {
      if (row.slot > until || !this.#counts(row, place)) continue
      const end = ends.get(row.operator) ?? Math.max(this.#endOf(row), this.#endOf({ ...row, operator: null }))
      ends.set(row.operator, end)
      if (use === 'judged' && row.slot < end) continue
      counts.set(row.slot, addCounts(counts.get(row.slot) ?? NO_COUNTS, row))
    }
    const slots: SlotSum[] = []
    for (const [slot, own] of [...counts].sort(([a], [b]) => b - a)) {
      slots.push({ slot, sum: addCounts(slots.at(-1)?.sum ?? NO_COUNTS, own) })
    }
    this.#slots.set(key, slots)
    return slots
  }

  #since(place: QualityPlace, since: number, use: 'judged' | 'compared'): QualityCounts {
    return this.#slotsOf(place, use).findLast(({ slot }) => slot >= since)?.sum ?? NO_COUNTS
  }

  #usualOf(place: QualityPlace): QualityCounts {
    return sumOf(this.#facts.usual.filter((row) => this.#counts(row, place)))
  }

  /** Returns when the last demotion of the place ended, milliseconds. */
  #endOf(place: QualityPlace): number {
    const key = placeKey(place)
    return Math.max(0, ...this.#facts.demotions.map((each) => (placeKey(each) === key ? (each.endedAt ?? 0) : 0)))
  }

  /** Returns the share that the best of the others surely has since then, or usually has; null if none is known. */
  #others(place: QualityPlace, measure: Measure, since: number): number | null {
    const shares = this.#carrierIds.flatMap((carrierId) => {
      const other = { ...place, carrierId }
      if (carrierId === place.carrierId || this.#isDemoted(other)) return []
      const { minMessages, windowMs } = this.#facts.ruleOf(carrierId)
      const from = [since, this.#facts.now - windowMs]
      const known = [...from.map((each) => this.#since(other, each, 'compared')), this.#usualOf(other)]
      const enough = known.map((counts) => measured(counts, measure)).find((share) => share.of >= minMessages)
      return enough === undefined ? [] : lowerBound(enough)
    })
    return shares.length === 0 ? null : Math.max(...shares)
  }

  #isDemoted(place: QualityPlace): boolean {
    const own = this.#open.get(placeKey(place)) ?? this.#open.get(placeKey({ ...place, operator: null }))
    return own !== undefined && own.kind !== 'kept'
  }

  #begin(place: QualityPlace, { rule, usual }: Judged): DemotionChange | null {
    const { carriers, falseReceipts, now } = this.#facts
    const { carrierId, country, operator } = place
    if (rule.mode === 'off' || !carriers.some(({ id }) => id === carrierId)) return null
    // What holds for all operators holds for each.
    if (operator !== null && this.#open.has(placeKey({ ...place, operator: null }))) return null
    if (operator === null && falseReceipts.some((each) => each.carrierId === carrierId && each.country === country)) {
      return this.#demote(place, rule, { measure: 'check', reason: 'its last check had a false receipt' })
    }
    for (const { slot, sum } of this.#slotsOf(place, 'judged')) {
      if (slot < now - rule.windowMs) break
      const measure = sum.codes >= rule.minMessages ? 'conversion' : 'delivery'
      const share = measured(sum, measure)
      if (share.of < rule.minMessages) continue
      const reason = this.#fault(place, { rule, usual, measure, share, since: slot })
      if (reason !== null) return this.#demote(place, rule, { measure, reason })
    }
    return null
  }

  /** Returns why a share is certainly too small; null if it need not be. */
  #fault(place: QualityPlace, { rule, usual, measure, share, since }: Evidence): string | null {
    const most = upperBound(share)
    const floor = floorOf(rule, measure)
    if (most >= Math.max(1 - rule.drop, floor)) return null
    const say = (against: string, limit: number) => `${describe(measure, share, rule)}, ${against} ${percent(limit)}`
    if (most < floor) return say('less than', floor)
    const others = this.#others(place, measure, since)
    if (others !== null) return most < others - rule.drop ? say('others at least', others) : null
    const usually = measured(usual, measure)
    if (usually.of < rule.minMessages || most >= lowerBound(usually) - rule.drop) return null
    return say('usually', usually.part / usually.of)
  }

  #demote(
    place: QualityPlace,
    rule: QualityRule,
    why: { readonly measure: QualityMeasure; readonly reason: string },
  ): DemotionChange {
    const { now } = this.#facts
    const until = now + Math.min(MAX_REST_MS, FIRST_REST_MS * 2 ** this.#relapses(place))
    const kind = kindOf(rule)
    const start = {
      beganAt: now,
      endedAt: null,
      endReason: null,
      user: null,
      until,
      trickle: this.#trickle(place, rule),
    }
    return { demotion: { ...place, ...why, ...start, kind }, before: null }
  }

  /** Returns how often the gateway has demoted it in the last week before. */
  #relapses(place: QualityPlace): number {
    const key = placeKey(place)
    return this.#facts.demotions.filter((each) => !isOpen(each) && each.user === null && placeKey(each) === key).length
  }

  #trickle(place: QualityPlace, { trickle, windowMs, withinMs }: QualityRule): number {
    if (trickle === 0) return 0
    const since = this.#facts.now - windowMs
    const isHere = ({ slot, operator }: QualityRow) =>
      slot >= since && (place.operator === null || operator === place.operator)
    const hours = Math.max(SLOT_MS, windowMs - withinMs) / HOUR_MS
    const perHour = sumOf(this.#facts.recent.filter(isHere)).sent / hours
    return Math.max(trickle, Math.min(MAX_TRICKLE, TRICKLE_PER_HOUR / Math.max(perHour, 1)))
  }

  #end(demotion: Demotion, { rule, usual }: Judged): DemotionChange | null {
    const endReason = this.#endReason(demotion, rule, usual)
    if (endReason === null) return null
    return { demotion: { ...demotion, endedAt: this.#facts.now, endReason }, before: demotion.beganAt }
  }

  #endReason(demotion: Demotion, rule: QualityRule, usual: QualityCounts): string | null {
    const { carriers, falseReceipts, now } = this.#facts
    const { carrierId, country, measure, user, kind, beganAt, until } = demotion
    if (!carriers.some(({ id }) => id === carrierId)) return 'the carrier was removed'
    if (user !== null) return now >= until ? 'its time is over' : null
    if (rule.mode === 'off' || kind !== kindOf(rule)) return `routing by quality was set to ${rule.mode}`
    if (measure === 'operator') return null
    if (measure === 'check') {
      const lasts = falseReceipts.some((each) => each.carrierId === carrierId && each.country === country)
      return lasts ? null : 'its last check had no false receipt'
    }
    const needed = Math.min(MAX_TRICKLE_MESSAGES, TRICKLE_MESSAGES * 2 ** this.#relapses(demotion))
    const since = Math.max(beganAt, now - MAX_REST_MS)
    const slots = this.#slotsOf(demotion, 'judged').filter(({ slot }) => slot >= since)
    const { slot = now, sum = NO_COUNTS } =
      slots.find((each) => measured(each.sum, measure).of >= needed) ?? slots.at(-1) ?? {}
    const share = measured(sum, measure)
    const others = this.#others(demotion, measure, slot)
    const usually = measured(usual, measure)
    const wanted = others ?? (usually.of >= rule.minMessages ? lowerBound(usually) : 0)
    const isBad = share.part / share.of < Math.max(wanted - rule.drop / 2, floorOf(rule, measure))
    if (share.of >= needed) return isBad ? null : describe(measure, share, rule)
    if (isBad && share.of >= FEW_MESSAGES) return null
    return now >= until ? 'too few messages to test it: it is tried again' : null
  }
}

interface SlotSum {
  readonly slot: number
  readonly sum: QualityCounts
}

interface Judged {
  readonly rule: QualityRule
  readonly usual: QualityCounts
}

interface Evidence extends Judged {
  readonly measure: Measure
  readonly share: Share
  /** Milliseconds. */
  readonly since: number
}

type Measure = Extract<QualityMeasure, 'delivery' | 'conversion'>

interface Share {
  readonly part: number
  readonly of: number
}

/** Of deliveries: how many codes are entered depends on more than the carrier. */
function floorOf({ floor }: QualityRule, measure: Measure): number {
  return measure === 'delivery' ? (floor ?? 0) : 0
}

function kindOf({ mode }: QualityRule): DemotionKind {
  return mode === 'on' ? 'demoted' : 'observed'
}

function measured({ sent, delivered, codes, converted }: QualityCounts, measure: Measure): Share {
  return measure === 'delivery' ? { part: delivered, of: sent } : { part: converted, of: codes }
}

function sumOf(rows: readonly QualityCounts[]): QualityCounts {
  return rows.reduce(addCounts, NO_COUNTS)
}

function describe(measure: Measure, { part, of }: Share, { withinMs }: QualityRule): string {
  const what = measure === 'delivery' ? `messages delivered within ${withinMs / 1_000} s` : 'codes entered'
  return `${percent(part / of)} of ${of} ${what}`
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`
}

/** The score interval of Wilson: what the true share hardly exceeds, however few were counted. */
function upperBound(share: Share): number {
  const [middle, half] = interval(share)
  return Math.min(1, middle + half)
}

function lowerBound(share: Share): number {
  const [middle, half] = interval(share)
  return Math.max(0, middle - half)
}

function interval({ part, of }: Share): readonly [middle: number, half: number] {
  const share = Math.min(part, of) / of
  const scale = 1 + Z ** 2 / of
  const half = (Z / scale) * Math.sqrt((share * (1 - share)) / of + Z ** 2 / (4 * of ** 2))
  return [(share + Z ** 2 / (2 * of)) / scale, half]
}
