/** A verification as its journey: which codes are right and when, what ends it, and what is paid for. */
import { expect, test } from 'vitest'
import { advance } from '../../src/domain/journey/journey.ts'
import type { Turn } from '../../src/domain/journey/turn.ts'
import { beginJourney, type Message, type Step } from '../../src/domain/message/message.ts'
import { beginVerification, checkResult } from '../../src/domain/message/verification.ts'
import { toMicros } from '../../src/domain/money/money.ts'
import { BEGINNING, buildMessage, buildStep } from '../support/build-message.ts'
import { receipt, refused, taken, unclear } from '../support/make-turn.ts'

const EXPIRES_AT = BEGINNING + 600_000
const CALL = buildStep('call', {
  content: { kind: 'call', from: '493012340815', code: '0815' },
  lifetimeSeconds: 30,
  priceMicros: toMicros(20_000),
})
const textStep = (channel: 'rcs' | 'sms', lifetimeSeconds: number, priceMicros: number): Step =>
  buildStep(channel, {
    content: { kind: 'text', text: 'Your code is 482913.', code: '482913' },
    lifetimeSeconds,
    priceMicros: toMicros(priceMicros),
  })
const RCS = textStep('rcs', 60, 30_000)
const SMS = textStep('sms', 600, 50_000)

function verification(...plan: readonly Step[]): Message {
  const journey = beginJourney(plan, BEGINNING, { verification: beginVerification(EXPIRES_AT) })
  return buildMessage({ plan, journey })
}

const check = (message: Message, code: string, at = BEGINNING + 5_000, checkId = 'one'): Turn | null =>
  advance(message, { kind: 'checked', at, code, checkId })
const wait = (message: Message, at: number): Message => {
  const turn = advance(message, { kind: 'timeout', at })
  if (turn === null) throw new Error('the time is not over')
  return turn.message
}
const resultOf = (message: Message | undefined, checkId = 'one') => {
  const { verification } = message?.journey ?? {}
  return verification === undefined ? null : checkResult(verification, checkId)
}
const bodies = (turn: Turn | null) => turn?.reports.map(({ body }) => JSON.parse(body))

test('the right code is approved before any receipt, and says that the step has arrived', () => {
  const turn = check(taken(verification(RCS, SMS), ['r']).message, '482913')
  expect(turn?.message.journey).toMatchObject({
    phase: 'ended',
    status: 'DELIVERED',
    deliveredBy: 0,
    heldMicros: 0,
    chargedMicros: 30_000,
    verification: { state: 'approved', approvedBy: 'one' },
  })
  expect(turn?.postings.map(({ kind, amountMicros }) => [kind, amountMicros])).toEqual([
    ['charge', 30_000],
    ['release', 20_000],
  ])
  expect(bodies(turn)).toMatchObject([{ type: 'verify.status', status: 'approved', channel: 'rcs', price: 0.03 }])
  expect(turn?.timeline).toEqual([{ at: BEGINNING + 5_000, kind: 'approved', step: 0, carrierId: null, detail: '' }])
})

test('the check that approved it, and no other, has the result approved', () => {
  const approved = check(taken(verification(SMS), ['r']).message, '482913')?.message
  expect(resultOf(approved, 'one')).toBe('approved')
  expect(resultOf(approved, 'two')).toBe('used')
  expect(approved && check(approved, '482913', BEGINNING + 6_000, 'two')).toBeNull()
})

test.each(['482914', '48291', '4829130', '0815', ''])('%o is wrong for an SMS after which no call came', (code) => {
  const turn = check(taken(verification(SMS, CALL), ['r']).message, code)
  expect(turn?.message.journey.verification).toEqual({ state: 'pending', expiresAt: EXPIRES_AT, wrongCodes: 1 })
  expect(resultOf(turn?.message)).toBe('wrong')
  expect(JSON.stringify(turn?.timeline)).not.toContain(code === '' ? '482913' : code)
})

test('the fifth wrong code ends it, and revokes what is under way', () => {
  let message = taken(verification(RCS, SMS), ['r']).message
  for (let wrong = 1; wrong < 5; wrong += 1) message = check(message, '000000')?.message ?? message
  const turn = check(message, '000000')
  expect(turn?.message.journey).toMatchObject({ phase: 'ended', status: 'EXPIRED', heldMicros: 0, chargedMicros: 0 })
  expect(turn?.revokes).toMatchObject([{ step: 0, refs: ['r'] }])
  expect(bodies(turn)).toMatchObject([{ status: 'too_many', price: 0 }])
  expect(turn && check(turn.message, '482913')).toBeNull()
  expect(resultOf(turn?.message)).toBe('too_many')
})

test('a call that rings waits for its code; its time is followed by the next channel, and both codes are right', () => {
  const rung = taken(verification(CALL, SMS), ['r'])
  expect(rung.message.journey).toMatchObject({ phase: 'carried', status: 'ACCEPTED', dueAt: BEGINNING + 30_000 })
  expect([rung.postings, rung.reports]).toEqual([[], []])
  const next = wait(rung.message, BEGINNING + 30_000)
  expect(next.journey).toMatchObject({ step: 1, phase: 'open', dueAt: BEGINNING + 30_000 })
  const late = check(next, '0815', BEGINNING + 31_000)
  expect(late?.message.journey).toMatchObject({ deliveredBy: 0, chargedMicros: 20_000, heldMicros: 0 })
  const sent = taken(next, ['s'], { at: BEGINNING + 31_000 }).message
  expect(check(sent, '482913', BEGINNING + 32_000)?.message.journey).toMatchObject({
    deliveredBy: 1,
    chargedMicros: 50_000,
  })
  expect(check(sent, '0815', BEGINNING + 32_000)?.message.journey).toMatchObject({
    deliveredBy: 0,
    chargedMicros: 50_000,
  })
})

