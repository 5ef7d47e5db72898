/** An account keeps things for a shorter time: what was gone through for others of that keeping may be due for it now. */
import type { AccountId } from '../../domain/account.ts'
import { type AccountRetention, DEFAULT_ACCOUNT_RETENTION } from '../../domain/retention.ts'
import type { Session } from './session.ts'
import { rare } from './statement.ts'

const SETTINGS = rare<[settings: string]>('SELECT settings FROM account WHERE account_id = $1')
const GO_BACK = rare('UPDATE sweep_mark SET msg_id = 0 WHERE deed = $1 AND days = $2')

/** To be told before the new settings are written. */
export async function sweepAnew(session: Session, accountId: AccountId, after: AccountRetention): Promise<void> {
  const [row] = await session.ask(SETTINGS, accountId)
  const before: AccountRetention = { ...DEFAULT_ACCOUNT_RETENTION, ...JSON.parse(row?.[0] ?? '{}') }
  if (isLess(after.textsKeptDays, before.textsKeptDays)) await session.ask(GO_BACK, 'texts', after.textsKeptDays)
  if (isLess(after.recordsKeptDays, before.recordsKeptDays))
    await session.ask(GO_BACK, 'records', after.recordsKeptDays)
}

function isLess(days: number | null, than: number | null): days is number {
  return days !== null && (than === null || days < than)
}
