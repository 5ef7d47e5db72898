/** Journeys in which news comes twice, out of order or too late. */
import { describe, expect, test } from 'vitest'
import type { Step } from '../../src/domain/message/message.ts'
import { chain, MINUTE, refused, Story, step, taken, unclear } from '../support/journey-story.ts'

describe('news that comes twice or out of order', () => {
  test('read before delivered reports both, delivered first', () => {
    const story = new Story([step('rcs')])
    story.answer([taken()])
    story.receipt('read')
    expect(story.journey).toMatchObject({ status: 'READ', phase: 'ended', deliveredBy: 0 })
    expect(story.stepStatuses).toEqual(['READ'])
    expect(story.reportedStatuses).toEqual(['DELIVERED', 'READ'])
    story.receipt('delivered')
    expect(story.journey.status).toBe('READ')
    expect(story.reportedStatuses).toEqual(['DELIVERED', 'READ'])
    expect(story.timeline).toEqual(['taken 0', 'read 0', 'late 0'])
  })

  test('read after delivered is reported once', () => {
    const story = new Story([step('rcs')])
    story.answer([taken()])
    story.receipt('delivered')
    story.receipt('read')
    story.receipt('read')
    expect(story.reportedStatuses).toEqual(['DELIVERED', 'READ'])
    expect(story.timeline).toEqual(['taken 0', 'delivered 0', 'read 0', 'late 0'])
    expect(story.book).toEqual(['charge 50'])
  })

  test('delivered twice is charged and reported once', () => {
    const story = new Story([step('rcs')])
    story.answer([taken()])
    story.receipt('delivered')
    story.receipt('delivered')
    expect(story.book).toEqual(['charge 50'])
    expect(story.reportedStatuses).toEqual(['DELIVERED'])
  })

  test('the end of a call is noted once, whatever its carrier says after it', () => {
    const story = new Story([step('call')])
    story.answer([taken()])
    story.receipt('accepted')
    story.receipt('answered')
    const { timeline } = story
    story.receipt('answered')
    story.receipt('unanswered')
    expect(timeline.at(-1)).toBe('answered 0')
    expect(story.timeline).toEqual(timeline)
  })

  test('a failure after the delivery does not undo it', () => {
    const story = new Story([step('rcs'), step('sms')])
    story.answer([taken()])
    story.receipt('delivered')
    story.receipt('undeliverable')
    expect(story.journey).toMatchObject({ status: 'DELIVERED', phase: 'ended', step: 0 })
    expect(story.timeline.at(-1)).toBe('late 0')
  })

  test('a second answer of a step that a carrier has is a note, and its ids are kept for receipts', () => {
    const story = new Story([step('sms')])
    story.answer([taken('a')])
    story.answer([taken('b')])
    expect(story.turn?.refs).toEqual([{ carrierId: 'carrier-0', ref: 'b', step: 0, part: 0 }])
    expect(story.turn?.revokes).toEqual([])
    expect(story.timeline).toEqual(['taken 0', 'late 0'])
    expect(story.book).toEqual(['charge 30'])
    story.wait(MINUTE)
    expect(story.turn?.revokes[0]?.refs).toEqual(['a'])
  })

  test('the same news without end is noted five times and then no more, but other news still is', () => {
    const story = new Story([step('rcs')])
    story.answer([taken()])
    for (let each = 0; each < 100; each += 1) story.receipt('accepted')
    story.receipt('delivered')
    for (let each = 0; each < 100; each += 1) story.receipt('delivered')
    for (let each = 0; each < 100; each += 1) story.receipt('undeliverable')
    story.receipt('read')
    const times = (kind: string) => story.timeline.filter((entry) => entry === kind).length
    expect([times('accepted 0'), times('delivered 0'), times('late 0'), times('read 0')]).toEqual([5, 1, 10, 1])
    expect(story.journey).toMatchObject({ status: 'READ', version: 303 })
  })

  test('the same news of different parts is noted for each', () => {
    const story = new Story([step('sms', { parts: 2 })])
    story.answer([taken('a'), taken('b')])
    for (let each = 0; each < 10; each += 1) story.receipt('accepted', { part: 0 })
    story.receipt('accepted', { part: 1 })
    expect(story.timeline).toHaveLength(1 + 5 + 1)
  })

  test('news that changes something is noted, however often it had changed nothing before', () => {
    const story = new Story([step('rcs', { parts: 2 })])
    story.answer([taken('a'), taken('b')])
    for (let each = 0; each < 10; each += 1) story.receipt('read', { part: 0 })
    expect(story.timeline).toHaveLength(1 + 1 + 5)
    story.receipt('delivered', { part: 1 })
    story.receipt('read', { part: 0 })
    expect(story.timeline.slice(-2)).toEqual(['delivered 0', 'read 0'])
    expect(story.journey.status).toBe('READ')
  })

  test('a receipt of a step or a part that was never begun changes nothing', () => {
    const story = new Story(chain())
    expect(story.receipt('delivered', { step: 1 })).toBeNull()
    expect(story.receipt('delivered', { step: 0, part: 1 })).toBeNull()
  })

  test('a lifetime that is over does not touch a message that has ended', () => {
    const story = new Story([step('call')])
    story.answer([taken()])
    expect(story.wait(10 * MINUTE)).toBeNull()
  })
})

