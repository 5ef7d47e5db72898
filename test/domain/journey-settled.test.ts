/** Journeys of which no receipt came: an operator has the step sent again, or ends the message. */
import { expect, test } from 'vitest'
import { chain, MINUTE, Story, step, taken } from '../support/journey-story.ts'

function settled(story: Story, by: 'send again' | 'end'): Story {
  story.answer([taken('first')])
  story.now += 1_000
  story.apply({ kind: 'settled', at: story.now, by })
  return story
}

test('sent again, the step is open again in its own lifetime, and charged and counted once', () => {
  const story = settled(new Story([step('sms')]), 'send again')
  expect(story.journey).toMatchObject({ status: 'QUEUED', phase: 'open', step: 0, attempts: 0, dueAt: story.now })
  const charged = [...story.book]
  story.answer([taken('second')])
  story.receipt('delivered', { ref: 'second' })
  expect(story.journey).toMatchObject({ status: 'DELIVERED', deliveredBy: 0 })
  expect(story.book).toEqual(charged)
  expect(story.turns.flatMap(({ counts }) => counts.filter(({ event }) => event === 'taken'))).toHaveLength(1)
})

test('sent again, a delivery of what was sent before ends the message, and its failure changes nothing', () => {
  const arrived = settled(new Story(chain()), 'send again')
  arrived.receipt('delivered', { ref: 'first' })
  expect(arrived.journey).toMatchObject({ status: 'DELIVERED', phase: 'ended' })
  for (const outcome of ['undeliverable', 'expired', 'rejected'] as const) {
    const failed = settled(new Story(chain()), 'send again')
    failed.answer([taken('second')])
    failed.receipt(outcome, { ref: 'first' })
    expect(failed.journey).toMatchObject({ step: 0, phase: 'carried' })
  }
})

test('sent again, parts that arrived are not repeated, and nothing can be cancelled', () => {
  const story = new Story([step('sms', { parts: 2 })])
  story.answer([taken('a'), taken('b')])
  story.receipt('delivered', { part: 0, ref: 'a' })
  story.apply({ kind: 'settled', at: story.now, by: 'send again' })
  expect(story.journey.steps[0]?.parts.map(({ state }) => state)).toEqual(['delivered', 'open'])
  expect(story.apply({ kind: 'cancelled', at: story.now })).toBeNull()
})

test('set to be sent again, it can be ended until a carrier is asked, and is not opened twice', () => {
  const story = settled(new Story([step('sms')]), 'send again')
  const charged = story.journey.chargedMicros
  expect(story.apply({ kind: 'settled', at: story.now, by: 'send again' })).toBeNull()
  story.apply({ kind: 'settled', at: story.now, by: 'end' })
  expect(story.journey).toMatchObject({ status: 'UNKNOWN', phase: 'ended', heldMicros: 0, chargedMicros: charged })
  const asked = settled(new Story([step('sms')]), 'send again')
  asked.answer([{ kind: 'unclear', reason: 'no answer' }])
  expect(asked.apply({ kind: 'settled', at: asked.now, by: 'end' })).toBeNull()
})

test('ended, the message is UNKNOWN, its hold is released, and no other channel follows', () => {
  const story = settled(new Story(chain()), 'end')
  expect(story.journey).toMatchObject({ status: 'UNKNOWN', phase: 'ended', heldMicros: 0, chargedMicros: 0 })
  expect(story.stepStatuses).toEqual(['UNKNOWN'])
  expect(story.apply({ kind: 'settled', at: story.now, by: 'end' })).toBeNull()
})

test('nothing is settled that no carrier has, that was delivered, or whose lifetime is over', () => {
  const waiting = new Story(chain())
  expect(waiting.apply({ kind: 'settled', at: waiting.now, by: 'end' })).toBeNull()
  const delivered = new Story(chain())
  delivered.answer([taken('first')])
  delivered.receipt('delivered', { ref: 'first' })
  expect(delivered.apply({ kind: 'settled', at: delivered.now, by: 'send again' })).toBeNull()
  const late = new Story(chain())
  late.answer([taken('first')])
  late.now += MINUTE
  expect(late.apply({ kind: 'settled', at: late.now, by: 'send again' })).toBeNull()
})
