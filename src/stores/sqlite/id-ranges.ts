/**
 * Finds messages by phone and by account, and postings by account. Both arrive in random order, so with an index on
 * them alone every new row would write to a random page, and cost more as the index grows. Therefore the indexes begin
 * with an id range of 16,384 rows: writes go to about a hundred pages, and a search reads every range, some
 * microseconds each.
 */
import type { DatabaseSync } from 'node:sqlite'
import type { AccountId } from '../../domain/account.ts'
import { Statement } from './statement.ts'

/** SQL for the ids of all messages to the phone in this parameter, or of those in a number of the newest ranges. */
export function idsOfPhone(parameter: string, ranges?: number): string {
  const limit = ranges === undefined ? '' : `LIMIT ${ranges}`
  return `(WITH RECURSIVE id_range (s) AS (
      SELECT max(msg_id >> 20) FROM message
      UNION ALL SELECT (SELECT max(msg_id >> 20) FROM message WHERE msg_id >> 20 < s) FROM id_range WHERE s IS NOT NULL
      ${limit}
    )
    SELECT message.msg_id FROM id_range CROSS JOIN message ON message.msg_id >> 20 = s WHERE message.phone = ${parameter})`
}

/** Tables with an index of ranges and accounts. The range of an id is the id without so many bits. */
const OF_ACCOUNT = {
  message: { key: 'msg_id', bits: 20 },
  posting: { key: 'posting_id', bits: 14 },
} as const

type FindIds = (accountId: AccountId, ids: { from: number; before: number; limit: number }) => readonly number[]

/** Returns the ids of an account's rows, the highest first, at most `limit`. */
export function idsOfAccount(database: DatabaseSync, table: keyof typeof OF_ACCOUNT): FindIds {
  const { key, bits } = OF_ACCOUNT[table]
  const range = `${key} >> ${bits}`
  const below = new Statement<[range: number | null]>(
    database,
    `SELECT max(${range}) FROM ${table} INDEXED BY ${table}_of_account WHERE ${range} < ?`,
  )
  const within = new Statement<[id: number]>(
    database,
    `SELECT ${key} FROM ${table} INDEXED BY ${table}_of_account
     WHERE ${range} = ? AND account_id = ? AND ${key} >= ? AND ${key} < ? ORDER BY ${key} DESC LIMIT ?`,
  )
  return (accountId, { from, before, limit }) => {
    const [first, end] = [Math.floor(from / 2 ** bits), Math.ceil(before / 2 ** bits)]
    const ids: number[] = []
    let next = below.first(end)?.[0] ?? null
    while (next !== null && next >= first && ids.length < limit) {
      for (const [id] of within.all(next, accountId, from, before, limit - ids.length)) ids.push(id)
      next = below.first(next)?.[0] ?? null
    }
    return ids
  }
}
