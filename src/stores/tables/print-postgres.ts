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

/** Indexes from before tables were partitioned have names of their own in the first partition, later ones do not. */
const NAMED_IN_FIRST = /^(message_of_(phone|client)|report_(pending|waiting|held|failed)|part_ref_of_\w+) /

/** Returns the statements that create it, with its indexes and its first row. */
export function createInPostgres(table: Table): readonly string[] {
  const { name, indexes, also, row } = table
  return [
    ...(table.weeks === null
      ? [createTable(table), ...indexes.map((index) => printIndex(name, index))]
      : createPartitioned(table, table.weeks)),
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
function createPartitioned(table: Table, weeks: number): readonly string[] {
  const { name, key, fillfactor } = table
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
    `CREATE TABLE ${name}_rest PARTITION OF ${name} DEFAULT${storageOf(fillfactor)}`,
    ...(later ?? []).map((index) => printIndex(name, index)),
    // Lets logical replication, with which Citus moves shards, distinguish rows without a key.
    ...(key.length > 0 ? [] : ['_first', '_rest'].map((part) => `ALTER TABLE ${name}${part} REPLICA IDENTITY FULL`)),
  ]
}

function storageOf(fillfactor: number | null): string {
  return fillfactor === null ? '' : ` WITH (fillfactor = ${fillfactor})`
}
