/** Traffic per prefix, now and usually: computed by domain/guards/traffic.ts; a row is its state. */

import { addTraffic, type Traffic, type TrafficCount } from '../../../domain/guards/traffic.ts'
import type { AccountId } from '../../../domain/ids/account-id.ts'
import type { CellsOf } from '../../rows/cells/cells-of.ts'
import { rare, typesOf, unnest } from '../connection/statement.ts'
import { lockNames } from '../session/lock-names.ts'
import { columnsOf, type Session } from '../session/session.ts'

type TrafficRow = CellsOf<'traffic', typeof COLUMNS, { kind: Traffic['kind'] }>

const COLUMNS = 'account_id, kind, prefix, slot, count, before, mean, slots'
const KEY = 'account_id, kind, prefix'
const FIND = rare<TrafficRow>(
  `SELECT ${COLUMNS} FROM traffic JOIN ${unnest(typesOf('traffic', KEY), 1)} USING (${KEY})`,
)
const PUT = rare(
  `INSERT INTO traffic (${COLUMNS}) SELECT new.* FROM
     ${unnest(typesOf('traffic', COLUMNS), 1)}
   ON CONFLICT (${KEY}) DO UPDATE SET slot = excluded.slot, count = excluded.count,
     before = excluded.before, mean = excluded.mean, slots = excluded.slots`,
)

export async function countTraffic(
  session: Session,
  calls: readonly (readonly TrafficCount[])[],
): Promise<readonly (readonly Traffic[])[]> {
  const counts = calls.flat()
  if (counts.length === 0) return calls.map(() => [])
  const keys = counts.map(({ accountId, kind, prefix }) => [accountId ?? 0, kind, prefix])
  const [, found] = await Promise.all([lockNames(session, ['traffic']), session.query(FIND, ...columnsOf(keys))])
  const known = new Map(found.map((row) => [nameOf(row), toTraffic(row)]))
  const answers = calls.map((each) =>
    each.map(({ slot, count, ...key }) => {
      const name = nameOf([key.accountId ?? 0, key.kind, key.prefix])
      const traffic = addTraffic(known.get(name) ?? null, key, slot, count)
      known.set(name, traffic)
      return traffic
    }),
  )
  await session.query(PUT, ...columnsOf([...known.values()].map(toRow)))
  return answers
}

function nameOf([accountId, kind, prefix]: readonly [accountId: number, kind: string, prefix: string, ...unknown[]]) {
  return `${accountId} ${kind} ${prefix}`
}

function toTraffic([account, kind, prefix, slot, count, before, mean, slots]: TrafficRow): Traffic {
  const accountId = account === 0 ? null : (account as AccountId)
  return { accountId, kind, prefix, slot, count, before, mean, slots }
}

function toRow({ accountId, kind, prefix, slot, count, before, mean, slots }: Traffic): TrafficRow {
  return [accountId ?? 0, kind, prefix, slot, count, before, mean, slots]
}
