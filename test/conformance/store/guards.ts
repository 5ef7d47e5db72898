/** Guards: what operators set up shows in the directory, and who has opted out is found among many. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { OptOut, OptOutChange } from '../../../src/domain/consent/opt-out.ts'
import { DEFAULT_GUARD_SETTINGS, type GuardSettings } from '../../../src/domain/guards/guard-settings.ts'
import type { TrafficAlarm } from '../../../src/domain/guards/traffic-alarm.ts'
import type { AccountId } from '../../../src/domain/ids/account-id.ts'
import type { ListedNumber } from '../../../src/domain/numbers/number-list.ts'
import type { Phone } from '../../../src/domain/numbers/phone.ts'
import { BEGINNING } from '../../support/build-message.ts'
import { type Install, StoreStory } from './store-story.ts'

const ANNA = '37120000001' as Phone
const BORIS = '37120000002' as Phone

export function describeGuards(install: Install): void {
  let story: StoreStory
  let client: AccountId
  beforeEach(async () => {
    story = await StoreStory.begin(install)
    client = await story.account()
  })
  afterEach(() => story.end())

  const rows = () => story.store.loadDirectory()
  const optOut = (change: Partial<OptOut> = {}): OptOut => {
    return { accountId: client, sender: 'Shop', phone: ANNA, by: 'word', at: BEGINNING, ...change }
  }
  const add = (change?: Partial<OptOut>): OptOutChange => ({ kind: 'add', optOut: optOut(change) })
  const remove = (change?: Partial<OptOut>): OptOutChange => ({ kind: 'remove', optOut: optOut(change) })
  const change = (...changes: readonly OptOutChange[]) => story.store.change({ kind: 'change opt-outs', changes })
  const found = (accountId: AccountId, ...phones: readonly Phone[]) =>
    story.store.findOptOuts(phones.map((phone) => ({ accountId, phone })))

  describe('the settings of the guards', () => {
    it('are their defaults at first, and then what was set', async () => {
      expect((await rows()).guardSettings).toEqual(DEFAULT_GUARD_SETTINGS)
      const settings: GuardSettings = {
        ...DEFAULT_GUARD_SETTINGS,
        allowedCountries: ['LV', 'DE'],
        dailyMessages: 10,
        velocityLimits: [{ per: 'prefix', prefixDigits: 5, most: 3, windowSeconds: 60 }],
        quietHours: { fromMinute: 1_260, toMinute: 480, action: 'wait' },
        pumping: { floor: 100, factor: 5, stopMinutes: 60 },
        optOutLanguages: { lv: { stop: ['beidz'], start: [] } },
      }
      await story.store.change({ kind: 'set guard settings', settings })
      await story.reopen()
      expect((await rows()).guardSettings).toEqual(settings)
    })

    it('change with a configuration, all or nothing', async () => {
      const number: ListedNumber = { list: 'deny', digits: '881', whole: false, note: 'satellites' }
      const { revision } = await rows()
      const settings = { ...DEFAULT_GUARD_SETTINGS, dailyMessages: 5 }
      const changes = [
        { kind: 'set guard settings', settings },
        { kind: 'list number', number },
      ] as const
      const absent = { kind: 'unlist number', number: { ...number, list: 'allow' } } as const
      await expect(story.store.change({ kind: 'all', revision, changes: [...changes, absent] })).rejects.toThrow(
        'there is no such entry',
      )
      expect(await rows()).toMatchObject({ guardSettings: DEFAULT_GUARD_SETTINGS, listedNumbers: [] })
      await story.store.change({ kind: 'all', revision, changes })
      expect(await rows()).toMatchObject({ guardSettings: settings, listedNumbers: [number] })
    })
  })

  it('lists of numbers are kept, a phone apart from a prefix', async () => {
    const prefix: ListedNumber = { list: 'deny', digits: ANNA, whole: false, note: '' }
    const phone: ListedNumber = { ...prefix, whole: true, note: 'asked us to' }
    const allowed: ListedNumber = { list: 'allow', digits: '371', whole: false, note: '' }
    for (const number of [phone, prefix, allowed]) await story.store.change({ kind: 'list number', number })
    await story.store.change({ kind: 'list number', number: { ...prefix, note: 'a mistake' } })
    expect((await rows()).listedNumbers).toEqual([allowed, { ...prefix, note: 'a mistake' }, phone])
    await story.store.change({ kind: 'unlist number', number: prefix })
    expect((await rows()).listedNumbers).toEqual([allowed, phone])
    await expect(story.store.change({ kind: 'unlist number', number: prefix })).rejects.toThrow()
  })

  it.each([
    ['Argentina', '541133334444', '5491133334444'],
    ['Brazil', '551177776666', '5511977776666'],
    ['Mexico', '5215512345678', '525512345678'],
    ['Benin', '22961234567', '2290161234567'],
    ['Palestine', '972591234567', '970591234567'],
  ])('an opt-out of one form of a phone in %s is one of every form', async (_, one, other) => {
    const [written, asked] = [one as Phone, other as Phone]
    await change(add({ phone: written }))
    expect(await found(client, asked, written, ANNA)).toMatchObject([{ phone: asked }, { phone: written }])
    const page = { of: 'opt-outs', accountId: client, phone: written, after: null, limit: 9 } as const
    expect((await story.store.page(page)).rows).toMatchObject([{ phone: asked, by: 'word' }])
    await change(add({ phone: asked, by: 'hand' }), remove({ phone: written }))
    expect(await found(client, written)).toMatchObject([{ by: 'hand' }])
    await change(remove({ phone: written, by: 'hand' }))
    expect(await found(client, asked, written)).toEqual([])
  })

  it.each(['word', 'link'] as const)(
    'an opt-in by %s removes what the recipient has set, unless it is older',
    async (by) => {
      await change(add(), remove({ by, at: BEGINNING - 1 }))
      expect(await found(client, ANNA)).toMatchObject([{ at: BEGINNING }])
      // The recipient opts out once more: only what is later than that counts.
      await change(add({ by, at: BEGINNING + 9 }), add({ at: BEGINNING + 1 }), remove({ by, at: BEGINNING + 8 }))
      expect(await found(client, ANNA)).toMatchObject([{ at: BEGINNING + 9 }])
      await change(remove({ by, at: BEGINNING + 9 }))
      expect(await found(client, ANNA)).toEqual([])
      await change(add(), remove({ by: 'hand', at: BEGINNING - 1 }))
      expect(await found(client, ANNA)).toEqual([])
    },
  )

  it('an alarm takes the place of the one before it', async () => {
    const alarm: TrafficAlarm = {
      accountId: null,
      kind: 'messages',
      prefix: '371200',
      raisedAt: BEGINNING,
      seen: 120.5,
      usual: 3.25,
      state: 'stopped',
      until: BEGINNING + 1,
    }
    const own: TrafficAlarm = { ...alarm, accountId: client, kind: 'calls', state: 'lifted', until: null }
    for (const each of [own, alarm]) await story.store.change({ kind: 'set traffic alarm', alarm: each })
    expect((await rows()).trafficAlarms).toEqual([alarm, own])
    await story.store.change({ kind: 'set traffic alarm', alarm: { ...alarm, state: 'confirmed', until: null } })
    expect((await rows()).trafficAlarms).toEqual([{ ...alarm, state: 'confirmed', until: null }, own])
  })

  it('traffic is added up by account, kind and prefix, from all nodes, and forgotten when it is old', async () => {
    const count = { accountId: null, kind: 'messages', prefix: '371200', slot: 7, count: 40 } as const
    const own = { ...count, accountId: client, kind: 'calls', count: 3 } as const
    const first = { slot: 7, before: 0, mean: 0, slots: 0 }
    expect(await story.store.countTraffic([count, own])).toMatchObject([
      { ...first, accountId: null, kind: 'messages', prefix: '371200', count: 40 },
      { ...first, accountId: client, kind: 'calls', prefix: '371200', count: 3 },
    ])
    await story.reopen()
    const both = await Promise.all([story.store.countTraffic([count]), story.store.countTraffic([count])])
    expect(both.map(([traffic]) => traffic?.count).sort()).toEqual([120, 80])
    const [next] = await story.store.countTraffic([{ ...count, slot: 8, count: 1 }])
    expect(next).toMatchObject({ slot: 8, count: 1, before: 120, slots: 1 })
    expect(next?.mean).toBeGreaterThan(0)
    await story.sweep(31 * 86_400_000 + 10 * 300_000)
    expect(await story.store.countTraffic([{ ...count, slot: 9 }])).toMatchObject([{ ...first, slot: 9, count: 40 }])
  })

  describe('opt-outs', () => {
    it('are found by recipient and account, those of a sender and those of all', async () => {
      const other = await story.account()
      await change(add(), add({ sender: null, by: 'hand' }), add({ phone: BORIS }), add({ accountId: other }))
      await story.reopen()
      const ofAnna = await found(client, ANNA)
      expect(ofAnna).toHaveLength(2)
      expect(ofAnna).toEqual(expect.arrayContaining([optOut(), optOut({ sender: null, by: 'hand' })]))
      expect(await found(client, ANNA, BORIS)).toHaveLength(3)
      expect(await found(other, ANNA, BORIS)).toEqual([optOut({ accountId: other })])
      expect(await found(client, '37120000009' as Phone)).toEqual([])
      expect(await found(client)).toEqual([])
    })

    it('have the time of the last word when they come again, and a hand outweighs a word', async () => {
      const at = BEGINNING + 1
      await change(add(), add({ at }), add())
      expect(await found(client, ANNA)).toEqual([optOut({ at })])
      await change(add({ by: 'hand' }))
      await change(add({ by: 'word', at: at + 1 }))
      expect(await found(client, ANNA)).toEqual([optOut({ by: 'hand', at })])
    })

    it('are taken back in their order; what a hand has set no word takes back', async () => {
      await change(add(), remove(), add({ phone: BORIS }), remove({ phone: BORIS }), add({ phone: BORIS }))
      expect(await found(client, ANNA, BORIS)).toEqual([optOut({ phone: BORIS })])
      await change(add({ by: 'hand' }), remove({ by: 'word' }), remove({ sender: null }))
      expect(await found(client, ANNA)).toEqual([optOut({ by: 'hand' })])
      await change(remove({ by: 'hand' }), remove({ by: 'hand', phone: BORIS }))
      expect(await found(client, ANNA, BORIS)).toEqual([])
    })

    it('are noted in the directory once per account, and change it no more after that', async () => {
      const { revision } = await rows()
      await change(remove())
      expect(await story.store.directoryRevision()).toBe(revision)
      await change(add())
      const after = await rows()
      expect(after.optedOutOf).toEqual([client])
      expect(after.revision).toBeGreaterThan(revision)
      await change(add({ phone: BORIS }), remove({ phone: BORIS }))
      expect(await story.store.directoryRevision()).toBe(after.revision)
    })

    it('of an account that does not exist are refused, and the others with them', async () => {
      const unknown = (client + 1) as AccountId
      await expect(change(add(), add({ accountId: unknown }))).rejects.toThrow(`there is no account ${unknown}`)
      expect(await found(client, ANNA)).toEqual([])
    })

    it('of many callers at once are refused for those alone whose account does not exist, and applied in order', async () => {
      const unknown = (client + 1) as AccountId
      const results = await Promise.allSettled([
        change(add()),
        change(add({ accountId: unknown })),
        change(remove(), add({ phone: BORIS })),
        change(add({ phone: BORIS, at: BEGINNING + 1 })),
      ])
      expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled'])
      expect(await found(client, ANNA, BORIS)).toEqual([optOut({ phone: BORIS, at: BEGINNING + 1 })])
    })

    it('are read in pages, the newest first', async () => {
      const phones = ['37120000003', '37120000004', '37120000005'].map((phone) => phone as Phone)
      for (const phone of phones) await change(add({ phone }))
      const query = { of: 'opt-outs', accountId: client, phone: null, limit: 2 } as const
      const first = await story.store.page({ ...query, after: null })
      const second = await story.store.page({ ...query, after: first.next })
      expect([...first.rows, ...second.rows].map(({ phone }) => phone)).toEqual(phones.toReversed())
      const own = await story.store.page({ ...query, accountId: null, phone: phones[1] ?? null, after: null })
      expect(own.rows.map(({ phone }) => phone)).toEqual([phones[1]])
    })
  })
}
