/** How the console writes money, times and days, in both languages and in zones of all kinds. */
import { expect, test } from 'vitest'
import { makeFormats } from '../../console/src/texts/make-formats.ts'
import { dayIn, daysBefore, daysFrom, isZone, startOfDay } from '../../console/src/texts/zone.ts'

const [en, de] = [makeFormats('en', 'Europe/Berlin'), makeFormats('de', 'Europe/Berlin')]
/** Intl puts a space that does not break before the symbol. */
const plain = (text: string) => text.replaceAll('\u00a0', ' ')

test.each([
  ['12.7735', 'EUR', '€12.77', '12,77 €'],
  ['1234567.5', 'EUR', '€1,234,567.50', '1.234.567,50 €'],
  ['-12.5', 'EUR', '-€12.50', '-12,50 €'],
  [0, 'EUR', '€0.00', '0,00 €'],
  [0.0042, 'EUR', '€0.0042', '0,0042 €'],
  [-0.000001, 'EUR', '-€0.000001', '-0,000001 €'],
  [0.01, 'EUR', '€0.01', '0,01 €'],
  [1234.4, 'JPY', 'JP¥1,234', '1.234 ¥'],
  [0.25, 'JPY', 'JP¥0.25', '0,25 ¥'],
  ['1.23456', 'KWD', 'KWD 1.235', '1,235 KWD'],
  [5, 'XXQ', 'XXQ 5.00', '5,00 XXQ'],
])('a headline of %s %s is in coins, and never 0 for less than one', (amount, currency, english, german) => {
  expect([plain(en.headline(amount, currency)), plain(de.headline(amount, currency))]).toEqual([english, german])
})

test('a table has four decimals where they exist, all of small amounts, and the same ones in a column', () => {
  expect(en.money(12.77354, 'EUR')).toBe('€12.7735')
  expect(en.money(12.5, 'EUR')).toBe('€12.50')
  expect(en.money(0.000045, 'EUR')).toBe('€0.000045')
  expect(en.exactMoney('0.123456', 'EUR')).toBe('€0.123456')
  const column = [12.5, 0.075, null, -3].map((amount) => ({ amount, currency: 'EUR' }))
  const digits = en.moneyDigits(column)
  expect(column.map(({ amount }) => (amount === null ? null : en.money(amount, 'EUR', digits)))).toEqual([
    ...['€12.500', '€0.075', null, '-€3.000'],
  ])
  expect(en.moneyDigits([{ amount: 0.123456, currency: 'EUR' }])).toBe(4)
  expect(en.moneyDigits([{ amount: 0.123456, currency: 'EUR' }], true)).toBe(6)
  expect(en.moneyDigits([{ amount: 100, currency: 'JPY' }])).toBe(0)
})

test('times are those of the zone', () => {
  const at = '2026-11-30T23:30:15.5Z'
  expect(en.seconds(at)).toBe('1 Dec 2026, 00:30:15')
  expect(makeFormats('en', 'Asia/Kolkata').clock(at)).toBe('05:00')
  expect(plain(en.utc(at))).toContain('30 Nov 2026')
})

test.each([
  ['UTC', '2026-11-30', '2026-11-30T00:00:00.000Z'],
  ['Europe/Berlin', '2026-11-30', '2026-11-29T23:00:00.000Z'],
  // Clocks change on this day.
  ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00.000Z'],
  ['Europe/Berlin', '2026-03-30', '2026-03-29T22:00:00.000Z'],
  ['Asia/Kolkata', '2026-11-30', '2026-11-29T18:30:00.000Z'],
  ['America/Los_Angeles', '2026-11-01', '2026-11-01T07:00:00.000Z'],
  ['Pacific/Kiritimati', '2026-11-30', '2026-11-29T10:00:00.000Z'],
])('a day in %s begins when its clocks show midnight', (zone, day, start) => {
  expect(new Date(startOfDay(zone, day)).toISOString()).toBe(start)
  expect(dayIn(zone, startOfDay(zone, day))).toBe(day)
  expect(dayIn(zone, startOfDay(zone, day) - 1)).toBe(daysBefore(day, 1))
})

test('days are counted over the ends of months', () => {
  expect(daysFrom('2026-02-27', '2026-03-01')).toEqual(['2026-02-27', '2026-02-28', '2026-03-01'])
  expect(daysFrom('2026-03-02', '2026-03-01')).toEqual([])
  expect(['Europe/Berlin', 'Europe/Atlantis', '', null].map(isZone)).toEqual([true, false, false, false])
})

test.each([
  ['quiet hours until 2026-11-30T22:00:00.000Z', 'quiet hours until 30 Nov 2026, 23:00'],
  ['since 2026-11-30T22:00:07.044Z: slow', 'since 30 Nov 2026, 23:00:07: slow'],
  ['the cost of acme 49… from 2026-12-01 overlaps', 'the cost of acme 49… from 1 Dec 2026 overlaps'],
  ['{"from":"2026-03-01T09:00:00+02:00"}', '{"from":"1 Mar 2026, 08:00"}'],
  ['must be a day such as 2026-03-01, or RFC 3339', 'must be a day such as 2026-03-01, or RFC 3339'],
  ['a time such as 2027-01-01T08:00:00Z', 'a time such as 2027-01-01T08:00:00Z'],
  ['order-2026-11-30 of 2026-11-30-17', 'order-2026-11-30 of 2026-11-30-17'],
  ['on 2026-99-30', 'on 2026-99-30'],
])('the times in %j are those of the user', (text, shown) => expect(en.moments(text)).toBe(shown))

test('a day of the API is the same one in every zone', () => {
  expect(makeFormats('de', 'America/Los_Angeles').moment('2026-12-01')).toBe('01.12.2026')
})
