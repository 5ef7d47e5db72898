/** Journeys whose carrier reports that the recipient has not written for too long: the step is sent once more. */
import { expect, test } from 'vitest'
import { chain, MINUTE, Story, step, taken } from '../support/journey-story.ts'

function closedOnce(story: Story): Story {
  story.answer([taken('first')])
  story.now += 1_000
  story.receipt('closed', { ref: 'first' })
  return story
}

test('the step is open again in its own lifetime, and charged and counted once', () => {
  const story = closedOnce(new Story([step('chatapp')]))
  expect(story.journey).toMatchObject({ status: 'QUEUED', phase: 'open', step: 0, attempts: 0, dueAt: story.now })
  expect(story.journey.steps).toMatchObject([{ closed: true, detail: 'stat:closed', parts: [{ state: 'open' }] }])
  story.answer([taken('second')])
  story.receipt('delivered', { ref: 'second' })
  expect(story.journey).toMatchObject({ status: 'DELIVERED', deliveredBy: 0 })
  expect(story.book).toEqual(['charge 40'])
  expect(story.turns.flatMap(({ counts }) => counts.filter(({ event }) => event === 'taken'))).toHaveLength(1)
})

test('it is not sent a third time: the chain goes on', () => {
  const story = closedOnce(new Story(chain()))
  story.answer([taken('second')])
  story.receipt('closed', { ref: 'second' })
  expect(story.stepStatuses).toEqual(['REJECTED', 'QUEUED'])
})

test('its lifetime stays the same, and after it the chain goes on', () => {
  const story = closedOnce(new Story(chain()))
  story.wait(MINUTE - 1_000)
  expect(story.stepStatuses).toEqual(['EXPIRED', 'QUEUED'])
  const late = new Story(chain())
  late.answer([taken('first')])
  late.now += MINUTE
  late.receipt('closed', { ref: 'first' })
  expect(late.stepStatuses).toEqual(['REJECTED', 'QUEUED'])
})

test.each(['closed', 'undeliverable', 'expired'] as const)(
  'what was sent before may still be %s, without effect',
  (word) => {
    const story = closedOnce(new Story(chain()))
    story.receipt(word, { ref: 'first' })
    expect(story.journey).toMatchObject({ step: 0, phase: 'open' })
    story.answer([taken('second')])
    story.receipt(word, { ref: 'first' })
    expect(story.journey).toMatchObject({ step: 0, phase: 'carried' })
  },
)

test('it cannot be cancelled any more', () => {
  const story = closedOnce(new Story(chain()))
  expect(story.apply({ kind: 'cancelled', at: story.now })).toBeNull()
})

test('parts that arrived are not sent again', () => {
  const story = new Story([step('sms', { parts: 2 })])
  story.answer([taken('a'), taken('b')])
  story.receipt('delivered', { part: 0, ref: 'a' })
  story.receipt('closed', { part: 1, ref: 'b' })
  expect(story.journey.steps[0]?.parts.map(({ state }) => state)).toEqual(['delivered', 'open'])
})
