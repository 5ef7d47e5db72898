import fc from 'fast-check'
import { type CountryCode, getExampleNumber, parsePhoneNumberFromString } from 'libphonenumber-js/min'
import metadata from 'libphonenumber-js/min/metadata'
import examples from 'libphonenumber-js/mobile/examples'
import { describe, expect, test } from 'vitest'
import { countryOf, isCountry } from '../../src/domain/numbers/country.ts'
import { callingCodeOf, type Phone, readPhone } from '../../src/domain/numbers/phone.ts'
import { PrefixTable } from '../../src/domain/numbers/prefix-table.ts'

const SHARED = Object.entries(metadata.country_calling_codes).flatMap(([code, countries]) =>
  countries.length > 1 ? [code] : [],
)

describe('the country of a number', () => {
  test.each([
    ['4915112345678', 'DE'],
    ['12125550100', 'US'],
    ['14165550100', 'CA'],
    ['12644971234', 'AI'],
    ['18095551234', 'DO'],
    ['79161234567', 'RU'],
    ['77011234567', 'KZ'],
    ['447400123456', 'GB'],
    ['447781123456', 'GG'],
    ['447624123456', 'IM'],
    ['447797123456', 'JE'],
    ['393123456789', 'IT'],
    ['37120000000', 'LV'],
    ['38343201234', 'XK'],
  ])('%s is %s', (digits, country) => {
    expect(countryOf(digits as Phone)).toBe(country)
  })

  test.each(['80012345678', '870773111632', '8821650123456', '12225550100', '447700900123'])(
    'of %s is unknown',
    (digits) => {
      expect(readPhone(digits)).toBe(digits)
      expect(countryOf(digits as Phone)).toBeNull()
    },
  )

  test('is known for the mobiles of every country that has any', () => {
    for (const country of Object.keys(examples) as CountryCode[]) {
      const digits = getExampleNumber(country, examples)?.number.slice(1) as Phone
      expect(countryOf(digits), country).toBe(parsePhoneNumberFromString(`+${digits}`)?.country)
      expect(isCountry(country)).toBe(true)
    }
  })

  // Where the library takes a trunk prefix out of the number it judges another one than the one written.
  test('is what libphonenumber says, where several countries share a code', () => {
    const digitsOf = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 6, maxLength: 11 })
    fc.assert(
      fc.property(fc.constantFrom(...SHARED), digitsOf, (code, national) => {
        const digits = readPhone(code + national.join(''))
        fc.pre(digits !== null)
        const theirs = parsePhoneNumberFromString(`+${digits}`)
        fc.pre(theirs === undefined || theirs.nationalNumber === national.join(''))
        expect(countryOf(digits)).toBe(theirs?.country ?? null)
      }),
      { numRuns: 3_000 },
    )
  })

  test.each(['de', 'EU', '49', '', 'toString'])('cannot be %j', (code) => {
    expect(isCountry(code)).toBe(false)
  })
})

describe('the calling code of a number', () => {
  test.each([
    ['4915112345678', '49'],
    ['12125550100', '1'],
    ['37120000000', '371'],
    ['870773111632', '870'],
    ['999', ''],
  ])('%s is %j', (digits, code) => {
    expect(callingCodeOf(digits)).toBe(code)
  })
})

test('of a user id is the one with which it begins, and none if no country has that code', () => {
  expect([countryOf('DE.4711' as Phone), countryOf('US.ENT.118x' as Phone), countryOf('ZZ.1' as Phone)]).toEqual([
    'DE',
    'US',
    null,
  ])
})

test('a prefix stands for user ids if it is the calling code of their country, or empty', () => {
  const table = new PrefixTable<string>()
  for (const prefix of ['', '49', '4915', '1']) table.set(prefix, `+${prefix}`)
  expect(['DE.15', 'US.49', 'FR.49', 'ZZ.49'].map((id) => table.find(id))).toEqual(['+49', '+1', '+', '+'])
})
