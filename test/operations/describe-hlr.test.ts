/** The form of `hlr`: what programs that were written for other services read of an answer. */
import { expect, test } from 'vitest'
import type { NumberFacts } from '../../src/domain/numbers/number-facts.ts'
import { OperatorTable, writeOperators } from '../../src/domain/numbers/operator-table.ts'
import type { Phone } from '../../src/domain/numbers/phone.ts'
import { describeHlr } from '../../src/operations/lookup/describe-hlr.ts'

const table = new OperatorTable(
  writeOperators([
    { prefix: '38067', operator: '25503', name: 'Kyivstar' },
    { prefix: '38097', operator: '25503', name: 'Kyivstar' },
    { prefix: '38066', operator: '25501', name: 'Vodafone' },
    { prefix: '1', operator: '310410', name: 'AT&T' },
  ]),
)
const directory = {
  operatorOf: (phone: Phone) => table.operatorOf(phone),
  operatorName: (operator: string | null) => (operator === null ? null : table.nameOf(operator)),
  operatorPrefix: (operator: string, phone: Phone) => table.prefixOf(operator, phone),
}
const facts: NumberFacts = {
  ...{ operator: '25503', operatorName: null, country: 'UA', ported: false },
  ...{ status: 'reachable', imsi: null },
}
const ukraine = { name: 'Ukraine', prefix: 380 }
const kyivstar = { name: 'Kyivstar', prefix: 97, country: ukraine }
const describe = (given: Partial<NumberFacts>, phone = '380971234567') =>
  describeHlr(directory, phone as Phone, { ...facts, ...given })

test('a ported number has the operator it was assigned to, and the one that serves it', () => {
  expect(describe({ operator: '25501', operatorName: 'Vodafone Ukraine', ported: true })).toMatchObject({
    mccmnc: 25501,
    network: { origin: kyivstar, ported: { name: 'Vodafone Ukraine', prefix: 66, country: ukraine } },
  })
})

test('a number that was not ported, or of which that is unknown, has one operator', () => {
  expect(describe({})).toMatchObject({ ported: false, network: { origin: kyivstar, ported: null } })
  expect(describe({ ported: null })).toMatchObject({ ported: null, network: { origin: kyivstar, ported: null } })
})

test('an IMSI is a number unless it is masked', () => {
  expect(describe({ imsi: '255030000000001' })).toMatchObject({ imsi: 255_030_000_000_001 })
  expect(describe({ imsi: '25503**********' })).toMatchObject({ imsi: null })
})

test('a network is never missing, also if all of it is unknown', () => {
  const none = { operator: null, ported: null, status: 'unknown' } as const
  expect(describe(none)).toMatchObject({
    ...{ status: 'UNKNOWN', mccmnc: null },
    network: { origin: { name: null, prefix: null, country: ukraine }, ported: null },
  })
  expect(describe({ ...none, operator: '310410' }, '12015550123')).toMatchObject({
    network: { origin: { name: 'AT&T', prefix: null, country: { name: 'United States', prefix: 1 } } },
  })
  expect(describe({ ...none, ported: true }, '881612345678')).toMatchObject({
    network: { origin: { name: null, country: { name: null, prefix: 881 } }, ported: { name: null } },
  })
})
