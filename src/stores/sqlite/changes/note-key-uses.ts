/** Records when API keys were last used. */
import type { KeyUse } from '../../../ports/changes/account-change.ts'
import type { Session } from '../session/session.ts'
import { Statement } from '../statement/statement.ts'

export function noteKeyUses({ database }: Session): (uses: readonly KeyUse[]) => void {
  const note = new Statement(
    database,
    'UPDATE api_key SET last_used_at = ? WHERE hash = ? AND (last_used_at IS NULL OR last_used_at < ?)',
  )
  return (uses) => {
    for (const { hash, at } of uses) note.run(at, hash, at)
  }
}
