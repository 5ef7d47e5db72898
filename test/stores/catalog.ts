/** What a database says of its tables, so that two databases can be compared. */
import type { DatabaseSync } from 'node:sqlite'
import type { TestDatabase } from '../support/postgres-databases.ts'

/** Tables with columns, types, defaults, keys and conditions, indexes, and triggers. */
export function fileCatalog(database: DatabaseSync): unknown {
  const ask = (sql: string, ...values: readonly string[]) => database.prepare(sql).all(...values)
  const tables = ask(
    `SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`,
  )
  return {
    version: ask('PRAGMA user_version'),
    tables: tables.map(({ name, sql }) => ({
      kind: ask('SELECT name, type, wr, strict FROM pragma_table_list(?)', String(name)),
      columns: ask('SELECT * FROM pragma_table_xinfo(?)', String(name)),
      numbersOnce: String(sql).includes('AUTOINCREMENT'),
      checks: [...writtenPlainly(sql).matchAll(/CHECK\(([^()]*)\)/g)].map(([, check]) => check).sort(),
      references: ask('SELECT "from", "table", "to" FROM pragma_foreign_key_list(?) ORDER BY "from"', String(name)),
      unique: ask(
        `SELECT origin, "unique", partial, (SELECT group_concat(name) FROM pragma_index_info(list.name)) AS columns
         FROM pragma_index_list(?) AS list WHERE origin <> 'c' ORDER BY 1, 4`,
        String(name),
      ),
    })),
    others: ask(
      `SELECT type, name, sql FROM sqlite_schema WHERE type <> 'table' AND sql IS NOT NULL ORDER BY name`,
    ).map(({ type, name, sql }) => `${type} ${name} ${writtenPlainly(sql)}`),
  }
}

/** The same of PostgreSQL, with partitions and storage. Sequences of a column have the name that it had at first. */
export async function tableCatalog({ query }: TestDatabase): Promise<unknown> {
  return {
    version: await query('SELECT version FROM schema_version'),
    tables: await query(`SELECT relname, relkind, reloptions, relreplident, pg_get_expr(relpartbound, oid) AS partition,
        pg_get_partkeydef(oid) AS cut FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v') ORDER BY relname`),
    columns: await query(`SELECT table_name, ordinal_position, column_name, data_type, collation_name, is_nullable,
        column_default, is_identity, generation_expression FROM information_schema.columns
      WHERE table_schema = 'public' ORDER BY table_name, ordinal_position`),
    constraints: await query(`SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) AS definition
      FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND contype <> 'n' ORDER BY 1, 2`),
    indexes: await query(`SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1`),
    sequences: await query(`SELECT sequencename, data_type, start_value, increment_by FROM pg_sequences
      WHERE schemaname = 'public' AND sequencename NOT LIKE '%\\_seq' ORDER BY 1`),
    triggers: await query('SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1'),
    functions: await query(`SELECT pg_get_functiondef(oid) FROM pg_proc
      WHERE pronamespace = 'public'::regnamespace ORDER BY 1`),
  }
}

/** Without comments, quotes and needless spaces. */
function writtenPlainly(sql: unknown): string {
  const written = String(sql)
    .replaceAll(/--[^\n]*/g, '')
    .replaceAll(/[\s"]+/g, ' ')
  return written.replaceAll(/ ?([(),]) ?/g, '$1').trim()
}
