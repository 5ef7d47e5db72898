/** Reads which hooks reports wait for. */
import type { AccountId } from '../../../domain/ids/account-id.ts'
import { BUCKETS, bucketOf } from '../../../domain/ids/message-id.ts'
import { type HookWait, MAX_WAITS } from '../../../ports/records/pending-report.ts'
import { type SampleRow, selectSample, summariseWait } from '../../rows/reports/hook-wait.ts'
import type { Connection } from '../connection/connection.ts'
import { inBucket } from '../connection/statement.ts'
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
export async function hookWaits(connection: Connection, accountId: AccountId | null): Promise<readonly HookWait[]> {
  const found = await (accountId === null
    ? Promise.all(Array.from({ length: BUCKETS }, (_, bucket) => connection.query(OF_ALL, bucket)))
    : Promise.all([connection.query(OF_ONE, bucketOf(accountId), accountId)]))
  const first = found.flat().sort(([a], [b]) => a - b)
  const waits = first.slice(0, MAX_WAITS).map(async ([ofAccount, hook]) => {
    const wait = summariseWait(await connection.query(SAMPLE, bucketOf(ofAccount), ofAccount, hook))
    return wait === null ? [] : [{ accountId: ofAccount, hook, ...wait }]
  })
  return (await Promise.all(waits)).flat()
}
