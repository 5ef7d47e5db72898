/** Message counters, given out once over all nodes. */
import { LAST_COUNTER } from '../../domain/message-id.ts'
import type { Link } from './link.ts'
import { rare } from './statement.ts'

const RESERVE = rare<[next: number]>(
  'UPDATE message_counter SET next = next + $1::bigint WHERE next + $1::bigint <= $2 RETURNING next',
)

/** The first of `count`. What a lost connection may have reserved already is never used. */
export async function reserveIds(link: Link, count: number): Promise<number> {
  if (!Number.isSafeInteger(count) || count < 1) throw new RangeError(`${count} is not a number of ids`)
  const [next] = await link.ask(RESERVE, count, LAST_COUNTER + 1)
  if (next === undefined) throw new RangeError('there are no message ids left')
  return next[0] - count
}
