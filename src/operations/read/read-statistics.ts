/** Reads the statistics of messages for operators and clients: a range of days or hours. */
import type { AccountId } from '../../domain/ids/account-id.ts'
import { drawHookLines, type HookLine } from '../../domain/statistics/hook-lines.ts'
import {
  DAY_HOURS,
  DAY_OR_HOUR_RULE,
  HOURS_KEPT_DAYS,
  hourOf,
  isOfAllAccounts,
  type Resolution,
  type StatisticsKey,
  type StatisticsQuery,
  type StatisticsRank,
} from '../../domain/statistics/message-statistics.ts'
import {
  drawLines,
  drawSum,
  rankGroups,
  rankLines,
  type StatisticsLine,
} from '../../domain/statistics/statistics-lines.ts'
import { fromLocal, isTimeZone, localDay, offsetAt, ZONE_RULE } from '../../domain/time/local-time.ts'
import { readMoment } from '../../domain/time/moment.ts'
import { TooMuchToRead } from '../../ports/records/store-errors.ts'
import type { QueryStore } from '../../ports/stores/query-store.ts'

const MAX_STATISTICS_DAYS = 366
const MAX_STATISTICS_LINES = 5_000
/** Of the store; a line has up to forty. */
const MAX_TOTALS = 50_000
/** Groups of an answer that would have too many lines. */
const TOP_GROUPS = 100
const HOUR_MS = 3_600_000

/** The range as the caller wrote it. */
interface StatisticsRange {
  readonly from?: string | undefined
  readonly through?: string | undefined
  readonly resolution?: Resolution | undefined
  /** Of the days; UTC by default. */
  readonly zone?: string | undefined
}

interface StatisticsInput extends StatisticsRange {
  readonly accountId: AccountId | null
  readonly only: StatisticsQuery['only']
  readonly by: readonly StatisticsKey[]
  /** Absent: an answer with too many lines is refused. */
  readonly top?: StatisticsTop
}

/** The groups with a line of their own; one more line adds up all others. */
interface StatisticsTop {
  /** Undefined: all of them, or the first hundred if these are too many. */
  readonly groups: number | undefined
  /** Undefined: in the order of the groups, or by the number of requested messages if not all have a line. */
  readonly rank: StatisticsRank | undefined
}

interface StatisticsAnswer {
  readonly lines: readonly StatisticsLine[]
  /** What all lines add up to; null if there are none. */
  readonly sum: StatisticsLine | null
}

/** Returns the lines of the hooks of an account, or what is wrong with the range. */
export async function readHookStatistics(
  store: Pick<QueryStore, 'messageTotals'>,
  { accountId, ...range }: StatisticsRange & { readonly accountId: AccountId },
  now: number,
): Promise<readonly HookLine[] | RangeFault> {
  const query = toQuery({ ...range, accountId, only: {}, by: [] }, now)
  if ('rule' in query) return query
  const totals = await store.messageTotals({ ...query, ofHooks: true })
  if (totals.length > MAX_TOTALS) return tooMany(MAX_STATISTICS_LINES)
  const lines = drawHookLines(totals)
  return lines.length > MAX_STATISTICS_LINES ? tooMany(MAX_STATISTICS_LINES) : lines
}

/** Names the field that breaks a rule. */
export interface RangeFault {
  readonly field: 'from' | 'through' | 'by' | 'zone'
  readonly rule: string
}

/** Returns the lines, or what is wrong with the input. `now` in milliseconds. */
export async function readStatistics(
  store: Pick<QueryStore, 'messageTotals'>,
  input: StatisticsInput,
  now: number,
  maxLines = MAX_STATISTICS_LINES,
): Promise<StatisticsAnswer | RangeFault> {
  const query = toQuery(input, now)
  if ('rule' in query) return query
  try {
    const { top } = input
    const found =
      top === undefined ? await readLines(store, query, maxLines) : await readTop(store, query, { ...top, maxLines })
    return found ?? tooMany(maxLines)
  } catch (error) {
    if (!(error instanceof TooMuchToRead)) throw error
    return { field: 'by', rule: 'reads too many rows: choose a shorter time, an account or other groups' }
  }
}

/** Returns null if there are too many. */
async function readLines(
  store: Pick<QueryStore, 'messageTotals'>,
  query: StatisticsQuery,
  maxLines: number,
): Promise<StatisticsAnswer | null> {
  const totals = await store.messageTotals(query)
  if (totals.length > MAX_TOTALS) return null
  const lines = drawLines(totals, query)
  return lines.length > maxLines ? null : { lines, sum: drawSum(totals, query) }
}

