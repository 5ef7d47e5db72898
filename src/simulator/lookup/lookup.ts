/**
 * What is known about the simulated phones. Their operators: one that every call route serves, and one that none does.
 * The last two digits of a number decide what a lookup answers; docs/guides/sandbox.md has the table.
 */
import type { NumberFacts } from '../../domain/numbers/number-facts.ts'
import { factsByPrefix, maskImsi } from '../../domain/numbers/number-facts.ts'
import type { Phone } from '../../domain/numbers/phone.ts'
import { TEST_OPERATOR } from '../../domain/routing/test-mode.ts'
import type { Lookup, NumberLookup } from '../../ports/carriers/lookup.ts'
import type { Clock } from '../../ports/system/clock.ts'
import { scriptOf } from '../phones/phones.ts'

export const SERVED_OPERATOR = TEST_OPERATOR
const UNSERVED_OPERATOR = '00102'
const PORTED_OPERATOR = '00103'

const NAMES: Readonly<Record<string, string>> = {
  [SERVED_OPERATOR]: 'Test Mobile',
  [UNSERVED_OPERATOR]: 'Test Callless',
  [PORTED_OPERATOR]: 'Test Ported',
}

/** Knows the phones that no call route serves. */
export const sandboxLookup: Lookup = {
  operatorOf: (phone: Phone) => (scriptOf(phone).call === 'operator not supported' ? UNSERVED_OPERATOR : null),
}

export const simulatorLookup = {
  operatorOf: (phone: Phone) => sandboxLookup.operatorOf(phone) ?? SERVED_OPERATOR,
} satisfies Lookup

/** Returns what a lookup service answers about a simulated phone; null if it does not answer. */
export function simulatedFacts(phone: Phone): NumberFacts | null {
  const { number } = scriptOf(phone)
  if (number === 'silent') return null
  const unknown = { ...factsByPrefix(phone, null), country: null }
  if (number === 'invalid') return { ...unknown, status: 'invalid' }
  const operator = number === 'ported' ? PORTED_OPERATOR : simulatorLookup.operatorOf(phone)
  return {
    ...factsByPrefix(phone, operator),
    operatorName: NAMES[operator ?? ''] ?? null,
    ported: number === 'ported',
    status: number === 'absent' ? 'absent' : 'reachable',
    imsi: `${operator}${phone.slice(-9).padStart(10, '0')}`,
  }
}

/** The lookups of test keys: free, and answered at once; a silent service has failed at once. */
export function simulatorNumbers(clock: Clock): NumberLookup {
  return {
    serves: () => true,
    known: () => null,
    ask: ({ phone }) => {
      const facts = simulatedFacts(phone)
      if (facts === null) return Promise.resolve(null)
      const masked = { ...facts, imsi: facts.imsi === null ? null : maskImsi(facts.imsi) }
      return Promise.resolve({ facts: masked, carrierId: '@test-lookup', at: clock.now(), cached: false, cost: null })
    },
  }
}
