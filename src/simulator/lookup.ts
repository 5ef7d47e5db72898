/** The operators of the simulated phones: one that every call route serves, and one that none does. */
import type { Phone } from '../domain/phone.ts'
import { TEST_OPERATOR } from '../domain/test-mode.ts'
import type { Lookup } from '../ports/lookup.ts'
import { scriptOf } from './phones.ts'

export const SERVED_OPERATOR = TEST_OPERATOR
const UNSERVED_OPERATOR = '00102'

export const simulatorLookup: Lookup = {
  operatorOf: (phone: Phone) =>
    scriptOf(phone).call === 'operator not supported' ? UNSERVED_OPERATOR : SERVED_OPERATOR,
}