/** Reads the rank of each group, and then the lines of the first ones. Returns null if there are too many. */
async function readTop(
  store: Pick<QueryStore, 'messageTotals'>,
  query: StatisticsQuery,
  { groups, rank: asked, maxLines }: StatisticsTop & { readonly maxLines: number },
): Promise<StatisticsAnswer | null> {
  const rank = asked ?? BY_ASKED
  const { days: _, ...whole } = query
  // Status and currency are no groups.
  const by = query.by.filter((key) => key !== 'status' && key !== 'currency')
  const ranking = { ...whole, by, slotHours: null, ranking: rank.by }
  const count = () => store.messageTotals(ranking)
  const inOrder = ({ lines, sum }: StatisticsAnswer) => ({ lines: rankLines(lines, query, rank), sum })
  // Accounts and senders may be too many for an answer: they are counted first.
  const mayBeMany = query.accountId === null && !isOfAllAccounts(query)
  const counted = mayBeMany || groups !== undefined ? await count() : []
  if (groups === undefined && counted.length <= maxLines) {
    const all = await readLines(store, query, maxLines)
    if (all !== null) return asked === undefined ? all : inOrder(all)
  }
  const totals = counted.length > 0 ? counted : await count()
  if (totals.length > MAX_TOTALS) return null
  const first = rankGroups(totals, ranking, rank).slice(0, groups ?? TOP_GROUPS)
  const found = await readLines(store, { ...query, kept: new Set(first) }, maxLines)
  return found === null ? null : inOrder(found)
}

const BY_ASKED: StatisticsRank = { by: 'asked', descending: true }

function tooMany(maxLines: number): RangeFault {
  return { field: 'by', rule: `gives more than ${maxLines} lines: choose a shorter time or fewer groups` }
}

function toQuery(input: StatisticsInput, now: number): StatisticsQuery | RangeFault {
  const { from, through, resolution = 'total', zone = 'UTC', accountId, only, by } = input
  if (!isTimeZone(zone)) return { field: 'zone', rule: ZONE_RULE }
  const today = localDay(zone, now)
  const lastDay = through === undefined ? today : readDay(through)
  const end = through?.includes('T') === true ? readHour(through) : lastDay && firstHour(zone, lastDay + 1) - 1
  if (lastDay === null || end === null) return { field: 'through', rule: DAY_OR_HOUR_RULE }
  const firstDay = from === undefined ? lastDay : readDay(from)
  const start = from?.includes('T') === true ? readHour(from) : firstDay && firstHour(zone, firstDay)
  if (firstDay === null || start === null) return { field: 'from', rule: DAY_OR_HOUR_RULE }
  if (start > end) return { field: 'from', rule: 'must not be later than through' }
  const isOfHours = zone !== 'UTC' || resolution === 'hour' || [from, through].some((text) => text?.includes('T'))
  const maxDays = isOfHours ? HOURS_KEPT_DAYS : MAX_STATISTICS_DAYS
  // A day of a zone may have 25 hours.
  if (end - start >= maxDays * DAY_HOURS + Number(zone !== 'UTC')) {
    const unit = isOfHours ? ` with ${zone === 'UTC' ? 'a resolution of hours' : 'a zone'}` : ''
    return { field: 'from', rule: `must be at most ${maxDays} days before the end${unit}` }
  }
  if (zone !== 'UTC' && start < hourOf(now) - HOURS_KEPT_DAYS * DAY_HOURS)
    return { field: 'from', rule: `must be at most ${HOURS_KEPT_DAYS - 1} days ago with a zone` }
  const range = { from: start, through: end, source: isOfHours ? 'hours' : 'days' } as const
  const query = { ...range, accountId, only, by, limit: MAX_TOTALS + 1 }
  if (resolution !== 'day') return { ...query, slotHours: resolution === 'total' ? null : 1 }
  if (zone === 'UTC') return { ...query, slotHours: DAY_HOURS }
  const [first, last] = [localDay(zone, start * HOUR_MS), localDay(zone, end * HOUR_MS)]
  const days = Array.from({ length: last - first + 1 }, (_, day) => firstHour(zone, first + day))
  return { ...query, slotHours: DAY_HOURS, days }
}

/** Returns the first full hour of a day in the zone, both since 1970. Some zones begin a day within an hour of UTC. */
function firstHour(zone: string, day: number): number {
  return Math.ceil(fromLocal(zone, day * DAY_HOURS * HOUR_MS) / HOUR_MS)
}

function readHour(text: string): number | null {
  const at = readMoment(`${text}:00:00Z`)
  return at === null ? null : hourOf(at)
}

function readDay(text: string): number | null {
  const at = readMoment(text.slice(0, 10))
  return at === null ? null : hourOf(at) / DAY_HOURS
}

/** Returns the time of a line as a day of the zone, or an hour of UTC. */
export function writeSlot(slot: number | null, resolution: Resolution | undefined, zone = 'UTC'): string | null {
  if (slot === null) return null
  const at = slot * HOUR_MS
  if (resolution === 'hour') return new Date(at).toISOString().slice(0, 13)
  return new Date(at + offsetAt(zone, at)).toISOString().slice(0, 10)
}

/** The figures of a line that operators and clients get alike. */
export function writeFigures(line: StatisticsLine) {
  const { asked, taken, delivered, read, failed, cancelled, parts, clicked, clicks } = line
  return {
    asked,
    taken,
    delivered,
    read,
    failed,
    cancelled,
    fallen_back: line.fellBack,
    parts,
    clicked,
    clicks,
    robot_clicks: line.robotClicks,
    delivered_of_taken: line.deliveredOfTaken,
    delivered_of_asked: line.deliveredOfAsked,
    p50_seconds: toSeconds(line.p50),
    p95_seconds: toSeconds(line.p95),
    p99_seconds: toSeconds(line.p99),
    reports_sent: line.reportsSent,
    reports_failed: line.reportsFailed,
  }
}

function toSeconds(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms) / 1_000
}
