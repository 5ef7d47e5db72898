/** Forgets a person everywhere, a slice at a time, so that others get their turn in between. */
import type { Phone } from '../../domain/phone.ts'
import type { Forgotten } from '../../ports/forgetting.ts'
import type { HashPhone } from '../vault/phone-hash.ts'
import { bucketsOfPhone, type ForgetSlice, findInTheWay, forgetReplies, forgetRest } from './forget-phone.ts'
import type { Lanes } from './lanes.ts'
import type { Link } from './link.ts'

const SLICE_ROWS = 100

type Read = <Answer>(work: (link: Link) => Promise<Answer>) => Promise<Answer>

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
    messages += await countAll((after) => {
      return lane.ask(SLICE_ROWS, [bucket], 'forgetMessages', { bucket, phone, after, now })
    })
  }
  const replies = await countAll((after) => read((link) => forgetReplies(link, phone, after)))
  const rest = await read((link) => forgetRest(link, hashPhone, phone))
  // A client may have written to the phone meanwhile.
  const since = await readBehind((link) => findInTheWay(link, phone))
  return since ?? { kind: 'forgotten', messages, replies, ...rest, leftovers: 'server' }
}

async function countAll(slice: (after: number) => Promise<ForgetSlice>): Promise<number> {
  let sum = 0
  for (let after: number | null = 0; after !== null; ) {
    const { done, next }: ForgetSlice = await slice(after)
    sum += done
    after = next
  }
  return sum
}
