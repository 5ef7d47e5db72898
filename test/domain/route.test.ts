/** Which carriers a step may go to, and in which order: by what is more specific, by priority, by cost, by weight. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CHANNELS } from '../../src/domain/channels/channel.ts'
import { toAccountId } from '../../src/domain/ids/account-id.ts'
import { type Cost, CostTable } from '../../src/domain/money/cost.ts'
import { toMicros } from '../../src/domain/money/money.ts'
import { UNLIMITED } from '../../src/domain/money/rate.ts'
import type { Phone } from '../../src/domain/numbers/phone.ts'
import { type Route, type RoutedStep, RouteTable } from '../../src/domain/routing/route.ts'

const ONE = toAccountId(1)
const TWO = toAccountId(2)

function route(carrierId: string, options: Partial<Route> = {}): Route {
  const general = { accountId: null, sender: null, prefix: '', operators: null, priority: 0, weight: 1, poolId: null }
  return { channel: 'sms', carrierId, ...general, ...options }
}

function step(options: Partial<RoutedStep> = {}): RoutedStep {
  const phone = '4917012345678' as Phone
  return { channel: 'sms', phone, operator: '26201', accountId: ONE, sender: 'Shop', at: 0, ...options }
}

function order(routes: readonly Route[], about: Partial<RoutedStep> = {}, costs: readonly Cost[] = [], draw = 0) {
  return new RouteTable(routes, new CostTable(costs)).candidates(step(about), draw).map(({ carrierId }) => carrierId)
}

function cost(carrierId: string, prefix: string, price: number, change: Partial<Cost> = {}): Cost {
  const everything = { category: null, ...UNLIMITED, currency: null }
  return { carrierId, prefix, ...everything, priceMicros: toMicros(price), ...change }
}

describe('the order of routes', () => {
  test('account, then sender, then the longest prefix, then the operator, then priority', () => {
    const routes = [
      route('any', { priority: 1 }),
      route('preferred'),
      route('operator', { operators: ['26201'], priority: 9 }),
      route('longer', { prefix: '49', priority: 9 }),
      route('longest', { prefix: '4917', priority: 9 }),
      route('sender', { sender: 'Shop', priority: 9 }),
      route('account', { accountId: ONE, priority: 9 }),
      route('both', { accountId: ONE, sender: 'Shop', priority: 9 }),
    ]
    const all = ['both', 'account', 'sender', 'longest', 'longer', 'operator', 'preferred', 'any']
    expect(order(routes)).toEqual(all)
    expect(order([...routes].reverse())).toEqual(all)
    expect(order(routes, { accountId: TWO, sender: 'shop', phone: '4930' as Phone, operator: '26202' })).toEqual([
      'longer',
      'preferred',
      'any',
    ])
  })

  test('only equal routes are in one group', () => {
    const routes = [
      route('a'),
      route('b', { weight: 3 }),
      route('first', { prefix: '49' }),
      route('last', { priority: 9 }),
    ]
    const groups = new RouteTable(routes).ranked(step()).map((each) => each.map(({ carrierId }) => carrierId))
    expect(groups).toEqual([['first'], ['a', 'b'], ['last']])
  })

  test('a route whose operators exclude the number hides no shorter prefix', () => {
    const routes = [route('narrow', { prefix: '49170', operators: ['26202'] }), route('wide')]
    expect(order(routes)).toEqual(['wide'])
    expect(order(routes, { operator: '26202' })).toEqual(['narrow', 'wide'])
  })

  test('an unknown operator excludes no route, but one that asks for an operator comes after one that does not', () => {
    expect(order([route('one', { operators: ['26201'] }), route('all')], { operator: null })).toEqual(['all', 'one'])
  })

  test('the cheaper carrier goes first within one priority, one of unknown cost last', () => {
    const routes = ['unknown', 'dear', 'cheap', 'cheapest'].map((id) => route(id))
    const costs = [cost('dear', '', 9), cost('cheap', '', 99), cost('cheap', '49', 5), cost('cheapest', '4917', 1)]
    expect(order(routes, {}, costs)).toEqual(['cheapest', 'cheap', 'dear', 'unknown'])
    expect(order([...routes, route('first', { priority: -1 })], {}, costs)[0]).toBe('first')
    expect(order([...routes, route('exact', { prefix: '4' })], {}, costs)[0]).toBe('exact')
  })

  test('a cost of the operator goes before one of a prefix', () => {
    const routes = [route('a'), route('b')]
    const costs = [cost('a', '4917', 5), cost('b', '4917', 9), cost('b', '', 1, { operator: '26201' })]
    expect(order(routes, {}, costs)).toEqual(['b', 'a'])
    expect(order(routes, { operator: '26202' }, costs)).toEqual(['a', 'b'])
  })

  test('the costs that are valid at the time of sending decide', () => {
    const routes = [route('a'), route('b')]
    const costs = [cost('a', '', 5, { until: 10 }), cost('a', '', 9, { from: 10, until: 20 }), cost('b', '', 7)]
    const first = (at: number) => order(routes, { at }, costs)[0]
    expect([0, 9, 10, 19, 20].map(first)).toEqual(['a', 'a', 'b', 'b', 'b'])
    expect(order(routes, { at: 20 }, costs)).toEqual(['b', 'a'])
  })

  test('costs in one currency are compared; of several only those in the currency of the installation', () => {
    const routes = [route('a'), route('b'), route('c')]
    const dollars = (id: string, price: number) => cost(id, '', price, { currency: 'USD' })
    expect(order(routes, {}, [dollars('a', 3), dollars('b', 2), dollars('c', 1)])).toEqual(['c', 'b', 'a'])
    expect(order(routes, {}, [dollars('a', 1), cost('b', '', 9), cost('c', '', 8)])).toEqual(['c', 'b', 'a'])
    const yen = cost('b', '', 2, { currency: 'JPY' })
    expect(order(routes, {}, [dollars('a', 3), yen, cost('c', '', 9)])[0]).toBe('c')
  })

  test('a carrier with several routes is tried once, by the best of them', () => {
    expect(order([route('a'), route('b', { prefix: '49' }), route('a', { prefix: '4917' })])).toEqual(['a', 'b'])
  })

  test('of no channel lead nowhere', () => {
    expect(order([])).toEqual([])
    expect(order([route('a')], { channel: 'rcs' })).toEqual([])
  })
})

describe('weights', () => {
  const routes = [route('a', { weight: 1 }), route('b', { weight: 2 }), route('c', { weight: 7 })]

  test('share out the first place, and what is left of it the second', () => {
    const firsts = new Map<string, number>()
    const seconds = new Map<string, number>()
    for (let draw = 0; draw < 1; draw += 0.001) {
      const [first = '', second = '', ...rest] = order(routes, {}, [], draw)
      expect(rest).toHaveLength(1)
      firsts.set(first, (firsts.get(first) ?? 0) + 1)
      if (first === 'c') seconds.set(second, (seconds.get(second) ?? 0) + 1)
    }
    const share = (counts: Map<string, number>, id: string) =>
      (counts.get(id) ?? 0) / [...counts.values()].reduce((sum, count) => sum + count, 0)
    expect(share(firsts, 'a')).toBeCloseTo(0.1)
    expect(share(firsts, 'b')).toBeCloseTo(0.2)
    expect(share(firsts, 'c')).toBeCloseTo(0.7)
    expect(share(seconds, 'a')).toBeCloseTo(1 / 3)
  })
})

const digits = (maxLength: number) => fc.string({ unit: fc.constantFrom('1', '2', '3'), maxLength })

const aRoute: fc.Arbitrary<Route> = fc.record({
  channel: fc.constantFrom(...CHANNELS),
  accountId: fc.constantFrom(null, null, ONE, TWO),
  sender: fc.constantFrom(null, null, 'Shop', 'Bank'),
  prefix: digits(2),
  operators: fc.oneof(fc.constant(null), fc.subarray(['26201', '26202', '26203'])),
  carrierId: fc.constantFrom('a', 'b', 'c', 'd'),
  priority: fc.integer({ min: 0, max: 3 }),
  weight: fc.integer({ min: 1, max: 9 }),
  poolId: fc.constant(null),
})

const aCost: fc.Arbitrary<Cost> = fc.record({
  carrierId: fc.constantFrom('a', 'b', 'c', 'd'),
  category: fc.constant(null),
  prefix: digits(2),
  operator: fc.constantFrom(null, '26201'),
  from: fc.constant(null),
  until: fc.constant(null),
  currency: fc.constantFrom(null, null, 'USD'),
  priceMicros: fc.integer({ min: 0, max: 3 }).map(toMicros),
})

test('any routes give exactly the carriers that serve the step, each once, the same for every draw', () => {
  fc.assert(
    fc.property(
      fc.array(aRoute, { maxLength: 30 }),
      fc.array(aCost, { maxLength: 6 }),
      digits(4),
      fc.constantFrom('26201', '26299', null),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      (routes, costs, number, operator, draw) => {
        const about = { phone: number as Phone, operator }
        const serving = routes.filter(
          (each) =>
            each.channel === 'sms' &&
            number.startsWith(each.prefix) &&
            (each.accountId ?? ONE) === ONE &&
            (each.sender ?? 'Shop') === 'Shop' &&
            (operator === null || each.operators === null || each.operators.includes(operator)),
        )
        const ids = order(routes, about, costs, draw)
        expect(ids).toHaveLength(new Set(ids).size)
        expect(new Set(ids)).toEqual(new Set(serving.map((each) => each.carrierId)))
        // No route precedes one that matches the step more specifically.
        const [first] = new RouteTable(routes, new CostTable(costs)).candidates(step(about), draw)
        if (serving.some((each) => each.accountId === ONE)) expect(first?.accountId).toBe(ONE)
        expect(order(routes, about, costs, draw)).toEqual(ids)
      },
    ),
  )
})
