/** Reads the statistics of a selection: its lines, sorted by the server, and their total. */
import { useMemo, useState } from 'react'
import { useMay } from '../../api/me.ts'
import { asRows, type PagedRows, useApi } from '../../api/queries.ts'
import type { Sorting } from '../../parts/list/data-table.tsx'
import {
  type Days,
  filtersOf,
  type Group,
  groupingOf,
  groupOf,
  type Line,
  messagesOf,
  orderOf,
  type Query,
  rateOf,
  type Selection,
  type Sort,
} from './query.ts'

/** Many days are read less often. */
const EVERY_MS = { short: 15_000, long: 60_000 }
const SHORT_DAYS = 2
/** The answer holds all lines; so many are drawn at a time. */
const SHOWN = 100

export interface Row {
  readonly line: Line
  readonly group: string | number | null
  readonly rate: number | null
  /** The line, or one for each currency; they are never added up. */
  readonly amounts: readonly Line[]
  readonly isTotal: boolean
}

export function everyOf({ from, through }: Days): number {
  return daysBetween(from, through) < SHORT_DAYS ? EVERY_MS.short : EVERY_MS.long
}

function daysBetween(from: string, through: string): number {
  return (Date.parse(through) - Date.parse(from)) / 86_400_000
}

export interface Sorted extends Sorting {
  readonly by: Sort
}

/** The lines and the order of a selection, as the API is asked for them. */
export function queryOf(selection: Selection, days: Days, sorting: Sorted, further: readonly string[] = []): Query {
  const order = orderOf(sorting.by, selection)
  const direction = sorting.descending ? 'descending' : 'ascending'
  return {
    ...filtersOf(selection, days),
    ...groupingOf(selection.by, further),
    ...(order === undefined ? {} : { order, direction }),
  }
}

export interface Statistics {
  readonly list: PagedRows<Row>
  /** Undefined until it is read, and if there are no messages. */
  readonly total: Row | undefined
}

export function useStatistics(selection: Selection, days: Days, sorting: Sorted): Statistics {
  const [shown, setShown] = useState(SHOWN)
  const { by, channel } = selection
  const every = everyOf(days)
  const found = useApi('/statistics', { query: queryOf(selection, days, sorting) }, { every })
  // Lines of another grouping have none of this one's groups.
  const data = found.isPlaceholderData && !isGroupedBy(found.data?.data, by) ? undefined : found.data
  const isMixed = useMay()('listPostings') && data?.total != null && data.total.price === null
  const read = { every, enabled: isMixed }
  const apart = useApi('/statistics', { query: queryOf(selection, days, sorting, ['currency']) }, read)
  const all = useApi('/statistics', { query: { ...filtersOf(selection, days), by: 'currency' } }, read)
  const split = apart.isPlaceholderData ? undefined : apart.data?.data
  const sums = all.isPlaceholderData ? undefined : all.data?.data
  const isReversed = sorting.by === 'group' && sorting.descending
  const rows = useMemo(() => {
    const drawn = data?.data.filter(hasMessages).map((line): Row => {
      const amounts = line.price === null ? (split ?? []).filter((each) => isSameGroup(each, line, by)) : [line]
      return { line, group: groupOf(line, by), rate: line[rateOf({ by, channel })], amounts, isTotal: false }
    })
    return isReversed ? drawn?.toReversed() : drawn
  }, [data, split, by, channel, isReversed])
  const sum = data?.total ?? null
  const total = useMemo(() => {
    if (sum === null) return undefined
    const amounts = sum.price === null ? (sums ?? []) : [sum]
    return { line: sum, group: null, rate: sum[rateOf({ by, channel })], amounts, isTotal: true }
  }, [sum, sums, by, channel])
  const groups = rows?.filter(isGroup)
  return {
    list: {
      ...asRows(found),
      // All other groups are in the last row, whatever the order.
      rows: rows && groups && [...groups.slice(0, shown), ...rows.filter((row) => !isGroup(row))],
      hasMore: (groups?.length ?? 0) > shown,
      readMore: () => setShown(shown + SHOWN),
    },
    total,
  }
}

/** Reports are counted apart from channels and operators: their lines have no messages. */
function hasMessages(line: Line): boolean {
  return line.asked + line.taken + messagesOf(line) > 0
}

function isGroup({ line }: Row): boolean {
  return line.others === null
}

/** Returns whether the lines are of this grouping: only the one that was asked for has values. */
function isGroupedBy(lines: readonly Line[] = [], by: Group): boolean {
  return lines.some((line) => groupOf(line, by) !== null)
}

function isSameGroup(one: Line, other: Line, by: Group): boolean {
  return groupOf(one, by) === groupOf(other, by) && (one.others === null) === (other.others === null)
}
