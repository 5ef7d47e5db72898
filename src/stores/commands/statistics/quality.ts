/** Counts of routing by quality, by slot and by day, and the history of demotions. */

import type { RoutedChannel } from '../../../domain/channels/channel.ts'
import type { Demotion } from '../../../domain/routing/demotion.ts'
import {
  COUNT_NAMES,
  dayOf,
  type QualityCounts,
  type QualityRow,
  SLOT_MS,
  USUAL_MS,
} from '../../../domain/routing/quality-counts.ts'
import type { DemotionQuery, QualityQuery, QualityRows } from '../../../ports/stores/quality-store.ts'
import type { Cell } from '../../rows/cells/cell.ts'
import { DEMOTION_TABLE } from '../../rows/setup/directory-tables.ts'
import { type Command, first, rows, write } from '../statement/command.ts'
import { sql } from '../statement/sql.ts'

type Row = [
  channel: RoutedChannel,
  carrierId: string,
  country: string,
  operator: string,
  slot: number,
  ...counts: [sent: number, delivered: number, deliveredMs: number, codes: number, converted: number],
  ...times: [in10s: number, in30s: number, in90s: number, later: number],
]

/** Of `span`. */
const [SLOT, DAY] = ['slot', 'day'] as const
const SLOTS_KEPT_MS = 26 * 3_600_000
const DAYS_KEPT_MS = USUAL_MS + 2 * 86_400_000
const KEY_COLUMNS = 6
const MAX_ROWS = 200_000
const PLACE = 'channel, carrier_id, country, operator'
/** In the order of COUNT_NAMES. */
const COUNTS = ['sent', 'delivered', 'delivered_ms', 'codes', 'converted', 'in_10s', 'in_30s', 'in_90s', 'later']
const ADD = sql(
  `INSERT INTO quality_count (span, ${PLACE}, slot, ${COUNTS.join(', ')}, keep_until)
   VALUES (${Array.from({ length: KEY_COLUMNS + COUNTS.length + 1 }, () => '?').join(', ')})
   ON CONFLICT (span, slot, ${PLACE}) DO UPDATE SET
     ${COUNTS.map((name) => `${name} = quality_count.${name} + excluded.${name}`).join(', ')}`,
)
const RANGE = sql<[oldest: number | null, newest: number | null]>(
  `SELECT min(slot), max(slot) FROM quality_count WHERE span = '${SLOT}' AND slot >= ?`,
)
const OF_SLOT = sql<Row>(
  `SELECT ${PLACE}, slot, ${COUNTS.join(', ')} FROM quality_count WHERE span = '${SLOT}' AND slot = ? LIMIT ${MAX_ROWS}`,
)
const USUAL = sql<Row>(
  `SELECT ${PLACE}, min(slot), ${COUNTS.map((name) => `CAST(sum(${name}) AS bigint)`).join(', ')} FROM quality_count
   WHERE span = '${DAY}' AND slot >= ? GROUP BY ${PLACE} LIMIT ${MAX_ROWS}`,
)
const { columns } = DEMOTION_TABLE
const DEMOTIONS = sql(
  `SELECT ${columns.map((name) => `"${name}"`).join(', ')} FROM demotion
   WHERE ended_at IS NULL OR ended_at >= ?
   ORDER BY began_at DESC, ${PLACE} LIMIT ?`,
)

/** In the order of their keys, so that gateways lock them in the same order. */
export function countQuality(counted: readonly QualityRow[]): Command<void> {
  const values = counted.flatMap((row) => [
    valuesOf(row, SLOT, row.slot, row.slot + SLOTS_KEPT_MS),
    valuesOf(row, DAY, dayOf(row.slot), dayOf(row.slot) + DAYS_KEPT_MS),
  ])
  const keyOf = (cells: readonly Cell[]) => cells.slice(0, KEY_COLUMNS).join(' ')
  return write(ADD, ...values.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)))
}

function valuesOf(row: QualityRow, span: string, slot: number, keepUntil: number): readonly Cell[] {
  const { channel, carrierId, country, operator } = row
  return [span, channel, carrierId, country, operator ?? '', slot, ...COUNT_NAMES.map((name) => row[name]), keepUntil]
}

export function* qualityRows({ slotsSince, daysSince }: QualityQuery): Command<QualityRows> {
  const usual = yield* rows(USUAL, daysSince)
  return { recent: yield* recentRows(slotsSince), usual: usual.map(readRow) }
}

/** The newest first. By slots, between which a gateway on PostgreSQL does other work. */
function* recentRows(since: number): Command<readonly QualityRow[]> {
  const [oldest, newest] = (yield* first(RANGE, since)) ?? []
  const found: QualityRow[] = []
  for (let slot = newest ?? 0; slot >= (oldest ?? 1) && found.length < MAX_ROWS; slot -= SLOT_MS) {
    for (const row of yield* rows(OF_SLOT, slot)) found.push(readRow(row))
  }
  return found
}

function readRow([channel, carrierId, country, operator, slot, ...counts]: Row): QualityRow {
  const [sent, delivered, deliveredMs, codes, converted, in10s, in30s, in90s, later] = counts
  const read: QualityCounts = { sent, delivered, deliveredMs, codes, converted, in10s, in30s, in90s, later }
  return { channel, carrierId, country, operator: operator === '' ? null : operator, slot, ...read }
}

export function* demotions({ endedSince, limit }: DemotionQuery): Command<readonly Demotion[]> {
  const found = yield* rows(DEMOTIONS, endedSince, limit)
  return found.map(DEMOTION_TABLE.read)
}
