/** Stores and finds the phones of messengers' users. */
import type { Phone } from '../../../domain/numbers/phone.ts'
import type { CarrierUser, CarrierUserId } from '../../../ports/carriers/user-store.ts'
import { CARRIER_USER_COLUMNS, toCarrierUserRows } from '../../rows/setup/carrier-user-row.ts'
import type { Session } from '../session/session.ts'
import { SqlStatement } from '../statement/statement.ts'

export function rememberUsers(session: Session): (users: readonly CarrierUser[], now: number) => void {
  const put = new SqlStatement(
    session.database,
    `INSERT OR REPLACE INTO carrier_user (${CARRIER_USER_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)`,
  )
  return (users, now) => {
    for (const row of toCarrierUserRows(users, now, session)) put.run(...row)
  }
}

export function findUsers({
  database,
  vault,
  hashPhone,
}: Session): (ids: readonly CarrierUserId[]) => (Phone | null)[] {
  const find = new SqlStatement<[phone: string]>(
    database,
    'SELECT phone FROM carrier_user WHERE carrier_id = ? AND user_id = ?',
  )
  return (ids) =>
    ids.map(({ carrierId, userId }) => {
      const [sealed] = find.first(carrierId, hashPhone(userId)) ?? []
      return sealed === undefined ? null : (vault.open(sealed) as Phone)
    })
}
