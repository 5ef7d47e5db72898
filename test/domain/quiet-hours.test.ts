import fc from 'fast-check'
import { getCountries } from 'libphonenumber-js/min'
import { describe, expect, test } from 'vitest'
import type { Phone } from '../../src/domain/numbers/phone.ts'
import { isTimeZone, localDay, localMinute, offsetAt } from '../../src/domain/time/local-time.ts'
import { type QuietHours, quietUntil, zonesOfPhone } from '../../src/domain/time/quiet-hours.ts'
import { zonesOf } from '../../src/domain/time/time-zones.ts'

const NIGHT: QuietHours = { fromMinute: 21 * 60, toMinute: 8 * 60, action: 'wait' }
const NOON: QuietHours = { fromMinute: 12 * 60, toMinute: 13 * 60, action: 'wait' }
const BERLIN = ['Europe/Berlin']

function until(quiet: QuietHours, zones: readonly string[], at: string): string | null {
  const end = quietUntil(quiet, zones, Date.parse(at))
  return end === null ? null : new Date(end).toISOString().replace(/:00\.000Z$/, 'Z')
}

describe('quiet hours', () => {
  test.each([
    ['in the evening last until the morning', '2026-01-10T21:30Z', '2026-01-11T07:00Z'],
    ['after midnight last until the same morning', '2026-01-10T03:00Z', '2026-01-10T07:00Z'],
    ['begin with their first minute', '2026-01-10T20:00Z', '2026-01-11T07:00Z'],
    ['are over with their last minute', '2026-01-10T07:00Z', null],
    ['are not by day', '2026-01-10T15:00Z', null],
    ['follow the clocks of summer', '2026-07-10T19:30Z', '2026-07-11T06:00Z'],
    ['are an hour shorter when the clocks go forward', '2026-03-28T22:00Z', '2026-03-29T06:00Z'],
    ['are an hour longer when the clocks go back', '2026-10-24T22:00Z', '2026-10-25T07:00Z'],
  ])('%s', (_, at, end) => {
    expect(until(NIGHT, BERLIN, at)).toBe(end)
  })

  test('may be at noon', () => {
    expect(until(NOON, BERLIN, '2026-01-10T11:20Z')).toBe('2026-01-10T12:00Z')
    expect(until(NOON, BERLIN, '2026-01-10T12:20Z')).toBeNull()
  })

  test('that end in the hour that the clocks leave out end as these jump', () => {
    const early: QuietHours = { fromMinute: 0, toMinute: 150, action: 'wait' }
    expect(until(early, BERLIN, '2026-03-28T23:30Z')).toBe('2026-03-29T01:00Z')
    expect(until(early, BERLIN, '2026-03-29T00:50Z')).toBe('2026-03-29T01:00Z')
  })

  test.each([
    ['Europe/Berlin', '2026-03-28T12:00Z'],
    ['Europe/Berlin', '2026-10-24T12:00Z'],
    ['America/New_York', '2026-03-07T18:00Z'],
    ['America/New_York', '2026-10-31T18:00Z'],
    ['Australia/Lord_Howe', '2026-04-04T00:00Z'],
    ['Australia/Lord_Howe', '2026-10-03T00:00Z'],
  ])('end in %s on %s and the day after at the first minute that the clocks show as not quiet', (zone, begin) => {
    const MINUTE = 60_000
    for (const [fromMinute, toMinute] of [
      ...[1_260, 1_320, 0, 90].map((from) => [from, 480]),
      ...[90, 119, 120, 125, 150, 179, 180, 185].map((to) => [1_380, to]),
    ] as const) {
      const quiet: QuietHours = { fromMinute: fromMinute ?? 0, toMinute: toMinute ?? 0, action: 'wait' }
      const isQuiet = (at: number) => quietUntil(quiet, [zone], at) !== null
      const start = Date.parse(begin)
      for (let at = start; at < start + 24 * 60 * MINUTE; at += 95 * MINUTE) {
        const end = quietUntil(quiet, [zone], at)
        if (end === null) continue
        expect(isQuiet(end)).toBe(false)
        const before = Math.ceil((end - at) / (15 * MINUTE))
        for (let step = 0; step < before; step += 1) expect(isQuiet(at + step * 15 * MINUTE)).toBe(true)
        expect(isQuiet(end - 1)).toBe(true)
      }
    }
  })

  test('of no length do not exist', () => {
    expect(until({ fromMinute: 60, toMinute: 60, action: 'wait' }, BERLIN, '2026-01-10T00:00Z')).toBeNull()
  })

  test('last until it is day in all zones of a country', () => {
    expect(until(NIGHT, zonesOf('US'), '2026-01-10T14:00Z')).toBe('2026-01-10T18:00Z')
    expect(until(NIGHT, zonesOf('US'), '2026-01-10T20:00Z')).toBeNull()
    expect(until(NIGHT, zonesOf('US'), '2026-01-11T01:59Z')).toBeNull()
    expect(until(NIGHT, zonesOf('US'), '2026-01-11T02:00Z')).toBe('2026-01-11T18:00Z')
  })

  test('go by the first zone alone where a country has no hour of day in common', () => {
    const long: QuietHours = { fromMinute: 18 * 60, toMinute: 10 * 60, action: 'wait' }
    expect(zonesOf('RU')[0]).toBe('Europe/Moscow')
    expect(until(long, zonesOf('RU'), '2026-01-10T03:00Z')).toBe('2026-01-10T07:00Z')
    expect(until(long, zonesOf('RU'), '2026-01-10T09:00Z')).toBeNull()
  })

  test('end when it is quiet in no zone, and not a minute before', () => {
    const country = fc.constantFrom('DE', 'US', 'RU', 'AU', 'LV', 'IN', 'NP', 'CL', 'BR', 'ES', 'NZ', 'KI')
    const minute = fc.integer({ min: 0, max: 1_439 })
    const hour = fc.integer({ min: 0, max: 5 * 365 * 24 })
    fc.assert(
      fc.property(country, minute, fc.integer({ min: 1, max: 660 }), hour, (code, fromMinute, length, hours) => {
        const quiet: QuietHours = { fromMinute, toMinute: (fromMinute + length) % 1_440, action: 'wait' }
        const now = Date.UTC(2025, 0, 1) + hours * 3_600_000
        const zones = zonesOf(code)
        const end = quietUntil(quiet, zones, now)
        if (end === null) return
        const isFree = (at: number) => quietUntil(quiet, zones, at) === null
        expect(isFree(end)).toBe(true)
        expect(end - now).toBeLessThan(3 * 86_400_000)
      }),
      { numRuns: 500 },
    )
  })
})

