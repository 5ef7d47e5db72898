/** Journeys as stories: one step, steps that fail or are tried again, and what is reported. */
import { describe, expect, test } from 'vitest'
import { waitAfter } from '../../src/domain/journey/wait-asked.ts'
import { BEGINNING as START } from '../support/build-message.ts'
import { chain, MINUTE, refused, Story, slow, step, taken, unclear, unreachable } from '../support/journey-story.ts'

describe('a message of one step', () => {
  test('is open and due at once when it is accepted, with the dearest price held', () => {
    const { journey } = new Story(chain())
    expect(journey).toMatchObject({
      version: 0,
      status: 'QUEUED',
      phase: 'open',
      step: 0,
      dueAt: START,
      deadlineAt: START + MINUTE,
      heldMicros: 50,
      chargedMicros: 0,
    })
  })

  test('by RCS is charged once it is delivered, not before', () => {
    const story = new Story([step('rcs')])
    story.answer([taken('r-1')])
    expect(story.turn?.refs).toEqual([{ carrierId: 'carrier-0', ref: 'r-1', step: 0, part: 0 }])
    expect(story.journey).toMatchObject({ status: 'ACCEPTED', phase: 'carried', dueAt: START + MINUTE, heldMicros: 50 })
    expect(story.book).toEqual([])
    expect(story.reports).toEqual([])

    story.receipt('delivered')
    expect(story.journey).toMatchObject({ status: 'DELIVERED', phase: 'ended', dueAt: null, deliveredBy: 0 })
    expect(story.book).toEqual(['charge 50'])
    expect(story.reports).toMatchObject([{ status: 'DELIVERED', channel: 'rcs', error: null }])
  })

  test('says of its step when it came to its status, and forgets why it was not there before', () => {
    const story = new Story([step('rcs')])
    story.now += 1_000
    story.answer([unclear()])
    expect(story.journey.steps[0]).toMatchObject({ status: 'QUEUED', at: START, detail: 'no answer' })
    story.now += 1_000
    story.answer([taken()])
    expect(story.journey.steps[0]).toMatchObject({ status: 'ACCEPTED', at: START + 2_000, detail: null })
    story.now += 1_000
    story.receipt('delivered')
    expect(story.journey.steps[0]).toMatchObject({ status: 'DELIVERED', at: START + 3_000, detail: null })
  })

  test('by SMS is charged once the carrier takes it, and stays charged when it is not delivered', () => {
    const story = new Story([step('sms')])
    story.answer([taken()])
    expect(story.book).toEqual(['charge 30'])
    expect(story.journey).toMatchObject({ phase: 'carried', heldMicros: 0, chargedMicros: 30 })

    story.receipt('undeliverable')
    expect(story.book).toEqual(['charge 30'])
    expect(story.reports).toMatchObject([{ status: 'UNDELIVERABLE', price: 0.00003, error: 'stat:undeliverable' }])
  })

  test('by a call is delivered and charged when the phone rings', () => {
    const story = new Story([step('call')])
    story.answer([taken()])
    expect(story.journey).toMatchObject({ status: 'DELIVERED', phase: 'ended' })
    expect(story.book).toEqual(['charge 20'])
    expect(story.timeline).toEqual(['taken 0'])
    expect(story.reportedStatuses).toEqual(['DELIVERED'])
  })

  test.each([
    ['unclear', 'UNKNOWN'],
    ['unreachable', 'UNDELIVERABLE'],
  ] as const)('by a call that is %s with no other carrier left fails at once, and costs nothing', (kind, status) => {
    const story = new Story([step('call')])
    story.answer([{ kind, reason: 'no luck' }])
    expect(story.journey).toMatchObject({ status, phase: 'ended', attempts: 1, heldMicros: 0, chargedMicros: 0 })
    expect(story.book).toEqual(['release 20'])
    expect(story.reports).toMatchObject([{ status, error: 'no luck' }])
  })

  test.each(['unreachable', 'slow'] as const)('by a call that is %s goes to the next carrier at once', (kind) => {
    const story = new Story([step('call')])
    story.answer([kind === 'slow' ? slow() : unreachable()], { anotherLeft: true })
    expect(story.journey).toMatchObject({ phase: 'open', dueAt: START })
    expect(story.journey.steps[0]?.tried).toEqual(['carrier-0'])
  })

  test('by a call waits only for a carrier without a free line', () => {
    const story = new Story([step('call')])
    story.answer([slow()])
    expect(story.journey).toMatchObject({ phase: 'open', status: 'QUEUED' })
    expect(story.journey.dueAt).toBeGreaterThan(START)
  })

  test('by a call is not called again when one carrier may have rung the phone', () => {
    const story = new Story([step('call')])
    story.answer([unclear()], { anotherLeft: true })
    expect(story.journey).toMatchObject({ status: 'UNKNOWN', phase: 'ended' })
  })

  test('that has no route ends so, and costs nothing', () => {
    const story = new Story([step('sms')])
    story.apply({ kind: 'unroutable', at: START, step: 0, reason: 'no route to this number' })
    expect(story.journey).toMatchObject({ status: 'NO ROUTE', phase: 'ended' })
    expect(story.book).toEqual(['release 30'])
    expect(story.reports).toMatchObject([{ status: 'NO ROUTE', error: 'no route to this number' }])
  })

  test.each([
    ['expired', 'EXPIRED'],
    ['undeliverable', 'UNDELIVERABLE'],
    ['rejected', 'REJECTED'],
    ['unknown', 'UNKNOWN'],
  ] as const)('whose receipt says %s ends as %s', (outcome, status) => {
    const story = new Story([step('rcs')])
    story.answer([taken()])
    story.receipt(outcome)
    expect(story.journey).toMatchObject({ status, phase: 'ended', dueAt: null })
    expect(story.book).toEqual(['release 50'])
    expect(story.reportedStatuses).toEqual([status])
  })

  test('changes nothing on news that it is on its way, but keeps it on the timeline', () => {
    const story = new Story([step('sms')])
    story.answer([taken()])
    const before = story.journey
    story.receipt('accepted')
    expect(story.journey).toMatchObject({ ...before, version: before.version + 1 })
    expect(story.timeline).toEqual(['taken 0', 'accepted 0'])
  })
})

