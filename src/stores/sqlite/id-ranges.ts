/**
 * Messages by phone. Phones come in no order, so an index of them alone would have every new message write a page of its
 * own somewhere in it, and cost more the more there are. It begins with a range of ids instead, 16,384 messages each:
 * what is written falls into a hundred pages, and a search asks every range that there is, some microseconds each.
 */

/** Ids of all messages to the phone that this parameter is. */
export function idsOfPhone(parameter: string): string {
  return `(WITH RECURSIVE id_range (s) AS (
      SELECT max(msg_id >> 20) FROM message
      UNION ALL SELECT (SELECT max(msg_id >> 20) FROM message WHERE msg_id >> 20 < s) FROM id_range WHERE s IS NOT NULL
    )
    SELECT message.msg_id FROM id_range CROSS JOIN message ON message.msg_id >> 20 = s WHERE message.phone = ${parameter})`
}
