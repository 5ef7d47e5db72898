/**
 * Conditions for searching messages, the same on both databases except for reading texts. Plan and journey are JSON
 * written by `toMessageRow`, so that each member has one spelling (see `message-row.ts` for lists).
 */
import type { MessageMatch } from '../../../ports/records/pages.ts'

/** SQL of one database. */
interface MatchSql {
  /** True if the column contains the parameter. */
  readonly contains: (column: string) => string
  /** The channel of the current step, which journey numbers in plan. */
  readonly channel: string
  /** True if the journey has the carrier of the parameter, `"carrierId":"…"`. */
  readonly carrier: string
}

/** Returns the requested conditions but the client id, each with one parameter `?`. */
export function matchConditions(
  match: MessageMatch | undefined,
  { contains, channel: channelOfStep, carrier }: MatchSql,
): readonly (readonly [sql: string, value: string | number])[] {
  if (match === undefined) return []
  const { sender, carrierId, channel, bulk = null, from, until } = match
  const all = [
    [contains('plan'), sender === null ? null : `"sender":${JSON.stringify(sender)}`],
    [carrier, carrierId === null ? null : `"carrierId":${JSON.stringify(carrierId)}`],
    [`${channelOfStep} = ?`, channel],
    // A comma or a brace follows the number.
    [contains("replace(journey, '}', ',')"), bulk === null ? null : `"bulk":${bulk},`],
    ['created_at >= ?', from],
    ['created_at < ?', until],
  ] as const
  return all.flatMap(([sql, value]) => (value === null ? [] : [[sql, value] as const]))
}

/** Returns the tokens that match the client id: digits match as a number and as a text. Null if it is not requested. */
export function clientIdsOf(match: MessageMatch | undefined): readonly [string, string] | null {
  if (match === undefined || match.clientId === null) return null
  const bare = match.clientId.replace(/^"+|"+$/g, '')
  return [bare, `"${bare}"`]
}
