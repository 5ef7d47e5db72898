/**
 * Reads the statistics of messages in slices of a bounded number of rows, so that other commands run between two of
 * them. A unit is a day or an hour with its rows of all levels. A roll-up moves rows within their unit only, so the
 * sums are exact if each unit is read in one command.
 */
import {
  DAY_HOURS,
  groupOf,
  isOfAllAccounts,
  type MessageTotal,
  OTHER_GROUPS,
  type StatisticsQuery,
} from '../../../domain/statistics/message-statistics.ts'
import { StoreError, TooMuchToRead } from '../../../ports/records/store-errors.ts'
import { BY_OPERATORS } from '../queues/command-queue.ts'
import { type GroupedRow, levelsOf, readTotal } from './message-total.ts'

/** After all hours. */
const END = 2 ** 31

/** Rows that one command reads. A unit of an account with more is read at once. */
export const TOTALS_SLICE_ROWS = 2_000
/** Full slices of a query: some ten seconds of the store. */
const MAX_FULL_SLICES = 1_000
/** Places that one command looks at. */
const SLICE_PLACES = 512

/** Where rows of a unit may be. */
export type TotalPlace = readonly [level: number, slot: number]

export interface TotalsSlice {
  readonly rows: readonly GroupedRow[]
  /** How many of the places were read: those of one unit at least, or 0 if more of the first unit follows. */
  readonly places: number
  /** Where the rest of the first unit begins; 0 for the next unit. */
  readonly rest: number
  /** It ends because it has read so many rows. */
  readonly isFull: boolean
}

/** What a store does in one command each. */
export interface TotalsSteps {
  /** Returns where there are rows, of any account, in the range. */
  places(query: StatisticsQuery): Promise<readonly TotalPlace[]>
  /** Begins at `rest` of the first unit, as the slice before returned it. */
  slice(query: StatisticsQuery, places: readonly TotalPlace[], rest: number): Promise<TotalsSlice>
}

/** Queries under way at a time. */
const ACCOUNT_QUERIES = 1
const OPERATOR_QUERIES = 2
/** Queries that wait, of an account or of all operators. */
const MAX_WAITING = 100

interface Tenant {
  underWay: number
  readonly waiting: (() => void)[]
}

export class TotalSlices {
  readonly #steps: TotalsSteps
  readonly #maxFull: number
  readonly #tenants = new Map<number, Tenant>()

  constructor(steps: TotalsSteps, maxFull = MAX_FULL_SLICES) {
    this.#steps = steps
    this.#maxFull = maxFull
  }

  /** Rejects with StoreError if too many queries of the account wait, and with TooMuchToRead. */
  async read(query: StatisticsQuery): Promise<readonly MessageTotal[]> {
    const id = query.accountId ?? BY_OPERATORS
    const tenant = this.#tenants.get(id) ?? { underWay: 0, waiting: [] }
    this.#tenants.set(id, tenant)
    if (tenant.underWay < (id === BY_OPERATORS ? OPERATOR_QUERIES : ACCOUNT_QUERIES)) tenant.underWay += 1
    else if (tenant.waiting.length >= MAX_WAITING) throw new StoreError('the store is too busy')
    // The query before leaves its place to this one.
    else await new Promise<void>((resolve) => tenant.waiting.push(resolve))
    try {
      return await this.#readAll(query)
    } finally {
      const next = tenant.waiting.shift()
      if (next === undefined) tenant.underWay -= 1
      else next()
      if (tenant.underWay === 0) this.#tenants.delete(id)
    }
  }

  async #readAll(query: StatisticsQuery): Promise<readonly MessageTotal[]> {
    const sums = new Map<string, GroupedSums>()
    const others = new OtherGroups()
    let places = inUnits(query, await this.#steps.places(query))
    let rest = 0
    let full = 0
    let maxPlaces = SLICE_PLACES
    while (places.length > 0 && sums.size < query.limit) {
      const next = places.slice(0, wholeUnits(query, places, maxPlaces))
      const slice = await this.#steps.slice(query, next, rest)
      // Rows that were cut off would be missing in the sum of all others.
      if (query.kept !== undefined && slice.rows.length >= query.limit) {
        if (next.length === wholeUnits(query, places, 1)) throw new TooMuchToRead()
        maxPlaces = 1
        continue
      }
      for (const row of slice.rows) {
        const [slot, ...rest] = row
        // Days of a zone are read by hour.
        const ofLine: GroupedRow = query.days === undefined ? row : [slotOf(query, slot), ...rest]
        addRow(sums, isKept(query, ofLine) ? ofLine : others.add(ofLine))
      }
      places = places.slice(slice.places)
      others.closeBefore(slotOf(query, places[0]?.[1] ?? END))
      rest = slice.rest
      if (slice.isFull) full += 1
      if (full > this.#maxFull) throw new TooMuchToRead()
    }
    const rows = [...sums.values(), ...others.counts()].slice(0, query.limit)
    return rows.map((row) => readTotal(row as unknown as GroupedRow))
  }
}

type GroupedSums = [...cells: (string | number)[]]

/** The cells of a GroupedRow before its sums. */
const GROUP_CELLS = 10

function isKept({ kept }: StatisticsQuery, row: GroupedRow): boolean {
  return kept === undefined || kept.has(groupOf(readTotal(row)))
}

/** The group that stands for all that are not kept apart, and how many those are in each slot. */
class OtherGroups {
  /** Of slots that may have more rows. Units are read in their order, so they are few. */
  readonly #open = new Map<number, Set<string>>()
  readonly #counts = new Map<number, number>()

