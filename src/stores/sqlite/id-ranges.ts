/**
 * Finds messages by phone. Phones arrive in random order, so with an index on them alone every new message would write
 * to a random page, and cost more as the index grows. Therefore the index begins with an id range of 16,384 messages:
 * writes go to about a hundred pages, and a search reads every range, some microseconds each.
 */

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
