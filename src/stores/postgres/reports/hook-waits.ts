/** Reads which hooks reports wait for, and has one of them tried. */
import type { AccountId } from '../../../domain/ids/account-id.ts'
import { BUCKETS, bucketOf } from '../../../domain/ids/message-id.ts'
import { REPORT_LIFETIME_MS } from '../../../domain/reports/report-schedule.ts'
import { type HookWait, MAX_TRIED_REPORTS, MAX_WAITS } from '../../../ports/records/pending-report.ts'
import type { Change } from '../../../ports/stores/setup-store.ts'
import { type SampleRow, selectSample, summariseWait } from '../../rows/reports/hook-wait.ts'
import type { Link } from '../connection/link.ts'
import { inBucket, STILL_PENDING } from '../connection/statement.ts'
import type { Session } from '../session/session.ts'
import { HOOK_KEY, OF_BUCKET } from './claim-reports.ts'

/** Skips from hook to hook along the index. `further` continues after `hook`. */
const hooks = (condition: string, further: string) =>
  inBucket<[accountId: AccountId, hook: string]>(
    `WITH RECURSIVE hook (account_id, key, address) AS (
       (SELECT account_id, ${HOOK_KEY}, address FROM report WHERE ${OF_BUCKET} ${condition}
        ORDER BY account_id, ${HOOK_KEY} LIMIT 1)
       UNION ALL
       SELECT next.account_id, next.key, next.address FROM hook CROSS JOIN LATERAL (
         SELECT account_id, ${HOOK_KEY} AS key, address FROM report WHERE ${OF_BUCKET} ${condition} AND ${further}
         ORDER BY account_id, ${HOOK_KEY} LIMIT 1) AS next)
     SELECT account_id, split_part(address, '?', 1) FROM hook LIMIT ${MAX_WAITS}`,
  )
const OF_ALL = hooks('', `(account_id, ${HOOK_KEY}) > (hook.account_id, hook.key)`)
const OF_ONE = hooks('AND account_id = $2', `${HOOK_KEY} > hook.key`)
const OF_HOOK = `${OF_BUCKET} AND account_id = $2 AND ${HOOK_KEY} = md5($3::text)`
const SAMPLE = inBucket<SampleRow>(selectSample(`FROM report WHERE ${OF_HOOK}`))
const TRY = inBucket(
  `UPDATE report SET parked = 1, due_at = coalesce(ends_at, created_at + ${REPORT_LIFETIME_MS})
   WHERE bucket = $1 AND ${STILL_PENDING} AND node = 0 AND (msg_id, number) IN (
     SELECT msg_id, number FROM report WHERE ${OF_HOOK} ORDER BY msg_id LIMIT ${MAX_TRIED_REPORTS})`,
)

export async function hookWaits(link: Link, accountId: AccountId | null): Promise<readonly HookWait[]> {
  const found = await (accountId === null
    ? Promise.all(Array.from({ length: BUCKETS }, (_, bucket) => link.query(OF_ALL, bucket)))
    : Promise.all([link.query(OF_ONE, bucketOf(accountId), accountId)]))
  const first = found.flat().sort(([a], [b]) => a - b)
  const waits = first.slice(0, MAX_WAITS).map(async ([ofAccount, hook]) => {
    const wait = summariseWait(await link.query(SAMPLE, bucketOf(ofAccount), ofAccount, hook))
    return wait === null ? [] : [{ accountId: ofAccount, hook, ...wait }]
  })
  return (await Promise.all(waits)).flat()
}

/** Returns how many reports wait for the hook, the oldest ones. */
export async function tryHook(
  session: Session,
  { hook: { accountId, hook } }: Extract<Change, { kind: 'try hook' }>,
): Promise<number> {
  return (await session.execute(TRY, bucketOf(accountId), accountId, hook)).count
}
