/** Codes and phones as they are typed and pasted. */
import { expect, test } from 'vitest'
import { digitsOf } from '../../src/domain/numbers/written-digits.ts'

test.each([
  ...['365155', ' 365155\r\n', '365 155', '365-155', '365\u2011155', '3 6 5 1 5 5', '\u200e365\u00a0155\u202c'],
  ...[
    '\u0663\u0666\u0665\u0661\u0665\u0665',
    '\uff13\uff16\uff15\uff11\uff15\uff15',
    '\u0969\u096c\u096b\u0967\u096b\u096b',
  ],
])('%j has the digits 365155', (text) => {
  expect(digitsOf(text)).toBe('365155')
})

test.each(['', ' ', '365_155', '365.155', 'code 365155', '\u00bd'])('%j is not only digits', (text) => {
  expect(digitsOf(text)).toBeNull()
})
