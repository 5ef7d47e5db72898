/**
 * Conditions on messages that are searched for, the same on both databases but for how a text is found in another. Plan and
 * journey are JSON that `toMessageRow` has written, so that each member has one spelling.
 */
import type { MessageMatch } from '../../ports/pages.ts'

/**
 * Those that are asked for, each with one parameter `?`.
 * @param contains SQL that is true when the column holds the parameter.
 */
export function matchConditions(
  match: MessageMatch | undefined,
  contains: (column: string) => string,
): readonly (readonly [sql: string, value: string | number])[] {
  if (match === undefined) return []
  const { clientId, sender, carrierId, from, until } = match
  const bare = clientId === null ? null : bareOf(clientId)
  const all = [
    // Digits are found as a number and as a text.
    [`trim(client_id, '"') = ?`, bare],
    [contains('plan'), sender === null ? null : `"sender":${JSON.stringify(sender)}`],
    [contains('journey'), carrierId === null ? null : `"carrierId":${JSON.stringify(carrierId)}`],
    ['created_at >= ?', from],
    ['created_at < ?', until],
  ] as const
  return all.flatMap(([sql, value]) => (value === null ? [] : [[sql, value] as const]))
}

/** The token without the quotes around a text. */
function bareOf(token: string): string {
  return token.replace(/^"+|"+$/g, '')
}
