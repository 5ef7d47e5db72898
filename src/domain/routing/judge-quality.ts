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
import {
  DELIVERY,
  describePercent,
  describeShare,
  lowerBound,
  type Measure,
  measuresFor,
  measuresNamed,
  upperBound,
} from './quality-measures.ts'
import type { QualityRule, QualityRules } from './quality-rule.ts'

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
  readonly rules: QualityRules
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

/** Places that are judged without a pause. */
const SLICE_PLACES = 50
const SLICE_ROWS = 5_000

/** Returns since when slots have to be read, milliseconds. */
export function rowsSince({ demotions, rules, now }: Pick<QualityFacts, 'demotions' | 'rules' | 'now'>): number {
  const tested = demotions.filter((each) => isOpen(each) && each.user === null)
  const begun = tested.map(({ beganAt }) => Math.max(beganAt, now - MAX_REST_MS))
  return Math.min(now - rules.longestMs - 2 * SLOT_MS, ...begun)
}

/**
 * Returns a finding for each carrier and operator, and for the other operators of its country together. Yields wherever
 * other work may run.
 */
export function* judgeQuality(facts: QualityFacts): Generator<undefined, readonly QualityFinding[]> {
  const recent = yield* byDestination(facts.recent)
  const usual = yield* byDestination(facts.usual)
  const demotions = yield* byDestination(facts.demotions)
  const keys = new Set([...recent.keys(), ...usual.keys(), ...demotions.keys()])
  const findings: QualityFinding[] = []
  for (const key of keys) {
    const here = {
      recent: recent.get(key) ?? [],
      usual: usual.get(key) ?? [],
      demotions: demotions.get(key) ?? [],
    }
    for (const finding of new Destination({ ...facts, ...here }).judge()) {
      findings.push(finding)
      if (findings.length % SLICE_PLACES === 0) yield
    }
  }
  return findings
}

function* byDestination<T extends QualityPlace>(places: readonly T[]): Generator<undefined, Map<string, T[]>> {
  const found = new Map<string, T[]>()
  for (const [at, place] of places.entries()) {
    const key = `${place.channel} ${place.country}`
    const known = found.get(key)
    if (known === undefined) found.set(key, [place])
    else known.push(place)
    if (at % SLICE_ROWS === SLICE_ROWS - 1) yield
  }
  return found
}

function isOpen({ endedAt }: Demotion): boolean {
  return endedAt === null
}

/** A channel and a country: its facts are of these alone. */
class Destination {
  readonly #facts: QualityFacts
  readonly #rowsOf: ReadonlyMap<string, CarrierRows>
  /** By place: what lasts, also what begins now. */
  readonly #open: Map<string, Demotion>
  /** By place: those that have ended. */
  readonly #ended: ReadonlyMap<string, readonly Demotion[]>
  /** What was computed, until a demotion begins, after which its messages count elsewhere. */
  readonly #slots = new Map<string, readonly SlotSum[]>()
  readonly #usual = new Map<string, QualityCounts>()
  readonly #best = new Map<string, readonly Reached[]>()

