/** Lets reports go again to a hook that was stopped because it answered 410. */
import type { StoppedHook } from '../../../domain/stopped-hook.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { SetupStore } from '../../../ports/setup-store.ts'

/** Throws a ChangeRefused when the hook is not stopped. */
export async function resumeHook(
  { store, clock }: { readonly store: SetupStore; readonly clock: Clock },
  hook: StoppedHook,
): Promise<void> {
  await store.change({ kind: 'resume hook', hook, at: clock.now() })
}
