/** `hook/replay`: sends failed reports of the account again. */
import { HOOK_REPLAY_FIELDS, readFields } from '../../contract/fields/fields.ts'
import { type RequestObject, writeResult } from '../../contract/request/envelope.ts'
import { hookOf } from '../../domain/reports/report-schedule.ts'
import { MAX_REPLAYED } from '../../ports/stores/replay-store.ts'
import type { DirectInquiry, Scope } from '../request/planned.ts'

/** Throws ItemRefused for a `hook` or `since` that has another form. */
export function planReplay(scope: Scope, item: RequestObject): DirectInquiry {
  const { account, now, lists } = scope
  const { limits, store, hooks } = scope.tools
  // It reads as much as a list.
  lists.count(0)
  const { hook = null, since = null } = readFields(item, HOOK_REPLAY_FIELDS, limits)
  const request = { accountId: account.id, hook: hook === null ? null : hookOf(hook), since, at: now }
  return {
    answer: async () => {
      const reports = await store.replayReports(request)
      if (reports > 0) hooks.onReports()
      return writeResult({ reports, more: reports === MAX_REPLAYED })
    },
  }
}
