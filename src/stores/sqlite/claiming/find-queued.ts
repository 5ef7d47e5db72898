/**
 * Finds queued messages for a node: skips from tenant to tenant by the index, never scanning the messages of one, and
 * resumes at the next claim where it stopped. Chooses among the tenants that it has seen by traffic class.
 */

import type { MessageId } from '../../../domain/ids/message-id.ts'
import { rankOfTenant } from '../../../domain/message/message.ts'
import type { DueClaim, DueClaimed, TenantLeft } from '../../../ports/records/due-claim.ts'
import {
  type Chosen,
  chooseQueued,
  isBehind,
  isFull,
  portionsOf,
  type QueuePlace,
  type TenantQueue,
  TenantRotation,
} from '../../rows/queues/choose-queued.ts'
import { BLOCKED, channelOfQueue, isOfCarriers, mayTakeFrom } from '../../rows/queues/place.ts'
import type { Session } from '../session/session.ts'
import { SqlStatement } from '../statement/statement.ts'

/** Tenants that one claim takes messages of, and tenants or queues that it reads. */
const MAX_TENANTS = 64
const MAX_LOOKS = 512

interface Visited {
  readonly tenants: readonly QueuePlace[]
  /** Those for which memory has no room. */
  readonly full: readonly TenantLeft[]
  readonly isBlocked: boolean
  readonly isComplete: boolean
}

type Found = Chosen & Pick<DueClaimed, 'isBlocked' | 'isComplete'>

const START: QueuePlace = ['', 0]
const NO_QUEUES: Found = {
  ids: [],
  forCarriers: [],
  left: [],
  more: false,
  isBlocked: false,
  isComplete: true,
}

export function findQueued({ database }: Pick<Session, 'database'>): (claim: DueClaim) => Found {
  // All columns of the index: SQLite would begin to read at the first message of a tenant, not behind the last one.
  const next = new SqlStatement<[queue: string, tenant: number]>(
    database,
    `SELECT channel, tenant FROM due
     WHERE node = 0 AND tenant > 0 AND channel < '${BLOCKED}' AND (channel, tenant, due_at) > (?, ?, ${Number.MAX_SAFE_INTEGER})
     ORDER BY channel, tenant LIMIT 1`,
  )
  const first = new SqlStatement<[msgId: MessageId]>(
    database,
    `SELECT msg_id FROM due WHERE node = 0 AND tenant > 0 AND channel = ? AND tenant = ? ORDER BY due_at LIMIT ?`,
  )
  const rotation = new TenantRotation()
  let stoppedAt: QueuePlace = START

  function visit(claim: DueClaim): Visited {
    const tenants: QueuePlace[] = []
    const full: TenantLeft[] = []
    let isBlocked = false
    const from = stoppedAt
    let at: QueuePlace = from
    let isSecondRound = from === START
    for (let looks = 0; looks < MAX_LOOKS; looks += 1) {
      const found = next.first(...at)
      if (found === undefined || (isSecondRound && from !== START && isBehind(found, from))) {
        if (isSecondRound) {
          stoppedAt = START
          return { tenants, full, isBlocked, isComplete: true }
        }
        isSecondRound = true
        at = START
      } else if (mayTakeFrom(found[0], claim)) {
        const tenant = leftIn(found)
        if (isFull(claim, tenant)) full.push(tenant)
        else tenants.push(found)
        at = found
      } else {
        isBlocked ||= isOfCarriers(found[0])
        at = [found[0], Number.MAX_SAFE_INTEGER]
      }
    }
    stoppedAt = at
    return { tenants, full, isBlocked, isComplete: false }
  }

  return (claim) => {
    if (claim.queues === undefined || claim.queues.length === 0) return NO_QUEUES
    const { tenants, full, isBlocked, isComplete } = visit(claim)
    const served = rotation.choose(tenants, MAX_TENANTS, claim.lowerShare)
    const portions = portionsOf(
      served.map(([, tenant]) => tenant),
      claim,
    )
    const found = served.map(([queue, tenant]): TenantQueue => {
      const ids = first.all(queue, tenant, (portions[rankOfTenant(tenant)] ?? 0) + 1).map(([id]) => id)
      return { queue, tenant, ids }
    })
    const chosen = chooseQueued(found, claim)
    const passedOver = tenants.flatMap((place) => (served.includes(place) ? [] : leftIn(place)))
    const left = [...chosen.left, ...full, ...passedOver]
    const isMore = !isComplete || passedOver.length > 0
    return { ...chosen, left, more: chosen.more || (isMore && chosen.ids.length > 0), isBlocked, isComplete }
  }
}

function leftIn([queue, tenant]: QueuePlace): TenantLeft {
  return { channel: channelOfQueue(queue), tenant }
}
