/** The hooks that get no reports because they answered 410. */
import type { AccountId } from '../../../domain/account.ts'
import { HOOK_STOP_LASTS_MS, type HookStop } from '../../../domain/stopped-hook.ts'
import type { ReportStore } from '../../../ports/report-store.ts'

/** Of one account or, with null, of all; the newest first. */
export async function listStoppedHooks(
  store: ReportStore,
  accountId: AccountId | null,
  now: number,
): Promise<HookStop[]> {
  const changes = await store.stoppedHooks({ accountId, since: now - HOOK_STOP_LASTS_MS })
  return changes.filter(({ stopped }) => stopped)
}