describe('a delivery of an earlier step that comes late', () => {
  const expiredRcs = (plan: readonly Step[] = chain()) => {
    const story = new Story(plan)
    story.answer([taken('r-1')])
    story.wait(MINUTE)
    return story
  }

  test('while the next step is open ends the message there, charged for the step that was delivered', () => {
    const story = expiredRcs()
    story.answer([unclear()])
    story.receipt('delivered', { step: 0 })
    expect(story.journey).toMatchObject({ status: 'DELIVERED', phase: 'ended', step: 0, deliveredBy: 0, dueAt: null })
    expect(story.stepStatuses).toEqual(['DELIVERED', 'QUEUED'])
    expect(story.journey.steps[0]?.detail).toBeNull()
    expect(story.turn?.revokes).toEqual([{ step: 1, carrierId: 'carrier-1', refs: [] }])
    expect(story.book).toEqual(['charge 50'])
    expect(story.reports).toMatchObject([{ status: 'DELIVERED', channel: 'rcs' }])
  })

  test('while a carrier has the next step revokes that', () => {
    const story = expiredRcs()
    story.answer([taken('c-1')])
    story.receipt('delivered', { step: 0 })
    expect(story.turn?.revokes).toEqual([{ step: 1, carrierId: 'carrier-1', refs: ['c-1'] }])
    expect(story.book).toEqual(['charge 50'])
    expect(story.reportedStatuses).toEqual(['DELIVERED'])
  })

  test('after the SMS was charged is not charged again', () => {
    const story = expiredRcs([step('rcs'), step('sms')])
    story.answer([taken('s-1')])
    story.receipt('delivered', { step: 0 })
    expect(story.book).toEqual(['charge 30', 'release 20'])
    expect(story.reports).toMatchObject([{ status: 'DELIVERED', channel: 'rcs', price: 0.00003 }])
  })

  test('after an SMS that costs nothing was taken is not charged either: its hold is gone', () => {
    const story = expiredRcs([step('rcs'), step('sms', { priceMicros: 0 })])
    story.answer([taken('s-1')])
    expect(story.book).toEqual(['release 50'])
    story.receipt('delivered', { step: 0 })
    expect(story.journey).toMatchObject({ status: 'DELIVERED', heldMicros: 0, chargedMicros: 0 })
    expect(story.book).toEqual(['release 50'])
  })

  test('after the message has ended is only a note', () => {
    const story = expiredRcs([step('rcs'), step('sms')])
    story.answer([refused()])
    story.receipt('delivered', { step: 0 })
    expect(story.journey).toMatchObject({ status: 'UNDELIVERABLE', phase: 'ended' })
    expect(story.timeline.at(-1)).toBe('late 0')
    expect(story.book).toEqual(['release 50'])
    expect(story.reportedStatuses).toEqual(['UNDELIVERABLE'])
  })

  test('as read is reported as delivered and as read', () => {
    const story = expiredRcs()
    story.receipt('read', { step: 0 })
    expect(story.reportedStatuses).toEqual(['DELIVERED', 'READ'])
  })

  test('after another step has delivered is only a note, read or not', () => {
    const story = expiredRcs()
    story.answer([taken()])
    story.receipt('delivered')
    story.receipt('read', { step: 0 })
    expect(story.journey).toMatchObject({ status: 'DELIVERED', deliveredBy: 1 })
    expect(story.timeline.at(-1)).toBe('late 0')
    expect(story.reportedStatuses).toEqual(['DELIVERED'])
  })
})

