/**
 * Finds queued messages for a node: skips from tenant to tenant by the index, never scanning the messages of one, and
 * resumes at the next claim where it stopped.
 */
import type { MessageId } from '../../../domain/ids/message-id.ts'
import type { DueClaim, DueClaimed, TenantLeft } from '../../../ports/records/due-claim.ts'
import { type Chosen, chooseQueued, isFull, type TenantQueue } from '../../rows/queues/choose-queued.ts'
import { BLOCKED, channelOfQueue, isOfCarriers, mayTakeFrom } from '../../rows/queues/place.ts'
import type { Session } from '../session/session.ts'
import { SqlStatement } from '../statement/statement.ts'

/** Tenants that one claim takes messages of, and tenants or queues that it reads. */
const MAX_TENANTS = 64
const MAX_LOOKS = 512

interface Visited {
  readonly tenants: readonly Place[]
  /** Those for which memory has no room. */
  readonly full: readonly TenantLeft[]
  readonly isBlocked: boolean
  readonly isComplete: boolean
}

type Found = Chosen & Pick<DueClaimed, 'isBlocked' | 'isComplete'>

type Place = readonly [queue: string, tenant: number]

const START: Place = ['', 0]
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
  let stoppedAt: Place = START

  function visit(claim: DueClaim): Visited {
    const tenants: Place[] = []
    const full: TenantLeft[] = []
    let isBlocked = false
    const from = stoppedAt
    let at = from
    let isSecondRound = from === START
    for (let looks = 0; looks < MAX_LOOKS && tenants.length < MAX_TENANTS; looks += 1) {
      const found = next.first(...at)
      if (found === undefined || (isSecondRound && from !== START && isBehind(found, from))) {
        if (isSecondRound) {
          stoppedAt = START
          return { tenants, full, isBlocked, isComplete: true }
        }
        isSecondRound = true
        at = START
      } else if (mayTakeFrom(found[0], claim)) {
        const tenant = { channel: channelOfQueue(found[0]), tenant: found[1] }
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
    const each = Math.max(1, Math.ceil(claim.limit / Math.max(1, tenants.length)))
    const found = tenants.map(([queue, tenant]): TenantQueue => {
      const ids = first.all(queue, tenant, each + 1).map(([id]) => id)
      return { queue, tenant, ids }
    })
    const chosen = chooseQueued(found, claim, each)
    const left = [...chosen.left, ...full]
    return { ...chosen, left, more: chosen.more || (!isComplete && chosen.ids.length > 0), isBlocked, isComplete }
  }
}

function isBehind([queue, tenant]: Place, [before, beforeTenant]: Place): boolean {
  return queue > before || (queue === before && tenant > beforeTenant)
}
