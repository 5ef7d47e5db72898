/** Looks up the opt-outs of a batch of destinations; erased recipients match by the hash of their phone. */
import type { OptOut } from '../../../domain/consent/opt-out.ts'
import { formsOf } from '../../../domain/numbers/phone.ts'
import { fromOptOutRow, OPT_OUT_COLUMNS, type OptOutRow } from '../../rows/setup/opt-out-row.ts'
import { HASHED_RANGE, keysOfPhone } from '../../vault/phone-hash.ts'
import type { Session } from '../session/session.ts'
import { SqlStatement } from '../statement/statement.ts'

export function findOptOuts({
  database,
  hashPhone,
}: Session): (destinations: readonly Pick<OptOut, 'accountId' | 'phone'>[]) => OptOut[] {
  const find = new SqlStatement<OptOutRow>(
    database,
    `SELECT ${OPT_OUT_COLUMNS} FROM opt_out WHERE account_id = ? AND phone = ?`,
  )
  const anyHashed = new SqlStatement(database, 'SELECT 1 FROM opt_out WHERE phone >= ? AND phone < ? LIMIT 1')
  return (destinations) => {
    const isAnyHashed = anyHashed.first(...HASHED_RANGE) !== undefined
    return destinations.flatMap(({ accountId, phone }) => {
      const keys = isAnyHashed ? keysOfPhone(phone, hashPhone) : formsOf(phone)
      const rows = keys.flatMap((key) => find.all(accountId, key))
      return rows.map((row) => ({ ...fromOptOutRow(row), phone }))
    })
  }
}