test('the ring of a call is counted although the call has not ended the message', () => {
  const rung = taken(verification(CALL, SMS), ['r'])
  const ended = receipt(rung.message, 'unanswered', { at: BEGINNING + 4_000 })
  expect(ended.calls).toEqual([{ carrierId: 'carrier-1', outcome: 'unanswered', ringMs: 3_000 }])
  expect(ended.message.journey.phase).toBe('carried')
})

test('a call as the last channel is delivered when it rings, and waits for its code', () => {
  const rung = taken(verification(CALL), ['r'])
  expect(rung.message.journey).toMatchObject({
    phase: 'carried',
    status: 'DELIVERED',
    dueAt: EXPIRES_AT,
    chargedMicros: 20_000,
  })
  expect(rung.reports).toEqual([])
  expect(check(rung.message, '0815')?.message.journey).toMatchObject({ phase: 'ended', status: 'DELIVERED' })
})

test('a delivery does not end it, and later receipts change no money', () => {
  const delivered = receipt(taken(verification(RCS, SMS), ['r']).message, 'delivered').message
  expect(delivered.journey).toMatchObject({ phase: 'carried', status: 'DELIVERED', dueAt: EXPIRES_AT, step: 0 })
  const read = receipt(delivered, 'read', { at: BEGINNING + 9_000 })
  expect([read.message.journey.status, read.reports, read.postings]).toEqual(['READ', [], []])
  const expired = advance(read.message, { kind: 'timeout', at: EXPIRES_AT })
  expect(expired?.message.journey).toMatchObject({ phase: 'ended', status: 'READ', chargedMicros: 30_000 })
  expect(bodies(expired)).toMatchObject([{ status: 'expired', channel: 'rcs', price: 0.03 }])
  expect(resultOf(expired?.message)).toBe('expired')
})

test('a check at its end finds it expired, whether or not the time-out came first', () => {
  const turn = check(taken(verification(SMS), ['r']).message, '482913', EXPIRES_AT)
  expect(resultOf(turn?.message)).toBe('expired')
  expect(turn?.message.journey).toMatchObject({ phase: 'ended', status: 'EXPIRED', chargedMicros: 50_000 })
})

test('no step outlives it', () => {
  const journey = beginJourney([RCS, SMS], BEGINNING, { verification: beginVerification(BEGINNING + 90_000) })
  const next = wait(taken(buildMessage({ plan: [RCS, SMS], journey }), ['r']).message, BEGINNING + 60_000)
  expect(next.journey.deadlineAt).toBe(BEGINNING + 90_000)
})

test('when every channel has failed it ends at once, costs nothing and is reported', () => {
  const next = refused(verification(CALL, RCS)).message
  const turn = refused(next)
  expect(turn.message.journey).toMatchObject({
    phase: 'ended',
    status: 'UNDELIVERABLE',
    heldMicros: 0,
    chargedMicros: 0,
  })
  expect(bodies(turn)).toMatchObject([{ status: 'failed', channel: 'rcs', price: 0 }])
  expect(check(turn.message, '482913')).toBeNull()
})

test.each([
  ['rang', taken(verification(CALL, RCS), ['r']).message, 20_000],
  ['may have rung', unclear(verification(CALL, RCS)).message, 0],
] as const)('a call that %s is awaited although the channel after it failed', (_, called, charged) => {
  const next = called.journey.step === 1 ? called : wait(called, BEGINNING + 30_000)
  const waiting = refused(next, 'no RCS', { at: BEGINNING + 31_000 }).message
  expect(waiting.journey).toMatchObject({ phase: 'carried', status: 'ACCEPTED', dueAt: EXPIRES_AT, heldMicros: 30_000 })
  expect(resultOf(check(waiting, '0815', BEGINNING + 40_000)?.message)).toBe('approved')
  const expired = wait(waiting, EXPIRES_AT)
  expect(expired.journey).toMatchObject({ phase: 'ended', chargedMicros: charged, heldMicros: 0 })
})

test('a failure that a carrier repeats does not begin another step', () => {
  const called = wait(taken(verification(CALL, RCS), ['r']).message, BEGINNING + 30_000)
  const sent = taken(called, ['s'], { at: BEGINNING + 31_000 }).message
  const failed = receipt(sent, 'undeliverable', { at: BEGINNING + 32_000 })
  const again = receipt(failed.message, 'undeliverable', { at: BEGINNING + 33_000 })
  expect(again.message.journey).toMatchObject({
    ...failed.message.journey,
    version: again.message.journey.version,
    steps: expect.anything(),
  })
  expect(again.timeline.map(({ kind }) => kind)).toEqual(['late'])
})

test('it is cancelled as long as no carrier has anything', () => {
  const turn = advance(verification(CALL, SMS), { kind: 'cancelled', at: BEGINNING + 1 })
  expect(bodies(turn)).toMatchObject([{ type: 'verify.status', status: 'cancelled', price: 0 }])
  expect(turn?.postings).toMatchObject([{ kind: 'release', amountMicros: 50_000 }])
})
