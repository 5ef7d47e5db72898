/** The phone of a messenger's user as a row: sealed, found by keyed hashes of the user's id and of the phone. */
import { formsOf, type Phone } from '../../../domain/numbers/phone.ts'
import { type CarrierUser, USERS_KEPT_MS } from '../../../ports/carriers/user-store.ts'
import type { Vault } from '../../../ports/system/vault.ts'
import type { HashPhone } from '../../vault/phone-hash.ts'

export const CARRIER_USER_COLUMNS = 'carrier_id, user_id, phone, phone_hash, keep_until'

type CarrierUserRow = [carrierId: string, userId: string, phone: string, phoneHash: string, keepUntil: number]

interface Keys {
  readonly vault: Vault
  readonly hashPhone: HashPhone
}

/** Returns the rows in the order of their keys, which all writers lock in; of each user the last one. */
export function toCarrierUserRows(
  users: readonly CarrierUser[],
  now: number,
  { vault, hashPhone }: Keys,
): readonly CarrierUserRow[] {
  const rows = users.map(({ carrierId, userId, phone }): CarrierUserRow => {
    const [first] = formsOf(phone)
    return [carrierId, hashPhone(userId), vault.seal(phone), hashPhone(first), now + USERS_KEPT_MS]
  })
  const newest = new Map(rows.map((row) => [`${row[0]} ${row[1]}`, row]))
  return [...newest].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row)
}

/** Returns the hashes under which users with this phone are stored. */
export function phoneHashesOf(phone: Phone, hashPhone: HashPhone): readonly string[] {
  return formsOf(phone).map(hashPhone)
}
