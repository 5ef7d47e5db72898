/**
 * What PostgreSQL does in its own way when it sweeps messages. The node that ends a message sees the sweep position in
 * its lease.
 */
import type { InstallationRetention } from '../../../domain/accounts/retention.ts'
import { bucketOfMessage } from '../../../domain/ids/message-id.ts'
import type { Vault } from '../../../ports/system/vault.ts'
import { DROP_TEXTS } from '../../commands/erasure/redact-messages.ts'
import { rows } from '../../commands/statement/command.ts'
import { sql } from '../../commands/statement/sql.ts'
import * as shared from '../../commands/sweeping/sweep-messages.ts'
import { ByBucket } from '../connection/by-bucket.ts'
import type { Connection } from '../connection/connection.ts'
import { inBucket, insertion } from '../connection/statement.ts'
import { Partitions } from '../partitions/partitions.ts'
import { runEach, runOn } from '../session/run-command.ts'
import type { Session } from '../session/session.ts'

export const DROP_CONTENTS = [DROP_TEXTS]

const KEEP_LEFT = insertion('sweep_skipped', 'msg_id', 'ON CONFLICT DO NOTHING')
/** Waits for transactions in progress in the bucket; messages that end later are reported to the sweeper. */
const RAISE = sql('UPDATE lease SET swept_to = ? WHERE {bucket} swept_to < ?')
const ANY_MESSAGE = inBucket<[any: number]>(
  `SELECT (EXISTS (SELECT 1 FROM message WHERE bucket = $1) OR EXISTS (SELECT 1 FROM sweep_skipped WHERE bucket = $1)
     OR EXISTS (SELECT 1 FROM message_total WHERE bucket = $1))::integer`,
)

export interface SweepRules extends shared.SweepRules {
  readonly partitions: Partitions
}

export interface SweepOrder extends shared.SweepOrder, SweepRules {}

export async function readRules(
  connection: Connection,
  vault: Vault,
  keeping: InstallationRetention,
): Promise<SweepRules> {
  const [rules, partitions] = await Promise.all([
    runOn(connection, vault, shared.readRules(keeping)),
    Partitions.read(connection),
  ])
  return { ...rules, partitions }
}

/** Returns the buckets that have messages or statistics. */
export async function bucketsToSweep(connection: Connection, buckets: readonly number[]): Promise<readonly number[]> {
  const found = await Promise.all(buckets.map((bucket) => connection.query(ANY_MESSAGE, bucket)))
  return buckets.filter((_, index) => found[index]?.[0]?.[0] === 1)
}

/** Sweeps one slice of each bucket. */
export function sweepMessages(session: Session, orders: readonly SweepOrder[]) {
  return runEach(
    session,
    orders,
    ({ bucket }) => bucket,
    (order) => shared.sweepMessages(order, toolsOf(order)),
  )
}

function toolsOf({ rules, partitions }: SweepOrder): shared.SweepTools {
  return {
    classes: rules.classes.length,
    contents: DROP_CONTENTS,
    raise: (last) => rows(RAISE, last, last),
    isLeft: (action, accounts) => (table, msgId) => {
      const isSoon = table === 'event' ? rules.keepsLongest(accounts.get(msgId) ?? 0) : action === 'settled'
      return isSoon && partitions.has(table, msgId)
    },
  }
}

/** Reports messages to the sweeper that may have nothing open any more. */
export function leaveToSweep(session: Session, ids: Iterable<number>): void {
  const passed = new ByBucket<number[]>()
  for (const id of new Set(ids)) {
    const bucket = bucketOfMessage(id as never)
    if (id <= session.sweptTo(bucket)) passed.add(bucket, [id])
  }
  session.insert(KEEP_LEFT, passed)
}
