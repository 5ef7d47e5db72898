/**
 * Seats of carriers: each is a row of the node that has it, taken and given back under the node's lease of the set-up, so
 * that a node which was taken to be gone has none. A node keeps what it has up to its fair part, gives back the rest once
 * its connections are closed, and takes what is free.
 */
import type { SeatWish } from '../../ports/cluster.ts'
import type { Session } from './session.ts'
import { rare } from './statement.ts'

export interface SeatOrder {
  readonly wishes: readonly SeatWish[]
  /** The nodes that deliver, in the same order for all of them. */
  readonly delivering: readonly number[]
}

const TAKEN = rare<[carrierId: string, seat: number, node: number]>(
  'SELECT carrier_id, slot, node FROM carrier_slot ORDER BY carrier_id, slot',
)
const GIVE_BACK = rare(
  `DELETE FROM carrier_slot USING unnest($2::text[], $3::integer[]) AS old (carrier_id, slot)
   WHERE carrier_slot.node = $1 AND carrier_slot.carrier_id = old.carrier_id AND carrier_slot.slot = old.slot`,
)
/** Of two nodes that take one at the same time, one gets it. */
const TAKE = rare<[carrierId: string, seat: number]>(
  `INSERT INTO carrier_slot (carrier_id, slot, node)
   SELECT carrier_id, slot, $1 FROM unnest($2::text[], $3::integer[]) AS new (carrier_id, slot)
   ORDER BY carrier_id, slot ON CONFLICT DO NOTHING RETURNING carrier_id, slot`,
)

type Place = readonly [carrierId: string, seat: number]

/** Answers each with the seats that the node may use, in the order of its wishes. */
export async function takeSeats(
  session: Session,
  orders: readonly SeatOrder[],
): Promise<readonly (readonly (readonly number[])[])[]> {
  const answers: (readonly (readonly number[])[])[] = []
  for (const order of orders) answers.push(await settle(session, order))
  return answers
}

async function settle(session: Session, { wishes, delivering }: SeatOrder): Promise<readonly (readonly number[])[]> {
  const rows = await session.ask(TAKEN)
  const plans = wishes.map((wish) => {
    const seats = rows.filter(([carrierId]) => carrierId === wish.carrierId)
    const taken = new Set(seats.map(([, seat]) => seat))
    const mine = seats.filter(([, , node]) => node === session.node).map(([, seat]) => seat)
    const part = partOf(session.node, delivering, wish)
    const kept = mine.filter((seat) => seat < wish.seats).slice(0, part)
    const free = Array.from({ length: wish.seats }, (_, seat) => seat).filter((seat) => !taken.has(seat))
    return { wish, mine, kept, wanted: free.slice(0, part - kept.length) }
  })
  const wished = new Set(wishes.map(({ carrierId }) => carrierId))
  const unknown = rows.filter(([carrierId, , node]) => node === session.node && !wished.has(carrierId))
  const back = [
    ...unknown.map(([carrierId, seat]): Place => [carrierId, seat]),
    ...plans.flatMap(({ wish, mine, kept }) =>
      mine
        .filter((seat) => !kept.includes(seat) && !wish.inUse.includes(seat))
        .map((seat): Place => [wish.carrierId, seat]),
    ),
  ]
  const asked = plans.flatMap(({ wish, wanted }) => wanted.map((seat): Place => [wish.carrierId, seat]))
  if (back.length > 0) session.write(GIVE_BACK, session.node, ...columns(back))
  const given = asked.length === 0 ? [] : await session.ask(TAKE, session.node, ...columns(asked))
  return plans.map(({ wish, kept }) => [
    ...kept,
    ...given.filter(([carrierId]) => carrierId === wish.carrierId).map(([, seat]) => seat),
  ])
}

/** Parts differ by one seat at most; who has the larger ones is another for every carrier. */
function partOf(node: number, delivering: readonly number[], { carrierId, seats }: SeatWish): number {
  const place = delivering.indexOf(node)
  if (place < 0) return 0
  const turned = (place + [...carrierId].reduce((sum, letter) => sum + letter.charCodeAt(0), 0)) % delivering.length
  return Math.floor(seats / delivering.length) + (turned < seats % delivering.length ? 1 : 0)
}

function columns(places: readonly Place[]): [string[], number[]] {
  return [places.map(([carrierId]) => carrierId), places.map(([, seat]) => seat)]
}
