/** Counts of routing by quality, by slot and by day, and the history of demotions. */

import type { RoutedChannel } from '../../../domain/channels/channel.ts'
import type { Demotion } from '../../../domain/routing/demotion.ts'
import {
  COUNT_NAMES,
  dayOf,
  type QualityCounts,
  type QualityRow,
  USUAL_MS,
} from '../../../domain/routing/quality-counts.ts'
import type { DemotionQuery, QualityQuery, QualityRows } from '../../../ports/stores/quality-store.ts'
import type { Cell } from '../../rows/cells/cell.ts'
import { DEMOTION_TABLE } from '../../rows/setup/directory-tables.ts'
import { type Command, query, readAll, rows, write } from '../statement/command.ts'
import { sql } from '../statement/sql.ts'

type Row = [
  channel: RoutedChannel,
  carrierId: string,
  country: string,
  operator: string,
  slot: number,
  ...counts: [sent: number, delivered: number, deliveredMs: number, codes: number, converted: number],
]

/** Of `span`. */
const [SLOT, DAY] = ['slot', 'day'] as const
const SLOTS_KEPT_MS = 26 * 3_600_000
const DAYS_KEPT_MS = USUAL_MS + 2 * 86_400_000
const KEY_COLUMNS = 6
const MAX_ROWS = 200_000
const PLACE = 'channel, carrier_id, country, operator'
const COUNTS = ['sent', 'delivered', 'delivered_ms', 'codes', 'converted']
const ADD = sql(
  `INSERT INTO quality_count (span, ${PLACE}, slot, ${COUNTS.join(', ')}, keep_until)
   VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
   ON CONFLICT (span, slot, ${PLACE}) DO UPDATE SET
     ${COUNTS.map((name) => `${name} = quality_count.${name} + excluded.${name}`).join(', ')}`,
)
const RECENT = sql<Row>(
  `SELECT ${PLACE}, slot, ${COUNTS.join(', ')} FROM quality_count WHERE span = '${SLOT}' AND slot >= ?
   ORDER BY slot DESC LIMIT ${MAX_ROWS}`,
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
  const [recent, usual] = yield* readAll(query(RECENT, slotsSince), query(USUAL, daysSince))
  return { recent: recent.map(readRow), usual: usual.map(readRow) }
}

function readRow([channel, carrierId, country, operator, slot, ...counts]: Row): QualityRow {
  const [sent, delivered, deliveredMs, codes, converted] = counts
  const read: QualityCounts = { sent, delivered, deliveredMs, codes, converted }
  return { channel, carrierId, country, operator: operator === '' ? null : operator, slot, ...read }
}

export function* demotions({ endedSince, limit }: DemotionQuery): Command<readonly Demotion[]> {
  const found = yield* rows(DEMOTIONS, endedSince, limit)
  return found.map(DEMOTION_TABLE.read)
}
