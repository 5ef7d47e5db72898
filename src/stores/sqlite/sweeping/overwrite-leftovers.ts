/** Overwrites what erased data leaves in the file of the database and in its log. */
import type { Leftovers } from '../../../ports/records/forgetting.ts'
import type { Session } from '../session/session.ts'
import { SqlStatement } from '../statement/statement.ts'

/**
 * Checkpoints and truncates the log of the database, which contains old versions of changed pages. Moved rows leave
 * their bytes in free space until it is reused; if no gateway runs, the file is rewritten without them. Runs outside of
 * a transaction.
 */
export function overwriteLeftovers({ database, whileAlone }: Session): () => Leftovers {
  const emptyLog = new SqlStatement<[busy: number]>(database, 'PRAGMA wal_checkpoint(TRUNCATE)')
  return () => {
    let isWrittenAnew = false
    whileAlone(() => {
      isWrittenAnew = writeAnew(database)
    })
    if (emptyLog.first()?.[0] !== 0) return 'log'
    return isWrittenAnew ? 'none' : 'room'
  }
}

/** Returns false, without any change, if the disk had no room for it. */
function writeAnew(database: Session['database']): boolean {
  // The new file is as large as the old one, which may exceed memory.
  database.exec('PRAGMA temp_store = FILE')
  try {
    database.exec('VACUUM')
    return true
  } catch {
    return false
  } finally {
    database.exec('PRAGMA temp_store = MEMORY')
  }
}
