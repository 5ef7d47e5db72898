/** Steps that guards do not let through: passed over, or made to wait. */
import { describe, expect, test } from 'vitest'
import { advance } from '../../src/domain/journey/journey.ts'
import type { Turn } from '../../src/domain/journey/turn.ts'
import type { JourneyEvent } from '../../src/domain/message/journey-event.ts'
import type { Message } from '../../src/domain/message/message.ts'
import { BEGINNING, buildMessage, buildPlan } from '../support/build-message.ts'
import { taken, unclear } from '../support/make-turn.ts'

const HOUR = 3_600_000

function filtered(message: Message, ...blocked: readonly number[]): Turn {
  const { step } = message.journey
  return turn(message, { kind: 'filtered', at: BEGINNING + 1_000, step, blocked, reason: 'opted out' })
}

function postponed(message: Message, at: number, until: number): Turn {
  return turn(message, { kind: 'postponed', at, step: message.journey.step, until, reason: 'quiet hours', rules: 'r' })
}

function turn(message: Message, event: JourneyEvent): Turn {
  const made = advance(message, event)
  if (made === null) throw new Error(`nothing came of ${event.kind}`)
  return made
}

const chain = () => buildMessage({ plan: buildPlan('rcs', 'chatapp', 'sms') })

describe('a step that is filtered', () => {
  test('ends a message of one step: nothing is charged, all is released, a report is made', () => {
    const { message, postings, reports, timeline, revokes } = filtered(buildMessage(), 0)
    expect(message.journey).toMatchObject({ phase: 'ended', status: 'FILTERED', dueAt: null, chargedMicros: 0 })
    expect(postings).toMatchObject([{ kind: 'release', amountMicros: 50_000 }])
    expect(reports.map(({ body }) => JSON.parse(body))).toMatchObject([
      { status: 'FILTERED', channel: 'sms', price: 0, error: 'opted out', steps: [{ status: 'FILTERED' }] },
    ])
    expect(timeline).toMatchObject([{ kind: 'filtered', step: 0, detail: 'opted out' }])
    expect(revokes).toEqual([])
  })

  test('opens the next that is not blocked, in one turn', () => {
    const { message, timeline, postings } = filtered(chain(), 0, 1)
    expect(message.journey).toMatchObject({ phase: 'open', status: 'QUEUED', step: 2, dueAt: BEGINNING + 1_000 })
    expect(message.journey.steps.map(({ status }) => status)).toEqual(['FILTERED', 'FILTERED', 'QUEUED'])
    expect(timeline.map(({ step }) => step)).toEqual([0, 1])
    expect(postings).toEqual([])
  })

  test('does not pass over a later one behind one that may be tried', () => {
    const { message } = filtered(chain(), 0, 2)
    expect(message.journey).toMatchObject({ step: 1, phase: 'open' })
  })

  test('ends the message with the last of them', () => {
    const { message, reports } = filtered(chain(), 0, 1, 2)
    expect(message.journey).toMatchObject({ phase: 'ended', status: 'FILTERED', step: 2, heldMicros: 0 })
    expect(reports).toHaveLength(1)
  })

  test('is revoked with the carrier that may have it', () => {
    expect(filtered(unclear(chain()).message, 0).revokes).toEqual([{ step: 0, carrierId: 'carrier-1', refs: [] }])
  })

  test('changes nothing where another step is under way, or none, or a carrier has it', () => {
    const event = { kind: 'filtered', at: BEGINNING, step: 0, reason: 'opted out' } as const
    expect(advance(chain(), { ...event, blocked: [1, 2] })).toBeNull()
    expect(advance(chain(), { ...event, step: 1, blocked: [1] })).toBeNull()
    expect(advance(taken(chain(), ['ref']).message, { ...event, blocked: [0] })).toBeNull()
    expect(advance(filtered(buildMessage(), 0).message, { ...event, blocked: [0] })).toBeNull()
  })
})

describe('a step that is postponed', () => {
  test('waits, and its lifetime begins when it goes on', () => {
    const { message, timeline, postings, reports } = postponed(buildMessage(), BEGINNING, BEGINNING + 8 * HOUR)
    expect(message.journey).toMatchObject({
      phase: 'open',
      status: 'QUEUED',
      dueAt: BEGINNING + 8 * HOUR,
      deadlineAt: BEGINNING + 9 * HOUR,
      heldMicros: 50_000,
    })
    expect(timeline).toMatchObject([{ kind: 'postponed', detail: 'quiet hours' }])
    expect([postings, reports]).toEqual([[], []])
    expect(advance(message, { kind: 'timeout', at: BEGINNING + 8 * HOUR })).toBeNull()
    expect(advance(message, { kind: 'timeout', at: BEGINNING + 9 * HOUR })).not.toBeNull()
  })

  test('has what was left of its lifetime when it had begun already', () => {
    const { message } = postponed(unclear(buildMessage()).message, BEGINNING + HOUR / 2, BEGINNING + 8 * HOUR)
    expect(message.journey).toMatchObject({ attempts: 1, deadlineAt: BEGINNING + 8.5 * HOUR })
  })

  test('does not wait for what has passed, nor when a carrier has it', () => {
    const event = {
      kind: 'postponed',
      at: BEGINNING,
      step: 0,
      until: BEGINNING,
      reason: 'quiet hours',
      rules: 'r',
    } as const
    expect(advance(chain(), event)).toBeNull()
    expect(advance(taken(chain(), ['ref']).message, { ...event, until: BEGINNING + HOUR })).toBeNull()
  })
})