describe('a step that fails', () => {
  test('by refusal opens the next one at once, with a lifetime of its own', () => {
    const story = new Story(chain())
    story.now += 5_000
    story.answer([refused()])
    expect(story.journey).toMatchObject({
      status: 'QUEUED',
      phase: 'open',
      step: 1,
      attempts: 0,
      dueAt: START + 5_000,
      deadlineAt: START + 5_000 + MINUTE,
      heldMicros: 50,
    })
    expect(story.stepStatuses).toEqual(['UNDELIVERABLE', 'QUEUED'])
    expect(story.turn?.revokes).toEqual([])
    expect(story.reports).toEqual([])
  })

  test('by an undeliverable receipt opens the next one; the end releases what the dearest step held', () => {
    const story = new Story(chain())
    story.answer([taken()])
    story.receipt('undeliverable')
    story.answer([refused('REJECTED')])
    story.answer([taken()])
    expect(story.book).toEqual(['charge 30', 'release 20'])
    story.receipt('delivered')
    expect(story.book).toEqual(['charge 30', 'release 20'])
    expect(story.reports).toHaveLength(1)
    expect(story.reports[0]).toMatchObject({
      status: 'DELIVERED',
      channel: 'sms',
      steps: [
        { channel: 'rcs', status: 'UNDELIVERABLE' },
        { channel: 'chatapp', status: 'REJECTED' },
        { channel: 'sms', status: 'DELIVERED' },
      ],
    })
  })

  test('by its lifetime is revoked with the carrier that has it, and the next one opens', () => {
    const story = new Story(chain())
    story.answer([taken('r-1')])
    expect(story.wait(MINUTE - 1)).toBeNull()
    story.wait(1)
    expect(story.turn?.revokes).toEqual([{ step: 0, carrierId: 'carrier-0', refs: ['r-1'] }])
    expect(story.stepStatuses).toEqual(['EXPIRED', 'QUEUED'])
    expect(story.journey).toMatchObject({ step: 1, phase: 'open', dueAt: START + MINUTE })
    expect(story.timeline).toEqual(['taken 0', 'expired 0'])

    story.apply({ kind: 'revoked', at: story.now, step: 0, carrierId: 'carrier-0', detail: 'HTTP 200' })
    expect(story.timeline.at(-1)).toBe('revoked 0')
    expect(story.journey).toMatchObject({ step: 1, phase: 'open' })
  })

  test('before any carrier was tried has nothing to revoke', () => {
    const story = new Story(chain())
    story.wait(MINUTE)
    expect(story.turn?.revokes).toEqual([])
    expect(story.journey.step).toBe(1)
  })

  test('as the last one ends the message, released in full', () => {
    const story = new Story(chain())
    for (let each = 0; each < 3; each += 1) story.answer([refused()])
    expect(story.journey).toMatchObject({ status: 'UNDELIVERABLE', phase: 'ended', step: 2, heldMicros: 0 })
    expect(story.book).toEqual(['release 50'])
    expect(story.reports).toMatchObject([{ status: 'UNDELIVERABLE', channel: 'sms', error: 'no such subscriber' }])
  })

  test('by having no route opens the next one, but only while it is open', () => {
    const story = new Story(chain())
    story.apply({ kind: 'unroutable', at: START, step: 0, reason: 'none' })
    expect(story.journey.step).toBe(1)
    expect(story.apply({ kind: 'unroutable', at: START, step: 0, reason: 'none' })).toBeNull()
    story.answer([taken()])
    expect(story.apply({ kind: 'unroutable', at: START, step: 1, reason: 'none' })).toBeNull()
  })
})

