/** Counts the reports of an account that wait or have failed, by hook. */
import type { AccountId } from '../../../domain/ids/account-id.ts'
import { bucketOf } from '../../../domain/ids/message-id.ts'
import { type HookTally, MAX_TALLIED_REPORTS } from '../../../ports/records/pending-report.ts'
import { type Command, query, readAll, withBucket } from '../statement/command.ts'
import { sql } from '../statement/sql.ts'

/** With the detail of the report that was tried last. */
const tally = (state: HookTally['state']) =>
  sql<[hook: string, count: number, triedAt: number | null, detail: string]>(
    `SELECT hook, count, tried_at, detail FROM (
       SELECT hook, tried_at, detail, count(*) OVER (PARTITION BY hook) AS count,
         row_number() OVER (PARTITION BY hook ORDER BY tried_at DESC NULLS LAST) AS place
       FROM (SELECT {hook} AS hook, tried_at, detail FROM report
             WHERE {bucket} account_id = ? AND state = '${state}' AND body <> '' AND position IS NULL
             LIMIT ${MAX_TALLIED_REPORTS}) AS counted) AS placed
     WHERE place = 1 ORDER BY hook`,
  )
const TALLIES = { pending: tally('pending'), failed: tally('failed') } as const

export function* tallyHooks(accountId: AccountId): Command<readonly HookTally[]> {
  const asked = readAll(query(TALLIES.pending, accountId), query(TALLIES.failed, accountId))
  const [pending, failed] = yield* withBucket(bucketOf(accountId), asked)
  return [
    ...pending.map(([hook, count, triedAt, detail]) => ({ hook, state: 'pending' as const, count, triedAt, detail })),
    ...failed.map(([hook, count, triedAt, detail]) => ({ hook, state: 'failed' as const, count, triedAt, detail })),
  ]
}