  constructor(facts: QualityFacts) {
    const { recent, usual, demotions } = facts
    this.#facts = facts
    const ofCarrier = ({ carrierId }: QualityPlace) => carrierId
    const [recentOf, usualOf] = [Map.groupBy(recent, ofCarrier), Map.groupBy(usual, ofCarrier)]
    const ids = [...new Set([...recentOf.keys(), ...usualOf.keys()])]
    this.#rowsOf = new Map(ids.map((id) => [id, { recent: recentOf.get(id) ?? [], usual: usualOf.get(id) ?? [] }]))
    this.#open = new Map(demotions.filter(isOpen).map((each) => [placeKey(each), each]))
    this.#ended = Map.groupBy(
      demotions.filter((each) => !isOpen(each)),
      placeKey,
    )
  }

  /** Operators first, so that one that fails does not count for the others. */
  *judge(): Generator<QualityFinding> {
    const { recent, usual } = this.#facts
    const known = new Map<string, QualityPlace>()
    for (const { channel, carrierId, country, operator } of [...recent, ...usual, ...this.#open.values()]) {
      for (const each of [operator, null]) {
        const place = { channel, carrierId, country, operator: each }
        known.set(placeKey(place), place)
      }
    }
    const places = [...known.values()].sort((a, b) => Number(a.operator === null) - Number(b.operator === null))
    for (const place of places) yield this.#judgePlace(place)
  }

  #judgePlace(place: QualityPlace): QualityFinding {
    const { now, rules } = this.#facts
    const rule = rules.of(place)
    const demotion = this.#open.get(placeKey(place)) ?? null
    const recent = this.#since(place, now - rule.windowMs, 'judged')
    const usual = withoutCounts(this.#usualOf(place), recent)
    const others = this.#others(place, DELIVERY, now - rule.windowMs)
    const change = demotion === null ? this.#begin(place, { rule, usual }) : this.#end(demotion, { rule, usual })
    if (change !== null && demotion === null) {
      this.#open.set(placeKey(place), change.demotion)
      for (const computed of [this.#slots, this.#usual, this.#best]) computed.clear()
    }
    return { place, recent, usual, others, demotion, change }
  }

  /** Returns the rows of the place; of a country, without operators that have a demotion of their own. */
  #rows(of: keyof CarrierRows, { carrierId, operator }: QualityPlace): readonly QualityRow[] {
    const rows = this.#rowsOf.get(carrierId)?.[of] ?? []
    if (operator !== null) return rows.filter((row) => row.operator === operator)
    return this.#open.size === 0 ? rows : rows.filter((row) => row.operator === null || !this.#open.has(placeKey(row)))
  }

  /**
   * Returns the slots in which messages had time to be delivered, the newest first, each with the counts since it
   * began. Of a carrier that is compared all of them; of one that is judged those since its last demotion, whose
   * messages are not counted again after its end.
   */
  #slotsOf(place: QualityPlace, use: 'judged' | 'compared'): readonly SlotSum[] {
    return computed(this.#slots, `${use} ${placeKey(place)}`, () => {
      const until = this.#facts.now - SLOT_MS - this.#facts.rules.of(place).withinMs
      const counts = new Map<number, QualityCounts>()
      for (const row of this.#rows('recent', place)) {
        if (row.slot > until || (use === 'judged' && row.slot < this.#endOf(row))) continue
        const known = counts.get(row.slot)
        counts.set(row.slot, known === undefined ? row : addCounts(known, row))
      }
      const slots: SlotSum[] = []
      for (const [slot, own] of [...counts].sort(([a], [b]) => b - a)) {
        slots.push({ slot, sum: addCounts(slots.at(-1)?.sum ?? NO_COUNTS, own) })
      }
      return slots
    })
  }

  #since(place: QualityPlace, since: number, use: 'judged' | 'compared'): QualityCounts {
    return this.#slotsOf(place, use).findLast(({ slot }) => slot >= since)?.sum ?? NO_COUNTS
  }

  #usualOf(place: QualityPlace): QualityCounts {
    return computed(this.#usual, placeKey(place), () => sumOf(this.#rows('usual', place)))
  }

  /** Returns when the last demotion of the operator, or of its country, ended, milliseconds. */
  #endOf(row: QualityPlace): number {
    if (this.#ended.size === 0) return 0
    const ended = [row, { ...row, operator: null }].flatMap((each) => this.#ended.get(placeKey(each)) ?? [])
    return Math.max(0, ...ended.map(({ endedAt }) => endedAt ?? 0))
  }

  /** Returns the share that the best of the others surely has since then, or usually has; null if none is known. */
  #others(place: QualityPlace, measure: Measure, since: number): number | null {
    const best = computed(this.#best, `${measure.id} ${since} ${place.operator ?? ''}`, () =>
      [...this.#rowsOf.keys()]
        .flatMap((carrierId) => this.#reached({ ...place, carrierId }, measure, since) ?? [])
        .sort((a, b) => b.share - a.share)
        .slice(0, 2),
    )
    return best.find(({ carrierId }) => carrierId !== place.carrierId)?.share ?? null
  }

  #reached(place: QualityPlace, measure: Measure, since: number): Reached | null {
    if (this.#isDemoted(place)) return null
    const { minMessages, windowMs } = this.#facts.rules.of(place)
    const from = [since, this.#facts.now - windowMs]
    const known = [...from.map((each) => this.#since(place, each, 'compared')), this.#usualOf(place)]
    const enough = known.map(measure.theirs).find((share) => share.of >= minMessages)
    return enough === undefined ? null : { carrierId: place.carrierId, share: lowerBound(enough) }
  }

  #isDemoted(place: QualityPlace): boolean {
    if (this.#open.size === 0) return false
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
      for (const measure of measuresFor(sum, rule)) {
        const reason = this.#fault(place, { rule, usual, measure, sum, since: slot })
        if (reason !== null) return this.#demote(place, rule, { measure: measure.name, reason })
      }
    }
    return null
  }

  /** Returns why a share is certainly too small; null if it need not be. */
  #fault(place: QualityPlace, { rule, usual, measure, sum, since }: Evidence): string | null {
    const share = measure.own(sum)
    if (share.of < rule.minMessages) return null
    const [most, floor, drop] = [upperBound(share), measure.floorOf(rule), measure.dropOf(rule)]
    if (most >= Math.max(1 - drop, floor)) return null
    const own = `${describeShare(share)} ${measure.describeOwn(rule)}`
    const say = (against: string, limit: number) => `${own}, ${against} ${describePercent(limit)}`
    if (most < floor) return say('less than', floor)
    const others = this.#others(place, measure, since)
    if (others !== null) return most < others - drop ? say('others at least', others) + measure.describeTheirs : null
    const usually = measure.theirs(usual)
    if (usually.of < rule.minMessages || most >= lowerBound(usually) - drop) return null
    return say('usually', usually.part / usually.of) + measure.describeTheirs
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
    return this.#ended.get(placeKey(place))?.filter(({ user }) => user === null).length ?? 0
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
    if (measure === 'check') {
      const lasts = falseReceipts.some((each) => each.carrierId === carrierId && each.country === country)
      return lasts ? null : 'its last check had no false receipt'
    }
    const needed = Math.min(MAX_TRICKLE_MESSAGES, TRICKLE_MESSAGES * 2 ** this.#relapses(demotion))
    const since = Math.max(beganAt, now - MAX_REST_MS)
    const slots = this.#slotsOf(demotion, 'judged').filter(({ slot }) => slot >= since)
    const [first, ...further] = measuresNamed(measure)
    if (first === undefined) return null
    const { slot = now, sum = NO_COUNTS } = slots.find((each) => first.own(each.sum).of >= needed) ?? slots.at(-1) ?? {}
    const isBad = [first, ...further].some((each) =>
      this.#isBad(demotion, { rule, usual, measure: each, sum, since: slot }),
    )
    const share = first.own(sum)
    if (share.of >= needed) return isBad ? null : `${describeShare(share)} ${first.describeOwn(rule)}`
    if (isBad && share.of >= FEW_MESSAGES) return null
    return now >= until ? 'too few messages to test it: it is tried again' : null
  }

  /** Whether the share that the trickle shows is still too small: half of the drop that demotes is enough. */
  #isBad(place: QualityPlace, { rule, usual, measure, sum, since }: Evidence): boolean {
    const usually = measure.theirs(usual)
    const others = this.#others(place, measure, since)
    const wanted = others ?? (usually.of >= rule.minMessages ? lowerBound(usually) : 0)
    const { part, of } = measure.own(sum)
    return part / of < Math.max(wanted - measure.dropOf(rule) / 2, measure.floorOf(rule))
  }
}

/** Of a carrier. */
interface CarrierRows {
  readonly recent: readonly QualityRow[]
  readonly usual: readonly QualityRow[]
}

/** What a carrier surely has. */
interface Reached {
  readonly carrierId: string
  readonly share: number
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
  readonly sum: QualityCounts
  /** Milliseconds. */
  readonly since: number
}

function kindOf({ mode }: QualityRule): DemotionKind {
  return mode === 'on' ? 'demoted' : 'observed'
}

function computed<V>(known: Map<string, V>, key: string, compute: () => V): V {
  const value = known.get(key) ?? compute()
  known.set(key, value)
  return value
}

function sumOf(rows: readonly QualityCounts[]): QualityCounts {
  return rows.reduce(addCounts, NO_COUNTS)
}
