/** Prints tables as PostgreSQL creates them. */
import { type Column, type ColumnType, quoted, type Table } from './declaration.ts'
import { printIndex } from './print-sqlite.ts'

const TYPES: Readonly<Record<ColumnType, string>> = {
  smallint: 'smallint',
  integer: 'integer',
  bigint: 'bigint',
  double: 'double precision',
  text: 'text',
  name: 'text COLLATE "C"',
  bytes: 'bytea',
}

/** A table that is partitioned by msg_id. */
export interface Cut extends Table {
  readonly weeks: number
}

/** Indexes from before tables were partitioned have names of their own in the first partition, later ones do not. */
const NAMED_IN_FIRST = /^(message_of_(phone|client)|report_(pending|waiting|held|failed)|part_ref_of_\w+) /

/** Returns the statements that create it, with its indexes and its first row. */
export function createInPostgres(table: Table): readonly string[] {
  const { name, indexes, also, row } = table
  return [
    ...(isCut(table)
      ? createPartitioned(table)
      : [createTable(table), ...indexes.map((index) => printIndex(name, index))]),
    ...also,
    ...(row === undefined ? [] : [`INSERT INTO ${name} VALUES (${row})`]),
  ]
}

/** Returns the column as CREATE TABLE and ADD COLUMN have it. */
export function columnInPostgres(column: Column, isDistributed: boolean): string {
  const { name, type, isNull, isIdentity, generated, preset, references } = column
  return [
    `${quoted(name)} ${TYPES[type]}`,
    ...(isIdentity ? ['GENERATED ALWAYS AS IDENTITY'] : []),
    ...(generated === null ? [] : [`GENERATED ALWAYS AS ${generated} STORED`]),
    ...(isNull || generated !== null ? [] : ['NOT NULL']),
    ...(preset === null ? [] : [`DEFAULT ${preset}`]),
    // Rows of a bucket may be on another server than those that they refer to.
    ...(references === null || isDistributed ? [] : [`REFERENCES ${references}`]),
  ].join(' ')
}

function createTable(table: Table, suffix = ''): string {
  const { name, columns, bucket, key, unique, checks = {}, fillfactor } = table
  const named = suffix === '' ? '' : `CONSTRAINT ${name}_pkey${suffix} `
  const parts = [
    ...columns.map((column) => columnInPostgres(column, bucket !== null)),
    ...(key.length === 0 ? [] : [`${named}PRIMARY KEY (${key.map(quoted).join(', ')})`]),
    ...(unique === undefined ? [] : [`UNIQUE (${unique.split(', ').map(quoted).join(', ')})`]),
    ...Object.entries(checks).map(([check, condition]) => `CONSTRAINT ${check} CHECK (${condition})`),
  ]
  return `CREATE TABLE ${name}${suffix} (\n  ${parts.join(',\n  ')}\n)${storageOf(fillfactor)}`
}

/**
 * The first partition has all rows from before it and the present one; one without limits takes rows without a
 * partition. The others are made ahead of time (partitions.ts).
 */
function createPartitioned(table: Cut): readonly string[] {
  const { name, weeks } = table
  const [named, later] = [true, false].map((is) => table.indexes.filter((index) => NAMED_IN_FIRST.test(index) === is))
  return [
    createTable(table, '_first'),
    ...(named ?? []).map((index) => printIndex(`${name}_first`, index, '_first')),
    `${createTable({ ...table, fillfactor: null })} PARTITION BY RANGE (msg_id)`,
    ...(named ?? []).map((index) => printIndex(name, index)),
    `DO $$ BEGIN
       EXECUTE format('ALTER TABLE ${name} ATTACH PARTITION ${name}_first FOR VALUES FROM (MINVALUE) TO (%s)', (greatest(0,
         floor((extract(epoch FROM clock_timestamp()) * 1000 - 1767225600000) / 604800000))::bigint / ${weeks} + 1) * ${weeks} * 549755813888);
     END $$`,
    ...createPartition(table, '_rest', 'DEFAULT'),
    ...(later ?? []).map((index) => printIndex(name, index)),
    ...replicated(table, '_first'),
  ]
}

/** Returns the statements that create a partition with these bounds. */
export function createPartition(table: Cut, suffix: string, bounds: string): readonly string[] {
  const { name, fillfactor } = table
  return [
    `CREATE TABLE ${name}${suffix} PARTITION OF ${name} ${bounds}${storageOf(fillfactor)}`,
    ...replicated(table, suffix),
  ]
}

export function isCut(table: Table): table is Cut {
  return table.weeks !== null
}

/** Lets logical replication, with which Citus moves shards, distinguish rows without a key. */
function replicated({ name, key }: Table, suffix: string): readonly string[] {
  return key.length > 0 ? [] : [`ALTER TABLE ${name}${suffix} REPLICA IDENTITY FULL`]
}

function storageOf(fillfactor: number | null): string {
  return fillfactor === null ? '' : ` WITH (fillfactor = ${fillfactor})`
}
