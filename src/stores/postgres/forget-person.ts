/** Forgets a person everywhere, a slice at a time, so that others get their turn in between. */
import type { Phone } from '../../domain/phone.ts'
import type { Forgotten } from '../../ports/forgetting.ts'
import { forgetAll } from '../rows/forget-slices.ts'
import type { HashPhone } from '../vault/phone-hash.ts'
import { bucketsOfPhone, findInTheWay, forgetReplies, forgetRest } from './forget-phone.ts'
import type { Lanes } from './lanes.ts'
import type { Read } from './reader.ts'

const SLICE_ROWS = 100

interface ForgetTools {
  readonly lanes: Lanes
  readonly hashPhone: HashPhone
  readonly read: Read
  /** Behind everything that was asked before. */
  readonly readBehind: Read
}

export async function forgetPerson(
  { lanes, hashPhone, read, readBehind }: ForgetTools,
  phone: Phone,
  now: number,
): Promise<Forgotten> {
  const inTheWay = await readBehind((link) => findInTheWay(link, phone))
  if (inTheWay !== null) return inTheWay
  let messages = 0
  for (const bucket of await read((link) => bucketsOfPhone(link, phone))) {
    const lane = lanes.laneOf(bucket)
    messages += await forgetAll((after) => {
      return lane.ask(SLICE_ROWS, [bucket], 'forgetMessages', { bucket, phone, after, now })
    })
  }
  const replies = await forgetAll((after) => read((link) => forgetReplies(link, phone, after)))
  const rest = await read((link) => forgetRest(link, hashPhone, phone))
  // A client may have written to the phone meanwhile.
  const since = await readBehind((link) => findInTheWay(link, phone))
  return since ?? { kind: 'forgotten', messages, replies, ...rest, leftovers: 'server' }
}
