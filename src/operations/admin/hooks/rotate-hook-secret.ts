/**
 * Gives an account a new secret for its reports. For a while reports are signed by the one before as well, so that no
 * client has to change at the very moment.
 */
import type { AccountId } from '../../../domain/account.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { Random } from '../../../ports/random.ts'
import type { SetupStore } from '../../../ports/setup-store.ts'
import { ChangeRefused } from '../../../ports/store-errors.ts'
import { accountRow } from '../accounts/account-row.ts'
import { overlapEnd } from '../overlap.ts'
import { makeHookSecret } from './hook-secret.ts'

export interface HookSecretRotation {
  readonly accountId: AccountId
  /** Seconds for which the old secret signs as well; null until it is retired, 0 not at all. */
  readonly overlapSeconds?: number | null | undefined
}

/** The secret is to be shown now and never again. Throws a ChangeRefused. */
export async function rotateHookSecret(
  store: SetupStore,
  clock: Clock,
  random: Random,
  { accountId, overlapSeconds }: HookSecretRotation,
): Promise<{ readonly secret: string; readonly oldUntil: number | null }> {
  const now = clock.now()
  const account = accountRow(await store.loadDirectory(), accountId)
  const oldUntil = overlapSeconds === null ? null : overlapEnd(now, overlapSeconds)
  const secret = makeHookSecret(random)
  const hookSecrets = oldUntil === now ? [secret] : [secret, ...account.hookSecrets.slice(0, 1)]
  await store.change({ kind: 'set hook secrets', accountId, hookSecrets, ...(oldUntil === null ? {} : { oldUntil }) })
  return { secret, oldUntil }
}

/** From now on reports are signed by the newest secret alone. Throws a ChangeRefused. */
export async function retireHookSecret(store: SetupStore, accountId: AccountId): Promise<void> {
  const { hookSecrets } = accountRow(await store.loadDirectory(), accountId)
  if (hookSecrets.length < 2) throw new ChangeRefused(`account ${accountId} has no old secret`)
  await store.change({ kind: 'set hook secrets', accountId, hookSecrets: hookSecrets.slice(0, 1) })
}
