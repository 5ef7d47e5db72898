/** An account keeps things for a shorter time: what was gone through for others of that keeping may be due for it now. */
import type { AccountId } from '../../domain/account.ts'
import { type AccountRetention, DEFAULT_ACCOUNT_RETENTION } from '../../domain/retention.ts'
import type { Session } from './session.ts'
import { Statement } from './statement.ts'

/** To be told before the new settings are written. */
export function sweepAnew({ database }: Session): (accountId: AccountId, after: AccountRetention) => void {
  return (accountId, after) => {
    const row = new Statement<[settings: string]>(database, 'SELECT settings FROM account WHERE account_id = ?').first(
      accountId,
    )
    const before: AccountRetention = { ...DEFAULT_ACCOUNT_RETENTION, ...JSON.parse(row?.[0] ?? '{}') }
    const goBack = new Statement(database, 'UPDATE sweep_mark SET msg_id = 0 WHERE deed = ? AND days = ?')
    if (isLess(after.textsKeptDays, before.textsKeptDays)) goBack.run('texts', after.textsKeptDays)
    if (isLess(after.recordsKeptDays, before.recordsKeptDays)) goBack.run('records', after.recordsKeptDays)
  }
}

function isLess(days: number | null, than: number | null): days is number {
  return days !== null && (than === null || days < than)
}