describe('an answer that comes after the message has moved on', () => {
  test('keeps its ids, is revoked so that the recipient does not get the message twice, and leaves the current step alone', () => {
    const story = new Story(chain())
    story.wait(MINUTE)
    const before = story.journey
    story.answer([taken('r-1')], { step: 0 })
    expect(story.turn?.refs).toEqual([{ carrierId: 'carrier-0', ref: 'r-1', step: 0, part: 0 }])
    expect(story.turn?.revokes).toEqual([{ step: 0, carrierId: 'carrier-0', refs: ['r-1'] }])
    expect(story.turn?.timeline).toMatchObject([{ kind: 'late', step: 0 }])
    expect(story.journey).toMatchObject({ step: 1, attempts: before.attempts, dueAt: before.dueAt, phase: 'open' })

    story.receipt('delivered', { step: 0 })
    expect(story.journey).toMatchObject({ status: 'DELIVERED', deliveredBy: 0 })
  })

  test('is revoked after the end as well, and never charged', () => {
    const story = new Story([step('sms')])
    story.wait(MINUTE)
    story.answer([taken('s-1')], { step: 0 })
    expect(story.turn?.revokes).toEqual([{ step: 0, carrierId: 'carrier-0', refs: ['s-1'] }])
    expect(story.book).toEqual(['release 30'])
    expect(story.reportedStatuses).toEqual(['EXPIRED'])
  })

  test('counts for a message whose answer was lost, if the carrier names it by our id', () => {
    const lost = { ...unclear(), ref: 'ours' } as const
    const story = new Story([step('rcs'), step('sms')])
    story.answer([lost])
    expect(story.turn?.refs).toEqual([{ carrierId: 'carrier-0', ref: 'ours', step: 0, part: 0 }])
    story.receipt('delivered', { ref: 'ours' })
    expect(story.journey).toMatchObject({ status: 'DELIVERED', deliveredBy: 0 })
    expect(story.book).toEqual(['charge 50'])

    const later = new Story([step('rcs'), step('sms')])
    later.answer([lost])
    later.wait(MINUTE)
    later.answer([taken('s-1')])
    later.receipt('delivered', { step: 0, ref: 'ours' })
    expect(later.turn?.revokes).toEqual([{ step: 1, carrierId: 'carrier-1', refs: ['s-1'] }])
    expect(later.stepStatuses[0]).toBe('DELIVERED')
  })

  test('has nothing to revoke when the carrier did not take it', () => {
    const story = new Story(chain())
    story.wait(MINUTE)
    story.answer([refused()], { step: 0 })
    expect(story.turn?.revokes).toEqual([])
    expect(story.stepStatuses).toEqual(['EXPIRED', 'QUEUED'])
  })

  test('is not revoked when the step itself was delivered', () => {
    const story = new Story([step('rcs')])
    story.answer([taken('a')])
    story.receipt('delivered')
    story.answer([taken('a')])
    expect(story.turn?.revokes).toEqual([])
  })
})
