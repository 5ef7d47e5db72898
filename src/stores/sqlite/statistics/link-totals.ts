/** Clicks by target on SQLite (rows/statistics/link-total.ts). */
import { LINK_TOTAL_COLUMNS, LINK_TOTAL_KEY, type LinkTotals, nameOfTotal } from '../../rows/statistics/link-total.ts'
import type { Session } from '../session/session.ts'
import { SqlStatement } from '../statement/statement.ts'

export function addLinkTotals({ database, vault }: Session): (totals: LinkTotals) => void {
  const find = new SqlStatement<[found: 1]>(
    database,
    `SELECT 1 FROM link_total WHERE (${LINK_TOTAL_KEY}) = (?, ?, ?, ?)`,
  )
  const count = new SqlStatement<[rows: number]>(
    database,
    'SELECT count(*) FROM link_total WHERE account_id = ? AND day = ?',
  )
  const add = new SqlStatement(
    database,
    `INSERT INTO link_total (${LINK_TOTAL_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET human_clicks = human_clicks + excluded.human_clicks,
       bot_clicks = bot_clicks + excluded.bot_clicks, links = links + excluded.links,
       first_at = min(first_at, excluded.first_at), last_at = max(last_at, excluded.last_at)`,
  )
  return (totals) => {
    const known = new Set<string>()
    const counts = new Map<string, number>()
    for (const row of totals.rows) {
      const [accountId, day, bulkId, target] = row
      if (find.first(accountId, day, bulkId, target) !== undefined) known.add(nameOfTotal(row))
      const name = `${accountId} ${day}`
      if (!counts.has(name)) counts.set(name, count.first(accountId, day)?.[0] ?? 0)
    }
    for (const row of totals.fitting(known, counts, vault)) add.run(...row)
  }
}
