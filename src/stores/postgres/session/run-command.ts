/** Runs commands (stores/commands) on PostgreSQL: awaits what they read, and sends what they write without waiting. */
import { BUCKETS } from '../../../domain/ids/message-id.ts'
import type { Vault } from '../../../ports/system/vault.ts'
import type { Command, CommandStep, Query } from '../../commands/statement/command.ts'
import { openCells, sealCells } from '../../commands/statement/seals.ts'
import type { Sql } from '../../commands/statement/sql.ts'
import { type Cell, toCell, type Value } from '../../rows/cells/cell.ts'
import { ByBucket } from '../connection/by-bucket.ts'
import type { Connection, QueryResult } from '../connection/connection.ts'
import { inBucket, insertion, lookUp, rare, type SqlStatement, updating } from '../connection/statement.ts'
import { columnsOf, type Session } from './session.ts'

/** A transaction of a lane, or a connection for reads and for writes that may be repeated. */
type Place = Pick<Session, 'vault' | 'leased' | 'execute' | 'write' | 'insert' | 'update'>

export async function runCommand<T>(place: Place, command: Command<T>): Promise<T> {
  let next = command.next()
  while (next.done !== true) next = command.next(await answer(place, next.value))
  return next.value
}

/** Runs a command for each order, in the order of their keys, so that two nodes lock rows in the same order. */
export async function runEach<Order, T>(
  place: Place,
  orders: readonly Order[],
  keyOf: (order: Order) => number,
  command: (order: Order) => Command<T>,
): Promise<readonly T[]> {
  const sorted = [...orders.entries()].sort(([, a], [, b]) => byBucket(keyOf(a), keyOf(b)))
  const answers: T[] = []
  for (const [at, order] of sorted) answers[at] = await runCommand(place, command(order))
  return answers
}

/** Runs a command on a connection, outside of the transactions of lanes. */
export async function runOn<T>(connection: Connection, vault: Vault, command: Command<T>): Promise<T> {
  const sent: Promise<unknown>[] = []
  const answered = await runCommand(
    {
      vault,
      leased: async () => {},
      execute: (statement, ...values) => connection.execute(statement, values),
      write: (statement, ...values) => sent.push(connection.execute(statement, values)),
      update: (statement, rows) => {
        for (const [bucket, each] of rows.entries())
          sent.push(connection.execute(statement, [bucket, ...columnsOf(each)]))
      },
      insert: ({ name }) => {
        throw new Error(`${name} needs the lease of a transaction`)
      },
    },
    command,
  )
  await Promise.all(sent)
  return answered
}

/** Runs work that sends all of its statements at once, before another caller can use the same connection. */
export async function inSnapshot<T>(connection: Connection, work: () => Promise<T>): Promise<T> {
  const begun = connection.run('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
  const asked = work()
  const ended = connection.run('COMMIT')
  return asked.finally(() => Promise.allSettled([begun, ended]))
}

async function answer(place: Place, step: CommandStep): Promise<unknown> {
  if (step.kind === 'own') return step.work()
  const { kind, queries } = step
  if (queries.some(({ sql }) => sql.opens.length + sql.seals.length > 0)) await place.leased()
  if (kind === 'write') return write(place, queries)
  const results = await Promise.all(queries.map((query) => execute(place, query)))
  if (kind === 'change') return results.map(({ count }) => count)
  return queries.map(({ sql: { opens } }, index) => {
    const { rows = [] } = results[index] ?? {}
    return opens.length === 0 ? rows : rows.map((row) => openCells(place.vault, opens, row))
  })
}

async function execute(place: Place, query: Query): Promise<QueryResult<readonly Cell[]>> {
  if (query.bucket !== 'each') return place.execute(statementOf(query.sql), ...valuesOf(place, query))
  const results = await Promise.all(ALL_BUCKETS.map((bucket) => execute(place, { ...query, bucket })))
  return { rows: results.flatMap(({ rows }) => rows), count: results.reduce((sum, { count }) => sum + count, 0) }
}

function write(place: Place, queries: readonly Query[]): void {
  for (const [sql, ofSql] of Map.groupBy(queries, (query) => query.sql)) {
    const statement = statementOf(sql)
    if (sql.insert !== null) place.insert(statement, rowsOf(place, ofSql))
    else if (sql.update !== null) place.update(statement, rowsOf(place, ofSql))
    else for (const query of ofSql) place.write(statement, ...valuesOf(place, query))
  }
}

/** All rows of an INSERT, and of an UPDATE in a bucket, are one statement. */
function rowsOf(place: Place, queries: readonly Query[]): ByBucket<readonly Cell[]> {
  const rows = new ByBucket<readonly Cell[]>()
  for (const query of queries) rows.add(bucketOf(query), sealed(place, query).map(toCell))
  return rows
}

function valuesOf(place: Place, query: Query): readonly Value[] {
  const values = sealed(place, query)
  return statementOf(query.sql).kind === 'bucket' ? [bucketOf(query), ...values] : values
}

function sealed(place: Place, { sql: { seals }, values }: Query): readonly Value[] {
  return seals.length === 0 ? values : sealCells(place.vault, seals, values)
}

function bucketOf({ sql, bucket }: Query): number {
  if (typeof bucket !== 'number') throw new Error(`no bucket for: ${sql.text}`)
  return bucket
}

const ALL_BUCKETS = Array.from({ length: BUCKETS }, (_, bucket) => bucket)
const statements = new Map<Sql, SqlStatement>()

/** Returns the statement for PostgreSQL, made when it is first used. */
export function statementOf(sql: Sql): SqlStatement {
  const statement = statements.get(sql) ?? compile(sql)
  statements.set(sql, statement)
  return statement
}

/** As in the indexes. */
const HOOK = `split_part(address, '?', 1)`
const CLIENT_HOOKS = `(SELECT account_id, (each_hook ->> 'id')::int
   FROM account_hooks, jsonb_array_elements(hooks::jsonb -> 'hooks') AS each_hook)`
const BUCKET = /\{(\w+\.)?bucket\}/g

function compile({ text, insert, update, isLookUp }: Sql): SqlStatement {
  if (insert !== null) {
    return insertion(insert.table, insert.columns, insert.onConflict.replaceAll('{bucket,}', 'bucket,'))
  }
  if (update !== null) return updating(update.table, update.columns, update.key, update.also)
  const isInBucket = text.search(BUCKET) >= 0
  let place = isInBucket ? 1 : 0
  const numbered = text
    .replace(BUCKET, (_, table = '') => `${table}bucket = $1 AND`)
    .replaceAll('{bucket,}', 'bucket,')
    .replaceAll('{buckets}', 'bucket = ANY (?::smallint[]) AND')
    .replace(/\{same bucket (\w+) (\w+)\}/g, '$1.bucket = $2.bucket AND')
    .replaceAll('{lock}', 'FOR UPDATE')
    .replaceAll('{hold}', 'FOR KEY SHARE')
    .replaceAll('{to hook}', 'md5({hook}) = md5(?::text)')
    .replaceAll('{client hooks}', CLIENT_HOOKS)
    .replaceAll('{to phones}', 'phone = ANY (?::text[])')
    .replace(/\{any (\w+)\}/g, '= ANY (?::$1[])')
    .replace(/\?/g, () => `$${++place}`)
    .replaceAll('{hook}', HOOK)
  if (isInBucket) return inBucket(numbered)
  return isLookUp ? lookUp(numbered) : rare(numbered)
}

function byBucket(a: number, b: number): number {
  return (a % BUCKETS) - (b % BUCKETS) || a - b
}
