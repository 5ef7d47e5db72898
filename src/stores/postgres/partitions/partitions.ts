/**
 * Large tables are partitioned by msg_id, so that old data is dropped with its table, not row by row, and the indexes
 * that traffic writes to stay small. Ids follow time: every week since 2026 has its own range of counters, and none is
 * assigned from an earlier one (reserve-ids.ts). Partitions are created ahead of time and dropped once nothing in them
 * is needed. Rows without a partition, because none could be created, go to a default partition and are deleted row by
 * row, as are those from before the first partition, and all rows of a database user who may not create tables.
 */
import { DAY_MS } from '../../../domain/accounts/retention.ts'
import { BUCKETS } from '../../../domain/ids/message-id.ts'
import { TABLES } from '../../tables/all-tables.ts'
import { type Cut, createPartition, isCut } from '../../tables/print-postgres.ts'
import type { Connection } from '../connection/connection.ts'
import { rare } from '../connection/statement.ts'

const WEEK_MS = 7 * DAY_MS
const FIRST_WEEK = Date.UTC(2026, 0, 1)
/** More than 14,000 messages a second; above that, a week uses the range of the next. Enough weeks until 2340. */
const COUNTERS_A_WEEK = 2 ** 33
const IDS_A_WEEK = COUNTERS_A_WEEK * BUCKETS

/** A reserved counter may be used this much later, by a clock that is this much behind. */
const LATE_MS = DAY_MS
/**
 * Traffic waits at most this long for a partition to be created or dropped; longer transactions are not interrupted.
 */
const LOCK_WITHIN_MS = 300

const CUTS: ReadonlyMap<string, Cut> = new Map(
  TABLES.postgres.flatMap((table) => (isCut(table) ? [[table.name, table] as const] : [])),
)

interface Partition {
  readonly table: string
  readonly name: string
  /** Ids from here; null for all below the end. */
  readonly from: number | null
  /** Ids below this. */
  readonly to: number
}

const PARTITIONS = rare<[table: string, name: string, bounds: string]>(
  `SELECT whole.relname::text, part.relname::text, pg_get_expr(part.relpartbound, part.oid)
   FROM pg_inherits JOIN pg_class AS part ON part.oid = inhrelid JOIN pg_class AS whole ON whole.oid = inhparent
   WHERE whole.relkind = 'p' AND whole.relnamespace = current_schema()::regnamespace
     AND pg_has_role(whole.relowner, 'USAGE') AND pg_has_role(part.relowner, 'USAGE')`,
)
const BOUNDS = /FROM \((?:MINVALUE|'(\d+)')\) TO \('(\d+)'\)/

/** Returns the first counter of the week of this moment. */
export function firstCounterAt(now: number): number {
  return weekAt(now) * COUNTERS_A_WEEK
}

/** The partitions that this database user may drop. */
export class Partitions {
  readonly all: readonly Partition[]

  constructor(all: readonly Partition[]) {
    this.all = all
  }

  static async read(connection: Connection): Promise<Partitions> {
    const rows = await connection.query(PARTITIONS)
    const found = rows.flatMap(([table, name, bounds]): Partition[] => {
      const [, from, to] = BOUNDS.exec(bounds) ?? []
      if (to === undefined || !CUTS.has(table)) return []
      return [{ table, name, from: from === undefined ? null : Number(from), to: Number(to) }]
    })
    return new Partitions(found)
  }

  /** Returns whether the table's rows of this message will be dropped with a partition. */
  has(table: string, msgId: number): boolean {
    return this.all.some((each) => each.table === table && each.from !== null && each.from <= msgId && msgId < each.to)
  }
}

/** Creates the current and upcoming ones. What cannot be created now is tried again next time. */
export async function makePartitions(connection: Connection, now: number): Promise<void> {
  const { all } = await Partitions.read(connection)
  for (const cut of CUTS.values()) {
    const ends = all.flatMap((each) => (each.table === cut.name ? [each.to] : []))
    if (ends.length === 0) continue
    for (const from of [rangeStart(cut, now), rangeStart(cut, now + cut.weeks * WEEK_MS)]) {
      if (ends.every((end) => end <= from)) await connection.run(making(cut, from))
    }
  }
}

/** Drops partitions in which nothing is needed. What cannot be dropped now is tried again next time. */
export async function dropPartitions(
  connection: Connection,
  now: number,
  settledKeptDays: number | null,
): Promise<void> {
  const { all } = await Partitions.read(connection)
  for (const partition of all) {
    const isPast = timeOf(partition.to) + LATE_MS <= now
    if (isPast) await connection.run(drop(partition, unwanted(partition, now, settledKeptDays)))
  }
}

/** The condition under which nothing in it is needed. */
function unwanted(partition: Partition, now: number, settledKeptDays: number | null): string {
  const { table, name, from, to } = partition
  if (table === 'event') return nothingOf('message', partition)
  const isOver = settledKeptDays !== null && timeOf(to) + LATE_MS + settledKeptDays * DAY_MS <= now
  const goesWhole = (table === 'report' || table === 'part_ref') && from !== null && isOver
  if (!goesWhole) return `NOT EXISTS (SELECT 1 FROM "${name}")`
  return `${nothingOf('due', partition)} AND ${nothingOf('report', partition, `state = 'pending'`)}`
}

function nothingOf(table: string, { from, to }: Partition, where = 'true'): string {
  return `NOT EXISTS (SELECT 1 FROM ${table} WHERE ${where} AND msg_id >= ${from ?? 0} AND msg_id < ${to})`
}

/** Locks the parent table first and then the partition, as all others do. */
function drop({ table, name }: Partition, condition: string): string {
  return patiently(`LOCK TABLE ONLY ${table} IN ACCESS EXCLUSIVE MODE;
    LOCK TABLE "${name}" IN ACCESS EXCLUSIVE MODE;
    IF ${condition} THEN DROP TABLE "${name}"; END IF;`)
}

/** A range whose rows are already in the default partition stays there. */
function making(cut: Cut, from: number): string {
  const bounds = `FOR VALUES FROM (${from}) TO (${from + cut.weeks * IDS_A_WEEK})`
  return patiently(`${createPartition(cut, `_w${from / IDS_A_WEEK}`, bounds).join('; ')};`)
}

/** Waits no longer than traffic may; yields to a concurrent node doing the same. */
function patiently(work: string): string {
  return `DO $$ BEGIN
    PERFORM set_config('lock_timeout', '${LOCK_WITHIN_MS}', true);
    ${work}
  EXCEPTION WHEN lock_not_available OR deadlock_detected OR undefined_table OR duplicate_table
    OR check_violation OR invalid_object_definition THEN NULL;
  END $$`
}

function rangeStart({ weeks }: Cut, at: number): number {
  return Math.floor(weekAt(at) / weeks) * weeks * IDS_A_WEEK
}

function weekAt(now: number): number {
  return Math.max(0, Math.floor((now - FIRST_WEEK) / WEEK_MS))
}

/** Returns when ids from this one on begin to be assigned. */
function timeOf(msgId: number): number {
  return FIRST_WEEK + Math.floor(msgId / IDS_A_WEEK) * WEEK_MS
}
