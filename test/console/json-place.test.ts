/** An error of a configuration leads to the line of its document. */
import { describe, expect, test } from 'vitest'
import { lineOfError } from '../../console/src/pages/system/json-place.ts'
import { lineOfFault } from '../../console/src/parts/json-fault.ts'

const TEXT = `{
  "guards": { "daily_messages": 5 },
  "routes": [
    { "carrier": "a", "note": "routes[1]: {\\"weight\\": [1, 2]}" },
    {
      "carrier": "b",
      "operators": ["26201", "26202"],
      "weight": "heavy"
    }
  ],
  "accounts": [[], {}, { "limits": { "daily": 1, "monthly": 2 } }]
}
`

describe('an error', () => {
  test.each<[string, string, number | null]>([
    ['about a field', 'routes[1].weight: must be a whole number', 8],
    ['about an entry', 'routes[1]: there is no carrier b', 5],
    ['about a field that is missing', 'routes[1].prefix: must be given', 5],
    ['about an entry after one whose text looks like JSON', 'routes[1].carrier: unknown', 6],
    ['about an entry of a list', 'routes[1].operators.1: must be MCC and MNC', 7],
    ['about a section', 'guards.daily_messages: must be at least 0', 2],
    ['about a field deep inside', 'accounts[2].limits.monthly: must be a number', 11],
    ['about a section that the text does not have', 'carriers[0]: has no id', null],
    ['that names no place', 'the route to a occurs twice', null],
  ])('%s', (_, error, line) => {
    expect(lineOfError(TEXT, error)).toBe(line)
  })
})

describe('invalid JSON', () => {
  test.each<[string, string, string, number]>([
    ['a word without quotes', '"heavy"', 'heavy', 8],
    ['a comma before a closing bracket', '"heavy"', '"heavy",', 9],
    ['a missing comma', '"carrier": "b",', '"carrier": "b"', 7],
    ['a missing colon', '"carrier": "b"', '"carrier" "b"', 6],
    ['an open text', '"heavy"', '"heavy', 8],
    ['a wrong bracket', '"26202"]', '"26202"}', 7],
    ['a missing bracket at the end', '}]\n}', '}]', 11],
    ['something after the end', '}]\n}', '}]\n} {', 12],
    ['a number with a leading zero', '5 }', '05 }', 2],
  ])('%s leads to its line', (_, right, wrong, line) => {
    const text = TEXT.replace(right, wrong)
    expect(() => JSON.parse(text)).toThrow(SyntaxError)
    expect(lineOfFault(text)).toBe(line)
  })
})
