/**
 * Takes messages out of queues: from all queues in the buckets of this node's share, elsewhere from carrier queues
 * only, which any node that can reach the carrier may take. Skips from queue to queue and tenant to tenant by the
 * index, never scanning the messages of one, and resumes at the next claim where it stopped. Chooses among the tenants
 * that it has seen by traffic class.
 */
import { bucketOfMessage, type MessageId } from '../../domain/ids/message-id.ts'
import { type Message, rankOfTenant } from '../../domain/message/message.ts'
import type { DueClaim, DueClaimed } from '../../ports/records/due-claim.ts'
import {
  chooseQueued,
  portionsOf,
  type QueuePlace,
  type TenantQueue,
  TenantRotation,
} from '../rows/queues/choose-queued.ts'
import { BLOCKED, isOfCarriers, mayTakeFrom } from '../rows/queues/place.ts'
import { ALL_BUCKETS, type ClaimTools } from './claims.ts'
import type { Connection } from './connection/connection.ts'
import { inBucket } from './connection/statement.ts'

/** Tenants that one claim takes messages of in a bucket, and tenants and queues that it reads. */
const MAX_TENANTS = 64
const MAX_LOOKS = 512
const MAX_QUEUES = 200

const IN_QUEUES = 'bucket = $1 AND node = 0 AND tenant > 0'
const NOT_BLOCKED = `${IN_QUEUES} AND channel < '${BLOCKED}'`

const FIND_QUEUES = inBucket<[queue: string]>(
  `WITH RECURSIVE found (queue) AS (
     (SELECT channel FROM due WHERE ${NOT_BLOCKED} ORDER BY channel LIMIT 1)
     UNION ALL
     SELECT (SELECT channel FROM due WHERE ${NOT_BLOCKED} AND channel > found.queue ORDER BY channel LIMIT 1)
     FROM found WHERE found.queue IS NOT NULL
   ) SELECT queue FROM found WHERE queue IS NOT NULL LIMIT ${MAX_QUEUES}`,
)
/** The tenants of each queue after that one, or from the first one on where none is behind it. */
const FIND_TENANTS = inBucket<[queue: string, tenant: number]>(
  `WITH RECURSIVE found (queue, tenant) AS (
     SELECT asked.queue, coalesce(
       (SELECT tenant FROM due WHERE ${IN_QUEUES} AND channel = asked.queue AND tenant > asked.behind
        ORDER BY tenant LIMIT 1),
       (SELECT tenant FROM due WHERE ${IN_QUEUES} AND channel = asked.queue ORDER BY tenant LIMIT 1))
     FROM unnest($2::text[], $3::bigint[]) AS asked (queue, behind)
     UNION ALL
     SELECT found.queue, (SELECT tenant FROM due WHERE ${IN_QUEUES} AND channel = found.queue AND tenant > found.tenant
                          ORDER BY tenant LIMIT 1)
     FROM found WHERE found.tenant IS NOT NULL
   ) SELECT queue, tenant FROM found WHERE tenant IS NOT NULL LIMIT ${MAX_LOOKS}`,
)
/** The first messages of each of these tenants. */
const FIND_QUEUED = inBucket<[queue: string, tenant: number, msgId: MessageId]>(
  `SELECT asked.queue, asked.tenant, waiting.msg_id
   FROM unnest($2::text[], $3::bigint[], $4::integer[]) AS asked (queue, tenant, most)
   CROSS JOIN LATERAL (SELECT msg_id FROM due WHERE ${IN_QUEUES} AND channel = asked.queue AND tenant = asked.tenant
                       ORDER BY due_at LIMIT asked.most) AS waiting`,
)

const QUEUED = ['queued']

export type Queued = Pick<DueClaimed, 'queued' | 'forCarriers' | 'left' | 'more' | 'isBlocked' | 'isComplete'>

export const NONE_QUEUED: Queued = {
  queued: [],
  forCarriers: [],
  left: [],
  more: false,
  isBlocked: false,
  isComplete: true,
}

const NONE_BEHIND: ReadonlyMap<string, number> = new Map()

export class QueueClaims {
  /** By bucket and queue: the tenant after which the next claim starts. The queues read last come last. */
  readonly #behind = new Map<number, ReadonlyMap<string, number>>()
  readonly #rotations = new Map<number, TenantRotation>()

