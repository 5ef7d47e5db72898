/**
 * Locks on names that have no row yet, held across all nodes until the transaction ends. They are advisory locks of the
 * primary; on Citus, of the coordinator.
 */
import type { AccountId } from '../../../domain/ids/account-id.ts'
import { lookUp } from '../connection/statement.ts'
import type { Session } from './session.ts'

/**
 * Names share this many locks, because the lock table of a server has a fixed size: with its defaults it holds about
 * 14,000 locks of all transactions, and one request may have 20,000 names. Two names on one lock only wait for each
 * other.
 */
const LOCKS = 4_096
/** Otherwise unused numbers begin here. */
const FIRST_LOCK = 7_678_680_000

const LOCK = lookUp(
  `SELECT pg_advisory_xact_lock(number) FROM
     (SELECT DISTINCT ${FIRST_LOCK} + (hashtextextended(name, 0) & ${LOCKS - 1}) AS number
      FROM unnest($1::text[]) AS name ORDER BY 1) AS numbers`,
)

/** Numbers of locks of inboxes begin here. */
const FIRST_INBOX = FIRST_LOCK + LOCKS

const LOCK_INBOXES = lookUp(
  `SELECT pg_advisory_xact_lock(number) FROM
     (SELECT DISTINCT ${FIRST_INBOX} + (account_id & ${LOCKS - 1}) AS number
      FROM unnest($1::bigint[]) AS account_id ORDER BY 1) AS numbers`,
)

/** Taken after the balance locks, and all names at once, so that nodes do not deadlock. */
export async function lockNames(session: Session, names: readonly string[]): Promise<void> {
  if (names.length > 0) await session.query(LOCK, names)
}

/** Locks the inbound messages of these accounts. Taken after the names. */
export async function lockInboxes(session: Session, accounts: ReadonlySet<AccountId>): Promise<void> {
  if (accounts.size > 0) await session.query(LOCK_INBOXES, [...accounts])
}
