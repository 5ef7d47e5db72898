/** What a schema allows in words, and the whole numbers that it takes. */
import { expect, test } from 'vitest'
import { readConfig } from '../../src/app/settings/config.ts'
import { readSmppSettings } from '../../src/carriers/smpp/settings.ts'
import { type RuleSchema, readWhole, ruleOf, wholeNumber } from '../../src/domain/text/schema-rule.ts'

const RULES: readonly (readonly [RuleSchema, string])[] = [
  [{ type: 'integer', minimum: 1, maximum: 5 }, 'a whole number from 1 to 5'],
  [{ type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER }, 'a whole number, at least 1'],
  [{ type: 'integer', unit: 'seconds', minimum: 0, maximum: 60 }, 'a whole number of seconds from 0 to 60'],
  [{ type: 'number', exclusiveMinimum: 0 }, 'a number greater than 0'],
  [{ type: 'boolean' }, 'true or false'],
  [{ type: 'string', minLength: 1, maxLength: 40 }, 'a text of 1 to 40 characters'],
  [{ enum: ['udp', 'tcp'] }, 'one of udp, tcp'],
  [{ type: 'array', maxItems: 8, of: 'hosts' }, 'a list of at most 8 hosts'],
  [{ anyOf: [{ type: 'integer', minimum: 0 }, { type: 'null' }] }, 'a whole number, at least 0 or null'],
  [{ type: 'string', rule: 'a host name' }, 'a host name'],
]

test.each(RULES)('%j is %s', (schema, words) => {
  expect(ruleOf(schema)).toBe(words)
})

test.each([
  [60, 60],
  ['60', 60],
  [99, 99],
  [59, null],
  [100, null],
  [60.5, null],
  ['60.5', null],
  ['', null],
  ['0x40', null],
  [null, null],
])('of %j a whole number from 60 to 99 is %j', (value, number) => {
  expect(readWhole(value, wholeNumber(60, 99))).toBe(number)
})

test('settings of the environment and of carriers state a range in the same words', () => {
  const carrier = { host: 'a', port: 65_536, systemId: 'a', password: 'b' }
  expect(() => readSmppSettings(carrier)).toThrow('port: should be a whole number from 1 to 65535')
  expect(() => readConfig({}, { POSTHORN_PORT: '65536' })).toThrow(
    'POSTHORN_PORT: must be a whole number from 0 to 65535, not "65536"',
  )
})
