/** The operations of this database that erase a recipient (rows/forget-slices.ts). */
import type { Phone } from '../../domain/numbers/phone.ts'
import type { Vault } from '../../ports/system/vault.ts'
import { forgetAll, type RecipientForgetter } from '../rows/erasure/forget-slices.ts'
import type { HashPhone } from '../vault/phone-hash.ts'
import type { Read } from './connection/reader.ts'
import type { Lanes } from './engine/lanes.ts'
import { bucketsOfPhone, findInTheWay, forgetReplies, forgetRest } from './sweeping/forget-phone.ts'

const SLICE_ROWS = 100

interface ForgetTools {
  readonly lanes: Lanes
  readonly vault: Vault
  readonly hashPhone: HashPhone
  readonly read: Read
  /** Reads after everything that was requested before. */
  readonly readBehind: Read
  readonly lines: RecipientForgetter['lines']
}

export function recipientForgetter(
  { lanes, vault, hashPhone, read, readBehind, lines }: ForgetTools,
  phone: Phone,
  now: number,
): RecipientForgetter {
  return {
    inTheWay: () => readBehind((link) => findInTheWay(link, phone)),
    lines,
    messages: async () => {
      let sum = 0
      for (const bucket of await read((link) => bucketsOfPhone(link, phone))) {
        const lane = lanes.laneOf(bucket)
        sum += await forgetAll((after) => {
          return lane.submit(SLICE_ROWS, [bucket], 'forgetMessages', { bucket, phone, after, now })
        })
      }
      return sum
    },
    replies: () => forgetAll((after) => read((link) => forgetReplies(link, phone, after))),
    rest: () => read((link) => forgetRest(link, { vault, hashPhone }, phone)),
    leftovers: async () => 'server',
  }
}