describe('a step that is tried again', () => {
  test('after answers that say nothing waits twice as long each time, five minutes at most', () => {
    const story = new Story([step('sms', { lifetimeSeconds: 86_400 })])
    const waits: number[] = []
    for (let each = 0; each < 11; each += 1) {
      story.answer([unclear()])
      waits.push((story.journey.dueAt ?? 0) - story.now)
      story.now = story.journey.dueAt ?? 0
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300].map((seconds) => seconds * 1_000))
    expect(story.journey).toMatchObject({ phase: 'open', status: 'QUEUED', attempts: 11 })
    expect(story.book).toEqual([])
  })

  test('waits up to a fifth less, so that messages do not come back in step', () => {
    expect(waitAfter(1, 0)).toBe(1_000)
    expect(waitAfter(1, 0.5)).toBe(900)
    expect(waitAfter(5_000, 0.999)).toBeGreaterThanOrEqual(240_000)
  })

  test('never waits beyond its lifetime, and expires with the last reason when that is over', () => {
    const story = new Story([step('sms')])
    story.now += MINUTE - 10
    story.answer([unclear()])
    expect(story.journey.dueAt).toBe(START + MINUTE)
    story.wait(10)
    expect(story.journey).toMatchObject({ status: 'EXPIRED', phase: 'ended' })
    expect(story.reports).toMatchObject([{ status: 'EXPIRED', error: 'no answer' }])
    // The carrier may have it after all: it is asked to forget it, without an id to name it by.
    expect(story.turn?.revokes).toEqual([{ step: 0, carrierId: 'carrier-0', refs: [] }])
  })

  test('waits as long as a slow carrier asks', () => {
    const story = new Story([step('sms')])
    story.answer([slow(17_000)])
    expect(story.journey.dueAt).toBe(START + 17_000)
    story.answer([slow(null)])
    expect(story.journey.dueAt).toBe(START + 2_000)
  })

  test('waits a second when a slow carrier asks for less, so that tries never race', () => {
    const story = new Story([step('sms')])
    story.answer([slow(0)])
    expect(story.journey.dueAt).toBe(START + 1_000)
  })

  test('counts its attempts anew in the next step', () => {
    const story = new Story(chain())
    story.answer([unclear()])
    story.answer([refused()])
    story.answer([unclear()])
    expect(story.journey).toMatchObject({ step: 1, attempts: 1, dueAt: START + 1_000 })
  })
})

