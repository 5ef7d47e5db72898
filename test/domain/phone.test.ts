import fc from 'fast-check'
import { type CountryCode, getExampleNumber, parsePhoneNumberFromString } from 'libphonenumber-js/max'
import metadata from 'libphonenumber-js/min/metadata'
import examples from 'libphonenumber-js/mobile/examples'
import { describe, expect, test } from 'vitest'
import { NUMBER_CHANGES } from '../../src/domain/numbers/number-changes.ts'
import {
  formsOf,
  isFormOf,
  isNationalNumber,
  type Phone,
  readPhone,
  withCountryCode,
} from '../../src/domain/numbers/phone.ts'

const CODES = [...Object.keys(metadata.country_calling_codes), ...Object.keys(metadata.nonGeographic)]

const digitsOf = (min: number, max: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: min, maxLength: max }).map((digits) => digits.join(''))

describe('a phone number', () => {
  test.each([
    ['4915112345678', '4915112345678'],
    ['+4915112345678', '4915112345678'],
    ['+49 151 123-456.78', '4915112345678'],
    ['+1 (212) 555 0100', '12125550100'],
    ['+800 1234 5678', '80012345678'],
    ['+870 773 111 632', '870773111632'],
    ['+882 1650 123 456', '8821650123456'],
    ['0049 151 12345678', '4915112345678'],
    ['+49 (0)170 1234500', '491701234500'],
    ['0049 (0)170 1234500', '491701234500'],
    ['4901701234500', '491701234500'],
    ['+44 (0)20 7946 0000', '442079460000'],
    ['+33 06 12 34 56 78', '33612345678'],
    ['+36 06 30 123 4567', '36301234567'],
    ['+1 1 202 555 0100', '12025550100'],
    ['+39 (0)6 1234 5678', '390612345678'],
    ['+7 800 555 35 35', '78005553535'],
    ['+49/170/1234500', '491701234500'],
    ['+49\u2011170\u20111234500', '491701234500'],
    ['+49\u2013170\u22121234500', '491701234500'],
    ['\u202a+49 170 1234500\u202c', '491701234500'],
    ['\u2066+49170\u200b1234500\u2069', '491701234500'],
    ['+49\u00a0170\u202f1234500', '491701234500'],
    ['٤٩١٥١١٢٣٤٥٦٧٨', '4915112345678'],
    ['+۴۹ ۱۷۰ ۱۲۳۴۵۰۰', '491701234500'],
    ['+९१ ९८१२३ ४५६७८', '919812345678'],
    ['＋４９（０）１７０　１２３４５００', '491701234500'],
    ['tel:+49-170-1234500', '491701234500'],
    ['TEL:00491701234500', '491701234500'],
    ['+54 11 15 1234-5678', '5491112345678'],
    ['+54 9 11 15 1234-5678', null],
    ['+370 8 612 34567', '37061234567'],
    ['+55 (0xx) 11 98765-4321', null],
  ])('written %s is %s', (text, digits) => {
    expect(readPhone(text)).toBe(digits)
  })

  test.each([
    ['nothing', ''],
    ['a plus alone', '+'],
    ['only separators', '().-'],
    ['letters', '+49151CALLME'],
    ['two pluses', '++4915112345678'],
    ['a plus in the middle', '49+15112345678'],
    ['a number without its country', '015112345678'],
    ['an international prefix alone', '00'],
    ['two international prefixes', '00004915112345678'],
    ['an international prefix behind a plus', '+004915112345678'],
    ['two trunk prefixes', '+49 (00)170 123450'],
    ['a country code that does not exist', '+999123456789'],
    ['too few digits for its country', '+1212555'],
    ['too many digits for its country', '+121255501000'],
    ['a number that is dialled inside Canada only', '+13101234'],
    ['more than 15 digits', '+4915112345678901'],
    ['a number in words of another script', '٤٩ مائة'],
    ['two numbers', '0170/1234500 / 0170/1234501'],
    ['a number with an extension', 'tel:+49-170-1234500;ext=12'],
    ['a number that a spreadsheet wrote as a decimal', '491701234500.0'],
    ['a decimal behind a plus', '+491701234500.00'],
    ['a number behind a page of spaces', `${' '.repeat(40)}4915112345678`],
  ])('is refused when it is %s', (_, text) => {
    expect(readPhone(text)).toBeNull()
  })

  test.each(['0170 1234500', '015112345678', '(0)170-1234500', '0'])('%s lacks its country', (text) => {
    expect(readPhone(text)).toBeNull()
    expect(isNationalNumber(text)).toBe(true)
  })

  test.each(['+0170 1234500', '170 1234500', '0049151', '0170 CALL ME', ''])(
    '%j is wrong for another reason',
    (text) => {
      expect(readPhone(text)).toBeNull()
      expect(isNationalNumber(text)).toBe(false)
    },
  )

  test('of every country is the same with its trunk prefix', () => {
    for (const country of Object.keys(examples) as CountryCode[]) {
      const example = getExampleNumber(country, examples)
      const national = example?.formatNational().replace(/\D/g, '') ?? ''
      const written = `+${example?.countryCallingCode} ${national}`
      const theirs = parsePhoneNumberFromString(written)?.number.slice(1)
      if (theirs === example?.number.slice(1)) expect(readPhone(written), country).toBe(theirs)
    }
  })

  test('of every country that has mobiles is accepted', () => {
    for (const country of Object.keys(examples) as CountryCode[]) {
      const example = getExampleNumber(country, examples)
      expect(example && readPhone(example.number), country).toBe(example?.number.slice(1))
    }
  })

  // Where the library takes a trunk prefix out of the number (+33 06…), it judges another number than the one written.
  // It knows Bonaire's plan apart from Curaçao's, and Tristan da Cunha's from Saint Helena's; by the code we do not.
  test('is possible when libphonenumber says so, where that leaves the digits alone', () => {
    const agreed = { possible: 0, impossible: 0 }
    fc.assert(
      fc.property(fc.constantFrom(...CODES), digitsOf(2, 12), (code, national) => {
        const theirs = parsePhoneNumberFromString(`+${code}${national}`)
        fc.pre(!['290', '599'].includes(code) && (theirs === undefined || theirs.nationalNumber === national))
        fc.pre(formsOf(`${code}${national}` as Phone).length === 1)
        const possible = theirs?.isPossible() ?? false
        // Numbers of six digits and fewer, country code included, are no mobile numbers.
        // Numbers such as 310 0000 are dialled inside Canada only.
        const isLocal = code === '1' && national.length === 7
        const expected = possible && code.length + national.length >= 7 && !isLocal
        expect(readPhone(`${code}${national}`) !== null, `+${code} ${national}`).toBe(expected)
        agreed[expected ? 'possible' : 'impossible'] += 1
      }),
      { numRuns: 3_000 },
    )
    expect(agreed.possible).toBeGreaterThan(300)
    expect(agreed.impossible).toBeGreaterThan(300)
  })

  test('is read the same when it is read again', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'0123456789+- ().'), maxLength: 20 }), (text) => {
        const phone = readPhone(text)
        if (phone === null) return
        expect(phone).toMatch(/^[1-9]\d{6,14}$/)
        expect(readPhone(phone)).toBe(phone)
        expect(readPhone(`+${phone}`)).toBe(phone)
      }),
    )
  })
})

