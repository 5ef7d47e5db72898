/**
 * Claims due work: finds it in the buckets of this node's share, longest due first, then holds it in the lanes of those
 * buckets.
 */
import { BUCKETS } from '../../domain/ids/message-id.ts'
import type { Waiting } from './claiming/claim-due.ts'
import { LOOK_AGAIN_MS, type NextDue } from './claiming/next-due.ts'
import type { NodeLease } from './cluster/node-lease.ts'
import type { Connection } from './connection/connection.ts'
import type { Reader } from './connection/reader.ts'
import type { BucketLanes } from './engine/bucket-lanes.ts'
import type { GroupCommit } from './engine/group-commit.ts'

export const ALL_BUCKETS = Array.from({ length: BUCKETS }, (_, bucket) => bucket)

export interface ClaimTools {
  readonly reader: Reader
  readonly lanes: BucketLanes
  readonly lease: NodeLease
  readonly nextDue: NextDue
}

export interface Claim<Thing, Held> {
  /** What may be due in the buckets of this node's share. */
  readonly kind: string
  readonly now: number
  readonly limit: number
  readonly bucketOf: (thing: Thing) => number
  /** Reads one more than the limit, to know whether more is due. */
  readonly find: (connection: Connection, bucket: number, most: number) => Promise<readonly Waiting<Thing>[]>
  readonly hold: (lane: GroupCommit, buckets: readonly number[], things: readonly Thing[]) => Promise<readonly Held[]>
}

export interface ClaimedThings<Held> {
  /** In no particular order. */
  readonly held: readonly Held[]
  readonly nextDueAt: number | null
}

export async function claim<Thing, Held>(
  { reader, lanes, lease, nextDue }: ClaimTools,
  { kind, now, limit, bucketOf, find, hold }: Claim<Thing, Held>,
): Promise<ClaimedThings<Held>> {
  const mine = lease.share
  const kinds = [kind]
  const asked = mine.filter((bucket) => nextDue.mayHave(bucket, kinds, now))
  for (const bucket of asked) nextDue.looking(bucket, kinds, now)
  try {
    const found = await reader.read((connection) =>
      Promise.all(asked.map((bucket) => find(connection, bucket, limit + 1))),
    )
    const waiting = found.flatMap((each, index) => each.map((one) => ({ ...one, bucket: asked[index] ?? 0 })))
    const due = waiting.filter(({ thing }) => thing !== null).sort((a, b) => a.dueAt - b.dueAt)
    const taken = due.slice(0, limit).flatMap(({ thing }) => (thing === null ? [] : [thing]))
    for (const { bucket, dueAt } of [...due.slice(limit), ...waiting.filter(({ thing }) => thing === null)]) {
      nextDue.expect(bucket, kind, dueAt)
    }
    const { answers, failure } = await lanes.shareAlone(taken, bucketOf, hold)
    // What one lane holds belongs to this node, even if the others failed.
    if (failure !== null && answers.length === 0) throw failure
    if (failure !== null) for (const bucket of asked) nextDue.forget(bucket)
    // Buckets invalidated until now need another look: no other node would notify.
    const earliest = Math.min(...mine.map((bucket) => nextDue.earliest(bucket, kinds, now)))
    return { held: answers.flat(), nextDueAt: soonest(earliest, lease, now) }
  } catch (error) {
    for (const bucket of asked) nextDue.forget(bucket)
    throw error
  }
}

/** Other nodes may write without notifying this one. */
function soonest(known: number, lease: NodeLease, now: number): number | null {
  const next = lease.isAlone ? known : Math.min(known, now + LOOK_AGAIN_MS)
  return Number.isFinite(next) ? next : null
}
