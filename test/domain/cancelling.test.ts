/** A client takes a message back: possible as long as no carrier has any of it, or may have. */
import { expect, test } from 'vitest'
import { advance } from '../../src/domain/journey/journey.ts'
import type { Verdict } from '../../src/domain/message/journey-event.ts'
import type { Message } from '../../src/domain/message/message.ts'
import { toMicros } from '../../src/domain/money/money.ts'
import { BEGINNING, buildMessage, buildPlan, buildStep } from '../support/build-message.ts'
import { receipt, taken } from '../support/make-turn.ts'

const AT = BEGINNING + 7_000
const cancel = (message: Message) => advance(message, { kind: 'cancelled', at: AT })

/** The message after a carrier has answered so for the parts of the step under way. */
function after(message: Message, ...verdicts: readonly Verdict[]): Message {
  const turn = advance(message, {
    kind: 'answered',
    at: BEGINNING + 1_000,
    step: message.journey.step,
    carrierId: 'smsc',
    verdicts: verdicts.map((verdict, part) => ({ ...verdict, part })),
    anotherLeft: false,
    jitter: 0,
  })
  if (turn === null) throw new Error('nothing came of it')
  return turn.message
}

const REFUSED: Verdict = { kind: 'refused', status: 'UNDELIVERABLE', reason: 'no such subscriber' }
const SLOW: Verdict = { kind: 'slow', reason: 'queue full', retryAfterMs: null }
const UNREACHABLE: Verdict = { kind: 'unreachable', reason: 'connection refused' }
const UNCLEAR: Verdict = { kind: 'unclear', reason: 'no answer' }
const TAKEN: Verdict = { kind: 'taken', ref: 'r' }

test('it ends, the hold is released, and the cancellation reported', () => {
  const turn = cancel(buildMessage({ clientId: '12', plan: buildPlan('rcs', 'sms') }))
  expect(turn).toMatchObject({
    timeline: [{ at: AT, kind: 'cancelled', step: 0, carrierId: null, detail: 'cancelled by the client' }],
    postings: [{ kind: 'release', amountMicros: 50_000 }],
    refs: [],
    revokes: [],
  })
  expect(turn?.message.journey).toMatchObject({ status: 'CANCELLED', phase: 'ended', dueAt: null, heldMicros: 0 })
  expect(turn?.reports.map(({ body }) => JSON.parse(body))).toMatchObject([
    {
      type: 'message.status',
      id: 12,
      status: 'CANCELLED',
      channel: 'rcs',
      price: 0,
      error: 'cancelled by the client',
      steps: [{ channel: 'rcs', status: 'CANCELLED', at: new Date(AT).toISOString() }],
    },
  ])
})

test.each<[string, Message]>([
  ['was never tried', buildMessage()],
  ['costs nothing', buildMessage({ plan: [buildStep('sms', { priceMicros: toMicros(0) })] })],
  ['waits for a slow carrier', after(buildMessage(), SLOW)],
  ['waits because no carrier could be reached', after(buildMessage(), UNREACHABLE)],
  ['was refused by the channel before', after(buildMessage({ plan: buildPlan('rcs', 'sms') }), REFUSED)],
])('possible for a message that %s', (_, message) => {
  expect(cancel(message)?.message.journey.status).toBe('CANCELLED')
})

const twoParts = buildMessage({ plan: [buildStep('sms', { parts: 2 })] })
test.each<[string, Message]>([
  ['is with a carrier', after(buildMessage(), TAKEN)],
  ['a carrier may have, for it gave no answer', after(buildMessage(), UNCLEAR)],
  ['a carrier may have from a try before', after(after(buildMessage(), UNCLEAR), SLOW)],
  ['a carrier has a part of', after(twoParts, TAKEN, SLOW)],
  [
    'the channel before had',
    receipt(taken(buildMessage({ plan: buildPlan('rcs', 'sms') }), ['r']).message, 'undeliverable').message,
  ],
  ['the channel before may have had', after(after(buildMessage({ plan: buildPlan('rcs', 'sms') }), UNCLEAR), REFUSED)],
  ['was delivered', receipt(taken(buildMessage(), ['r']).message, 'delivered').message],
  ['was refused', after(buildMessage(), REFUSED)],
])('too late for a message that %s', (_, message) => {
  expect(cancel(message)).toBeNull()
})

test('asked again, it is a turn that changes nothing', () => {
  const first = cancel(buildMessage())?.message as Message
  const again = advance(first, { kind: 'cancelled', at: AT + 1_000 })
  const journey = { ...first.journey, version: first.journey.version + 1 }
  expect(again).toEqual({
    message: { ...first, journey },
    timeline: [],
    postings: [],
    reports: [],
    refs: [],
    revokes: [],
    calls: [],
    counts: [],
  })
})

test('a carrier that took it all the same, before a crash, is asked to forget it', () => {
  const message = cancel(buildMessage())?.message as Message
  const late = taken(message, ['r'])
  expect(late.revokes).toEqual([{ step: 0, carrierId: 'carrier-1', refs: ['r'] }])
  expect(late.timeline.map(({ kind }) => kind)).toEqual(['late'])
  expect(late.message.journey).toMatchObject({ status: 'CANCELLED', chargedMicros: 0 })
  expect(receipt(late.message, 'delivered').message.journey).toMatchObject({ status: 'CANCELLED', chargedMicros: 0 })
})

test('its lifetime and its clicks change nothing about that', () => {
  const message = cancel(buildMessage())?.message as Message
  expect(advance(message, { kind: 'timeout', at: message.journey.deadlineAt })).toBeNull()
})
