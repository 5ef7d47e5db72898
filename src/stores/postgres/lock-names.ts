/**
 * Locks on what has no row of its own yet: whoever has the name decides alone, over all nodes, until its transaction ends.
 * They are locks of the server that everybody writes to; on Citus, of the coordinator.
 */
import type { Session } from './session.ts'
import { lookUp } from './statement.ts'

const LOCK = lookUp(
  `SELECT pg_advisory_xact_lock(number) FROM
     (SELECT DISTINCT hashtextextended(name, 0) AS number FROM unnest($1::text[]) AS name ORDER BY 1) AS numbers`,
)

/** Behind the locks of pots, and all names at once, so that nobody waits in a circle. */
export async function lockNames(session: Session, names: readonly string[]): Promise<void> {
  if (names.length > 0) await session.query(LOCK, names)
}
