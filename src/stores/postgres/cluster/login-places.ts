/**
 * The places for connections of logins: each is a row of the node that holds it, taken under the node's lease of the
 * set-up bucket, so that a dead node holds none.
 */
import type { BindFacts, LoginPlace, NotedPlace, PlaceOrder } from '../../../ports/records/cluster.ts'
import type { Connection } from '../connection/connection.ts'
import { rare } from '../connection/statement.ts'
import type { Session } from '../session/session.ts'

/** If two nodes take one at the same time, one gets it. Places that were taken under a higher limit count too. */
const TAKE = rare<[place: number]>(
  `INSERT INTO login_place (login, place, node, facts)
   SELECT $1, place, $3, $4 FROM generate_series(0, $2::integer - 1) AS place
   WHERE NOT EXISTS (SELECT 1 FROM login_place AS taken WHERE taken.login = $1 AND taken.place = place.place)
     AND (SELECT count(*) FROM login_place AS taken WHERE taken.login = $1) < $2
   ORDER BY place LIMIT 1 ON CONFLICT DO NOTHING RETURNING place`,
)
const LEAVE = rare('DELETE FROM login_place WHERE login = $1 AND place = $2 AND node = $3')
const NOTE = rare(
  `UPDATE login_place SET facts = new.facts
   FROM unnest($2::text[], $3::integer[], $4::text[]) AS new (login, place, facts)
   WHERE login_place.login = new.login AND login_place.place = new.place AND login_place.node = $1`,
)
const LIST = rare<[login: string, node: number, facts: string]>(
  `SELECT login, node, facts FROM login_place WHERE login = ANY ($1::text[]) AND facts IS NOT NULL
   ORDER BY login, node, place`,
)
/** Of taking a place: another node may have been faster each time. */
const TRIES = 5

/** Returns the place of each, from 0; null for one without a free place. */
export async function takePlaces(session: Session, orders: readonly PlaceOrder[]): Promise<readonly (number | null)[]> {
  await session.leased()
  const places: (number | null)[] = []
  for (const { login, max, facts } of orders) {
    let found: number | null = null
    for (let tries = 0; found === null && tries < TRIES; tries += 1) {
      const [row] = await session.query(TAKE, login, max, session.node, JSON.stringify(facts))
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

export async function notePlaces(
  session: Session,
  orders: readonly (readonly NotedPlace[])[],
): Promise<readonly null[]> {
  await session.leased()
  for (const places of orders) {
    session.write(
      NOTE,
      session.node,
      places.map(({ login }) => login),
      places.map(({ place }) => place),
      places.map(({ facts }) => JSON.stringify(facts)),
    )
  }
  return orders.map(() => null)
}

export async function listPlaces(connection: Connection, logins: readonly string[]): Promise<readonly LoginPlace[]> {
  const rows = await connection.query(LIST, logins)
  return rows.map(([login, node, facts]) => ({ login, node, facts: JSON.parse(facts) as BindFacts }))
}