describe('a carrier that cannot be reached', () => {
  const steps = (story: Story) => story.journey.steps[0]

  test('gives the step to the next carrier at once, and only a full round makes it wait', () => {
    const story = new Story([step('sms')])
    story.answer([unreachable()], { carrierId: 'a', anotherLeft: true })
    expect(story.journey).toMatchObject({ phase: 'open', attempts: 1, dueAt: START })
    expect(steps(story)).toMatchObject({ carrierId: null, tried: ['a'], detail: 'connection refused' })
    expect(story.timeline.at(-1)).toBe('unreachable 0')
    story.answer([unreachable()], { carrierId: 'b', anotherLeft: false })
    expect(story.journey.dueAt).toBe(START + waitAfter(2, 0))
    expect(steps(story)).not.toHaveProperty('tried')
    story.now += waitAfter(2, 0)
    story.answer([taken('x')], { carrierId: 'a' })
    expect(steps(story)).toMatchObject({ status: 'ACCEPTED', carrierId: 'a', detail: null })
  })

  test('does not loop if every answer says that another carrier is left', () => {
    const story = new Story([step('sms')])
    story.answer([unreachable()], { carrierId: 'a', anotherLeft: true })
    story.answer([unreachable()], { carrierId: 'a', anotherLeft: true })
    expect(story.journey.dueAt).toBeGreaterThan(START)
  })

  test('no more than one that asks to slow down, unless it may have the message', () => {
    const story = new Story([step('sms')])
    story.answer([slow(17_000)], { carrierId: 'a', anotherLeft: true })
    expect(story.journey).toMatchObject({ phase: 'open', dueAt: START })
    expect(steps(story)).toMatchObject({ tried: ['a'] })
    const uncertain = new Story([step('sms')])
    uncertain.answer([unclear()], { carrierId: 'a' })
    uncertain.answer([slow(17_000)], { carrierId: 'a', anotherLeft: true })
    expect(uncertain.journey.dueAt).toBe(START + 17_000)
    expect(steps(uncertain)).not.toHaveProperty('tried')
  })

  test('has no effect beside a part with an unclear answer', () => {
    const story = new Story([step('sms', { parts: 2 })])
    story.answer([unreachable(), unclear()], { carrierId: 'a', anotherLeft: true })
    expect(story.journey.dueAt).toBe(START + waitAfter(1, 0))
    expect(steps(story)).toMatchObject({ carrierId: 'a' })
  })

  test('keeps the parts that it took: the others wait for it, and each is revoked where it is', () => {
    const story = new Story([step('sms', { parts: 3 })])
    story.answer([taken('a-1'), unreachable(), unreachable()], { carrierId: 'a', anotherLeft: true })
    expect(story.journey.dueAt).toBe(START + waitAfter(1, 0))
    expect(steps(story)).not.toHaveProperty('tried')
    // Its carrier was drained.
    story.answer(
      [
        { ...taken('b-2'), part: 1 },
        { ...unclear(), part: 2 },
      ],
      { carrierId: 'b' },
    )
    expect(steps(story)?.parts).toEqual([
      { state: 'taken', ref: 'a-1', carrierId: 'a' },
      { state: 'taken', ref: 'b-2' },
      { state: 'open', ref: null },
    ])
    story.wait(MINUTE)
    expect(story.turn?.revokes).toEqual([
      { step: 0, carrierId: 'b', refs: ['b-2'] },
      { step: 0, carrierId: 'a', refs: ['a-1'] },
    ])
  })

  test('has nothing to revoke when the message has moved on', () => {
    const story = new Story(chain())
    story.wait(MINUTE)
    story.answer([unreachable()], { step: 0, carrierId: 'a' })
    expect(story.timeline.at(-1)).toBe('late 0')
    expect(story.turn?.revokes).toEqual([])
  })
})

describe('reports', () => {
  test('of the steps between are made when the account wants them', () => {
    const story = new Story(chain(), { reportSteps: true })
    story.answer([refused()])
    story.answer([taken()])
    story.wait(MINUTE)
    story.answer([taken()])
    story.receipt('delivered')
    expect(story.reports.map((report) => `${report['channel']} ${report['status']}`)).toEqual([
      'chatapp QUEUED',
      'chatapp ACCEPTED',
      'sms QUEUED',
      'sms ACCEPTED',
      'sms DELIVERED',
    ])
    expect(story.turns.flatMap((turn) => turn.reports.map((report) => report.number))).toEqual([0, 1, 2, 3, 4])
    expect(story.journey.reports).toBe(5)
  })

  test('are not made without a hook', () => {
    const story = new Story([step('rcs')], { hook: null, reportSteps: true })
    story.answer([taken()])
    story.receipt('read')
    story.apply({ kind: 'clicked', at: START, url: 'https://shop.example/', code: 'abc' })
    expect(story.reports).toEqual([])
    expect(story.journey.reports).toBe(0)
    expect(story.timeline).toEqual(['taken 0', 'read 0', 'clicked 0'])
  })

  test('of clicks are made at any time, the end included', () => {
    const story = new Story([step('rcs')])
    story.answer([taken()])
    story.receipt('delivered')
    story.apply({ kind: 'clicked', at: START + 7, url: 'https://shop.example/?a=b', code: 'abc' })
    expect(story.reports.at(-1)).toEqual({
      type: 'link.clicked',
      timestamp: '2026-01-01T00:00:00.007Z',
      id: 12,
      msg_id: story.message.id,
      phone: 4915112345678,
      url: 'https://shop.example/?a=b',
      code: 'abc',
    })
    expect(story.turn?.reports[0]?.number).toBe(1)
    expect(story.journey).toMatchObject({ status: 'DELIVERED', phase: 'ended', dueAt: null })
  })
})
