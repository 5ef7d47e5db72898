import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type AccountSettings,
  DEFAULT_ACCOUNT_SETTINGS,
  type VelocityLimit,
} from '../../src/domain/accounts/account.ts'
import { DEFAULT_GUARD_SETTINGS, type GuardSettings } from '../../src/domain/guards/guard-settings.ts'
import { RequestUsage, type UsageLimit } from '../../src/domain/guards/guards.ts'
import { toAccountId } from '../../src/domain/ids/account-id.ts'
import { toMicros } from '../../src/domain/money/money.ts'
import type { Phone } from '../../src/domain/numbers/phone.ts'
import { buildAccount } from '../support/build-message.ts'

const PHONE = '4915112345678' as Phone
const NOW = Date.parse('2026-01-10T23:30:00Z')
const accountId = toAccountId(1)

function usage(settings: Partial<AccountSettings>, installation: Partial<GuardSettings> = {}, now = NOW) {
  const account = buildAccount({ settings: { ...DEFAULT_ACCOUNT_SETTINGS, ...settings } })
  const guards = { ...DEFAULT_GUARD_SETTINGS, ...installation }
  return new RequestUsage(account, guards, now)
}

const per = (kind: VelocityLimit['per'], windowSeconds = 60, prefixDigits: number | null = null): VelocityLimit => {
  return { per: kind, prefixDigits, most: 5, windowSeconds }
}

describe('the usage of a request', () => {
  test('is nothing to count where nothing is limited', () => {
    const request = usage({})
    expect([request.placesOf('calls', PHONE), request.limits]).toEqual([[], []])
  })

  test('has one limit for the day, of messages and money, by the clocks of the account', () => {
    const limits = { dailyMessages: 10, dailySpendMicros: toMicros(5) }
    const utc = usage(limits)
    expect([utc.placesOf('messages', PHONE), utc.placesOf('messages', '37120000000' as Phone)]).toEqual([[0], [0]])
    const day = Date.UTC(2026, 0, 10) / 86_400_000
    const expected = { accountId, guard: 'day', key: 'day', maxMessages: 10, maxMicros: 5 }
    expect(utc.limits).toMatchObject([{ ...expected, slot: day, since: day }])
    const berlin = usage({ ...limits, timeZone: 'Europe/Berlin' })
    berlin.placesOf('messages', PHONE)
    expect(berlin.limits).toMatchObject([{ slot: day + 1, since: day + 1 }])
  })

  test('has a limit for each phone, country and prefix, however many messages there are', () => {
    const request = usage({ velocityLimits: [per('phone'), per('country'), per('prefix', 60, 5)] })
    expect(request.placesOf('messages', PHONE)).toEqual([0, 1, 2])
    expect(request.placesOf('messages', PHONE)).toEqual([0, 1, 2])
    expect(request.placesOf('messages', '4915112345679' as Phone)).toEqual([3, 1, 2])
    expect(request.placesOf('messages', '870773111632' as Phone)).toEqual([4, 5, 6])
    expect(request.limits.map(({ key }) => key)).toEqual([
      'phone/60 4915112345678',
      'country/60 DE',
      'prefix/60 49151',
      'phone/60 4915112345679',
      'phone/60 870773111632',
      'country/60 -',
      'prefix/60 87077',
    ])
  })

  test('has limits for the verifications of an hour: of a phone, for an address, and of the account', () => {
    const most = { perHour: 100, perHourToPhone: 5, perHourFromAddress: 10 }
    const request = usage({})
    expect(request.verifyPlacesOf(PHONE, null, { ...most, perHour: null })).toEqual([0])
    expect(request.verifyPlacesOf(PHONE, '192.0.2.7', most)).toEqual([0, 1, 2])
    expect(request.verifyPlacesOf(PHONE, '2001:db8:1:2:3::4', most)).toEqual([0, 3, 2])
    expect(request.verifyPlacesOf(PHONE, '2001:db8:1:2:ffff::', most)).toEqual([0, 3, 2])
    expect(request.limits).toMatchObject([
      { accountId, guard: 'verify phone', key: `verify/phone ${PHONE}`, maxMessages: 5 },
      { accountId, guard: 'verify address', key: 'verify/address 192.0.2.7', maxMessages: 10 },
      { accountId, guard: 'verify', key: 'verify', maxMessages: 100 },
      { accountId, guard: 'verify address', key: 'verify/address 2001:db8:1:2::', maxMessages: 10 },
    ])
  })

  test('has one limit for the calls of an hour, which messages do not count for', () => {
    const request = usage({ callsPerHour: 20, velocityLimits: [per('phone')] })
    expect(request.placesOf('calls', PHONE)).toEqual([0, 1])
    expect(request.placesOf('calls', '37120000000' as Phone)).toEqual([0, 2])
    expect(request.placesOf('messages', PHONE)).toEqual([1])
    expect(request.limits[0]).toMatchObject({ accountId, guard: 'calls', key: 'calls', maxMessages: 20 })
  })

  test('counts for the installation beside the account', () => {
    const request = usage({ velocityLimits: [per('phone')] }, { velocityLimits: [per('phone')], dailyMessages: 3 })
    expect(request.placesOf('messages', PHONE)).toEqual([0, 1, 2])
    expect(request.limits.map(({ accountId: whose, key }) => `${whose} ${key}`)).toEqual([
      '1 phone/60 4915112345678',
      'null day',
      'null phone/60 4915112345678',
    ])
  })

  // As the store does it: what is counted in the slots that are looked at.
  test('lets no more through in any window than it may, and frees a place a tenth of it late at most', () => {
    const arrivals = fc.array(fc.integer({ min: 0, max: 20_000 }), { minLength: 1, maxLength: 60 })
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 200 }),
        fc.integer({ min: 1, max: 6 }),
        arrivals,
        (seconds, most, waits) => {
          const slots = new Map<number, number>()
          const passed: number[] = []
          let now = NOW
          for (const wait of waits) {
            now += wait
            const request = usage({ velocityLimits: [{ ...per('phone', seconds), most }] }, {}, now)
            request.placesOf('messages', PHONE)
            const limit = request.limits[0] as UsageLimit
            const used = [...slots].reduce((sum, [slot, count]) => (slot >= limit.since ? sum + count : sum), 0)
            const inWindow = passed.filter((at) => at > now - seconds * 1_000).length
            const inLonger = passed.filter((at) => at >= now - seconds * 1_100 - 1_000).length
            if (used + 1 <= most) {
              expect(inWindow).toBeLessThan(most)
              slots.set(limit.slot, (slots.get(limit.slot) ?? 0) + 1)
              passed.push(now)
            } else {
              expect(inLonger).toBeGreaterThanOrEqual(most)
            }
          }
        },
      ),
    )
  })
})
