/** Who the phones in the box belong to: one operator that every call route serves, and one that none does. */
import type { Phone } from '../domain/phone.ts'
import type { Lookup } from '../ports/lookup.ts'
import { scriptOf } from './phones.ts'

/** MCC 001 is set aside for test networks. */
export const SERVED_OPERATOR = '00101'
const UNSERVED_OPERATOR = '00102'

export const simulatorLookup: Lookup = {
  operatorOf: (phone: Phone) =>
    scriptOf(phone).call === 'operator not supported' ? UNSERVED_OPERATOR : SERVED_OPERATOR,
}
