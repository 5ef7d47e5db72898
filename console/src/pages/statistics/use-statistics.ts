/** Reads the statistics of a selection: its lines, sorted, and its total. */
import { useMemo, useState } from 'react'
import { useMay } from '../../api/me.ts'
import { asRows, type PagedRows, useApi } from '../../api/queries.ts'
import type { Sorting } from '../../parts/list/data-table.tsx'
import { filtersOf, type Group, groupingOf, groupOf, type Line, rateIsOfTaken, type Selection } from './query.ts'

const EVERY_MS = 15_000
/** The answer holds all lines; so many are drawn at a time. */
const SHOWN = 100

interface Amount {
  readonly price: number
  readonly currency: string
}

export interface Row {
  readonly line: Line
  readonly group: string | number | null
  readonly rate: number | null
  /** One for each currency; they are never added up. */
  readonly prices: readonly Amount[]
}

export function useTotal(selection: Selection) {
  const query = { ...filtersOf(selection, Date.now()), resolution: 'total', by: 'none' } as const
  return useApi('/statistics', { query }, { every: EVERY_MS })
}

export function useRows(selection: Selection, sorting: Sorting): PagedRows<Row> {
  const [shown, setShown] = useState(SHOWN)
  const { by, channel } = selection
  const filters = filtersOf(selection, Date.now())
  const found = useApi('/statistics', { query: { ...filters, ...groupingOf(by) } }, { every: EVERY_MS })
  // Lines of another grouping have none of this one's groups.
  const lines = found.isPlaceholderData ? undefined : found.data?.data
  const isMixed = useMay()('listPostings') && lines?.some(({ price }) => price === null) === true
  const byCurrency = { query: { ...filters, ...groupingOf(by, ['currency']) } }
  const apart = useApi('/statistics', byCurrency, { every: EVERY_MS, enabled: isMixed })
  const split = apart.isPlaceholderData ? undefined : apart.data?.data
  const rows = useMemo(() => {
    const drawn = lines?.filter(hasMessages).map((line): Row => {
      const group = groupOf(line, by)
      const rate = rateIsOfTaken({ by, channel }) ? line.delivered_of_taken : line.delivered_of_asked
      const priced = line.price === null ? (split ?? []).filter((each) => isSameGroup(each, line, by)) : [line]
      return { line, group, rate, prices: priced.flatMap(amountOf) }
    })
    return drawn === undefined ? undefined : sortRows(drawn, sorting)
  }, [lines, split, by, channel, sorting])
  return {
    ...asRows(found),
    // All other groups are in the last row, whatever the order.
    rows: rows && [...rows.filter(isGroup).slice(0, shown), ...rows.filter((row) => !isGroup(row))],
    hasMore: (rows?.filter(isGroup).length ?? 0) > shown,
    readMore: () => setShown(shown + SHOWN),
  }
}

/** Reports are counted apart from channels and operators: their lines have no messages. */
function hasMessages({ asked, taken, delivered, read, failed, cancelled, fallen_back: fellBack }: Line): boolean {
  return asked + taken + delivered + read + failed + cancelled + fellBack > 0
}

function amountOf({ price, currency }: Line): readonly Amount[] {
  return price === null || currency === null ? [] : [{ price, currency }]
}

function sortRows(rows: readonly Row[], { by, descending }: Sorting): readonly Row[] {
  const sorted = by === 'group' ? [...rows] : rows.toSorted((a, b) => sortValueOf(a, by) - sortValueOf(b, by))
  return descending ? sorted.reverse() : sorted
}

function isGroup({ line }: Row): boolean {
  return line.others === null
}

function isSameGroup(one: Line, other: Line, by: Group): boolean {
  return groupOf(one, by) === groupOf(other, by) && (one.others === null) === (other.others === null)
}

function sortValueOf({ line, rate }: Row, by: string): number {
  if (by === 'rate') return rate ?? -1
  return line[by as 'asked' | 'taken' | 'delivered' | 'failed']
}
