/** Reads the statistics of messages for operators and clients: a range of days or hours. */
import type { AccountId } from '../../domain/ids/account-id.ts'
import { drawHookLines, type HookLine } from '../../domain/statistics/hook-lines.ts'
import {
  DAY_HOURS,
  DAY_OR_HOUR_RULE,
  groupOf,
  HOURS_KEPT_DAYS,
  hourOf,
  isOfAllAccounts,
  type Resolution,
  type StatisticsKey,
  type StatisticsOrder,
  type StatisticsQuery,
} from '../../domain/statistics/message-statistics.ts'
import { drawLines, rankLines, type StatisticsLine } from '../../domain/statistics/statistics-lines.ts'
import { readMoment } from '../../domain/time/moment.ts'
import { TooMuchToRead } from '../../ports/records/store-errors.ts'
import type { QueryStore } from '../../ports/stores/query-store.ts'

const MAX_STATISTICS_DAYS = 366
const MAX_STATISTICS_LINES = 5_000
/** Of the store; a line has up to forty. */
const MAX_TOTALS = 50_000
/** Groups of an answer that would have too many lines. */
const TOP_GROUPS = 100

/** The range as the caller wrote it. */
interface StatisticsRange {
  readonly from?: string | undefined
  readonly through?: string | undefined
  readonly resolution?: Resolution | undefined
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
  readonly order: StatisticsOrder
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
  readonly field: 'from' | 'through' | 'by'
  readonly rule: string
}

/** Returns the lines, or what is wrong with the input. `now` in milliseconds. */
export async function readStatistics(
  store: Pick<QueryStore, 'messageTotals'>,
  input: StatisticsInput,
  now: number,
  maxLines = MAX_STATISTICS_LINES,
): Promise<readonly StatisticsLine[] | RangeFault> {
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
): Promise<readonly StatisticsLine[] | null> {
  const totals = await store.messageTotals(query)
  if (totals.length > MAX_TOTALS) return null
  const lines = drawLines(totals, query)
  return lines.length > maxLines ? null : lines
}

/** Reads the rank of each group, and then the lines of the first ones. Returns null if there are too many. */
async function readTop(
  store: Pick<QueryStore, 'messageTotals'>,
  query: StatisticsQuery,
  { groups, order, maxLines }: StatisticsTop & { readonly maxLines: number },
): Promise<readonly StatisticsLine[] | null> {
  const rank = () => store.messageTotals({ ...query, slotHours: null, ranking: order })
  // Accounts and senders may be too many for an answer: they are counted first.
  const mayBeMany = query.accountId === null && !isOfAllAccounts(query)
  const counted = mayBeMany || groups !== undefined ? await rank() : []
  if (groups === undefined && counted.length <= maxLines) {
    const all = await readLines(store, query, maxLines)
    if (all !== null) return all
  }
  const ranks = counted.length > 0 ? counted : await rank()
  if (ranks.length > MAX_TOTALS) return null
  const first = ranks.toSorted((a, b) => b.messages - a.messages).slice(0, groups ?? TOP_GROUPS)
  const lines = await readLines(store, { ...query, kept: new Set(first.map(groupOf)) }, maxLines)
  return lines === null ? null : rankLines(lines, order, Math.max(1, ranks.length - first.length))
}

function tooMany(maxLines: number): RangeFault {
  return { field: 'by', rule: `gives more than ${maxLines} lines: choose a shorter time or fewer groups` }
}

function toQuery(input: StatisticsInput, now: number): StatisticsQuery | RangeFault {
  const { from, through, resolution = 'total', accountId, only, by } = input
  const isOfHours = resolution === 'hour' || [from, through].some((text) => text?.includes('T') === true)
  const last = through === undefined ? lastHourOfDay(hourOf(now)) : endOf(through)
  if (last === null) return { field: 'through', rule: DAY_OR_HOUR_RULE }
  const first = from === undefined ? last - (last % DAY_HOURS) : beginningOf(from)
  if (first === null) return { field: 'from', rule: DAY_OR_HOUR_RULE }
  if (first > last) return { field: 'from', rule: 'must not be later than through' }
  const maxDays = isOfHours ? HOURS_KEPT_DAYS : MAX_STATISTICS_DAYS
  if (last - first >= maxDays * DAY_HOURS) {
    const unit = isOfHours ? ' with a resolution of hours' : ''
    return { field: 'from', rule: `must be at most ${maxDays} days before the end${unit}` }
  }
  const source = isOfHours ? 'hours' : 'days'
  const slotHours = resolution === 'total' ? null : resolution === 'day' ? DAY_HOURS : 1
  return { from: first, through: last, source, accountId, only, by, slotHours, limit: MAX_TOTALS + 1 }
}

function beginningOf(text: string): number | null {
  const at = readMoment(text.includes('T') ? `${text}:00:00Z` : text)
  return at === null ? null : hourOf(at)
}

function endOf(text: string): number | null {
  const hour = beginningOf(text)
  return hour === null || text.includes('T') ? hour : lastHourOfDay(hour)
}

function lastHourOfDay(hour: number): number {
  return hour - (hour % DAY_HOURS) + DAY_HOURS - 1
}

/** Returns the time of a line as a day or an hour. */
export function writeSlot(slot: number | null, resolution: Resolution | undefined): string | null {
  if (slot === null) return null
  return new Date(slot * 3_600_000).toISOString().slice(0, resolution === 'hour' ? 13 : 10)
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