  async claim(tools: ClaimTools, claim: DueClaim): Promise<Queued> {
    if (claim.queues === undefined || claim.queues.length === 0) return NONE_QUEUED
    const { nextDue, lanes } = tools
    const asked = ALL_BUCKETS.filter((bucket) => nextDue.mayHave(bucket, QUEUED, claim.now))
    for (const bucket of asked) nextDue.looking(bucket, QUEUED, claim.now)
    try {
      const { open, isBlocked } = await openQueues(tools, claim, asked)
      const { tenants, isComplete } = await tools.reader.read((connection) => this.#find(connection, open, claim))
      const { ids, forCarriers, left, more } = chooseQueued(tenants, claim)
      const { answers, failure } = await lanes.shareAlone(ids, bucketOfMessage, (lane, buckets, part) =>
        lane.submit(part.length, buckets, 'holdDue', { ids: part, now: claim.now }),
      )
      if (failure !== null && answers.length === 0) throw failure
      if (failure !== null) for (const bucket of asked) nextDue.forget(bucket)
      const order = new Map(ids.map((id, place) => [id, place]))
      const placeOf = ({ id }: Message) => order.get(id) ?? 0
      const queued = answers.flat().toSorted((a, b) => placeOf(a) - placeOf(b))
      return { queued, forCarriers, left, more: queued.length > 0 && (more || !isComplete), isBlocked, isComplete }
    } catch (error) {
      for (const bucket of asked) nextDue.forget(bucket)
      throw error
    }
  }

  /** Returns the first messages of the tenants that take part, one more of each than the claim may take. */
  async #find(
    connection: Connection,
    open: ReadonlyMap<number, readonly string[]>,
    claim: DueClaim,
  ): Promise<{ readonly tenants: readonly TenantQueue[]; readonly isComplete: boolean }> {
    const seen = await Promise.all(
      [...open].map(([bucket, queues]) => this.#findTenants(connection, bucket, { queues, claim })),
    )
    const portions = portionsOf(
      seen.flatMap(({ served }) => served.map(([, tenant]) => tenant)),
      claim,
    )
    const found = seen.map(async ({ bucket, served }) => {
      if (served.length === 0) return []
      const columns = [
        served.map(([queue]) => queue),
        served.map(([, tenant]) => tenant),
        served.map(([, tenant]) => (portions[rankOfTenant(tenant)] ?? 0) + 1),
      ]
      const rows = await connection.query(FIND_QUEUED, bucket, ...columns)
      const tenants = Map.groupBy(rows, ([queue, tenant]) => `${tenant} ${queue}`)
      return [...tenants.values()].map((all): TenantQueue => {
        const [queue, tenant] = all[0] ?? ['', 0]
        return { queue, tenant, ids: all.map(([, , id]) => id) }
      })
    })
    return { tenants: (await Promise.all(found)).flat(), isComplete: seen.every(({ isComplete }) => isComplete) }
  }

  /** Returns the tenants of a bucket that take part. */
  async #findTenants(
    connection: Connection,
    bucket: number,
    { queues, claim }: { readonly queues: readonly string[]; readonly claim: DueClaim },
  ) {
    const behind = this.#behind.get(bucket) ?? NONE_BEHIND
    this.#behind.delete(bucket)
    const asked = [
      ...queues.filter((queue) => !behind.has(queue)),
      ...behind.keys().filter((queue) => queues.includes(queue)),
    ]
    const places = asked.map((queue) => behind.get(queue) ?? 0)
    const seen = await connection.query(FIND_TENANTS, bucket, asked, places)
    if (seen.length === MAX_LOOKS) this.#behind.set(bucket, movedOn(behind, seen))
    const rotation = this.#rotations.get(bucket) ?? new TenantRotation()
    this.#rotations.set(bucket, rotation)
    const served = rotation.choose(seen, MAX_TENANTS, claim.lowerShare)
    const isComplete = behind === NONE_BEHIND && served.length === seen.length && seen.length < MAX_LOOKS
    return { bucket, served, isComplete }
  }
}

/** Returns where the next claim starts in the queues of these rows, after all others. */
function movedOn(behind: ReadonlyMap<string, number>, rows: readonly QueuePlace[]): ReadonlyMap<string, number> {
  const moved = new Map(behind)
  for (const [queue] of rows) moved.delete(queue)
  for (const [queue, tenant] of rows) moved.set(queue, Math.max(tenant, moved.get(queue) ?? 0))
  return moved
}

/** Returns, by bucket, the queues that messages may be taken from. */
async function openQueues({ reader, lease, nextDue }: ClaimTools, claim: DueClaim, asked: readonly number[]) {
  const share = new Set(lease.share)
  const open = new Map<number, readonly string[]>()
  let isBlocked = false
  const found = await reader.read((connection) =>
    Promise.all(asked.map((bucket) => connection.query(FIND_QUEUES, bucket))),
  )
  for (const [index, rows] of found.entries()) {
    const bucket = asked[index] ?? 0
    const queues = rows.flatMap(([queue]) => (share.has(bucket) || isOfCarriers(queue) ? queue : []))
    // Looks again for what remains there or another node takes.
    if (rows.length > 0) nextDue.expect(bucket, 'queued', claim.now)
    const mine = queues.filter((queue) => mayTakeFrom(queue, claim))
    if (mine.length > 0) open.set(bucket, mine)
    if (queues.some((queue) => isOfCarriers(queue) && !mine.includes(queue))) isBlocked = true
  }
  return { open, isBlocked }
}
