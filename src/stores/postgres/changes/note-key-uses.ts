/** Records when API keys were last used. */
import type { KeyUse } from '../../../ports/changes/account-change.ts'
import type { Connection } from '../connection/connection.ts'
import { rare, unnest } from '../connection/statement.ts'

const NOTE = rare(
  `UPDATE api_key SET last_used_at = new.at FROM ${unnest({ hash: 'text', at: 'bigint' }, 1)}
   WHERE api_key.hash = new.hash AND (last_used_at IS NULL OR last_used_at < new.at)`,
)

/** Repeating it after a failure has the same result. */
export async function noteKeyUses(connection: Connection, uses: readonly KeyUse[]): Promise<void> {
  await connection.query(
    NOTE,
    uses.map(({ hash }) => hash),
    uses.map(({ at }) => at),
  )
}
