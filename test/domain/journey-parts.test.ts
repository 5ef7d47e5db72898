/** Journeys of texts of several parts, each of which has its own news. */
import { describe, expect, test } from 'vitest'
import { BEGINNING as START } from '../support/build-message.ts'
import { MINUTE, refused, Story, slow, step, taken, unclear } from '../support/journey-story.ts'

describe('an SMS of several parts', () => {
  const long = () => new Story([step('sms', { parts: 3, priceMicros: 90 })])

  test('is carried and charged only when the last part is taken; taken ones are not asked again', () => {
    const story = long()
    story.answer([taken('a'), unclear(), taken('c')])
    expect(story.journey).toMatchObject({ phase: 'open', dueAt: START + 1_000 })
    expect(story.journey.steps[0]?.parts.map((part) => part.state)).toEqual(['taken', 'open', 'taken'])
    expect(story.book).toEqual([])

    story.answer([{ ...taken('b'), part: 1 }])
    expect(story.journey.phase).toBe('carried')
    expect(story.book).toEqual(['charge 90'])
    expect(story.turns.flatMap((turn) => turn.refs.map((ref) => `${ref.ref} ${ref.part}`))).toEqual([
      'a 0',
      'c 2',
      'b 1',
    ])
  })

  test('is delivered when all of its parts are', () => {
    const story = long()
    story.answer([taken('a'), taken('b'), taken('c')])
    story.receipt('delivered', { part: 2 })
    story.receipt('delivered', { part: 0 })
    expect(story.reports).toEqual([])
    story.receipt('delivered', { part: 1 })
    expect(story.journey).toMatchObject({ status: 'DELIVERED', phase: 'ended' })
    expect(story.reports).toMatchObject([{ status: 'DELIVERED', parts: 3 }])
  })

  test('that a carrier took as one message is delivered by the one receipt under that id', () => {
    const story = long()
    story.answer([taken('whole'), taken('whole'), taken('rest')])
    story.receipt('delivered', { part: 1 })
    expect(story.journey.steps[0]?.parts.map((part) => part.state)).toEqual(['delivered', 'delivered', 'taken'])
    expect(story.journey.phase).toBe('carried')
    story.receipt('delivered', { part: 0 })
    expect(story.timeline).toEqual(['taken 0', 'delivered 0', 'late 0'])
    story.receipt('delivered', { part: 2 })
    expect(story.journey).toMatchObject({ status: 'DELIVERED', phase: 'ended' })
  })

  test('fails when one part does, and is over then', () => {
    const story = long()
    story.answer([taken('a'), taken('b'), taken('c')])
    story.receipt('delivered', { part: 0 })
    story.receipt('undeliverable', { part: 1 })
    story.receipt('delivered', { part: 2 })
    expect(story.journey).toMatchObject({ status: 'UNDELIVERABLE', phase: 'ended' })
    expect(story.timeline.slice(1)).toEqual(['delivered 0', 'failed 0', 'late 0'])
    expect(story.reportedStatuses).toEqual(['UNDELIVERABLE'])
  })

  test('does not fail by a part that was delivered before', () => {
    const story = long()
    story.answer([taken('a'), taken('b'), taken('c')])
    story.receipt('delivered', { part: 0 })
    story.receipt('expired', { part: 0 })
    expect(story.timeline.at(-1)).toBe('late 0')
    expect(story.journey.phase).toBe('carried')
  })

  test('fails when one part is refused, and is not charged', () => {
    const story = long()
    story.answer([taken('a'), refused('REJECTED'), unclear()])
    expect(story.journey).toMatchObject({ status: 'REJECTED', phase: 'ended' })
    expect(story.book).toEqual(['release 90'])
  })

  test('waits for the slowest part', () => {
    const story = long()
    story.answer([unclear(), slow(30_000), taken()])
    expect(story.journey.dueAt).toBe(START + 30_000)
  })

  test('whose first part is delivered before the rest is taken is charged when the rest is', () => {
    const story = long()
    story.answer([taken('a'), unclear(), unclear()])
    story.receipt('delivered', { part: 0 })
    expect(story.journey.phase).toBe('open')
    story.answer([
      { ...taken('b'), part: 1 },
      { ...taken('c'), part: 2 },
    ])
    expect(story.journey.phase).toBe('carried')
    expect(story.book).toEqual(['charge 90'])
  })

  test('is judged only by the parts that are still open when two answers cross', () => {
    const story = long()
    story.answer([taken('a'), unclear(), taken('c')])
    // A second node had asked for all three, before it could know of the first answer.
    story.answer([refused(), taken('b'), unclear()])
    expect(story.journey).toMatchObject({ phase: 'carried', status: 'ACCEPTED' })
    expect(story.book).toEqual(['charge 90'])
  })

  test('is revoked with the ids of the parts that are with the carrier and not delivered', () => {
    const story = long()
    story.answer([taken('a'), taken('b'), unclear()])
    story.receipt('delivered', { part: 0 })
    story.wait(MINUTE)
    expect(story.turn?.revokes).toEqual([{ step: 0, carrierId: 'carrier-0', refs: ['b'] }])
  })
})
