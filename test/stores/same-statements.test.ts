/**
 * No statement of a command stands in both stores: what both say in the same words is written once, in
 * src/stores/commands (docs/decisions/0047-commands-as-generators.md).
 */
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** Statements that may stand in both, and why. */
const MOVE = 'the end of a move works on a database of which no store is open'
const SNAPSHOT = 'PostgreSQL reads them in one snapshot, with others that differ'
const HOT = 'the hot path: PostgreSQL writes the rows of a batch together'
const ALLOWED: Readonly<Record<string, string>> = {
  'SELECT sealing_key, phone_secret FROM meta': MOVE,
  'SELECT ${MARK_COLUMNS} FROM moving': MOVE,
  'DELETE FROM moving': MOVE,
  'UPDATE moving SET place = ?': MOVE,
  'SELECT ${POSTING_TOTAL_COLUMNS} FROM posting_total': SNAPSHOT,
  'SELECT ${CLOSED_COLUMNS} FROM closed_month': SNAPSHOT,
  'UPDATE due SET node = ? WHERE msg_id = ?': HOT,
  'UPDATE account_balance SET credit_limit = ?, low_balance = ?, low_reported = ? WHERE account_id = ?': HOT,
  'UPDATE account_balance SET low_reported = ? WHERE account_id = ?': HOT,
}

const STATEMENT = /(['"`])((?:SELECT|INSERT|UPDATE|DELETE|WITH)\b(?:\\.|(?!\1)[^\\])*)\1/g

/** Leaves out buckets, locks, the numbers of parameters and their types. */
function normalized(text: string): string {
  return text
    .replace(/\b(\w+\.)?bucket = (\$1|\w+\.bucket) AND\s+/g, '')
    .replace(/ AND (\w+\.)?bucket = \$1\b/g, '')
    .replace(/\bbucket, /g, '')
    .replace(/\$\d+|\?\d+/g, '?')
    .replace(/\?::[a-z]+( precision)?(\[\])?/g, '?')
    .replace(/ = ANY \(\?\)/g, ' = ?')
    .replace(/\s+FOR (NO KEY )?UPDATE\b/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}

function statementsIn(sources: readonly string[]): ReadonlySet<string> {
  return new Set(
    sources.flatMap((source) => [...source.matchAll(STATEMENT)].map(([, , text = '']) => normalized(text))),
  )
}

/** The sources of a store, without its tables. */
function sourcesOf(store: string): readonly string[] {
  const folder = new URL(`../../src/stores/${store}/`, import.meta.url)
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return files
    .filter((name) => name.endsWith('.ts') && !name.startsWith('schema'))
    .map((name) => readFileSync(new URL(name, folder), 'utf8'))
}

function inBoth(sqlite: readonly string[], postgres: readonly string[]): readonly string[] {
  const others = statementsIn(postgres)
  return [...statementsIn(sqlite)].filter((text) => others.has(text))
}

test('a statement is in one store or in what both share, never in both stores', () => {
  expect(statementsIn(sourcesOf('postgres')).size).toBeGreaterThan(100)
  const found = inBoth(sourcesOf('sqlite'), sourcesOf('postgres'))
  expect(found.filter((text) => !(text in ALLOWED))).toEqual([])
  expect(Object.keys(ALLOWED).filter((text) => !found.includes(text))).toEqual([])
})

test('the same statement is recognized in the words of each store', () => {
  const sqlite = `x('SELECT a FROM t WHERE b = ?1 AND c = ?')`
  const postgres = 'y(`SELECT a FROM t\n  WHERE bucket = $1 AND b = $2::bigint AND c = ANY ($3::text[]) FOR UPDATE`)'
  expect(inBoth([sqlite], [postgres])).toEqual(['SELECT a FROM t WHERE b = ? AND c = ?'])
})
