/**
 * Locks on names that have no row yet, held across all nodes until the transaction ends. They are advisory locks of the
 * primary; on Citus, of the coordinator.
 */
import type { Session } from './session.ts'
import { lookUp } from './statement.ts'

const LOCK = lookUp(
  `SELECT pg_advisory_xact_lock(number) FROM
     (SELECT DISTINCT hashtextextended(name, 0) AS number FROM unnest($1::text[]) AS name ORDER BY 1) AS numbers`,
)

/** Taken after the balance locks, and all names at once, so that nodes do not deadlock. */
export async function lockNames(session: Session, names: readonly string[]): Promise<void> {
  if (names.length > 0) await session.query(LOCK, names)
}
