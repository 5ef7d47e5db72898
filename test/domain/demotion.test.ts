/** The order of carriers while some are demoted, and what turns add to the counts by which they are judged. */
import { describe, expect, test } from 'vitest'
import type { MessageId } from '../../src/domain/ids/message-id.ts'
import { type Demotion, Demotions } from '../../src/domain/routing/demotion.ts'

const DEMOTION: Demotion = {
  ...{ channel: 'sms', carrierId: 'acme', country: 'DE', operator: null, beganAt: 1, endedAt: null, kind: 'demoted' },
  ...{ measure: 'delivery', reason: '48 %', endReason: null, trickle: 0.02, user: null, until: 2 },
}
const CARRIERS = ['acme', 'other', 'third']
const AWAY = ['other', 'third', 'acme']

function to(change: object = {}) {
  return { channel: 'sms', country: 'DE', operator: '26201', isCode: false, id: 64 as MessageId, ...change } as const
}

function order(demotions: readonly Demotion[], change: object = {}) {
  return new Demotions(demotions).order(CARRIERS, to(change))
}

describe('a demoted carrier', () => {
  test('comes last in its country, for all operators, and nowhere else', () => {
    expect(order([DEMOTION])).toEqual(AWAY)
    expect(order([DEMOTION], { operator: null })).toEqual(AWAY)
    for (const elsewhere of [{ country: 'AT' }, { country: null }, { channel: 'rcs' }]) {
      expect(order([DEMOTION], elsewhere)).toEqual(CARRIERS)
    }
  })

  test('of one operator comes last for that one alone', () => {
    const ofOperator = { ...DEMOTION, operator: '26201' }
    expect(order([ofOperator])).toEqual(AWAY)
    expect(order([ofOperator], { operator: '26202' })).toEqual(CARRIERS)
    expect(order([ofOperator], { operator: null })).toEqual(CARRIERS)
  })

  test('stays where it is if an operator keeps it for a network, or while it is only observed', () => {
    expect(order([DEMOTION, { ...DEMOTION, operator: '26201', kind: 'kept' }])).toEqual(CARRIERS)
    const observed = new Demotions([{ ...DEMOTION, kind: 'observed' }])
    expect([observed.isEmpty, observed.order(CARRIERS, to())]).toEqual([true, CARRIERS])
  })

  test('changes nothing if all are demoted', () => {
    expect(order(CARRIERS.map((carrierId) => ({ ...DEMOTION, carrierId })))).toEqual(CARRIERS)
  })

  test('is tested by its trickle, always by the same messages, and by none with a code', () => {
    const ids = Array.from({ length: 20_000 }, (_, index) => (1_000_003 + index * 64) as MessageId)
    const isFirst = (id: MessageId, isCode: boolean) => order([DEMOTION], { id, isCode })[0] === 'acme'
    const tested = ids.filter((id) => isFirst(id, false))
    expect(tested.length / ids.length).toBeGreaterThan(0.015)
    expect(tested.length / ids.length).toBeLessThan(0.025)
    expect(tested.every((id) => isFirst(id, false))).toBe(true)
    expect(ids.some((id) => isFirst(id, true))).toBe(false)
  })
})
