import { describe, expect, test } from 'vitest'
import { advance } from '../../src/domain/journey/journey.ts'
import type { Turn } from '../../src/domain/journey/turn.ts'
import { withCost as withCostAt } from '../../src/domain/journey/turn-cost.ts'
import type { Message } from '../../src/domain/message/message.ts'
import { type Cost, type CostOf, CostTable } from '../../src/domain/money/cost.ts'
import { toMicros } from '../../src/domain/money/money.ts'
import { UNLIMITED } from '../../src/domain/money/rate.ts'
import type { Phone } from '../../src/domain/numbers/phone.ts'
import { BEGINNING, buildMessage, buildPlan, buildStep } from '../support/build-message.ts'
import { answered, receipt, refused, TEST_CARRIER, taken } from '../support/make-turn.ts'

const euros = (micros: number) => ({ micros: toMicros(micros), currency: 'EUR' })
const costOf: CostOf = (carrierId) => ({ [TEST_CARRIER]: euros(30), other: euros(7), abroad: null })[carrierId] ?? null

function withSecondPart(message: Message, carrierId: string, ref: string): Turn {
  const verdicts = [{ kind: 'taken', ref, part: 1 } as const]
  const about = { at: BEGINNING, step: 0, carrierId, anotherLeft: false, jitter: 0 }
  const turn = advance(message, { kind: 'answered', verdicts, ...about })
  if (turn === null) throw new Error('an answer changes something')
  return turn
}

/** Costs of these tests are valid at all times, unless they say otherwise. */
const withCost = (turn: Turn, costs: CostOf) => withCostAt(turn, BEGINNING, costs)
const chargesOf = (turn: ReturnType<typeof taken>) => turn.postings.flatMap(({ charge }) => charge ?? [])

test('a charge costs what its carrier takes for every part', () => {
  const message = buildMessage({ plan: [buildStep('sms', { parts: 2 })] })
  const turn = taken(message, ['a', 'b'])
  expect(chargesOf(turn)).toMatchObject([{ channel: 'sms', parts: 2, carrierId: TEST_CARRIER, cost: null }])
  const known = withCost(turn, costOf)
  expect(chargesOf(known)).toMatchObject([{ channel: 'sms', parts: 2, carrierId: TEST_CARRIER, cost: euros(60) }])
  expect({ ...known, postings: [] }).toEqual({ ...turn, postings: [] })
})

test('parts that different carriers took cost what each of them takes; one of unknown cost makes it unknown', () => {
  const message = buildMessage({ plan: [buildStep('sms', { parts: 2 })] })
  const first = withCost(taken(message, ['a'], { carrierId: 'other' }), costOf)
  expect(chargesOf(first)).toEqual([])
  expect(first.message.journey.steps[0]?.parts.map(({ state }) => state)).toEqual(['taken', 'open'])
  const second = withSecondPart(first.message, TEST_CARRIER, 'b')
  expect(chargesOf(withCost(second, costOf))).toMatchObject([{ carrierId: TEST_CARRIER, cost: euros(37) }])
  const unknown = withSecondPart(first.message, 'abroad', 'b')
  expect(chargesOf(withCost(unknown, costOf))).toMatchObject([{ carrierId: 'abroad', cost: null }])
})

