/** The SQL of a rule's step, the same for both databases apart from parameter numbering. */
import type { Cell, Row } from '../rows/cell.ts'
import { PRIMARY_KEYS } from '../rows/directory-tables.ts'
import { quoted } from '../rows/table.ts'
import type { RowStep } from './row-step.ts'

export interface StepSql {
  /** With a question mark for each value. */
  readonly text: string
  readonly values: readonly Cell[]
}

/** A step on tables, not on the money of an account. */
export type TableStep = Extract<RowStep, { step: 'find' | 'insert' | 'update' | 'remove' }>

export function stepSql(step: TableStep): StepSql {
  const { table } = step
  switch (step.step) {
    case 'find': {
      const limit = step.max === null ? '' : ` LIMIT ${step.max}`
      const columns = step.columns.map(quoted).join(', ')
      return {
        text: `SELECT ${columns} FROM ${table} WHERE ${matching(step.where)}${limit}`,
        values: cells(step.where),
      }
    }
    case 'insert':
      return { text: `${insertInto(table, step.row)} RETURNING ${step.returning}`, values: cells(step.row) }
    case 'update': {
      const set = Object.keys(step.set).map((column) => `${quoted(column)} = ?`)
      const text = `UPDATE ${table} SET ${set.join(', ')} WHERE ${matching(step.where)}`
      return { text, values: [...cells(step.set), ...cells(step.where)] }
    }
    case 'remove':
      return { text: `DELETE FROM ${table} WHERE ${matching(step.where)}`, values: cells(step.where) }
  }
}

/** Writes one row; it replaces the row with its primary key in tables that allow it. */
export function putSql(table: string, row: Row): StepSql {
  return { text: `${insertInto(table, row)}${onConflict(table, row)}`, values: cells(row) }
}

/** Returns the clause of an INSERT whose rows replace others. */
export function onConflict(table: string, row: Row): string {
  const key = PRIMARY_KEYS.get(table)
  if (key === undefined) return ''
  const set = Object.keys(row).map((column) => `${quoted(column)} = excluded.${quoted(column)}`)
  return ` ON CONFLICT (${key.map(quoted).join(', ')}) DO UPDATE SET ${set.join(', ')}`
}

export function columnList(row: Row): string {
  return Object.keys(row).map(quoted).join(', ')
}

function insertInto(table: string, row: Row): string {
  const places = Object.keys(row).map(() => '?')
  return `INSERT INTO ${table} (${columnList(row)}) VALUES (${places.join(', ')})`
}

function matching(where: Row): string {
  return Object.keys(where)
    .map((column) => `${quoted(column)} = ?`)
    .join(' AND ')
}

function cells(row: Row): readonly Cell[] {
  return Object.values(row)
}
