/** Looks up the opt-outs of a batch of destinations; erased recipients match by the hash of their phone. */
import type { OptOut } from '../../../domain/consent/opt-out.ts'
import { bucketOf } from '../../../domain/ids/message-id.ts'
import type { Phone } from '../../../domain/numbers/phone.ts'
import type { Cell } from '../../rows/cells/cell.ts'
import { fromOptOutRow, OPT_OUT_COLUMNS, type OptOutRow } from '../../rows/setup/opt-out-row.ts'
import { type HashPhone, keysOfPhone } from '../../vault/phone-hash.ts'
import { ByBucket } from '../connection/by-bucket.ts'
import type { Connection } from '../connection/connection.ts'
import { inBucket, typesOf, unnest } from '../connection/statement.ts'
import { columnsOf } from '../session/session.ts'

const FIND = inBucket<OptOutRow>(
  `SELECT ${OPT_OUT_COLUMNS} FROM opt_out
   JOIN ${unnest(typesOf('opt_out', 'account_id, phone'), 2)} USING (account_id, phone) WHERE bucket = $1`,
)

export async function findOptOuts(
  connection: Connection,
  hashPhone: HashPhone,
  destinations: readonly Pick<OptOut, 'accountId' | 'phone'>[],
): Promise<readonly OptOut[]> {
  const asked = new ByBucket<Cell[]>()
  /** By account and form. */
  const phones = new Map<string, Set<Phone>>()
  for (const { accountId, phone } of destinations) {
    for (const kept of keysOfPhone(phone, hashPhone)) {
      const forms = phones.get(`${accountId} ${kept}`)
      if (forms === undefined) asked.add(bucketOf(accountId), [accountId, kept])
      phones.set(`${accountId} ${kept}`, (forms ?? new Set()).add(phone))
    }
  }
  const read = await Promise.all(
    asked.entries().map(([bucket, rows]) => connection.query(FIND, bucket, ...columnsOf(rows))),
  )
  return read.flat().flatMap((row) => {
    const optOut = fromOptOutRow(row)
    return [...(phones.get(`${row[0]} ${row[1]}`) ?? [])].map((phone) => ({ ...optOut, phone }))
  })
}
