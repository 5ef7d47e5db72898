/** Finds short links and counts their clicks. The first human click is returned until a turn has reported it. */
import { bucketOfMessage, type MessageId } from '../../../domain/ids/message-id.ts'
import type { ClickCount } from '../../../ports/records/short-link.ts'
import type { Cell } from '../../rows/cells/cell.ts'
import { LinkTotals } from '../../rows/statistics/link-total.ts'
import { CLICKED_COLUMNS, type ClickedRow, readClicked, toClickCounts } from '../../rows/statistics/message-total.ts'
import { ByBucket } from '../connection/by-bucket.ts'
import { inBucket, typesOf, unnest } from '../connection/statement.ts'
import type { Session } from '../session/session.ts'
import { addLinkTotals } from './link-totals.ts'

type LockedRow = [msgId: number, code: string, url: string, humanClicks: number, reported: number]
const LOCK_LINKS = inBucket<LockedRow>(
  `SELECT msg_id, code, url, human_clicks, reported FROM link JOIN ${unnest(typesOf('link', 'msg_id, code'), 2)} USING (msg_id, code)
   WHERE bucket = $1 ORDER BY msg_id, code FOR UPDATE OF link`,
)
const COUNT = inBucket(
  `UPDATE link SET human_clicks = link.human_clicks + new.human_clicks, bot_clicks = link.bot_clicks + new.bot_clicks
   FROM ${unnest(typesOf('link', 'msg_id, code, human_clicks, bot_clicks'), 2)}
   WHERE link.bucket = $1 AND link.msg_id = new.msg_id AND link.code = new.code`,
)

const MESSAGES = inBucket<[msgId: number, ...ClickedRow]>(
  `SELECT msg_id, ${CLICKED_COLUMNS} FROM message WHERE bucket = $1 AND msg_id = ANY ($2::bigint[])`,
)

/** A click with the message of its link. */
export interface LinkClicks extends ClickCount {
  readonly messageId: MessageId
}

/** Returns the codes that a human clicked and no recorded turn has reported yet. */
export async function countClicks(
  session: Session,
  calls: readonly (readonly LinkClicks[])[],
): Promise<readonly (readonly string[])[]> {
  const sums = new Map<string, { readonly messageId: MessageId; humans: number; robots: number }>()
  for (const { code, messageId, humans, robots } of calls.flat()) {
    const sum = sums.get(code) ?? { messageId, humans: 0, robots: 0 }
    sums.set(code, { messageId, humans: sum.humans + humans, robots: sum.robots + robots })
  }
  const rows = new ByBucket<[MessageId, string, number, number]>()
  for (const [code, { messageId, humans, robots }] of sums) {
    rows.add(bucketOfMessage(messageId), [messageId, code, humans, robots])
  }
  const keys = new ByBucket<readonly Cell[]>()
  for (const [code, { messageId }] of sums) keys.add(bucketOfMessage(messageId), [messageId, code])
  const locked = await session.queryRows(LOCK_LINKS, keys)
  session.update(COUNT, rows)
  await addToTotals(session, calls.flat(), locked)
  const unreported = new Set(locked.flatMap(([, code, , , reported]) => (reported === 0 ? [code] : [])))
  return calls.map((clicks) => {
    const codes = clicks.flatMap(({ code, humans }) => (humans > 0 && unreported.has(code) ? [code] : []))
    return [...new Set(codes)]
  })
}

/** Of the links that there are. */
async function addToTotals(
  session: Session,
  clicks: readonly LinkClicks[],
  locked: readonly LockedRow[],
): Promise<void> {
  const ids = ByBucket.of(new Set(clicks.map(({ messageId }) => messageId)), bucketOfMessage)
  const found = await Promise.all(ids.entries().map(([bucket, some]) => session.query(MESSAGES, bucket, some)))
  const messages = new Map(found.flat().map(([id, ...row]) => [id, readClicked(row)]))
  const links = new Map(
    locked.map(([, code, url, humanClicks]) => [code, { url: session.vault.openText(url), humanClicks }]),
  )
  const linkTotals = new LinkTotals((text) => session.hashPhone(text))
  for (const click of clicks) {
    const [message, link] = [messages.get(click.messageId) ?? null, links.get(click.code)]
    if (message === null || link === undefined) continue
    for (const [row, times] of toClickCounts(message, click)) session.totals.count([row], times)
    linkTotals.add(message, click, link)
    link.humanClicks += click.humans
  }
  await addLinkTotals(session, linkTotals)
}
