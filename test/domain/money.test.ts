import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseDecimal, timesMicros, toDecimal, toMicros } from '../../src/domain/money/money.ts'

/** Every amount that can be written with nine places before the point. */
const amount = fc.integer({ min: -999_999_999_999_999, max: 999_999_999_999_999 })

describe('a decimal amount', () => {
  test.each([
    ['0', 0],
    ['12', 12_000_000],
    ['0.05', 50_000],
    ['-3.5', -3_500_000],
    ['0.000001', 1],
    ['1.100000', 1_100_000],
    ['007', 7_000_000],
    ['999999999.999999', 999_999_999_999_999],
  ])('%s is read', (text, micros) => {
    expect(parseDecimal(text)).toBe(micros)
  })

  test.each([
    '',
    ' ',
    '-',
    '.5',
    '5.',
    '1e3',
    '1,5',
    '+1',
    ' 1',
    '1\n',
    '0x10',
    'NaN',
    'Infinity',
    '--1',
    '1.2.3',
    '0.0000001',
    '1000000000',
    '٣',
  ])('%j is refused', (text) => {
    expect(parseDecimal(text)).toBeNull()
  })

  test('minus nothing is nothing', () => {
    expect(Object.is(parseDecimal('-0.000'), 0)).toBe(true)
  })

  test('comes back the same from what JSON makes of it', () => {
    fc.assert(
      fc.property(amount, (micros) => {
        const json = JSON.stringify(toDecimal(toMicros(micros)))
        expect(parseDecimal(json)).toBe(micros)
      }),
    )
  })

  test('is never rounded: what is read has the digits that were written', () => {
    fc.assert(
      fc.property(
        fc.nat({ max: 999_999_999 }),
        fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: 9 }),
        fc.boolean(),
        (whole, fraction, minus) => {
          const read = parseDecimal(`${minus ? '-' : ''}${whole}.${fraction}`)
          if (fraction.length > 6) {
            expect(read).toBeNull()
            return
          }
          const exact = BigInt(whole) * 1_000_000n + BigInt(fraction.padEnd(6, '0'))
          expect(BigInt(read ?? -1)).toBe(minus ? -exact : exact)
        },
      ),
    )
  })
})

describe('money', () => {
  test.each([0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, -(2 ** 53)])('is never %s', (number) => {
    expect(() => toMicros(number)).toThrow(RangeError)
  })

  test('is multiplied exactly, or not at all', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.nat({ max: 10_000 }), (one, count) => {
        expectExactly(BigInt(one) * BigInt(count), () => timesMicros(toMicros(one), count))
      }),
    )
  })
})

function expectExactly(exact: bigint, compute: () => number): void {
  let result: number
  try {
    result = compute()
  } catch (error) {
    expect(error).toBeInstanceOf(RangeError)
    return
  }
  expect(BigInt(result)).toBe(exact)
}
