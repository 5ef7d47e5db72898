/** When carriers are checked, and what becomes of a check. */
import { describe, expect, test } from 'vitest'
import {
  type CarrierCheck,
  checkedNumbers,
  checkNumbers,
  isCheckDue,
  judgeCheck,
  makeToken,
  numbersOf,
  tokensIn,
} from '../../src/domain/routing/carrier-check.ts'
import { BEGINNING, buildMessage } from '../support/build-message.ts'

const carrier = {
  id: 'cheap',
  channel: 'sms',
  kind: 'http',
  draining: false,
  settings: { check: { numbers: ['+49 162 1000100', '37120000001'] } },
} as const
const [number] = numbersOf(carrier)
const HOUR = 3_600_000

function last(change: Partial<CarrierCheck> = {}): CarrierCheck {
  const facts = { carrierId: 'cheap', country: 'DE', token: 'ph000000000001', messageId: null, detail: null }
  return { ...facts, sentAt: BEGINNING, outcome: 'arrived', endedAt: BEGINNING, ...change }
}

test('each number of a carrier of SMS is checked, unless it is drained', () => {
  expect(checkedNumbers([carrier])).toMatchObject([
    { carrierId: 'cheap', phone: '491621000100', country: 'DE' },
    { carrierId: 'cheap', phone: '37120000001', country: 'LV' },
  ])
  expect(checkedNumbers([{ ...carrier, draining: true }])).toEqual([])
  expect(numbersOf({ ...carrier, channel: 'rcs' })).toEqual([])
  expect(numbersOf({ ...carrier, settings: {} })).toEqual([])
})

test.each([
  [['12'], 'should have phone numbers with a country code: 12 is none'],
  [['491621000100', '491621000101'], 'should have one number of each country, and has two of DE'],
])('the numbers %j are refused', (numbers, reason) => {
  expect(() => checkNumbers(numbers)).toThrow(reason)
})

describe('a check is due', () => {
  const dueAfter = (check: CarrierCheck | undefined, ms: number) =>
    number !== undefined && isCheckDue(number, check, BEGINNING + ms)

  test('at once, then once a day', () => {
    expect(dueAfter(undefined, 0)).toBe(true)
    expect([24 * HOUR - 1, 24 * HOUR].map((ms) => dueAfter(last(), ms))).toEqual([false, true])
  })

  test('an hour after one that could not be sent, and never while one waits', () => {
    expect([HOUR - 1, HOUR].map((ms) => dueAfter(last({ outcome: 'not sent' }), ms))).toEqual([false, true])
    expect(dueAfter(last({ outcome: 'waiting' }), 100 * HOUR)).toBe(false)
  })

  test('also when the clock was set back', () => {
    expect(dueAfter(last(), -1)).toBe(true)
  })
})

test('tokens are found in any letter case, and in no other words', () => {
  if (number === undefined) throw new Error('no number')
  const token = makeToken(
    Uint8Array.from({ length: 8 }, (_, index) => index * 21),
    number,
    { inboundNumbers: [] },
  )
  expect(token).toMatch(/^ph\d{12}$/)
  expect(tokensIn(`Fwd: ${token.toUpperCase()}, ${token}.`)).toEqual([token, token])
  expect(tokensIn(`x${token} ${token}1 ph123`)).toEqual([])
})

test.each([
  ['DELIVERED', 'id', 'false receipt'],
  ['READ', 'id', 'false receipt'],
  ['ACCEPTED', 'id', 'missing'],
  ['UNDELIVERABLE', 'id', 'missing'],
  ['EXPIRED', null, 'not sent'],
  ['FILTERED', null, 'not sent'],
] as const)('one whose message is %s, with the id %s, is %s', (status, ref, outcome) => {
  const message = buildMessage()
  const [step] = message.journey.steps
  if (step === undefined) throw new Error('no step')
  const steps = [{ ...step, status, parts: [{ state: ref === null ? 'open' : 'taken', ref } as const] }]
  expect(judgeCheck({ ...message, journey: { ...message.journey, status, steps } })).toMatchObject({ outcome })
})

test('one whose message is unknown was not sent', () => {
  expect(judgeCheck(null).outcome).toBe('not sent')
})