  /** Returns the row as one of the group. */
  add(row: GroupedRow): GroupedRow {
    const [slot, , , , , , , ...rest] = row
    const groups = this.#open.get(slot) ?? new Set()
    this.#open.set(slot, groups.add(groupOf(readTotal(row))))
    return [slot, OTHER_GROUPS, '', '', '', '', '', ...rest]
  }

  closeBefore(next: number): void {
    for (const [slot, groups] of this.#open) {
      if (slot >= next) continue
      this.#counts.set(slot, groups.size)
      this.#open.delete(slot)
    }
  }

  counts(): readonly GroupedRow[] {
    this.closeBefore(Number.POSITIVE_INFINITY)
    return [...this.#counts].map(([slot, groups]) => {
      return [slot, OTHER_GROUPS, '', '', '', '', '', 'groups', '', '', groups, 0, 0, 0]
    })
  }
}

/** Returns the first hour of the line that an hour belongs to; -1 for a line of the whole range. */
function slotOf({ days, slotHours }: StatisticsQuery, hour: number): number {
  if (slotHours === null) return -1
  return days?.findLast((first) => first <= hour) ?? hour - (hour % slotHours)
}

function addRow(sums: Map<string, GroupedSums>, row: GroupedRow): void {
  const key = row.slice(0, GROUP_CELLS).join('\n')
  const sum = sums.get(key)
  if (sum === undefined) sums.set(key, [...row])
  else for (let cell = GROUP_CELLS; cell < row.length; cell += 1) sum[cell] = Number(sum[cell]) + Number(row[cell])
}

/** Returns the first hour of the unit of a slot. */
function unitOf({ source }: StatisticsQuery, slot: number): number {
  return source === 'hours' ? slot : slot - (slot % DAY_HOURS)
}

/** Returns the first and the last hour of the unit of a slot, within the range of the query. */
export function rangeOf(query: StatisticsQuery, [, slot]: TotalPlace): readonly [first: number, last: number] {
  const first = unitOf(query, slot)
  const last = query.source === 'hours' ? first : first + DAY_HOURS - 1
  return [Math.max(first, query.from), Math.min(last, query.through)]
}

/** Sorts the places by unit and adds those to which their rows may have moved by the time that they are read. */
function inUnits(query: StatisticsQuery, found: readonly TotalPlace[]): readonly TotalPlace[] {
  const [fresh, recent, rolledUp] = levelsOf(query)
  const places = new Map<string, TotalPlace>()
  const add = (place: TotalPlace) => places.set(place.join(), place)
  for (const [level, slot] of found) {
    add([level, slot])
    if (level === fresh && !isOfAllAccounts(query)) add([recent, slot])
    if (unitOf(query, slot) >= query.from) add([rolledUp, unitOf(query, slot)])
  }
  return [...places.values()].sort((a, b) => unitOf(query, a[1]) - unitOf(query, b[1]) || a[1] - b[1] || a[0] - b[0])
}

/** Returns how many places are of whole units with at most so many places, or of the first unit. */
export function wholeUnits(query: StatisticsQuery, places: readonly TotalPlace[], maxPlaces: number): number {
  if (places.length <= maxPlaces) return places.length
  const unitAt = (index: number) => unitOf(query, places[index]?.[1] ?? Number.POSITIVE_INFINITY)
  let end = maxPlaces
  while (end > 0 && unitAt(end - 1) === unitAt(maxPlaces)) end -= 1
  if (end > 0) return end
  do end += 1
  while (end < places.length && unitAt(end) === unitAt(0))
  return end
}

/** Returns how many places have at most TOTALS_SLICE_ROWS rows, in whole units. `counts` ends after one row more. */
export function placesThatFit(
  query: StatisticsQuery,
  places: readonly TotalPlace[],
  counts: readonly (readonly [place: number, rows: number])[],
): number {
  const rows = counts.reduce((sum, [, count]) => sum + count, 0)
  if (rows <= TOTALS_SLICE_ROWS) return places.length
  return wholeUnits(query, places, Math.max(...counts.map(([place]) => place)))
}
