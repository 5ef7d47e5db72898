/** Checks a default hook and a default sender as requests that name them are checked. */
import type { Account, AccountSettings } from '../../../domain/accounts/account.ts'
import { hasApprovedSender } from '../../../domain/accounts/sender.ts'
import type { DirectoryRows } from '../../../domain/directory/directory.ts'
import { brokenHookRule, faultOfLoginHook, type HookGuard } from '../../request/check-hook.ts'
import { FieldRefused } from '../fields/field-refused.ts'

interface References {
  readonly rows: Pick<DirectoryRows, 'senders' | 'logins'>
  /** Without it the default hook may have any address. */
  readonly hookGuard?: HookGuard | undefined
}

/** Checks only values that change. Throws FieldRefused, so that no message or report fails later for a setting. */
export function checkReferences(
  { rows, hookGuard }: References,
  { id, settings: before }: Account,
  { defaultHook = null, defaultSmsSender = null }: Partial<AccountSettings>,
): void {
  if (defaultHook !== null && defaultHook !== before.defaultHook) {
    const broken =
      (hookGuard === undefined ? null : brokenHookRule(hookGuard, defaultHook)) ??
      faultOfLoginHook(rows.logins, id, defaultHook)
    if (broken !== null) throw new FieldRefused('default_hook', broken)
  }
  if (defaultSmsSender === null || defaultSmsSender === before.defaultSmsSender) return
  if (hasApprovedSender(rows.senders, { accountId: id, channel: 'sms', name: defaultSmsSender })) return
  throw new FieldRefused(
    'default_sms_sender',
    `must be an approved sender of account ${id}; approve it first: ` +
      `posthorn sender approve --account ${id} --channel sms --name ${defaultSmsSender}`,
  )
}
