import { expect, test } from 'vitest'
import { readMoment, writeMoment } from '../../src/domain/time/moment.ts'

test.each([
  ['2027-01-01', '2027-01-01'],
  ['2028-02-29', '2028-02-29'],
  ['2027-01-01T00:00:00Z', '2027-01-01'],
  ['2027-01-01T01:00:00+02:00', '2026-12-31T23:00:00Z'],
  ['2027-01-01T12:30:15.250Z', '2027-01-01T12:30:15.250Z'],
])('%s is written %s', (text, written) => {
  const at = readMoment(text)
  expect(at).not.toBeNull()
  expect(writeMoment(at ?? 0)).toBe(written)
})

test.each(['', '2027', '2027-02-30', '2027-13-01', '01.01.2027', '2027-01-01T25:00:00Z', '2027-01-01T10:00:00'])(
  '%j is no moment',
  (text) => {
    expect(readMoment(text)).toBeNull()
  },
)
