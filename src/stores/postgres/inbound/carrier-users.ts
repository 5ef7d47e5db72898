/** Stores and finds the phones of messengers' users. */
import type { Phone } from '../../../domain/numbers/phone.ts'
import type { CarrierUser, CarrierUserId } from '../../../ports/carriers/user-store.ts'
import type { Vault } from '../../../ports/system/vault.ts'
import { CARRIER_USER_COLUMNS, toCarrierUserRows } from '../../rows/setup/carrier-user-row.ts'
import type { HashPhone } from '../../vault/phone-hash.ts'
import type { Connection } from '../connection/connection.ts'
import { lookUp, rare, typesOf, unnest } from '../connection/statement.ts'
import { columnsOf } from '../session/session.ts'

interface Keys {
  readonly vault: Vault
  readonly hashPhone: HashPhone
}

const KEY = typesOf('carrier_user', 'carrier_id, user_id')
const COLUMNS = typesOf('carrier_user', CARRIER_USER_COLUMNS)

const PUT = rare(
  `INSERT INTO carrier_user (${CARRIER_USER_COLUMNS}) SELECT * FROM ${unnest(COLUMNS, 1)}
   ON CONFLICT (carrier_id, user_id) DO UPDATE
     SET phone = excluded.phone, phone_hash = excluded.phone_hash, keep_until = excluded.keep_until, name = excluded.name`,
)
const FIND = lookUp<[carrierId: string, userId: string, phone: string]>(
  `SELECT carrier_id, user_id, phone FROM carrier_user JOIN ${unnest(KEY, 1)} USING (carrier_id, user_id)`,
)

/** Repeating it after a failure has the same result. */
export async function rememberUsers(
  connection: Connection,
  keys: Keys,
  users: readonly CarrierUser[],
  now: number,
): Promise<void> {
  if (users.length > 0) await connection.query(PUT, ...columnsOf(toCarrierUserRows(users, now, keys)))
}

export async function findUsers(
  connection: Connection,
  { vault, hashPhone }: Keys,
  ids: readonly CarrierUserId[],
): Promise<readonly (Phone | null)[]> {
  const asked = ids.map(({ carrierId, userId }) => [carrierId, hashPhone(userId)])
  if (asked.length === 0) return []
  const rows = await connection.query(FIND, ...columnsOf(asked))
  const found = new Map(rows.map(([carrierId, userId, phone]) => [`${carrierId} ${userId}`, phone]))
  return asked.map(([carrierId, userId]) => {
    const phone = found.get(`${carrierId} ${userId}`)
    return phone === undefined ? null : (vault.open(phone) as Phone)
  })
}