describe('the zones of a phone', () => {
  test.each([
    ['4915112345678', ['Europe/Berlin']],
    ['34612345678', ['Africa/Ceuta', 'Atlantic/Canary']],
    ['38343201234', ['Europe/Belgrade']],
    ['870773111632', ['Asia/Tokyo']],
  ])('of %s are %s', (phone, zones) => {
    expect(zonesOfPhone(phone as Phone, 'Asia/Tokyo')).toEqual(zones)
  })

  test('are known to Node, every one of them', () => {
    const all = ['US', 'RU', 'AC', 'TA', 'XK', 'KI', 'GL'].flatMap(zonesOf)
    expect(all.filter((zone) => !isTimeZone(zone))).toEqual([])
    expect(zonesOf('ZZ')).toEqual([])
  })

  test('are one at least for every country with numbers', () => {
    expect(getCountries().filter((country) => zonesOf(country).length === 0)).toEqual([])
  })

  // The clocks of zone.tab of the IANA time zone database 2025b, the most populous first.
  test.each([
    ['AU', 'Australia: Sydney Lord_Howe Broken_Hill Brisbane Darwin Perth Eucla'],
    ['BR', 'America: Sao_Paulo Noronha Campo_Grande Eirunepe'],
    ['CD', 'Africa: Kinshasa Lubumbashi'],
    ['CN', 'Asia: Shanghai Urumqi'],
    ['DE', 'Europe: Berlin'],
    ['KI', 'Pacific: Tarawa Kanton Kiritimati'],
    ['MX', 'America: Mexico_City Cancun Matamoros Ciudad_Juarez Tijuana Hermosillo'],
    ['PT', 'Atlantic: Madeira Azores'],
    ['UA', 'Europe: Kyiv Simferopol'],
    ['US', 'America: New_York Chicago Denver Phoenix Los_Angeles Anchorage Adak Pacific/Honolulu'],
  ])('of %s have the clocks of %s', (country, places) => {
    const [area = '', ...names] = places.split(/:? /)
    const expected = names.map((name) => (name.includes('/') ? name : `${area}/${name}`))
    const clocks = (zones: readonly string[]) =>
      zones.map((zone) => Array.from({ length: 132 }, (_, month) => offsetAt(zone, Date.UTC(2025, month, 15))).join())
    const found = clocks(zonesOf(country))
    expect(found[0]).toBe(clocks(expected)[0])
    expect(found.toSorted()).toEqual(clocks(expected).toSorted())
  })
})

describe('local time', () => {
  test('has the offsets of its zone', () => {
    const hours = (zone: string, at: string) => offsetAt(zone, Date.parse(at)) / 3_600_000
    expect(hours('UTC', '2026-07-01T00:00Z')).toBe(0)
    expect(hours('Europe/Berlin', '2026-07-01T00:00Z')).toBe(2)
    expect(hours('Europe/Berlin', '2026-03-29T00:59Z')).toBe(1)
    expect(hours('Europe/Berlin', '2026-03-29T01:00Z')).toBe(2)
    expect(hours('Asia/Kathmandu', '2026-01-01T00:00Z')).toBe(5.75)
    expect(hours('America/St_Johns', '2026-01-01T00:00Z')).toBe(-3.5)
  })

  test('has days and minutes of its own', () => {
    const at = Date.parse('2026-01-10T23:30:30Z')
    expect(localDay('UTC', at)).toBe(Date.UTC(2026, 0, 10) / 86_400_000)
    expect(localDay('Europe/Berlin', at)).toBe(Date.UTC(2026, 0, 11) / 86_400_000)
    expect(localMinute('Europe/Berlin', at)).toBe(30.5)
    expect(localMinute('UTC', Date.UTC(1969, 11, 31, 23, 0))).toBe(1_380)
  })

  test.each(['Europe/Nowhere', '', 'CET!'])('is unknown in %j', (zone) => {
    expect(isTimeZone(zone)).toBe(false)
  })
})
