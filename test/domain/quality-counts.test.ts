/** What turns add to the counts by which carriers are judged. */
import { expect, test } from 'vitest'
import { advance } from '../../src/domain/journey/journey.ts'
import type { Turn } from '../../src/domain/journey/turn.ts'
import { beginJourney, type Message } from '../../src/domain/message/message.ts'
import { beginVerification } from '../../src/domain/message/verification.ts'
import { countTurnQuality, type QualityCounts } from '../../src/domain/routing/quality-counts.ts'
import { QualityRules } from '../../src/domain/routing/quality-rule.ts'
import { BEGINNING, buildMessage, buildStep } from '../support/build-message.ts'
import { receipt, refused, taken } from '../support/make-turn.ts'

const NULLS = {
  slowPercent: null,
  floorPercent: null,
  dropPercent: null,
  tricklePercent: null,
  windowMinutes: null,
  minMessages: null,
}
const RULES = new QualityRules([{ carrierId: null, country: null, mode: 'on', withinSeconds: 60, ...NULLS }])
const OFF = new QualityRules([])

function countsOf(turn: Turn | null, rules = RULES, since = 0) {
  const counted: (Partial<QualityCounts> & { readonly at: number })[] = []
  if (turn !== null) countTurnQuality(turn, { rules, since }, (_, at, counts) => counted.push({ at, ...counts }))
  return counted
}

function withCode(): Message {
  const plan = [buildStep('sms', { content: { kind: 'text', text: 'Your code is 482913.', code: '482913' } })]
  const verification = beginVerification(BEGINNING + 600_000)
  return buildMessage({ plan, journey: beginJourney(plan, BEGINNING, { verification }) })
}

test('a message counts where its carrier took it, and its delivery in the slot in which it was taken', () => {
  const turn = taken(buildMessage(), ['r'])
  const places: unknown[] = []
  countTurnQuality(turn, { rules: RULES, since: 0 }, (place) => places.push(place))
  expect(places).toEqual([{ channel: 'sms', carrierId: expect.any(String), country: 'DE', operator: '26201' }])
  const [{ at = 0 } = {}] = countsOf(turn)
  expect(countsOf(turn)).toEqual([{ at, sent: 1 }])
  expect(countsOf(receipt(turn.message, 'delivered', { at: at + 60_000 }))).toEqual([
    { at, delivered: 1, deliveredMs: 60_000, in90s: 1 },
  ])
  expect(countsOf(receipt(turn.message, 'delivered', { at: at + 60_001 }))).toEqual([])
  expect(countsOf(receipt(turn.message, 'delivered', { at: at + 10_000 }))).toMatchObject([{ in10s: 1 }])
  expect(countsOf(receipt(turn.message, 'delivered', { at: at + 10_001 }))).toMatchObject([{ in30s: 1 }])
  expect(countsOf(receipt(turn.message, 'undeliverable', { at: at + 1_000 }))).toEqual([])
})

test('a receipt that may have waited for a gateway that was down is neither late nor timed', () => {
  const turn = taken(buildMessage(), ['r'])
  const [{ at = 0 } = {}] = countsOf(turn)
  const late = receipt(turn.message, 'delivered', { at: at + 90_000 })
  expect(countsOf(late, RULES, at + 80_000)).toEqual([{ at, delivered: 1 }])
  expect(countsOf(late, RULES, at)).toEqual([])
})

test('a message that its carrier refuses was sent too', () => {
  expect(countsOf(refused(buildMessage()))).toMatchObject([{ sent: 1 }])
})

test('a code counts when it was taken, and if it is entered in time', () => {
  const turn = taken(withCode(), ['r'])
  const [{ at = 0 } = {}] = countsOf(turn)
  expect(countsOf(turn)).toEqual([{ at, sent: 1, codes: 1 }])
  const check = (after: number) =>
    advance(turn.message, { kind: 'checked', at: BEGINNING + after, code: '482913', checkId: 'one' })
  // The code proves the delivery.
  expect(countsOf(check(30_000))).toMatchObject([{ at, delivered: 1 }, { converted: 1 }])
  expect(countsOf(check(90_000))).toEqual([])
})

test('messages of test keys, tests of carriers, and carriers that are not judged do not count', () => {
  const message = buildMessage()
  expect(countsOf(taken(message, ['r']), OFF)).toEqual([])
  expect(countsOf(taken({ ...message, test: true }, ['r']))).toEqual([])
  const journey = { ...message.journey, testedCarrier: 'acme' }
  expect(countsOf(taken({ ...message, journey }, ['r']))).toEqual([])
})
