import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readTime, readTimeIn } from '../../src/domain/time/read-time.ts'

describe('a time', () => {
  test.each([
    ['2026-03-01T09:00:00Z', '2026-03-01T09:00:00.000Z'],
    ['2026-03-01t09:00:00z', '2026-03-01T09:00:00.000Z'],
    ['2026-03-01T09:00:00+02:00', '2026-03-01T07:00:00.000Z'],
    ['2026-03-01T00:30:00+05:30', '2026-02-28T19:00:00.000Z'],
    ['2026-12-31T23:30:00-01:00', '2027-01-01T00:30:00.000Z'],
    ['2026-03-01T09:00:00-00:00', '2026-03-01T09:00:00.000Z'],
    ['2026-03-01T09:00:00.5Z', '2026-03-01T09:00:00.500Z'],
    ['2026-03-01T09:00:00.123999Z', '2026-03-01T09:00:00.123Z'],
    ['2026-03-01T09:00Z', '2026-03-01T09:00:00.000Z'],
    ['2026-03-01T09:00+02:00', '2026-03-01T07:00:00.000Z'],
    ['2026-03-01T09:00:00+0200', '2026-03-01T07:00:00.000Z'],
    ['2026-03-01 09:00:00.5-0130', '2026-03-01T10:30:00.500Z'],
    ['2024-02-29T09:00:00Z', '2024-02-29T09:00:00.000Z'],
    ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
  ])('%s is %s', (text, iso) => {
    expect(new Date(readTime(text) ?? Number.NaN).toISOString()).toBe(iso)
  })

  test.each([
    '',
    'tomorrow',
    '2026-03-01',
    '2026-03-01T09:00:00',
    '2026-03-01T09:00',
    '2026-03-01T09Z',
    '2026-03-01T09:00.5Z',
    '2026-03-01T09:00:00+02',
    '2026-03-01T09:00:00+24:00',
    '2026-03-01T09:00:00+02:60',
    '2026-02-30T09:00:00Z',
    '2025-02-29T09:00:00Z',
    '2026-13-01T09:00:00Z',
    '2026-00-10T09:00:00Z',
    '2026-03-01T24:00:00Z',
    '2026-03-01T09:60:00Z',
    '2026-03-01T09:00:61Z',
    '2026-03-01T09:00:00.Z',
    ' 2026-03-01T09:00:00Z',
    '12026-03-01T09:00:00Z',
    '1772355600',
  ])('is not %j', (text) => {
    expect(readTime(text)).toBeNull()
  })

  test('as JavaScript writes it is read back', () => {
    const years = { min: new Date('0000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }
    fc.assert(fc.property(fc.date(years), (date) => readTime(date.toISOString()) === date.getTime()))
  })
})

describe('a time without an offset, in a zone', () => {
  test.each([
    ['2026-01-15T12:00', '2026-01-15T11:00:00Z', 'winter'],
    ['2026-07-15 12:00:30', '2026-07-15T10:00:30Z', 'summer'],
    ['2026-07-15T12:00:00.5', '2026-07-15T10:00:00.500Z', 'with a fraction'],
    ['2026-10-25T02:30', '2026-10-25T00:30:00Z', 'that the clock shows twice: the first'],
    ['2026-03-29T02:30', '2026-03-29T01:30:00Z', 'that the clock skips: as much later'],
    ['2026-07-15T12:00:00+05:00', '2026-07-15T07:00:00Z', 'with an offset: its own'],
  ])('%s is %s: %s', (text, utc) => {
    expect(readTimeIn('Europe/Berlin', text)).toBe(Date.parse(utc))
  })

  test.each(['2026-02-30T12:00', '2026-01-15', '2026-01-15T12', '12:00'])('%s is none', (text) => {
    expect(readTimeIn('Europe/Berlin', text)).toBeNull()
  })
})