test('a cost that is too high to be summed is unknown, and stops no charge', () => {
  const message = buildMessage({ plan: [buildStep('sms', { parts: 10 })] })
  const turn = taken(message, ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'])
  const high: CostOf = () => ({ micros: toMicros(999_999_999_000_000), currency: 'EUR' })
  expect(chargesOf(withCost(turn, high))).toMatchObject([{ parts: 10, cost: null }])
})

test('costs in two currencies are not added up', () => {
  const message = buildMessage({ plan: [buildStep('sms', { parts: 2 })] })
  const first = taken(message, ['a'], { carrierId: 'other' })
  const second = withSecondPart(first.message, TEST_CARRIER, 'b')
  const mixed: CostOf = (carrierId) => ({ ...euros(5), currency: carrierId === 'other' ? 'USD' : 'EUR' })
  expect(chargesOf(withCost(second, mixed))).toMatchObject([{ cost: null }])
})

test('a chain is charged by the step that earned it, at the cost of the carrier that took that step', () => {
  const message = buildMessage({ plan: buildPlan('rcs', 'sms') })
  const rcs = taken(message, ['a'], { carrierId: 'other' })
  expect(chargesOf(withCost(rcs, costOf))).toEqual([])
  const delivered = withCost(receipt(rcs.message, 'delivered', { carrierId: 'other' }), costOf)
  expect(chargesOf(delivered)).toMatchObject([{ channel: 'rcs', carrierId: 'other', cost: euros(7) }])
  const sms = withCost(taken(refused(message).message, ['b']), costOf)
  expect(chargesOf(sms)).toMatchObject([{ channel: 'sms', carrierId: TEST_CARRIER, cost: euros(30) }])
})

describe('what a carrier bills a part as', () => {
  const cost = (price: number, change: Partial<Cost> = {}): Cost => {
    const everything = { carrierId: TEST_CARRIER, category: null, prefix: '', currency: null, ...UNLIMITED }
    return { ...everything, priceMicros: toMicros(price), ...change }
  }
  const table = new CostTable([
    cost(9),
    cost(8, { prefix: '49' }),
    cost(5, { category: 'utility' }),
    cost(4, { category: 'utility', prefix: '49', currency: 'USD' }),
  ])
  const amount = (phone: string, category: string | null, costs = table) =>
    costs.amount(TEST_CARRIER, { phone: phone as Phone, operator: null }, { category, at: BEGINNING, currency: 'EUR' })

  test('a cost of its category goes before one of every category, whatever their prefixes', () => {
    expect(amount('33612345678', 'utility')).toEqual(euros(5))
    expect(amount('4917012345678', 'utility')).toEqual({ ...euros(4), currency: 'USD' })
    expect(amount('4917012345678', 'marketing')).toEqual(euros(8))
    expect(amount('4917012345678', null)).toEqual(euros(8))
    expect(amount('33612345678', null, new CostTable([cost(5, { category: 'utility' })]))).toBe(null)
  })

  test('what it does not bill costs nothing, even where no cost is set', () => {
    expect(amount('4917012345678', 'free')).toEqual(euros(0))
    expect(amount('4917012345678', 'free', new CostTable([]))).toEqual(euros(0))
  })

  test('a charge has the cost of its moment, and a cost of its category only while that is valid', () => {
    const dated = new CostTable([
      cost(9, { until: BEGINNING }),
      cost(8, { from: BEGINNING }),
      cost(5, { category: 'utility', until: BEGINNING }),
    ])
    const byTime: CostOf = (carrierId, number, terms) => dated.amount(carrierId, number, { ...terms, currency: 'EUR' })
    const turn = answered(buildMessage({ plan: [buildStep('sms')] }), [
      { kind: 'taken', ref: 'a', category: 'utility' },
    ])
    const chargedAt = (at: number) => chargesOf(withCostAt(turn, at, byTime))[0]?.cost
    expect(chargedAt(BEGINNING - 1)).toEqual(euros(5))
    expect(chargedAt(BEGINNING)).toEqual(euros(8))
  })

  const byCategory: CostOf = (_carrierId, number, terms) =>
    table.amount(TEST_CARRIER, number, { ...terms, currency: 'EUR' })

  test('the charge costs what the last receipt up to it named, and a later receipt changes nothing', () => {
    const message = buildMessage({ plan: [buildStep('chatapp')] })
    const sent = receipt(taken(message, ['a']).message, 'accepted', { category: 'utility' })
    const delivered = withCost(receipt(sent.message, 'delivered'), byCategory)
    expect(chargesOf(delivered)).toMatchObject([{ cost: { micros: 4, currency: 'USD' } }])
    const corrected = withCost(receipt(sent.message, 'delivered', { category: 'free' }), byCategory)
    expect(chargesOf(corrected)).toMatchObject([{ cost: euros(0) }])
    expect(withCost(receipt(delivered.message, 'read', { category: 'marketing' }), byCategory).postings).toEqual([])
  })

  test('the charge costs what the answer named, unless a receipt names another', () => {
    const message = buildMessage({ plan: [buildStep('rcs')] })
    const sent = answered(message, [{ kind: 'taken', ref: 'a', category: 'utility' }]).message
    expect(chargesOf(withCost(receipt(sent, 'delivered'), byCategory))).toMatchObject([
      { cost: { micros: 4, currency: 'USD' } },
    ])
    const free = withCost(receipt(sent, 'delivered', { category: 'free' }), byCategory)
    expect(chargesOf(free)).toMatchObject([{ cost: euros(0) }])
  })
})
