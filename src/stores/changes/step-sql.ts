/** The SQL of a rule's step, the same for both databases apart from parameter numbering. */
import type { Cell, Row } from '../rows/cells/cell.ts'
import { PRIMARY_KEYS } from '../rows/setup/directory-tables.ts'
import { quoted } from '../tables/declaration.ts'
import type { RowStep } from './row-step.ts'

export interface StepSql {
  /** With a question mark for each value. */
  readonly text: string
  readonly values: readonly Cell[]
}

type StepOf<Name extends RowStep['step']> = Extract<RowStep, { step: Name }>

/** Finds the rows of one `where` of the step. */
export function findSql(step: StepOf<'find'>, where: Row): StepSql {
  const limit = step.max === null ? '' : ` LIMIT ${step.max}`
  return { text: `${selectSql(step)} WHERE ${matching(where)}${limit}`, values: known(where) }
}

export function selectSql({ table, columns }: StepOf<'find'>): string {
  return `SELECT ${columns.map(quoted).join(', ')} FROM ${table}`
}

/** Removes the rows of one `where` of the step. */
export function removeSql({ table }: StepOf<'remove'>, where: Row): StepSql {
  return { text: `DELETE FROM ${table} WHERE ${matching(where)}`, values: known(where) }
}

export function insertSql({ table, row, returning }: StepOf<'insert'>): StepSql {
  return { text: `${insertInto(table, row)} RETURNING ${returning}`, values: cells(row) }
}

export function updateSql({ table, set, where }: StepOf<'update'>): StepSql {
  const columns = Object.keys(set).map((column) => `${quoted(column)} = ?`)
  const text = `UPDATE ${table} SET ${columns.join(', ')} WHERE ${matching(where)}`
  return { text, values: [...cells(set), ...known(where)] }
}

/** Writes one row; it replaces the row with its primary key in tables that allow it. */
export function putSql(table: string, row: Row): StepSql {
  return { text: `${insertInto(table, row)}${onConflict(table, row)}`, values: cells(row) }
}

/** Returns the clause of an INSERT whose rows replace others. */
export function onConflict(table: string, row: Row): string {
  const key = PRIMARY_KEYS.get(table)?.filter((column) => column in row)
  if (key === undefined) return ''
  const set = Object.keys(row)
    .filter((column) => column !== 'bucket')
    .map((column) => `${quoted(column)} = excluded.${quoted(column)}`)
  return ` ON CONFLICT (${key.map(quoted).join(', ')}) DO UPDATE SET ${set.join(', ')}`
}

export function columnList(row: Row): string {
  return Object.keys(row).map(quoted).join(', ')
}

function insertInto(table: string, row: Row): string {
  const places = Object.keys(row).map(() => '?')
  return `INSERT INTO ${table} (${columnList(row)}) VALUES (${places.join(', ')})`
}

/** NULL equals nothing in SQL, and not every index of PostgreSQL serves IS NOT DISTINCT FROM. */
function matching(where: Row): string {
  return Object.entries(where)
    .map(([column, cell]) => `${quoted(column)} ${cell === null ? 'IS NULL' : '= ?'}`)
    .join(' AND ')
}

/** The parameters of `matching`. */
function known(where: Row): readonly Cell[] {
  return cells(where).filter((cell) => cell !== null)
}

function cells(row: Row): readonly Cell[] {
  return Object.values(row)
}
