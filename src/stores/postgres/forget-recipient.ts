/** The operations of this database that erase a recipient (rows/erasure/forget-slices.ts). */
import { BUCKETS } from '../../domain/ids/message-id.ts'
import { formsOf, type Phone } from '../../domain/numbers/phone.ts'
import type { Vault } from '../../ports/system/vault.ts'
import { findInTheWay, forgetReplies, forgetRest } from '../commands/erasure/forget-phone.ts'
import { forgetAll, type RecipientForgetter } from '../rows/erasure/forget-slices.ts'
import type { HashPhone } from '../vault/phone-hash.ts'
import type { Connection } from './connection/connection.ts'
import type { Read } from './connection/reader.ts'
import { inBucket } from './connection/statement.ts'
import type { BucketLanes } from './engine/bucket-lanes.ts'
import { runOn } from './session/run-command.ts'

const SLICE_ROWS = 100

const HAS = inBucket<[any: number]>('SELECT 1 FROM message WHERE bucket = $1 AND phone = ANY ($2::text[]) LIMIT 1')
const ALL_BUCKETS = Array.from({ length: BUCKETS }, (_, bucket) => bucket)

interface ForgetTools {
  readonly lanes: BucketLanes
  readonly vault: Vault
  readonly hashPhone: HashPhone
  readonly read: Read
  /** Reads after everything that was requested before. */
  readonly readBehind: Read
  readonly lines: RecipientForgetter['lines']
}

export function recipientForgetter(
  { lanes, vault, hashPhone, read, readBehind, lines }: ForgetTools,
  names: readonly Phone[],
  now: number,
): RecipientForgetter {
  return {
    inTheWay: () => readBehind((connection) => runOn(connection, vault, findInTheWay(names))),
    lines,
    messages: async () => {
      let sum = 0
      for (const bucket of await read((connection) => bucketsOf(connection, names))) {
        const lane = lanes.laneOf(bucket)
        sum += await forgetAll((after) => {
          return lane.submit(SLICE_ROWS, [bucket], 'forgetMessages', { bucket, names, after, now })
        })
      }
      return sum
    },
    replies: () => forgetAll((after) => read((connection) => runOn(connection, vault, forgetReplies(names, after)))),
    rest: () => read((connection) => runOn(connection, vault, forgetRest(names, hashPhone))),
    leftovers: async () => 'server',
  }
}

/** Returns the buckets that have messages to the recipient. */
async function bucketsOf(connection: Connection, names: readonly Phone[]): Promise<readonly number[]> {
  const found = await Promise.all(ALL_BUCKETS.map((bucket) => connection.query(HAS, bucket, names.flatMap(formsOf))))
  return ALL_BUCKETS.filter((bucket) => found[bucket]?.length === 1)
}
