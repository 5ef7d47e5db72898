/**
 * Conditions for searching messages, the same on both databases except for substring search. Plan and journey are JSON
 * written by `toMessageRow`, so that each member has one spelling.
 */
import type { MessageMatch } from '../../ports/pages.ts'

/**
 * Returns the requested conditions, each with one parameter `?`. @param contains SQL that is true if the column
 * contains the parameter.
 */
export function matchConditions(
  match: MessageMatch | undefined,
  contains: (column: string) => string,
): readonly (readonly [sql: string, value: string | number])[] {
  if (match === undefined) return []
  const { clientId, sender, carrierId, from, until } = match
  const bare = clientId === null ? null : bareOf(clientId)
  const all = [
    // Digits match as a number and as a text.
    [`trim(client_id, '"') = ?`, bare],
    [contains('plan'), sender === null ? null : `"sender":${JSON.stringify(sender)}`],
    [contains('journey'), carrierId === null ? null : `"carrierId":${JSON.stringify(carrierId)}`],
    ['created_at >= ?', from],
    ['created_at < ?', until],
  ] as const
  return all.flatMap(([sql, value]) => (value === null ? [] : [[sql, value] as const]))
}

/** Returns the token without the quotes of a text. */
function bareOf(token: string): string {
  return token.replace(/^"+|"+$/g, '')
}
