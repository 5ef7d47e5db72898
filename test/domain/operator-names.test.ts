/** Names of operators for display. */
import { expect, test } from 'vitest'
import { operatorNames, writeOperators } from '../../src/domain/numbers/operator-table.ts'

test('an operator has the first name that its prefixes give it', () => {
  const table = writeOperators([
    { prefix: '49151', operator: '26201', name: '' },
    { prefix: '49160', operator: '26201', name: 'Telekom' },
    { prefix: '49152', operator: '26202', name: 'Vodafone' },
    { prefix: '371', operator: '24701', name: '' },
  ])
  expect([...operatorNames(table)]).toEqual([
    ['26202', 'Vodafone'],
    ['26201', 'Telekom'],
  ])
})
