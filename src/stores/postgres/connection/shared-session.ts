/**
 * A pooler that assigns a server session to another client after each transaction. Prepared statements, settings and
 * notifications belong to a session, so Posthorn refuses to work through it.
 */
import { StoreError } from '../../../ports/records/store-errors.ts'

/** SQLSTATE: a prepared statement is missing, or exists already. */
const OF_SHARED_SESSION: ReadonlySet<unknown> = new Set(['26000', '42P05'])

export class SharedSession extends StoreError {
  constructor(cause?: Error) {
    super(
      'a pooler between Posthorn and the database shares sessions between transactions (PgBouncer: pool_mode = transaction ' +
        'or statement), and Posthorn needs sessions of its own: set pool_mode = session for its database, or give the ' +
        'address of PostgreSQL itself',
      { cause },
    )
  }
}

export function isOfSharedSession(error: Error): boolean {
  return 'code' in error && OF_SHARED_SESSION.has(error.code)
}
