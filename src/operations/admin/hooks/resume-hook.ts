/** Lets reports go again to a hook that was stopped because it answered 410. */
import { hookOf } from '../../../domain/report-schedule.ts'
import type { StoppedHook } from '../../../domain/stopped-hook.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { SetupStore } from '../../../ports/setup-store.ts'

/** Returns the hook of the address. Throws a ChangeRefused when it is not stopped. */
export async function resumeHook(
  { store, clock }: { readonly store: SetupStore; readonly clock: Clock },
  { accountId, address }: StoppedHook,
): Promise<StoppedHook> {
  const hook = { accountId, address: hookOf(address) }
  await store.change({ kind: 'resume hook', hook, at: clock.now() })
  return hook
}
