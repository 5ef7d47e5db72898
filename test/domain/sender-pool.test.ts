/** A pool of senders: each recipient always sees the same member, and members get equal shares. */
import { describe, expect, test } from 'vitest'
import { ApprovedSenders, approvedSender, type Sender } from '../../src/domain/accounts/sender.ts'
import type { AccountId } from '../../src/domain/ids/account-id.ts'
import type { Phone } from '../../src/domain/numbers/phone.ts'

const NUMBERS = ['491701000001', '491701000002', '491701000003', '491701000004']
const PHONES = Array.from({ length: 10_000 }, (_, index) => `49170${2_000_000 + index * 7}` as Phone)

function sender(name: string, change: Partial<Sender> = {}): Sender {
  return { ...approvedSender(1 as AccountId, 'sms', name), ...change }
}

function poolOf(members: readonly Sender[]): ApprovedSenders {
  return new ApprovedSenders([sender('Shop', { members: members.map(({ name }) => name) }), ...members])
}

function shown(senders: ApprovedSenders, phone: string): string | null {
  return senders.shownTo(phone as Phone, 'sms', 'Shop')?.name ?? null
}

describe('members', () => {
  test('get a quarter of the recipients each, in any order of the list', () => {
    const members = NUMBERS.map((name) => sender(name))
    const seen = PHONES.map((phone) => shown(poolOf(members), phone))
    for (const number of NUMBERS) {
      const share = seen.filter((name) => name === number).length / PHONES.length
      expect(Math.abs(share - 0.25)).toBeLessThan(0.02)
    }
    expect(PHONES.map((phone) => shown(poolOf(members.toReversed()), phone))).toEqual(seen)
  })

  test('that come and go move only the recipients that they get or had', () => {
    const members = NUMBERS.map((name) => sender(name))
    const [all, three] = [poolOf(members), poolOf(members.slice(0, 3))]
    const moved = PHONES.filter((phone) => shown(all, phone) !== shown(three, phone))
    expect(moved).toEqual(PHONES.filter((phone) => shown(all, phone) === NUMBERS[3]))
    expect(moved.length).toBeGreaterThan(0)
  })

  test('for the country of the phone come before those for all countries; one for another country is never shown', () => {
    const members = [
      sender('Shop.de', { countries: ['DE'] }),
      sender('447700900001', { countries: ['GB'] }),
      sender('ShopAny'),
    ]
    const senders = poolOf(members)
    expect(['491701234500', '447400123456', '37120000100'].map((phone) => shown(senders, phone))).toEqual([
      'Shop.de',
      '447700900001',
      'ShopAny',
    ])
    expect(shown(poolOf(members.slice(0, 2)), '37120000100')).toBeNull()
  })

  test('are the same for both forms of a number that its country has changed', () => {
    const senders = poolOf(NUMBERS.map((name) => sender(name)))
    for (let index = 0; index < 50; index += 1) {
      const mobile = 5_512_345_600 + index
      expect(shown(senders, `521${mobile}`)).toBe(shown(senders, `52${mobile}`))
    }
  })

  test('share the opt-outs of the pool, also while one of them is not approved', () => {
    const senders = new ApprovedSenders([
      sender('Shop', { members: ['1234', '5678'] }),
      sender('1234'),
      sender('Other'),
    ])
    expect(senders.sharing('sms', '1234')).toEqual(['Shop', '1234', '5678'])
    expect(senders.sharing('sms', 'Shop')).toEqual(['Shop', '1234', '5678'])
    expect(senders.sharing('sms', 'Other')).toEqual(['Other'])
    expect(senders.sharing('sms', 'Unknown')).toEqual(['Unknown'])
  })
})
