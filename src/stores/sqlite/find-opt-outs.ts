/** Who has opted out, asked for the people of a batch. */
import type { OptOut } from '../../domain/opt-out.ts'
import { fromOptOutRow, OPT_OUT_COLUMNS, type OptOutRow } from '../rows/opt-out-row.ts'
import type { Session } from './session.ts'
import { Statement } from './statement.ts'

export function findOptOuts({
  database,
}: Session): (people: readonly Pick<OptOut, 'accountId' | 'phone'>[]) => OptOut[] {
  const find = new Statement<OptOutRow>(
    database,
    `SELECT ${OPT_OUT_COLUMNS} FROM opt_out WHERE account_id = ? AND phone = ?`,
  )
  return (people) => people.flatMap(({ accountId, phone }) => find.all(accountId, phone).map(fromOptOutRow))
}
