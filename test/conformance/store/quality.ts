/** Counts of routing by quality and demotions of carriers. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Demotion } from '../../../src/domain/routing/demotion.ts'
import { dayOf, type QualityRow, SLOT_MS, slotOf } from '../../../src/domain/routing/quality-counts.ts'
import type { QualityRuleSetting } from '../../../src/domain/routing/quality-rule.ts'
import { ChangeRefused } from '../../../src/ports/records/store-errors.ts'
import { BEGINNING } from '../../support/build-message.ts'
import { type Install, StoreStory } from './store-story.ts'

const DAY = 86_400_000
const NOON = dayOf(BEGINNING) + DAY / 2
const PLACE = { channel: 'sms', carrierId: 'acme', country: 'DE', operator: '26201' } as const
const ROW: QualityRow = {
  ...{ ...PLACE, slot: slotOf(NOON) },
  ...{ sent: 3, delivered: 2, deliveredMs: 45_000, codes: 1, converted: 1, in10s: 1, in30s: 0, in90s: 1, later: 0 },
}
const DEMOTION: Demotion = {
  ...{ ...PLACE, beganAt: NOON, endedAt: null, kind: 'demoted', measure: 'delivery', reason: '48 % of 210' },
  ...{ endReason: null, trickle: 0.02, user: null, until: NOON + 3_600_000 },
}

export function describeQuality(install: Install): void {
  let story: StoreStory
  beforeEach(async () => {
    story = await StoreStory.begin(install)
    const carrier = { id: 'acme', channel: 'sms', kind: 'smpp', settings: {} } as const
    await story.store.change({ kind: 'set carrier', carrier })
  })
  afterEach(() => story.end())

  const lasting = async () => (await story.store.loadDirectory('anew')).demotions
  const judge = (demotion: Demotion, before: number | null) =>
    story.store.change({ kind: 'judge carrier', demotion, before })

  it('adds counts of several gateways to their slot and their day, which it keeps for a day and for a week', async () => {
    const unknown = { ...ROW, operator: null }
    const later = { ...ROW, slot: ROW.slot + SLOT_MS }
    await Promise.all([story.store.countQuality([ROW, unknown]), story.store.countQuality([later, ROW])])
    await story.reopen()
    const read = (slotsSince: number, daysSince = 0) => story.store.qualityRows({ slotsSince, daysSince })
    const twice = { sent: 6, delivered: 4, deliveredMs: 90_000, codes: 2, converted: 2, in10s: 2, in90s: 2 }
    const { recent, usual } = await read(ROW.slot)
    expect(recent).toHaveLength(3)
    expect(recent).toEqual(expect.arrayContaining([later, unknown, { ...ROW, ...twice }]))
    const thrice = { sent: 9, delivered: 6, deliveredMs: 135_000, codes: 3, converted: 3, in10s: 3, in90s: 3 }
    expect(usual).toHaveLength(2)
    expect(usual).toEqual(
      expect.arrayContaining([
        { ...ROW, slot: dayOf(NOON), ...thrice },
        { ...unknown, slot: dayOf(NOON) },
      ]),
    )
    expect((await read(later.slot)).recent).toEqual([later])
    await story.sweep(NOON + 2 * DAY)
    expect(await read(0)).toMatchObject({ recent: [], usual: [{}, {}] })
    await story.sweep(NOON + 10 * DAY)
    expect(await read(0)).toEqual({ recent: [], usual: [] })
  })

  it('has a demotion begin and end once, and keeps those that ended', async () => {
    await judge(DEMOTION, null)
    // Another gateway that led for a moment.
    await expect(judge({ ...DEMOTION, beganAt: NOON + 1 }, null)).rejects.toBeInstanceOf(ChangeRefused)
    await story.reopen()
    expect(await lasting()).toEqual([DEMOTION])
    const kept = { ...DEMOTION, kind: 'kept', measure: 'operator', user: 'anna', beganAt: NOON + 9 } as const
    await story.store.change({ kind: 'decide demotion', demotion: kept, before: NOON })
    expect(await lasting()).toEqual([kept])
    const replaced = { ...DEMOTION, endedAt: NOON + 9, endReason: 'decided otherwise' }
    const all = await story.store.demotions({ endedSince: 0, limit: 9 })
    expect(all).toEqual([kept, replaced])
    expect(await story.store.demotions({ endedSince: NOON + 10, limit: 9 })).toEqual([kept])
    expect(await story.store.demotions({ endedSince: 0, limit: 1 })).toEqual([kept])
    await judge({ ...kept, endedAt: NOON + 20, endReason: 'its time is over' }, NOON + 9)
    expect(await lasting()).toEqual([])
    await story.sweep(NOON + 500 * DAY)
    expect(await story.store.demotions({ endedSince: 0, limit: 9 })).toEqual([])
  })

  it('demotes no carrier that does not exist, or in another channel', async () => {
    await expect(judge({ ...DEMOTION, carrierId: 'gone' }, null)).rejects.toBeInstanceOf(ChangeRefused)
    await expect(judge({ ...DEMOTION, channel: 'call' }, null)).rejects.toBeInstanceOf(ChangeRefused)
  })

  it('keeps rules of all carriers, of one and of a country, until the carrier is removed', async () => {
    const rule: QualityRuleSetting = {
      ...{ carrierId: null, country: null, mode: 'on', floorPercent: 80, dropPercent: null, slowPercent: 40 },
      ...{ tricklePercent: 0, withinSeconds: 60, windowMinutes: null, minMessages: null },
    }
    const own = { ...rule, carrierId: 'acme', mode: null, floorPercent: null }
    const there = { ...own, country: 'DE', slowPercent: 100 }
    const set = (each: QualityRuleSetting) => story.store.change({ kind: 'set quality rule', rule: each })
    await set(rule)
    await set(own)
    await set(there)
    await expect(set({ ...own, carrierId: 'gone' })).rejects.toBeInstanceOf(ChangeRefused)
    await story.reopen()
    expect((await story.store.loadDirectory()).qualityRules).toEqual([rule, own, there])
    await story.store.change({ kind: 'remove carrier', carrierId: 'acme' })
    expect((await story.store.loadDirectory('anew')).qualityRules).toEqual([rule])
    await story.store.change({ kind: 'remove quality rule', rule: { carrierId: null, country: null } })
    await expect(
      story.store.change({ kind: 'remove quality rule', rule: { carrierId: null, country: null } }),
    ).rejects.toThrow(/no such rule/)
  })
}