describe('a number in national format', () => {
  test.each([
    ['DE', '0170 1234500', '491701234500'],
    ['DE', '(0)170/1234500', '491701234500'],
    ['GB', '07700 900123', '447700900123'],
    ['HU', '06 30 123 4567', '36301234567'],
    ['RU', '8 916 123-45-67', '79161234567'],
    ['AR', '011 15 1234-5678', '5491112345678'],
    ['VN', '0971234500', '84971234500'],
    ['US', '1 202 555 0100', '12025550100'],
  ])('of %s, %s, is read with its country', (country, text, phone) => {
    expect(readPhone(text, country)).toBe(phone)
  })

  test.each([
    ['DE', '1701234500', 'has no trunk prefix'],
    ['IT', '333 123 4567', 'its country has none'],
    ['RU', '8 495 123-45-67', 'may be a number of Vietnam', '84951234567'],
    ['DE', '+0170 1234500', 'has a plus'],
    ['DE', '00 170 1234500', 'begins as a call abroad does'],
    ['JP', '010 49 170 1234500', 'begins as a call abroad from Japan does'],
    ['DE', '01', 'is too short'],
    ['XX', '0170 1234500', 'there is no such country'],
    ['DE', '0044 7700 900123', 'is of another country', '447700900123'],
  ])('of %s, %s, is not: it %s', (country, text, _, phone?: string) => {
    expect(readPhone(text, country)).toBe(phone ?? null)
  })

  test.each([
    ['DE', '15230055433', '4915230055433'],
    ['DE', '015230055433', '4915230055433'],
    ['DE', '+4915230055433', '+4915230055433'],
    ['DE', '4915230055433', '4915230055433'],
    ['RU', '9161234567', '79161234567'],
    ['GB', '7700900123', '447700900123'],
    ['DE', 'Shop', 'Shop'],
    ['DE', '12', '12'],
    [null, '15230055433', '15230055433'],
  ])('of %s, %s, is one where its carrier says so', (country, text, phone) => {
    expect(withCountryCode(text, country, true)).toBe(phone)
  })

  test('never changes how a number is read that can be international', () => {
    const countries = Object.keys(metadata.countries)
    fc.assert(
      fc.property(fc.constantFrom(...countries), digitsOf(7, 15), (country, digits) => {
        const international = readPhone(digits)
        if (international !== null) expect(readPhone(digits, country)).toBe(international)
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('the forms of a phone', () => {
  test.each([
    ['Argentina', '5491133334444', '541133334444'],
    ['Brazil', '5511977776666', '551177776666'],
    ['Mexico', '525512345678', '5215512345678'],
    ['Moov in Ivory Coast', '2250171234567', '22571234567'],
    ['MTN in Ivory Coast', '2250504123456', '22504123456'],
    ['Orange in Ivory Coast', '2250707123456', '22507123456'],
    ['Benin', '2290161234567', '22961234567'],
    ['Mauritius', '23057123456', '2307123456'],
    ['Cameroon', '237677123456', '23777123456'],
    ['Gabon', '24177123456', '24107123456', '2417123456'],
    ['Ecuador', '593991234567', '59391234567'],
    ['Vietnam', '84351234567', '841651234567'],
    ['Vietnam, another operator', '84791234567', '841211234567'],
    ['Kosovo, once with the code of Monaco', '38344123456', '37744123456'],
    ['Kosovo, once with the code of Slovenia', '38349123456', '38649123456'],
    ['Palestine', '970591234567', '972591234567'],
  ])('in %s begin with %s', (_, ...forms) => {
    for (const form of forms) expect(formsOf(form as Phone)).toEqual(forms)
  })

  test.each([
    ['551137654321', 'a fixed line in Brazil'],
    ['5511957654321', 'a mobile whose other form would be a fixed line'],
    ['4917012345678', 'Germany'],
    ['2302123456', 'a fixed line in Mauritius'],
    ['2250705123456', 'another operator than the prefix says'],
    ['972521234567', 'Israel'],
    ['37747123456', 'Monaco'],
    ['38641123456', 'Slovenia'],
    ['5255', 'too short'],
  ])('%s is the only one of %s', (phone) => {
    expect(formsOf(phone as Phone)).toEqual([phone])
  })

  test('are the same whichever of them is asked for, and no phone has two sets of forms', () => {
    const digits = fc
      .constantFrom(...NUMBER_CHANGES)
      .chain(([before, parts, after]) =>
        fc
          .tuple(
            fc.stringMatching(new RegExp(`^${before}$`)),
            fc.constantFrom(...parts),
            fc.stringMatching(new RegExp(`^(?:${after})$`)),
          )
          .map((written) => written.join('') as Phone),
      )
    fc.assert(
      fc.property(digits, (phone) => {
        const forms = formsOf(phone)
        expect(forms.length).toBeGreaterThan(1)
        expect(forms).toContain(phone)
        for (const form of forms) expect(formsOf(form)).toEqual(forms)
      }),
      { numRuns: 2_000 },
    )
  })

  test('are read as one of them, and as the current one if the former is no longer possible', () => {
    for (const phone of ['541133334444', '5215512345678', '551177776666', '841651234567', '24107123456'])
      expect(readPhone(phone)).toBe(phone)
    expect(readPhone('+225 07 12 34 56')).toBe('2250707123456')
    expect(readPhone('22961234567')).toBe('2290161234567')
    expect(readPhone('23777123456')).toBe('23777123456')
  })
})

test('a user id is the same in small letters, and that of the parent account is another one', () => {
  const [id, parent] = ['US.AbC1', 'US.ENT.AbC1'] as Phone[]
  expect(formsOf(id as Phone)).toEqual(['US.ABC1', 'US.AbC1'])
  expect(formsOf('US.1349' as Phone)).toEqual(['US.1349'])
  expect(['US.abc1', 'US.ABC1', parent ?? '', 'DE.AbC1'].map((text) => isFormOf(id as Phone, text))).toEqual([
    true,
    true,
    false,
    false,
  ])
})
