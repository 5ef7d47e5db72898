/** Looks up the opt-outs of a batch of destinations; erased recipients match by the hash of their phone. */
import { bucketOf } from '../../domain/message-id.ts'
import type { OptOut } from '../../domain/opt-out.ts'
import type { Phone } from '../../domain/phone.ts'
import type { Cell } from '../rows/cell.ts'
import { fromOptOutRow, OPT_OUT_COLUMNS, type OptOutRow } from '../rows/opt-out-row.ts'
import { type HashPhone, keysOfPhone } from '../vault/phone-hash.ts'
import { ByBucket } from './by-bucket.ts'
import type { Link } from './link.ts'
import { columnsOf } from './session.ts'
import { inBucket, unnest } from './statement.ts'

const FIND = inBucket<OptOutRow>(
  `SELECT ${OPT_OUT_COLUMNS} FROM opt_out
   JOIN ${unnest({ account_id: 'bigint', phone: 'text' }, 2)} USING (account_id, phone) WHERE bucket = $1`,
)

export async function findOptOuts(
  link: Link,
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
  const read = await Promise.all(asked.entries().map(([bucket, rows]) => link.query(FIND, bucket, ...columnsOf(rows))))
  return read.flat().flatMap((row) => {
    const optOut = fromOptOutRow(row)
    return [...(phones.get(`${row[0]} ${row[1]}`) ?? [])].map((phone) => ({ ...optOut, phone }))
  })
}
