/** Finds short links and counts their clicks. The first human click is returned until a turn has reported it. */
import type { MessageId } from '../../domain/message-id.ts'
import type { ClickCount, ShortLink } from '../../ports/short-link.ts'
import { CLICKED_COLUMNS, type ClickedRow, toClickCounts } from '../rows/message-count.ts'
import type { Session } from './session.ts'
import { Statement } from './statement.ts'

export function findLinks({ database, vault }: Session): (codes: readonly string[]) => ShortLink[] {
  const find = new Statement<[code: string, msgId: MessageId, url: string, expiresAt: number]>(
    database,
    'SELECT code, msg_id, url, expires_at FROM link WHERE code = ?',
  )
  return (codes) =>
    codes.flatMap((code) =>
      find.all(code).map(([, msgId, url, expiresAt]) => ({
        code,
        messageId: msgId,
        url: vault.openText(url),
        expiresAt,
      })),
    )
}

export function countClicks({ database, totals }: Session): (clicks: readonly ClickCount[]) => string[] {
  const count = new Statement<[msgId: number, reported: number]>(
    database,
    'UPDATE link SET human_clicks = human_clicks + ?, bot_clicks = bot_clicks + ? WHERE code = ? RETURNING msg_id, reported',
  )
  const find = new Statement<ClickedRow>(database, `SELECT ${CLICKED_COLUMNS} FROM message WHERE msg_id = ?`)
  return (clicks) => {
    const unreported = clicks.filter((click) => {
      const [link] = count.all(click.humans, click.robots, click.code)
      if (link === undefined) return false
      const [msgId, reported] = link
      const message = find.first(msgId)
      if (message !== undefined) for (const [row, times] of toClickCounts(message, click)) totals.count([row], times)
      return click.humans > 0 && reported === 0
    })
    return [...new Set(unreported.map(({ code }) => code))]
  }
}
