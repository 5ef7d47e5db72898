/**
 * Finds messages by phone and by account, and postings by account. Both arrive in random order, so with an index on
 * them alone every new row would write to a random page, and cost more as the index grows. Therefore the indexes begin
 * with an id range of 16,384 rows: writes go to about a hundred pages, and a search reads every range, some
 * microseconds each.
 */
import type { DatabaseSync } from 'node:sqlite'
import type { Cell } from '../../rows/cells/cell.ts'
import { SqlStatement } from './statement.ts'

/** SQL for the ids of all messages to the forms of a phone in this parameter, a JSON array. */
export function idsOfForms(parameter: string): string {
  return `(WITH RECURSIVE id_range (s) AS (
      SELECT max(msg_id >> 20) FROM message
      UNION ALL SELECT (SELECT max(msg_id >> 20) FROM message WHERE msg_id >> 20 < s) FROM id_range WHERE s IS NOT NULL
    )
    SELECT message.msg_id FROM id_range CROSS JOIN json_each(${parameter}) AS form
      CROSS JOIN message ON message.msg_id >> 20 = s AND message.phone = form.value)`
}

/** Indexes of ranges. The range of an id is the id without so many bits. */
const INDEXES = {
  message_of_phone: { table: 'message', key: 'msg_id', bits: 20, column: 'phone' },
  message_of_account: { table: 'message', key: 'msg_id', bits: 20, column: 'account_id' },
  posting_of_account: { table: 'posting', key: 'posting_id', bits: 14, column: 'account_id' },
} as const

/** Ids from `from`, below `before`. */
export interface IdSpan {
  readonly from: number
  readonly before: number
  /** Rows at most. */
  readonly limit: number
}

/** Returns the ids of the rows with this value, the highest first. */
export function newestIds(
  database: DatabaseSync,
  index: keyof typeof INDEXES,
): (value: Cell, span: IdSpan) => readonly number[] {
  const { table, key, bits, column } = INDEXES[index]
  const range = `${key} >> ${bits}`
  const below = new SqlStatement<[range: number | null]>(
    database,
    `SELECT max(${range}) FROM ${table} INDEXED BY ${index} WHERE ${range} < ?`,
  )
  const within = new SqlStatement<[id: number]>(
    database,
    `SELECT ${key} FROM ${table} INDEXED BY ${index}
     WHERE ${range} = ? AND ${column} = ? AND ${key} >= ? AND ${key} < ? ORDER BY ${key} DESC LIMIT ?`,
  )
  return (value, { from, before, limit }) => {
    const [first, end] = [Math.floor(from / 2 ** bits), Math.ceil(before / 2 ** bits)]
    const ids: number[] = []
    let next = below.first(end)?.[0] ?? null
    while (next !== null && next >= first && ids.length < limit) {
      for (const [id] of within.all(next, value, from, before, limit - ids.length)) ids.push(id)
      next = below.first(next)?.[0] ?? null
    }
    return ids
  }
}
