/** Counts the reports of an account that wait or have failed, by hook. */
import type { AccountId } from '../../../domain/ids/account-id.ts'
import { bucketOf } from '../../../domain/ids/message-id.ts'
import { type HookTally, MAX_TALLIED_REPORTS } from '../../../ports/records/pending-report.ts'
import type { Link } from '../connection/link.ts'
import { inBucket } from '../connection/statement.ts'

const tally = (state: HookTally['state']) =>
  inBucket<[hook: string, count: number, triedAt: number | null, detail: string]>(
    `SELECT hook, count(*), max(tried_at), (array_agg(detail ORDER BY tried_at DESC NULLS LAST))[1] FROM (
       SELECT split_part(address, '?', 1) AS hook, tried_at, detail FROM report
       WHERE bucket = $1 AND account_id = $2 AND state = '${state}' AND body <> '' AND position IS NULL
       LIMIT ${MAX_TALLIED_REPORTS}) AS counted
     GROUP BY hook`,
  )

const TALLIES = { pending: tally('pending'), failed: tally('failed') } as const

export async function tallyHooks(link: Link, accountId: AccountId): Promise<readonly HookTally[]> {
  const states = ['pending', 'failed'] as const
  const tallied = await Promise.all(
    states.map(async (state) => {
      const rows = await link.query(TALLIES[state], bucketOf(accountId), accountId)
      return rows.map(([hook, count, triedAt, detail]) => ({ hook, state, count, triedAt, detail }))
    }),
  )
  return tallied.flat()
}
