/**
 * Connection slots of carriers: each is a row of the node that holds it, taken and released under the node's lease of
 * the set-up bucket, so that a dead node holds none. A node keeps slots up to its fair share, releases the rest once
 * their connections are closed, and takes free ones.
 */
import type { SlotRequest } from '../../../ports/records/cluster.ts'
import { rare } from '../connection/statement.ts'
import type { Session } from '../session/session.ts'

export interface SlotOrder {
  readonly requests: readonly SlotRequest[]
  /** The nodes that deliver, in the same order on every node. */
  readonly delivering: readonly number[]
}

const TAKEN = rare<[carrierId: string, slot: number, node: number]>(
  'SELECT carrier_id, slot, node FROM carrier_slot ORDER BY carrier_id, slot',
)
const GIVE_BACK = rare(
  `DELETE FROM carrier_slot USING unnest($2::text[], $3::integer[]) AS old (carrier_id, slot)
   WHERE carrier_slot.node = $1 AND carrier_slot.carrier_id = old.carrier_id AND carrier_slot.slot = old.slot`,
)
/** If two nodes take one at the same time, one gets it. */
const TAKE = rare<[carrierId: string, slot: number]>(
  `INSERT INTO carrier_slot (carrier_id, slot, node)
   SELECT carrier_id, slot, $1 FROM unnest($2::text[], $3::integer[]) AS new (carrier_id, slot)
   ORDER BY carrier_id, slot ON CONFLICT DO NOTHING RETURNING carrier_id, slot`,
)

type Place = readonly [carrierId: string, slot: number]

/** Returns the slots that the node may use, in the order of its requests. */
export async function takeSlots(
  session: Session,
  orders: readonly SlotOrder[],
): Promise<readonly (readonly (readonly number[])[])[]> {
  const answers: (readonly (readonly number[])[])[] = []
  for (const order of orders) answers.push(await settle(session, order))
  return answers
}

async function settle(session: Session, { requests, delivering }: SlotOrder): Promise<readonly (readonly number[])[]> {
  const rows = await session.query(TAKEN)
  const plans = requests.map((request) => {
    const slots = rows.filter(([carrierId]) => carrierId === request.carrierId)
    const taken = new Set(slots.map(([, slot]) => slot))
    const mine = slots.filter(([, , node]) => node === session.node).map(([, slot]) => slot)
    const part = partOf(session.node, delivering, request)
    const kept = mine.filter((slot) => slot < request.slots).slice(0, part)
    const free = Array.from({ length: request.slots }, (_, slot) => slot).filter((slot) => !taken.has(slot))
    return { request, mine, kept, wanted: free.slice(0, part - kept.length) }
  })
  const requested = new Set(requests.map(({ carrierId }) => carrierId))
  const unknown = rows.filter(([carrierId, , node]) => node === session.node && !requested.has(carrierId))
  const back = [
    ...unknown.map(([carrierId, slot]): Place => [carrierId, slot]),
    ...plans.flatMap(({ request, mine, kept }) =>
      mine
        .filter((slot) => !kept.includes(slot) && !request.inUse.includes(slot))
        .map((slot): Place => [request.carrierId, slot]),
    ),
  ]
  const asked = plans.flatMap(({ request, wanted }) => wanted.map((slot): Place => [request.carrierId, slot]))
  if (back.length > 0) session.write(GIVE_BACK, session.node, ...columns(back))
  const given = asked.length === 0 ? [] : await session.query(TAKE, session.node, ...columns(asked))
  return plans.map(({ request, kept }) => [
    ...kept,
    ...given.filter(([carrierId]) => carrierId === request.carrierId).map(([, slot]) => slot),
  ])
}

/** Shares differ by one slot at most; which nodes get the larger ones differs by carrier. */
function partOf(node: number, delivering: readonly number[], { carrierId, slots }: SlotRequest): number {
  const place = delivering.indexOf(node)
  if (place < 0) return 0
  const turned = (place + [...carrierId].reduce((sum, letter) => sum + letter.charCodeAt(0), 0)) % delivering.length
  return Math.floor(slots / delivering.length) + (turned < slots % delivering.length ? 1 : 0)
}

function columns(places: readonly Place[]): [string[], number[]] {
  return [places.map(([carrierId]) => carrierId), places.map(([, slot]) => slot)]
}
