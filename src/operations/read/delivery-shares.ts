/** Compares delivery shares of carriers and operators in the last hours with the week before, for alarms. */
import type { Observation } from '../../domain/alarms/alarm.ts'
import { type ComparedShare, shareConditions } from '../../domain/alarms/alarm-conditions.ts'
import { DAY_HOURS, hourOf, type StatisticsKey } from '../../domain/statistics/message-statistics.ts'
import type { StatisticsLine } from '../../domain/statistics/statistics-lines.ts'
import type { QueryStore } from '../../ports/stores/query-store.ts'
import { readStatistics, writeSlot } from './read-statistics.ts'

/** The hours before the last one, so that receipts had at least an hour to come. */
const RECENT_HOURS = 3
const RECENT_ENDS = 2
const PAST_DAYS = 7

interface Group {
  readonly by: readonly StatisticsKey[]
  /** Null for what is unknown. */
  readonly subjectOf: (line: StatisticsLine) => string | null
}

const GROUPS: readonly Group[] = [
  { by: ['carrier'], subjectOf: ({ carrierId }) => (carrierId === null ? null : `carrier ${carrierId}`) },
  {
    by: ['operator', 'channel'],
    subjectOf: ({ operator, channel }) => (operator === null ? null : `operator ${operator} by ${channel}`),
  },
]

/** `maxDrop` is in percent of the earlier share. Rejects if there are too many groups. */
export async function findFallenShares(
  store: Pick<QueryStore, 'messageTotals'>,
  { now, maxDrop }: { readonly now: number; readonly maxDrop: number },
): Promise<readonly Observation[]> {
  const last = hourOf(now) - RECENT_ENDS
  const first = last - RECENT_HOURS + 1
  const today = first - (first % DAY_HOURS)
  const compared: ComparedShare[] = []
  for (const group of GROUPS) {
    const read = (from: number, through: number, resolution: 'hour' | 'day') =>
      readLines(store, group, { from: writeSlot(from, resolution), through: writeSlot(through, resolution), now })
    const recent = await read(first, last, 'hour')
    if (recent.size === 0) continue
    const past = await read(today - PAST_DAYS * DAY_HOURS, today - DAY_HOURS, 'day')
    for (const [subject, line] of recent) compared.push({ subject, recent: line, past: past.get(subject) ?? null })
  }
  return shareConditions(compared, maxDrop)
}

interface Range {
  readonly from: string | null
  readonly through: string | null
  readonly now: number
}

async function readLines(
  store: Pick<QueryStore, 'messageTotals'>,
  { by, subjectOf }: Group,
  { from, through, now }: Range,
): Promise<ReadonlyMap<string, StatisticsLine>> {
  const input = {
    from: from ?? undefined,
    through: through ?? undefined,
    resolution: 'total',
    accountId: null,
  } as const
  const found = await readStatistics(store, { ...input, only: {}, by }, now)
  if ('rule' in found) throw new Error(`delivery shares: ${found.field} ${found.rule}`)
  return new Map(
    found.lines.flatMap((line) => {
      const subject = subjectOf(line)
      return subject === null ? [] : [[subject, line] as const]
    }),
  )
}
