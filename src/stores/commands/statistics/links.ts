/** Finds short links, and reads clicks by target. */
import { bucketOf, type MessageId } from '../../../domain/ids/message-id.ts'
import type { LinkTotal, LinkTotalQuery, ShortLink } from '../../../ports/records/short-link.ts'
import { LINK_TOTAL_COLUMNS, type LinkTotalRow, readLinkTotal } from '../../rows/statistics/link-total.ts'
import { type Command, rows, withBucket } from '../statement/command.ts'
import { lookUpRows, select } from '../statement/sql.ts'

const FIND = lookUpRows<[code: string, msgId: MessageId, url: string, expiresAt: number]>(
  'link',
  'code, msg_id, url, expires_at',
  'WHERE code {any text}',
)
const OF_ALL = totals(
  '(day, account_id, bulk_id, target) > (CAST(? AS integer), CAST(? AS bigint), CAST(? AS bigint), CAST(? AS text))',
  'day, account_id, bulk_id, target',
)
const OF_ONE = totals(
  '{bucket} account_id = ? AND (day, bulk_id, target) > (CAST(? AS integer), CAST(? AS bigint), CAST(? AS text))',
  'day, bulk_id, target',
)

function totals(where: string, order: string) {
  return select<LinkTotalRow>(
    'link_total',
    LINK_TOTAL_COLUMNS,
    `WHERE ${where} AND day <= CAST(? AS integer) AND bulk_id = coalesce(CAST(? AS bigint), bulk_id)
     ORDER BY ${order} LIMIT ?`,
  )
}

/** In the order of the codes; unknown ones are left out. */
export function* findShortLinks(codes: readonly string[]): Command<readonly ShortLink[]> {
  const found = new Map((yield* rows(FIND, codes)).map((row) => [row[0], row]))
  return codes.flatMap((code) => {
    const [, messageId, url, expiresAt] = found.get(code) ?? []
    return messageId === undefined || url === undefined || expiresAt === undefined
      ? []
      : [{ code, messageId, url, expiresAt }]
  })
}

export function* linkTotals(query: LinkTotalQuery): Command<readonly LinkTotal[]> {
  const { accountId, bulkId, from, through, after, limit } = query
  const { day, bulkId: bulk, target } = after ?? { day: from, bulkId: -1, target: '' }
  const end = [through, bulkId, limit] as const
  const found = yield* accountId === null
    ? rows(OF_ALL, day, after?.accountId ?? -1, bulk, target, ...end)
    : withBucket(bucketOf(accountId), rows(OF_ONE, accountId, day, bulk, target, ...end))
  return found.map(readLinkTotal)
}
