/** Statements of months of time zones, where quarters of an hour were not added up from the beginning. */
import { expect, it } from 'vitest'
import { toAccountId } from '../../src/domain/ids/account-id.ts'
import { readMonth } from '../../src/domain/time/month.ts'
import { readStatement } from '../../src/operations/read/read-statement.ts'
import { useFilledStore } from '../support/use-filled-store.ts'

/** The first zone begins January 2027 at 10:00 of this day. */
const BEFORE_JANUARY = Date.parse('2026-12-31T10:00:00Z')
const NOW = Date.parse('2027-02-15T12:00:00Z')

const filled = useFilledStore(`INSERT INTO posting_total (account_id, month, kind, channel, operator, carrier_id,
  cost_currency, postings, parts, amount_micros, cost_micros) VALUES (1, 202610, 'top-up', '', '', '', '', 1, 0, 5, 0)`)

async function ask(text: string, zone: string, quartersFrom: number) {
  filled.database.exec(`UPDATE meta SET quarters_from = ${quartersFrom}`)
  const month = readMonth(text)
  if (month === null) throw new Error(`${text} is not a month`)
  return readStatement(filled.store, { accountId: toAccountId(1), month, zone }, NOW)
}

it.each([
  ['2026-12', BEFORE_JANUARY, '2027-01'],
  ['2027-01', BEFORE_JANUARY + 1, '2027-02'],
  ['2026-10', 0, null],
  ['2027-01', BEFORE_JANUARY, null],
])('%s, if quarters are added up from %i on, is that of a zone from %s on', async (text, quartersFrom, first) => {
  const rule = first === null ? undefined : `must be ${first} or later in a time zone other than UTC`
  const expected = first === null ? { zone: 'Europe/Berlin', openingMicros: 5 } : { field: 'month', rule }
  expect(await ask(text, 'Europe/Berlin', quartersFrom)).toMatchObject(
    text === '2026-10' ? { ...expected, openingMicros: 0, topUpMicros: 5 } : expected,
  )
  expect(await ask(text, 'UTC', quartersFrom)).toMatchObject({ zone: 'UTC', closingMicros: 5 })
})

it('a month begins when it begins in the zone', async () => {
  const [early, late] = ['Pacific/Kiritimati', 'Etc/GMT+12']
  const at = Date.parse('2027-02-28T12:00:00Z')
  const month = readMonth('2027-03') ?? 0
  const inZone = async (zone: string) =>
    readStatement(filled.store, { accountId: toAccountId(1), month: month as never, zone }, at)
  expect(await inZone(early)).toMatchObject({ zone: early, closingMicros: 5 })
  for (const zone of ['UTC', late]) {
    expect(await inZone(zone)).toEqual({ field: 'month', rule: 'must not be later than this month' })
  }
})

it('names the first month that may have postings, and the first one that zones have', async () => {
  expect(await ask('2027-02', 'UTC', BEFORE_JANUARY)).toMatchObject({ firstMonth: 202610, firstZonedMonth: 202701 })
  expect(await ask('2027-02', 'UTC', 0)).toMatchObject({ firstMonth: 202610, firstZonedMonth: 202610 })
  // The first posting may be one of the last hours of September there.
  expect(await ask('2027-02', 'America/New_York', 0)).toMatchObject({ firstMonth: 202609 })
})

it.each(['Mars/Olympus', 'Europe', ''])('%o is no zone', async (zone) => {
  expect(await ask('2027-02', zone, 0)).toEqual({ field: 'zone', rule: 'must be a time zone, such as Europe/Berlin' })
})
