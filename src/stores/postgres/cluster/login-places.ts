/**
 * Places for connections of logins: each is a row of the node that holds it, taken under the node's lease of the set-up
 * bucket, so that a dead node holds none.
 */
import type { PlaceOrder } from '../../../ports/records/cluster.ts'
import { rare } from '../connection/statement.ts'
import type { Session } from '../session/session.ts'

/** If two nodes take one at the same time, one gets it. Places that were taken under a higher limit count too. */
const TAKE = rare<[place: number]>(
  `INSERT INTO login_place (login, place, node)
   SELECT $1, place, $3 FROM generate_series(0, $2::integer - 1) AS place
   WHERE NOT EXISTS (SELECT 1 FROM login_place AS taken WHERE taken.login = $1 AND taken.place = place.place)
     AND (SELECT count(*) FROM login_place AS taken WHERE taken.login = $1) < $2
   ORDER BY place LIMIT 1 ON CONFLICT DO NOTHING RETURNING place`,
)
const LEAVE = rare('DELETE FROM login_place WHERE login = $1 AND place = $2 AND node = $3')
/** Of taking a place: another node may have been faster each time. */
const TRIES = 5

/** Returns the place of each, from 0; null for one without a free place. */
export async function takePlaces(session: Session, orders: readonly PlaceOrder[]): Promise<readonly (number | null)[]> {
  await session.leased()
  const places: (number | null)[] = []
  for (const { login, max } of orders) {
    let found: number | null = null
    for (let tries = 0; found === null && tries < TRIES; tries += 1) {
      const [row] = await session.query(TAKE, login, max, session.node)
      found = row?.[0] ?? null
    }
    places.push(found)
  }
  return places
}

export async function leavePlaces(
  session: Session,
  orders: readonly { readonly login: string; readonly place: number }[],
): Promise<readonly null[]> {
  await session.leased()
  for (const { login, place } of orders) session.write(LEAVE, login, place, session.node)
  return orders.map(() => null)
}
