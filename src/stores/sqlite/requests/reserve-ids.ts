/** Reserves ids of messages: counters that no other caller gets. */
import { LAST_COUNTER } from '../../../domain/ids/message-id.ts'
import { firstReserved, requireIdCount } from '../../rows/setup/store-limits.ts'
import type { Session } from '../session/session.ts'
import { SqlStatement } from '../statement/statement.ts'

export function reserveIds({ database }: Session): (count: number) => number {
  const reserve = new SqlStatement<[next: number]>(
    database,
    'UPDATE meta SET next_counter = next_counter + ? WHERE next_counter + ? <= ? RETURNING next_counter',
  )
  return (count) => {
    requireIdCount(count)
    return firstReserved(reserve.all(count, count, LAST_COUNTER + 1)[0]?.[0], count)
  }
}
