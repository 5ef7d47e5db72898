/** Hooks that are gone: the directory names them, until an operator resumes them. */
import type { StoppedHook } from '../../domain/directory.ts'
import { bumpRevision, lockRevision } from './load-directory.ts'
import type { Session } from './session.ts'
import { rare } from './statement.ts'

const STOP = rare('INSERT INTO stopped_hook (account_id, address) VALUES ($1, $2) ON CONFLICT DO NOTHING')

export async function stopHooks(
  session: Session,
  orders: readonly (readonly StoppedHook[])[],
): Promise<readonly null[]> {
  await lockRevision(session)
  const told = await Promise.all(orders.flat().map(({ accountId, address }) => session.tell(STOP, accountId, address)))
  if (told.some(({ count }) => count > 0)) await bumpRevision(session)
  return orders.map(() => null)
}
