/** Counts the clicks of short links. The first human click is returned until a turn has reported it. */
import type { ClickCount } from '../../../ports/records/short-link.ts'
import { LinkTotals } from '../../rows/statistics/link-total.ts'
import { CLICKED_COLUMNS, type ClickedRow, readClicked, toClickCounts } from '../../rows/statistics/message-total.ts'
import type { Session } from '../session/session.ts'
import { SqlStatement } from '../statement/statement.ts'
import { addLinkTotals } from './link-totals.ts'

export function countClicks(session: Session): (clicks: readonly ClickCount[]) => string[] {
  const { database, totals, vault, hashPhone } = session
  const count = new SqlStatement<[msgId: number, url: string, humans: number, reported: number]>(
    database,
    `UPDATE link SET human_clicks = human_clicks + ?, bot_clicks = bot_clicks + ? WHERE code = ?
     RETURNING msg_id, url, human_clicks, reported`,
  )
  const find = new SqlStatement<ClickedRow>(database, `SELECT ${CLICKED_COLUMNS} FROM message WHERE msg_id = ?`)
  const addToLinks = addLinkTotals(session)
  return (clicks) => {
    const links = new LinkTotals(hashPhone)
    const unreported = clicks.filter((click) => {
      const [link] = count.all(click.humans, click.robots, click.code)
      if (link === undefined) return false
      const [msgId, url, humansNow, reported] = link
      const row = find.first(msgId)
      const message = row === undefined ? null : readClicked(row)
      if (message !== null) {
        for (const [added, times] of toClickCounts(message, click)) totals.count([added], times)
        links.add(message, click, { url: vault.openText(url), humanClicks: humansNow - click.humans })
      }
      return click.humans > 0 && reported === 0
    })
    addToLinks(links)
    return [...new Set(unreported.map(({ code }) => code))]
  }
}
