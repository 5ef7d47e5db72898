/** Traffic per prefix, now and usually: computed by domain/guards/traffic.ts; a row is its state. */
import { addTraffic, type Traffic, type TrafficCount, type TrafficKind } from '../../../domain/guards/traffic.ts'
import type { AccountId } from '../../../domain/ids/account-id.ts'
import type { Session } from '../session/session.ts'
import { SqlStatement } from '../statement/statement.ts'

export function countTraffic({ database }: Session): (counts: readonly TrafficCount[]) => Traffic[] {
  const find = new SqlStatement<[slot: number, count: number, before: number, mean: number, slots: number]>(
    database,
    'SELECT slot, count, before, mean, slots FROM traffic WHERE account_id = ? AND kind = ? AND prefix = ?',
  )
  const put = new SqlStatement(
    database,
    'INSERT OR REPLACE INTO traffic (account_id, kind, prefix, slot, count, before, mean, slots) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  )
  return (counts) =>
    counts.map(({ accountId, kind, prefix, slot, count }) => {
      const key: { accountId: AccountId | null; kind: TrafficKind; prefix: string } = { accountId, kind, prefix }
      const row = find.first(accountId ?? 0, kind, prefix)
      const known =
        row === undefined ? null : { ...key, slot: row[0], count: row[1], before: row[2], mean: row[3], slots: row[4] }
      const traffic = addTraffic(known, key, slot, count)
      const { before, mean, slots } = traffic
      put.run(accountId ?? 0, kind, prefix, traffic.slot, traffic.count, before, mean, slots)
      return traffic
    })
}
