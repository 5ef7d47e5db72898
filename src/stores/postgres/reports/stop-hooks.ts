/** Hooks that answered 410. They are not part of the directory, so that stopping one causes no reload. */
import { hookOf } from '../../../domain/reports/report-schedule.ts'
import { MAX_STOPPED_HOOKS, type StoppedHook } from '../../../domain/reports/stopped-hook.ts'
import { REPLACE_STOP } from '../../rows/setup/stopped-hooks.ts'
import { rare, typesOf, unnest } from '../connection/statement.ts'
import { columnsOf, type Session } from '../session/session.ts'

const STOP = rare(
  `INSERT INTO stopped_hook (account_id, address, stopped, test, changed_at)
   SELECT account_id, address, 1, min(test), max(changed_at)
   FROM ${unnest(typesOf('stopped_hook', 'account_id, address, test, changed_at'), 1)}
   GROUP BY account_id, address ORDER BY account_id, md5(address)
   ON CONFLICT (account_id, hash) ${REPLACE_STOP}`,
)
const TRIM = rare(
  `DELETE FROM stopped_hook WHERE (account_id, hash) IN (
     SELECT account_id, hash FROM unnest($1::bigint[]) AS account (id) CROSS JOIN LATERAL (
       SELECT account_id, hash FROM stopped_hook WHERE account_id = account.id
       ORDER BY changed_at DESC OFFSET ${MAX_STOPPED_HOOKS}) AS surplus)`,
)
export interface StopOrder extends StoppedHook {
  readonly at: number
  readonly test: boolean
}

export async function stopHooks(session: Session, orders: readonly (readonly StopOrder[])[]): Promise<readonly null[]> {
  const hooks = orders.flat().map(({ accountId, address, at, test }) => [accountId, hookOf(address), Number(test), at])
  await session.query(STOP, ...columnsOf(hooks))
  await session.query(TRIM, [...new Set(orders.flat().map(({ accountId }) => accountId))])
  return orders.map(() => null)
}
